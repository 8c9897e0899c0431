import { createHash } from "node:crypto";
import type { BenchCase, Outcome, Peers, Way, Work } from "./benchCase.ts";

/**
 * Milliseconds of several runs of one way: processor time of this thread, which other work on the machine hardly
 * touches; for a peer that is a process of its own, time on the clock.
 */
export interface Timing {
  readonly name: string;
  readonly median: number;
  readonly least: number;
  readonly runs: number;
  /** Whether the result was the one expected. */
  readonly right: boolean;
}

export interface CaseResult {
  readonly id: string;
  readonly title: string;
  /** Hash of what our first way gave. */
  readonly hash: string;
  readonly expectedHash: string;
  readonly timings: readonly Timing[];
  /** Least time at twice the work by least time at once the work. */
  readonly growth: number;
}

export interface Effort {
  /** Times the size in a case's title. */
  readonly size: number;
  readonly runsMax: number;
  /** Runs of one way end when this is used up, but for the first three. A fifth of it warms each way up. */
  readonly budgetMs: number;
}

export const FULL: Effort = { size: 1, runsMax: 301, budgetMs: 2_500 };
export const SMALL: Effort = { size: 0.002, runsMax: 1, budgetMs: 10 };

const RUNS_MIN = 3;
const PROCESS_RUNS_MAX = 5;
/** A way that needs longer than this for one run is measured once. */
const SLOW_MS = 4_000;
const WARM_UP_MAX = 4;
const GROWTH_TRIES = 4;
/** No case may need more for twice the work. */
export const GROWTH_MAX = 2.5;

/** Does the work of one case in every way, by turns, and ours at twice the size. */
export async function measureCase(
  { id, title, make, growthSizes }: BenchCase,
  peers: Peers,
  effort: Effort,
): Promise<CaseResult> {
  const work = make(effort.size, peers);
  try {
    const { ours, oursWhole } = work;
    const all = [ours, ...(oursWhole === undefined ? [] : [oursWhole]), ...work.peers];
    const expectedHash = hashOf(work.expected);
    const measured = await byTurns(all, effort);
    return {
      id,
      title,
      hash: measured[0]?.hash ?? "",
      expectedHash,
      timings: measured.map(({ way, times, hash }) => ({
        name: way.name,
        median: medianOf(times),
        least: Math.min(...times),
        runs: times.length,
        right: hash === expectedHash,
      })),
      growth: await growthOf(make, growthSizes ?? [1, 2], effort),
    };
  } finally {
    work.dispose?.();
  }
}

interface Measured {
  readonly way: Way;
  readonly times: number[];
  readonly hash: string;
}

/** One run of each way after the other, so that what else the machine does falls on all of them alike. */
async function byTurns(ways: readonly Way[], effort: Effort): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  for (const way of ways) measured.push(await warmUp(way, effort));
  const open = measured.filter(({ times }) => times.length === 0);
  for (let round = 0; round < effort.runsMax; round++)
    for (const { way, times } of open) {
      const used = times.reduce((sum, time) => sum + time, 0);
      if (way.isProcess === true && times.length === PROCESS_RUNS_MAX) continue;
      if (times.length < RUNS_MIN || used < effort.budgetMs) times.push((await timed(way)).ms);
    }
  return measured;
}

async function warmUp(way: Way, effort: Effort): Promise<Measured> {
  const first = await timed(way);
  const hash = hashOf(way.outcome(first.result));
  if (first.ms > SLOW_MS) return { way, times: [first.ms], hash };
  if (way.isProcess === true) return { way, times: [], hash };
  // Short work is compiled only after many runs, and all are to be compared as a program that has run for a while.
  let used = first.ms;
  for (let i = 1; i < WARM_UP_MAX * effort.runsMax && used < effort.budgetMs / 5; i++)
    used += (await timed(way)).ms;
  return { way, times: [], hash };
}

async function timed(way: Way): Promise<{ readonly ms: number; readonly result: unknown }> {
  way.prepare?.();
  const now = way.isProcess === true ? () => performance.now() : threadTime;
  const start = now();
  let result = way.run();
  if (result instanceof Promise) result = await result;
  return { ms: now() - start, result };
}

function threadTime(): number {
  // Asked for the whole process, Linux brings the figures of the running thread up to date; else they lag by a tick.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The least of several runs, and the least ratio of several tries: a busy machine can only make it look worse. */
async function growthOf(
  make: BenchCase["make"],
  [once, twice]: readonly [number, number],
  effort: Effort,
): Promise<number> {
  const works = [once, twice].map((size) => make(size * effort.size, NOBODY));
  const runs = { ...effort, runsMax: Math.min(effort.runsMax, 9), budgetMs: effort.budgetMs / 2 };
  let least = Infinity;
  for (let i = 0; i < GROWTH_TRIES && least > GROWTH_MAX; i++) {
    const [a, b] = await byTurns(
      works.map((work: Work) => work.ours),
      runs,
    );
    if (a === undefined || b === undefined) break;
    least = Math.min(least, Math.min(...b.times) / Math.min(...a.times));
    if (effort.runsMax === 1) break;
  }
  return least;
}

const NOBODY: Peers = { codex: null, agentsCore: null, jsdiff: null, dmp: null, missing: [] };

export function hashOf(outcome: Outcome): string {
  const hash = createHash("sha256");
  if (outcome === null) return "refused";
  for (const [path, text] of [...outcome].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${path}\0${text.length}\0`).update(text);
  return hash.digest("hex").slice(0, 16);
}

function medianOf(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[sorted.length >>> 1] ?? 0;
}
