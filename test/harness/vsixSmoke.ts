// Packs the extension, installs the package as a user would, runs its sample, and looks whether
// the panel shows the calls, also after the window was reloaded. Then it imports and exports transcripts, and
// answers VS Code's own confirmations of tools.
//   node test/harness/vsixSmoke.ts [--extension folder] [--screenshot file]
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { scriptOptions } from "../support/scriptOptions.ts";
import type { Page } from "playwright-core";
import { launchBrowser } from "./browser.ts";
import { addExtension } from "./builtExtension.ts";
import { walkConfirmations } from "./confirmations.ts";
import { runCommand, type PaletteCommand } from "./palette.ts";
import { HARNESS, makeSession, QUIET_SETTINGS, ROOT, SCREENSHOTS, type Session } from "./paths.ts";
import { walkRestart } from "./restart.ts";
import { startServer } from "./server.ts";
import { walkTranscripts } from "./transcripts.ts";
import { messageOf } from "./wait.ts";
import { findReview, REVIEW_PANEL, showsOutcomes } from "./webview.ts";
import { newPage, showWorkbench, workbenchUrl } from "./workbench.ts";

const { values } = scriptOptions({
  options: {
    extension: { type: "string", default: ROOT },
    screenshot: { type: "string", default: join(SCREENSHOTS, "vsix.png") },
  },
});

const command = (name: string): PaletteCommand => ({
  id: `agentEditReview.${name}`,
  folder: values.extension,
});
const OPEN_PANEL = command("openPanel");
const RUN_SAMPLE = command("runSampleCall");

const session = makeSession(QUIET_SETTINGS);
try {
  const file = join(session.userDataDir, "extension.vsix");
  pack(file);
  await addExtension(session, "caller", join(HARNESS, "caller", "extension.ts"));
  const id = install(session, file);
  process.stdout.write(`Installed ${id}\n`);
  const walks = await look(session);
  const passed = 1 + walks;
  process.stdout.write(`Screenshot: ${values.screenshot}\nvsix: ${passed} passed, 0 failed\n`);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.stdout.write("vsix: 0 passed, 1 failed\n");
  process.exitCode = 1;
} finally {
  session.remove();
}
process.exit();

function pack(file: string): void {
  const vsce = join(ROOT, "node_modules", "@vscode", "vsce", "vsce");
  const args = [vsce, "package", "--no-dependencies", "--out", file];
  call(args, resolve(values.extension));
}

/** Returns the extension as the editor lists it, with its version. */
function install(session: Session, file: string): string {
  const folders = [
    "--user-data-dir",
    session.userDataDir,
    "--extensions-dir",
    session.extensionsDir,
  ];
  const code = join(HARNESS, "code.ts");
  call([code, ...folders, "--install-extension", file], ROOT);
  const all = call([code, ...folders, "--list-extensions", "--show-versions"], ROOT);
  const listed = all.replace(/^test\.caller@.*\n/m, "").trim();
  if (!/^\S+\.agent-edit-review@\S+$/.test(listed)) {
    throw new Error(`The package is not the one installed extension: "${listed}"`);
  }
  return listed;
}

function call(args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
  if (status === 0) return stdout;
  throw new Error(`${args.join(" ")} failed (${status})\n${stdout}${stderr}`);
}

/** Gives the number of walks through a restart, imports, exports and confirmations. */
async function look(session: Session): Promise<number> {
  const caller = join(session.userDataDir, "calls");
  mkdirSync(caller);
  const browser = await launchBrowser();
  const env = { CALLER_FOLDER: caller };
  const server = await startServer({ ...session, testDriver: false, env });
  const page: Page = await newPage(browser);
  try {
    await showWorkbench(page, workbenchUrl(server, { path: session.workspace }));
    await runCommand(page, RUN_SAMPLE);
    await showsOutcomes(page);
    const restart = await walkRestart(page, session.workspace, () => runCommand(page, OPEN_PANEL));
    const review = await findReview(page);
    const size = await review.locator(REVIEW_PANEL).first().boundingBox();
    if (size === null || size.height < 1) throw new Error("The review panel has no size");
    const transcripts = await walkTranscripts(page, session.userDataDir);
    return (
      restart +
      transcripts +
      (await walkConfirmations(page, { caller, workspace: session.workspace }))
    );
  } finally {
    await page.screenshot({ path: values.screenshot, timeout: 20_000 });
    await browser.close();
    await server.stop();
  }
}
