import type { Hunk } from "../patch/patchDoc.ts";
import { trimEndSpace, trimSpace } from "../text/whitespace.ts";
import { linesAfter } from "./hunkChanges.ts";
import { ORDERED_STEPS, type HunkIndex, type LineStep } from "./hunkIndex.ts";
import type { PreviousHunk } from "./placement.ts";

export interface OverlappingPlace {
  readonly index: number;
  /** Old lines of the hunk that stand in the previous hunk's new lines. */
  readonly skipped: number;
  readonly step: LineStep;
}

/**
 * Adjoining hunks may share context: the first lines of one are the last ones of the hunk before, as that one
 * left them. What the hunk changes still lies behind what the hunk before changed. One place only.
 */
export function placeBehindPrevious(
  index: HunkIndex,
  hunk: Hunk,
  lines: readonly string[],
  previous: PreviousHunk,
  cursor: number,
  end: number,
): OverlappingPlace | null {
  const above = linesAfter(index.source, previous.index, previous.changes);
  for (const step of ORDERED_STEPS) {
    const found: OverlappingPlace[] = [];
    // Inside the previous hunk's trailing context, which is unchanged text of the file.
    const to = Math.min(end, cursor + lines.length - 1);
    for (const place of index.places(step, lines, previous.changeEnd, to, 2))
      if (place < cursor) found.push({ index: place, skipped: 0, step });
    const most = Math.min(leadingContext(hunk), above.length);
    for (let skipped = 1; skipped <= most && found.length < 2; skipped++) {
      const rest = lines.slice(skipped);
      if (previous.changeEnd + rest.length > end) continue;
      const head = above.slice(above.length - skipped);
      if (
        head.every((line, i) => sameLine(step, line, lines[i] ?? "")) &&
        rest.every((line, i) => index.matches(step, previous.changeEnd + i, line))
      )
        found.push({ index: previous.changeEnd, skipped, step });
    }
    if (found.length > 0) return found.length === 1 ? (found[0] ?? null) : null;
  }
  return null;
}

/** Context lines before the hunk's first change. */
function leadingContext(hunk: Hunk): number {
  const first = hunk.lines.findIndex((line) => line.kind !== "context");
  return Math.min(first < 0 ? hunk.lines.length : first, OVERLAP_LINES_MAX);
}

/** Hunks that share more context than this are one hunk. */
const OVERLAP_LINES_MAX = 100;

function sameLine(step: LineStep, left: string, right: string): boolean {
  switch (step) {
    case "exact":
      return left === right;
    case "trailing-whitespace":
      return trimEndSpace(left) === trimEndSpace(right);
    default:
      return trimSpace(left) === trimSpace(right);
  }
}
