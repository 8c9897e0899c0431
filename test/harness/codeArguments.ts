import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const OPTIONS = {
  extensionDevelopmentPath: { type: "string", multiple: true },
  extensionTestsPath: { type: "string" },
  "user-data-dir": { type: "string" },
  "extensions-dir": { type: "string" },
  "install-extension": { type: "string", multiple: true },
  "uninstall-extension": { type: "string", multiple: true },
  "list-extensions": { type: "boolean" },
  "show-versions": { type: "boolean" },
  force: { type: "boolean" },
  "disable-workspace-trust": { type: "boolean" },
  version: { type: "boolean", short: "v" },
} as const;

export type CodeArguments = ReturnType<typeof parseCodeArguments>;

/** Reads the part of the command line of `code` that tests and scripts use. Other options are
 *  passed over, as most of them speak of the desktop's windows and graphics. */
export function parseCodeArguments(argv: readonly string[]) {
  const parsed = parseArgs({
    args: [...argv],
    options: OPTIONS,
    strict: false,
    allowPositionals: true,
  });
  const text = (name: keyof typeof OPTIONS): string | undefined => {
    const value = parsed.values[name];
    return typeof value === "string" ? value : undefined;
  };
  const texts = (name: keyof typeof OPTIONS): readonly string[] => {
    const value = parsed.values[name];
    const list: readonly unknown[] = Array.isArray(value) ? value : [];
    return list.filter((item) => typeof item === "string");
  };
  const ours = text("user-data-dir") === undefined;
  const fresh = (): string => realpathSync(mkdtempSync(join(tmpdir(), "aer-code-")));
  const userDataDir = resolve(text("user-data-dir") ?? fresh());
  const extensionsDir = resolve(text("extensions-dir") ?? join(userDataDir, "extensions"));
  for (const dir of [userDataDir, extensionsDir]) mkdirSync(dir, { recursive: true });
  return {
    path: parsed.positionals[0],
    extensionDevelopmentPath: texts("extensionDevelopmentPath"),
    extensionTestsPath: text("extensionTestsPath"),
    userDataDir,
    extensionsDir,
    version: parsed.values["version"] === true,
    trustAll: parsed.values["disable-workspace-trust"] === true,
    /** Arguments for a call that manages extensions and then ends; empty for any other call. */
    manage: [
      ...texts("install-extension").flatMap((file) => ["--install-extension", file]),
      ...texts("uninstall-extension").flatMap((id) => ["--uninstall-extension", id]),
      ...(["list-extensions", "show-versions", "force"] as const).flatMap((name) =>
        parsed.values[name] === true ? [`--${name}`] : [],
      ),
    ],
    /** Removes the user data folder if this call has made it. */
    cleanUp: (): void => {
      if (ours) rmSync(userDataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
