import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { scriptOptions } from "../support/scriptOptions.ts";
import { ACTIVATION_MS_MAX, activationMs } from "./activation.ts";
import { NO_PEERS } from "./benchCase.ts";
import { FULL, SMALL, type CaseResult } from "./measure.ts";
import { loadPeers } from "./peers.ts";
import { shortfalls, tableOf } from "./report.ts";
import { CASES, runSuite } from "./suite.ts";

// npm run bench -- [--check] [--record] [--small] [--no-peers] [case …]
//   --check     ends with 1 when a target or a bound on growth is not met
//   --record    adds the figures to bench.jsonl, with commit and machine
//   --small     tiny inputs: shows that everything runs
//   --no-peers  measures ours alone, without network

async function main(): Promise<number> {
  const { values, positionals } = scriptOptions({
    allowPositionals: true,
    allowNegative: true,
    options: {
      check: { type: "boolean" },
      record: { type: "boolean" },
      small: { type: "boolean" },
      peers: { type: "boolean", default: true },
    },
  });
  const cases = CASES.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
  const peers = values.peers ? loadPeers() : NO_PEERS;
  for (const sentence of peers.missing) console.log(sentence);
  const results = await runSuite(cases, peers, values.small === true ? SMALL : FULL, ({ id }) =>
    console.error(id),
  );
  console.log(
    "\nMedians in milliseconds of processor time; ratios are of the least times. `!`: the result was wrong.\n" +
      "codex is a whole process, timed by the clock. whole: with server diff, its text and the inverse.\n",
  );
  console.log(tableOf(results));
  if (values.record === true) record(results);
  if (values.small === true) return results.every(isRight) ? 0 : 1;
  const short = [...shortfalls(cases, results)];
  if (positionals.length === 0) {
    const ms = activationMs();
    console.log(`\nActivation: ${ms.toFixed(1)} ms of own work.`);
    if (ms > ACTIVATION_MS_MAX)
      short.push(`activation: ${ms.toFixed(1)} ms, at most ${ACTIVATION_MS_MAX} ms wanted`);
  }
  console.log(short.length === 0 ? "\nAll targets met." : `\nNot met:\n${short.join("\n")}`);
  return values.check === true && short.length > 0 ? 1 : 0;
}

function isRight({ hash, expectedHash }: CaseResult): boolean {
  return hash === expectedHash;
}

/** One line a run: figures of different machines are told apart, and a regression has a commit. */
function record(results: readonly CaseResult[]): void {
  const line = {
    at: new Date().toISOString(),
    commit: execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim(),
    node: process.version,
    machine: `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}`,
    cases: results.map(({ id, timings, growth }) => ({
      id,
      growth: Number(growth.toFixed(2)),
      medianMs: Object.fromEntries(
        timings.map(({ name, median }) => [name, Number(median.toFixed(3))]),
      ),
    })),
  };
  appendFileSync(join(import.meta.dirname, "bench.jsonl"), `${JSON.stringify(line)}\n`);
}

process.exitCode = await main();
