/**
 * `npm run check` and `npm test`: runs the stages, shows what each prints when it fails, and ends with the plain
 * line `N passed, N failed`. A stage without tests of its own (types, lint, budgets …) counts as one.
 */
import { spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const bin = path.join(root, "node_modules/.bin");
const unitReport = path.join(root, "node_modules/.cache/unit-tests.json");

interface Stage {
  readonly name: string;
  readonly command: readonly string[];
  /** Reads how many tests passed and failed from what the stage left; null: the exit code is the one result. */
  readonly count?: (output: string) => Promise<Counts>;
  readonly minutesMax: number;
  readonly env?: Readonly<Record<string, string>>;
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

const node = path.join(bin, "node");
const tool = (name: string, ...args: string[]): string[] => [path.join(bin, name), ...args];

const lint = (quick: boolean): Stage => ({
  name: quick ? "lint without types" : "lint",
  command: tool(
    "eslint",
    "-c",
    "src/build/eslint.config.mjs",
    "--max-warnings=0",
    "--cache",
    "--cache-location",
    `node_modules/.cache/eslint-${quick ? "quick" : "typed"}/`,
    ".",
  ),
  env: { QUICK_LINT: quick ? "1" : "0" },
  minutesMax: 3,
});

const CHECKED = (quick: boolean): readonly Stage[] => [
  { name: "types", command: tool("tsc", "-p", "."), minutesMax: 2 },
  { name: "types of the engine alone", command: tool("tsc", "-p", "src/engine"), minutesMax: 2 },
  { name: "types of the webview", command: tool("tsc", "-p", "webview"), minutesMax: 2 },
  lint(quick),
  { name: "layers", command: [node, "src/build/layers.ts"], minutesMax: 1 },
];

const FORMAT: Stage = {
  name: "format",
  command: tool(
    "prettier",
    "--check",
    "--cache",
    "--cache-location",
    "node_modules/.cache/prettier-check.json",
    "--log-level",
    "warn",
    ".",
  ),
  minutesMax: 1,
};
const MANIFEST: Stage = {
  name: "manifest",
  command: [node, "src/build/manifest.ts", "--check"],
  minutesMax: 1,
};

const BUILD: Stage = {
  name: "build",
  command: [node, "src/build/build.ts", "--meta"],
  minutesMax: 1,
};
const BUDGETS: Stage = { name: "budgets", command: [node, "src/build/budgets.ts"], minutesMax: 1 };

/** Minutes of databases and child processes: part of `npm test`, left out of the quick `npm run check`. */
const SLOW_TESTS = [
  "test/faults/store.test.ts",
  "test/unit/store/sqliteStore.test.ts",
  "test/unit/store/contract.test.ts",
  "test/laws/editsSequential.test.ts",
  "test/laws/encodings.test.ts",
  "test/laws/replace.test.ts",
  "test/unit/app/hugeArguments.test.ts",
  "test/unit/bench/**",
  "test/unit/cli/**",
  "test/unit/mcp/**",
  "test/unit/hooks/hookCommand.test.ts",
];

const UNIT = (quick: boolean): Stage => ({
  name: "unit tests, cases, laws, faults, webview",
  command: tool(
    "vitest",
    "run",
    "--config",
    "test/vitest.config.ts",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${unitReport}`,
    ...(quick ? SLOW_TESTS.map((glob) => `--exclude=${glob}`) : []),
  ),
  minutesMax: 5,
  async count() {
    const report = JSON.parse(await readFile(unitReport, "utf8")) as {
      numPassedTests: number;
      numFailedTests: number;
      numFailedTestSuites: number;
      numPendingTests: number;
      numTodoTests: number;
    };
    // A skipped test is a failed promise; a file that could not be loaded has no tests to count.
    const skipped = report.numPendingTests + report.numTodoTests;
    const broken = report.numFailedTests > 0 ? 0 : report.numFailedTestSuites;
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + skipped + broken,
    };
  },
});

function counting(
  name: string,
  script: string,
  minutesMax: number,
  args: readonly string[] = [],
): Stage {
  return {
    name,
    command: [node, script, ...args],
    minutesMax,
    count(output) {
      const line = [...output.matchAll(/^\w+: (\d+) passed, (\d+) failed$/gm)].at(-1);
      if (line === null || line === undefined) return Promise.resolve({ passed: 0, failed: 1 });
      return Promise.resolve({ passed: Number(line[1]), failed: Number(line[2]) });
    },
  };
}

/** Waits for the network, so it goes beside what needs a core. */
const FETCHED: Stage = {
  name: "editor and browser",
  command: [node, "test/harness/fetch.ts"],
  minutesMax: 4,
};
const EDITOR = counting("editor suite in a real VS Code", "test/harness/runEditorTests.ts", 8);
const VIRTUAL = counting(
  "virtual workspace in a real VS Code",
  "test/harness/runEditorTests.ts",
  4,
  ["--suites", "test/editor/virtual", "--scheme", "memory"],
);
const KILLED = counting("extension host killed in its calls", "test/harness/killedHost.ts", 6);
const PACKAGED = counting("packaged extension", "test/harness/vsixSmoke.ts", 4);
const SCREENS = counting("screens", "test/screens/screens.ts", 4);

async function runStage(stage: Stage): Promise<Counts> {
  const started = performance.now();
  const { code, output } = await runCommand(stage);
  let counts: Counts = { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
  if (stage.count !== undefined) {
    try {
      counts = await stage.count(output);
    } catch {
      counts = { passed: 0, failed: 1 };
    }
    // Neither a count of nothing nor a clean count with a failing exit is a pass.
    if (counts.failed === 0 && (code !== 0 || counts.passed === 0))
      counts = { passed: counts.passed, failed: 1 };
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (counts.failed > 0) process.stdout.write(output);
  console.log(
    `${counts.failed === 0 ? "ok  " : "FAIL"} ${stage.name}: ${counts.passed} passed, ${counts.failed} failed (${seconds} s)`,
  );
  return counts;
}

function runCommand({
  command,
  minutesMax,
  env,
}: Stage): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const [file = "", ...args] = command;
    const child = spawn(file, args, {
      cwd: root,
      env: { ...process.env, ...env, PATH: `${bin}${path.delimiter}${process.env["PATH"] ?? ""}` },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const take = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    const timer = setTimeout(() => {
      output += `\nstopped after ${minutesMax} minutes\n`;
      child.kill("SIGTERM");
    }, minutesMax * 60_000);
    child.on("error", (error) => {
      output += `${error.message}\n`;
      resolve({ code: 1, output });
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? 1, output });
    });
  });
}

async function main(): Promise<void> {
  const all = process.argv[2] === "all";
  await rm(unitReport, { force: true });
  const totals = { passed: 0, failed: 0 };
  const add = ({ passed, failed }: Counts): void => {
    totals.passed += passed;
    totals.failed += failed;
  };
  // Two lanes of about the same length at a time, for the two cores of a small machine.
  const lane = async (stages: readonly Stage[]): Promise<void> => {
    for (const stage of stages) add(await runStage(stage));
  };
  await Promise.all([
    lane(all ? [FETCHED, ...CHECKED(false), SCREENS] : CHECKED(true)),
    lane([BUILD, BUDGETS, MANIFEST, FORMAT, UNIT(!all)]),
  ]);
  // What drives a real editor has both cores for itself: beside others it finds delays that are no faults.
  if (all) await lane([EDITOR, VIRTUAL, KILLED, PACKAGED]);
  if (totals.failed > 0) process.exitCode = 1;
  console.log(`${totals.passed} passed, ${totals.failed} failed`);
}

await main();
