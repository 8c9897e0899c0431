import type { Hunk } from "../patch/patchDoc.ts";
import type { Placement } from "./placement.ts";

/** Removed and added lines without context between them, at file line `at`. */
export interface ChangedRun {
  readonly at: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Where the run starts in the hunk's lines, and how many of its added lines are none, as they were removed too. */
  readonly from: number;
  readonly same: number;
}

/** Where one of the run's added lines stands in the hunk's lines. */
export function addedAt({ lines }: Hunk, { from, same }: ChangedRun, added: number): number {
  let left = same + added;
  let at = from;
  while (at < lines.length && (lines[at]?.kind !== "added" || left-- > 0)) at++;
  return at;
}

/** The runs of a placed hunk in file order, each without the lines that it leaves as they are. */
export function changedRuns(hunk: Hunk, placed: Placement): readonly ChangedRun[] {
  let runs: ChangedRun[] | null = null;
  const { lines } = hunk;
  let at = placed.index - placed.skipped;
  for (let i = 0; i < lines.length;) {
    for (; lines[i]?.kind === "context"; i++) at++;
    const from = i;
    while (i < lines.length && lines[i]?.kind !== "context") i++;
    if (i === from) break;
    const run = runOf(lines, from, i, at);
    at += run.removed.length;
    const changed = withoutUnchanged(run);
    if (changed.removed.length === 0 && changed.added.length === 0) continue;
    // Nearly always the only one, and a list that is to grow takes room for many.
    if (runs === null) runs = [changed];
    else runs.push(changed);
  }
  return runs ?? [];
}

/** Hunk lines `from`..`to`, which have no context among them. Most runs are short, so lists are made as long as needed. */
function runOf(lines: Hunk["lines"], from: number, to: number, at: number): ChangedRun {
  let count = 0;
  for (let i = from; i < to; i++) if (lines[i]?.kind === "removed") count++;
  const removed = new Array<string>(count);
  const added = new Array<string>(to - from - count);
  let old = 0;
  let now = 0;
  for (let i = from; i < to; i++) {
    const line = lines[i];
    if (line?.kind === "removed") removed[old++] = line.text;
    else added[now++] = line?.text ?? "";
  }
  return { at, removed, added, from, same: 0 };
}

/** Lines that are removed and added again are context by another name. */
function withoutUnchanged(run: ChangedRun): ChangedRun {
  const { at, removed, added } = run;
  const shorter = Math.min(removed.length, added.length);
  let head = 0;
  while (head < shorter && removed[head] === added[head]) head++;
  let tail = 0;
  while (tail < shorter - head && removed.at(-1 - tail) === added.at(-1 - tail)) tail++;
  if (head === 0 && tail === 0) return run;
  return {
    at: at + head,
    removed: removed.slice(head, removed.length - tail),
    added: added.slice(head, added.length - tail),
    from: run.from,
    same: head,
  };
}
