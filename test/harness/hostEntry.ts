// VS Code loads this file inside the extension host and calls `run`. It runs the suites that
// runEditorTests.ts has built beside it, and writes down how they ended, because the exit code of
// the editor cannot be trusted: a host that dies in the middle may still end with 0.
import { readdirSync, writeFileSync } from "node:fs";
import { findSourceMap } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Mocha from "mocha";

/** The file that the runner reads back. */
export interface SuiteResult {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly { readonly title: string; readonly message: string }[];
}

const TEST_MS_MAX = 60_000;

export async function run(): Promise<void> {
  const resultFile = process.env["EDITOR_TEST_RESULT"];
  if (resultFile === undefined) throw new Error("EDITOR_TEST_RESULT names no file");
  process.setSourceMapsEnabled(true); // for `inSources`; counts for what is loaded from here on
  const grep = process.env["EDITOR_TEST_GREP"];
  const mocha = new Mocha({
    ui: "bdd",
    timeout: TEST_MS_MAX,
    color: process.env["EDITOR_TEST_COLOR"] !== undefined,
    forbidOnly: process.env["CI"] !== undefined,
    ...(grep === undefined ? {} : { grep: new RegExp(grep) }),
  });
  const suites = readdirSync(__dirname).filter((name) => name.endsWith(".test.cjs"));
  for (const name of suites.sort()) mocha.addFile(join(__dirname, name));

  const failures: { title: string; message: string }[] = [];
  const result = await new Promise<SuiteResult>((resolve) => {
    const runner = mocha.run(() => {
      const { passes = 0, pending = 0 } = runner.stats ?? {};
      // A failing hook is counted as well: it hides the tests that it should have prepared.
      resolve({ passed: passes, failed: failures.length, skipped: pending, failures });
    });
    runner.on("fail", (test, error: Error) => {
      // The reporter prints the stack later, at the end of the run.
      if (error.stack !== undefined) error.stack = inSources(error.stack);
      failures.push({ title: test.fullTitle(), message: error.message });
    });
  });
  writeFileSync(resultFile, JSON.stringify(result));
  if (result.failed > 0) throw new Error(`${result.failed} editor tests failed`);
}

/** Makes a stack trace name the lines of the sources. Node would do so by itself, but the extension
 *  host has its own way of writing stack traces. */
function inSources(stack: string): string {
  return stack.replaceAll(/([^\s(]+\.cjs):(\d+):(\d+)/g, (place, file: string, line, column) => {
    const entry = findSourceMap(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !("originalSource" in entry)) return place;
    const source = entry.originalSource;
    const path = source.startsWith("file:") ? fileURLToPath(source) : source;
    return `${path}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}
