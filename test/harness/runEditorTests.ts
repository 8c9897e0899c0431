// Runs test/editor/*.test.ts inside a real extension host.
//   node test/harness/runEditorTests.ts [--grep pattern] [--web] [--extension folder] [--suites folder] [--scheme name]
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { scriptOptions } from "../support/scriptOptions.ts";
import { runTests } from "@vscode/test-electron";
import { build } from "esbuild";
import { startDesktopControl } from "./desktopControl.ts";
import { findDesktop } from "./desktop.ts";
import type { SuiteResult } from "./hostEntry.ts";
import { CACHE, HARNESS, makeSession, ROOT, TEST_SETTINGS, type Session } from "./paths.ts";
import { messageOf } from "./wait.ts";

const { values } = scriptOptions({
  options: {
    grep: { type: "string" },
    /** Uses the editor from npm also where a desktop editor is installed. */
    web: { type: "boolean", default: false },
    /** Another folder of suites, such as the ones for external cases: test/editor/byHand. */
    suites: { type: "string", default: join(ROOT, "test", "editor") },
    /** Opens a folder of this scheme in place of the sample; the suites bring its file system. */
    scheme: { type: "string" },
    /** Another folder to load the extension from, such as an unpacked package. */
    extension: { type: "string", default: ROOT },
  },
});

// runTests knows how to end the editor on SIGINT, and on nothing else.
for (const name of ["SIGTERM", "SIGHUP"] as const) process.on(name, () => process.emit("SIGINT"));

const session = makeSession(TEST_SETTINGS);
const out = join(CACHE, `out-${process.pid}`);
try {
  await bundle(out);
  process.exitCode = await runIn(session, out);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
} finally {
  session.remove();
  rmSync(out, { recursive: true, force: true });
}
process.exit();

/** The host loads CommonJS, so the suites are bundled. Mocha stays outside: it is one for all. */
async function bundle(out: string): Promise<void> {
  const dir = resolve(values.suites);
  const suites = readdirSync(dir).filter((name) => name.endsWith(".test.ts"));
  mkdirSync(out, { recursive: true });
  await build({
    entryPoints: [join(HARNESS, "hostEntry.ts"), ...suites.map((name) => join(dir, name))],
    outdir: out,
    entryNames: "[name]",
    outExtension: { ".js": ".cjs" },
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    sourcemap: "inline",
    external: ["vscode", "mocha"],
    logLevel: "warning",
  });
}

async function runIn(session: Session, out: string): Promise<number> {
  const resultFile = join(session.userDataDir, "result.json");
  const env: Record<string, string> = {
    EDITOR_TEST_RESULT: resultFile,
    ...(process.stdout.isTTY ? { EDITOR_TEST_COLOR: "1" } : {}),
    ...(process.env["SHARED_CASES"] === undefined
      ? {}
      : { SHARED_CASES: resolve(process.env["SHARED_CASES"]) }),
    ...(values.grep === undefined ? {} : { EDITOR_TEST_GREP: values.grep }),
  };
  const desktop = values.web ? undefined : findDesktop();
  const control = desktop === undefined ? undefined : await startDesktopControl();
  const launcher = desktop === undefined ? [join(HARNESS, "code.ts")] : [];
  process.stdout.write(`Editor: ${desktop ?? "VS Code server from npm, headless"}\n`);
  let exit: string | undefined;
  try {
    await runTests({
      vscodeExecutablePath: desktop ?? process.execPath,
      extensionDevelopmentPath: resolve(values.extension),
      extensionTestsPath: join(out, "hostEntry.cjs"),
      extensionTestsEnv: { ...env, ...control?.env },
      launchArgs: [
        ...launcher, // comes first, as it is the script that node runs
        values.scheme === undefined ? session.workspace : virtualWorkspace(session, values.scheme),
        `--user-data-dir=${session.userDataDir}`,
        `--extensions-dir=${session.extensionsDir}`,
        ...(control?.launchArgs ?? []),
      ],
    });
  } catch (error) {
    exit = messageOf(error);
  } finally {
    control?.close();
  }
  return report(resultFile, exit);
}

/** Only a workspace file can name a folder that is not on the disk. The disk has a link of the same name, so that
 *  whoever asks it in place of the file system gets a wrong answer. */
function virtualWorkspace(session: Session, scheme: string): string {
  const folder = `${session.workspace}-virtual`;
  symlinkSync(session.workspace, folder, "junction");
  const uri = `${scheme}:${pathToFileURL(folder).pathname}`;
  const file = join(session.userDataDir, "virtual.code-workspace");
  writeFileSync(file, JSON.stringify({ folders: [{ uri }] }));
  return file;
}

/** Both must be right: the file that the suite wrote, and the exit code. */
function report(resultFile: string, exit: string | undefined): number {
  const result = existsSync(resultFile)
    ? (JSON.parse(readFileSync(resultFile, "utf8")) as SuiteResult)
    : undefined;
  const total = result === undefined ? 0 : result.passed + result.failed;
  if (result === undefined) process.stderr.write("The suites did not come to their end.\n");
  else if (total === 0) process.stderr.write("No editor test ran.\n");
  if (exit !== undefined) process.stderr.write(`${exit}\n`);
  for (const failure of result?.failures ?? []) {
    process.stderr.write(`failed: ${failure.title}: ${failure.message}\n`);
  }
  if (result !== undefined && result.skipped > 0) {
    process.stdout.write(`editor: ${result.skipped} skipped\n`);
  }
  const bad = result === undefined || total === 0 || exit !== undefined;
  const failed = Math.max(result?.failed ?? 0, bad ? 1 : 0);
  process.stdout.write(`editor: ${result?.passed ?? 0} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}
