import type { Hunk } from "../patch/patchDoc.ts";
import type { Placement } from "./placement.ts";

/** Removed and added lines without context between them, at file line `at`. */
export interface ChangedRun {
  readonly at: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Where each added line stands in the hunk's lines. */
  readonly addedAt: readonly number[];
}

/** The runs of a placed hunk in file order, each without the lines that it leaves as they are. */
export function changedRuns(hunk: Hunk, placed: Placement): readonly ChangedRun[] {
  const runs: ChangedRun[] = [];
  let at = placed.index - placed.skipped;
  for (let i = 0; i < hunk.lines.length;) {
    const removed: string[] = [];
    const added: string[] = [];
    const addedAt: number[] = [];
    for (; i < hunk.lines.length; i++) {
      const line = hunk.lines[i];
      if (line === undefined || line.kind === "context") break;
      if (line.kind === "removed") removed.push(line.text);
      else {
        added.push(line.text);
        addedAt.push(i);
      }
    }
    const run = withoutUnchanged({ at, removed, added, addedAt });
    if (run.removed.length > 0 || run.added.length > 0) runs.push(run);
    at += removed.length;
    for (; hunk.lines[i]?.kind === "context"; i++) at++;
  }
  return runs;
}

/** Lines that are removed and added again are context by another name. */
function withoutUnchanged({ at, removed, added, addedAt }: ChangedRun): ChangedRun {
  const shorter = Math.min(removed.length, added.length);
  let head = 0;
  while (head < shorter && removed[head] === added[head]) head++;
  let tail = 0;
  while (tail < shorter - head && removed.at(-1 - tail) === added.at(-1 - tail)) tail++;
  return {
    at: at + head,
    removed: removed.slice(head, removed.length - tail),
    added: added.slice(head, added.length - tail),
    addedAt: addedAt.slice(head, added.length - tail),
  };
}
