import { execFileSync } from "node:child_process";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");
const RUNS = 5;
/** Milliseconds of own work that activation may take (the user is waiting for the window). */
export const ACTIVATION_MS_MAX = 50;

/**
 * Own work at activation in milliseconds: loading the built entry and running `activate`, with an editor that answers
 * at once. The least of a few runs, each in a process of its own: what else a machine does is not our work.
 */
export function activationMs(): number {
  execFileSync(process.execPath, ["src/build/build.ts"], { cwd: ROOT });
  const runs = Array.from({ length: RUNS }, () =>
    Number(execFileSync(process.execPath, ["-e", PROGRAM], { cwd: ROOT, encoding: "utf8" })),
  );
  return Math.min(...runs);
}

const PROGRAM = `
  const Module = require("node:module");
  const answer = new Proxy(function () {}, { get: (_, key) => (key === "then" ? undefined : answer), apply: () => answer, construct: () => answer });
  const parts = ["window", "workspace", "commands", "lm", "l10n", "env", "Uri", "EventEmitter", "ViewColumn", "Disposable"];
  const editor = Object.fromEntries(parts.map((part) => [part, answer]));
  const load = Module._load;
  Module._load = (name, ...rest) => (name === "vscode" ? editor : load(name, ...rest));
  const packageJSON = require("./package.json");
  const started = performance.now();
  require("./dist/extension.cjs").activate({ subscriptions: [], extensionUri: answer, extension: { packageJSON } });
  console.log(performance.now() - started);`;
