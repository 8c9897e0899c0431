import type { ChangedRun } from "./alignLines.ts";
import { changedLines } from "./changedLines.ts";
import type { SourceText } from "./sourceText.ts";
import type { Edit } from "./splice.ts";

/**
 * The server diff: what one plan changes in one file, computed once from snapshot and splices. Nothing else in
 * the product makes a diff, least of all from call arguments.
 */
export interface ServerDiff {
  readonly hunks: readonly DiffHunk[];
  readonly added: number;
  readonly removed: number;
  /** False when the bound was reached, so a changed block is shown whole instead of line by line. */
  readonly minimal: boolean;
}

/**
 * `oldNumber`/`newNumber` are 1-based numbers of the hunk's first line on either side; on a side without lines the
 * number of the line before, as unified diffs count.
 */
export interface DiffHunk {
  readonly oldNumber: number;
  readonly oldCount: number;
  readonly newNumber: number;
  readonly newCount: number;
  readonly rows: readonly DiffRow[];
}

/** `text` is the line with a CR it may end in, without its LF. `unterminated` marks a last line without ending. */
export interface DiffRow {
  readonly kind: "context" | "removed" | "added";
  readonly text: string;
  readonly unterminated: boolean;
}

const CONTEXT_LINES = 3;

/**
 * What `edit` does to `before`, with three lines of context. Work grows with the changed lines, not with the file.
 * Law: for texts without a lone CR, the diff applied to `before` gives `edit.apply(before.text)`.
 */
export function serverDiff(before: SourceText, edit: Edit): ServerDiff {
  const { runs, inserted, minimal } = changedLines(before, edit);
  const hunks: DiffHunk[] = [];
  let added = 0;
  let removed = 0;
  for (let first = 0; first < runs.length;) {
    let last = first;
    // Two changes with no more than their contexts between them are one hunk.
    while (gapBehind(runs, last) <= 2 * CONTEXT_LINES) last++;
    const hunk = oneHunk(before, runs.slice(first, last + 1), inserted.slice(first, last + 1));
    hunks.push(hunk);
    for (const run of runs.slice(first, last + 1)) {
      added += run.newTo - run.newFrom;
      removed += run.oldTo - run.oldFrom;
    }
    first = last + 1;
  }
  return { hunks, added, removed, minimal };
}

function gapBehind(runs: readonly ChangedRun[], index: number): number {
  const run = runs[index];
  const next = runs[index + 1];
  return run === undefined || next === undefined ? Infinity : next.oldFrom - run.oldTo;
}

function oneHunk(
  before: SourceText,
  runs: readonly ChangedRun[],
  inserted: readonly (readonly string[])[],
): DiffHunk {
  const first = runs[0];
  const last = runs.at(-1);
  const oldFrom = Math.max(0, (first?.oldFrom ?? 0) - CONTEXT_LINES);
  const oldTo = Math.min(before.lineCount, (last?.oldTo ?? 0) + CONTEXT_LINES);
  const newFrom = (first?.newFrom ?? 0) - ((first?.oldFrom ?? 0) - oldFrom);
  const rows: DiffRow[] = [];
  let at = oldFrom;
  const take = (kind: DiffRow["kind"], to: number): void => {
    for (; at < to; at++) rows.push(diffRow(kind, before.fullLine(at)));
  };
  let newCount = 0;
  runs.forEach((run, index) => {
    newCount += run.oldFrom - at;
    take("context", run.oldFrom);
    take("removed", run.oldTo);
    for (const line of inserted[index] ?? []) rows.push(diffRow("added", line));
    newCount += run.newTo - run.newFrom;
  });
  newCount += oldTo - at;
  take("context", oldTo);
  const oldCount = oldTo - oldFrom;
  return {
    oldNumber: oldFrom + (oldCount > 0 ? 1 : 0),
    oldCount,
    newNumber: newFrom + (newCount > 0 ? 1 : 0),
    newCount,
    rows,
  };
}

function diffRow(kind: DiffRow["kind"], fullLine: string): DiffRow {
  const endsInLf = fullLine.endsWith("\n");
  return {
    kind,
    text: endsInLf ? fullLine.slice(0, -1) : fullLine,
    unterminated: !endsInLf && !fullLine.endsWith("\r"),
  };
}
