import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const HARNESS = dirname(fileURLToPath(import.meta.url));
export const ROOT = dirname(dirname(HARNESS));
/** Everything that is fetched or made on demand lies here. Git ignores it, and it may be deleted. */
export const CACHE = join(ROOT, ".vscode-test");
export const SCREENSHOTS = join(CACHE, "screenshots");
export const SAMPLE = join(ROOT, "test", "sample");

/** The folders of one editor session. Sessions share nothing, so any number may run at once. */
export interface Session {
  readonly userDataDir: string;
  readonly extensionsDir: string;
  readonly workspace: string;
  remove(): void;
}

export function makeSession(settings: Readonly<Record<string, unknown>>): Session {
  // The name is short because VS Code puts sockets below the user data folder, and the path of a
  // socket may have only about 100 characters. The real path is taken because macOS links /tmp.
  const root = realpathSync(mkdtempSync(join(tmpdir(), "aer-")));
  const session = {
    userDataDir: join(root, "user"),
    extensionsDir: join(root, "ext"),
    workspace: join(root, "sample"),
    // A killed editor may still write its last log lines for a moment, hence the retries.
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
  mkdirSync(join(session.userDataDir, "User"), { recursive: true });
  mkdirSync(session.extensionsDir);
  cpSync(SAMPLE, session.workspace, { recursive: true });
  const text = `${JSON.stringify(settings, null, 2)}\n`;
  writeFileSync(join(session.userDataDir, "User", "settings.json"), text);
  return session;
}

/** A server that is not under test takes no development extension, so the folder is linked to where
 *  it looks for installed ones. After a build, "Developer: Reload Window" shows the new state. */
export function linkExtension({ extensionsDir }: Session, folder: string): void {
  const manifest = readFileSync(join(folder, "package.json"), "utf8");
  const { publisher, name, version } = JSON.parse(manifest) as Record<string, string>;
  symlinkSync(folder, join(extensionsDir, `${publisher}.${name}-${version}`), "junction");
}

/** Settings that keep the editor quiet and off the network, for users and for tests. */
export const QUIET_SETTINGS = {
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "workbench.startupEditor": "none",
  "workbench.enableExperiments": false,
  "workbench.tips.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "git.openRepositoryInParentFolders": "never",
} as const;

/** The web workbench differs from the desktop in a few defaults; tests want the desktop's. No call waits for errors
 *  in the files that it changed, which would be half a second each; the tests of those errors switch that on. */
export const TEST_SETTINGS = {
  ...QUIET_SETTINGS,
  "agentEditReview.diagnostics": false,
  "files.autoSave": "off",
  "window.dialogStyle": "custom",
  "editor.cursorBlinking": "solid",
  "workbench.reduceMotion": "on",
} as const;
