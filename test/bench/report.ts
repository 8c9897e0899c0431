import type { BenchCase } from "./benchCase.ts";
import { GROWTH_MAX, type CaseResult, type Timing } from "./measure.ts";

const OURS = ["ours", "ours, whole"];

/** The quickest peer that did the work rightly. */
function bestPeer({ timings }: CaseResult): Timing | undefined {
  const peers = timings.filter(({ name, right }) => right && !OURS.includes(name));
  return peers.sort((a, b) => a.least - b.least)[0];
}

function timing({ timings }: CaseResult, name: string): Timing | undefined {
  return timings.find((one) => one.name === name);
}

/** What is not reached, a sentence each. Ratios are of the least times: others on the machine can only add. */
export function shortfalls(
  cases: readonly BenchCase[],
  results: readonly CaseResult[],
): readonly string[] {
  const out: string[] = [];
  for (const result of results) {
    const { id, growth, hash, expectedHash } = result;
    if (hash !== expectedHash) out.push(`${id}: wrong result`);
    if (growth > GROWTH_MAX) out.push(`${id}: ${growth.toFixed(2)}× for twice the work`);
    const target = cases.find((one) => one.id === id)?.target;
    const ours = timing(result, "ours");
    const best = bestPeer(result);
    if (target === undefined || ours === undefined || best === undefined) continue;
    const ratio = ours.least / best.least;
    if (ratio > target.ofBestPeer)
      out.push(`${id}: ${ratio.toFixed(2)}× ${best.name}, at most ${target.ofBestPeer}× wanted`);
  }
  const many = results.find(({ id }) => id === "patch-1000");
  const one = results.find(({ id }) => id === "patch-1");
  const ratio = leastOf(many) / leastOf(one);
  if (ratio > MANY_HUNKS_MAX)
    out.push(`patch-1000: ${ratio.toFixed(2)}× patch-1, at most ${MANY_HUNKS_MAX}× wanted`);
  return out;
}

/** 1,000 hunks in a file may cost at most this many times one. */
const MANY_HUNKS_MAX = 1.2;

function leastOf(result: CaseResult | undefined): number {
  return result === undefined ? NaN : (timing(result, "ours")?.least ?? NaN);
}

/** One line a case: our two ways, each peer (with `!` when its result was wrong), ratios to the best, and growth. */
export function tableOf(results: readonly CaseResult[]): string {
  const rows = [["case", "ours", "whole", "ours/best", "whole/best", "growth", "peers"]];
  for (const result of results) {
    const ours = timing(result, "ours");
    const whole = timing(result, "ours, whole");
    const best = bestPeer(result);
    const ratio = (one: Timing | undefined): string =>
      one === undefined || best === undefined ? "" : `${(one.least / best.least).toFixed(2)}×`;
    const peers = result.timings
      .filter(({ name }) => !OURS.includes(name))
      .map((peer) => `${peer.name} ${shown(peer)}${peer.right ? "" : "!"}`);
    rows.push([
      `${result.title}${result.hash === result.expectedHash ? "" : " (wrong)"}`,
      shown(ours),
      shown(whole),
      ratio(ours),
      ratio(whole),
      `${result.growth.toFixed(2)}×`,
      peers.join(", "),
    ]);
  }
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 || column === row.length - 1
            ? cell.padEnd(column === 0 ? (widths[0] ?? 0) : 0)
            : cell.padStart(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function shown(one: Timing | undefined): string {
  return one === undefined ? "" : figure(one.median);
}

function figure(ms: number): string {
  return ms >= 100 ? ms.toFixed(0) : ms >= 10 ? ms.toFixed(1) : ms.toFixed(2);
}
