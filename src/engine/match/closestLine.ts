import type { SourceText } from "../text/sourceText.ts";
import { skipSpace, skipSpaceBack } from "../text/whitespace.ts";

export interface ClosestLine {
  readonly index: number;
  /** From 0.6 to 1. */
  readonly similarity: number;
}

const SIMILARITY_MIN = 0.6;
const CANDIDATES_MAX = 24;
/** Cells of the distance table, over all candidates. */
const CELLS_MAX = 100_000;
/** Lines are taken for candidates when they hold this many units of the wanted line's start or end. */
const SHARED_UNITS = 6;
/** Lines that hold them, candidates or not. */
const HITS_MAX = 200;

/**
 * The line of `from`..`to` most like `wanted`, for an error hint and nothing else. Distances are taken only of a
 * few candidates that hold the start or the end of `wanted`; within the budget the answer is the same on every machine.
 */
export function closestLine(
  source: SourceText,
  wanted: string,
  from: number,
  to: number,
): ClosestLine | null {
  const lead = skipSpace(wanted, 0, wanted.length);
  const needle = wanted.slice(lead, skipSpaceBack(wanted, lead, wanted.length));
  let cells = CELLS_MAX;
  let best: ClosestLine | null = null;
  for (const index of candidates(source, needle, from, to)) {
    const line = trimmedLine(source, index);
    cells -= needle.length * line.length + 1;
    // One oversized line must not end the search, only a spent budget may.
    if (cells < 0) {
      cells += needle.length * line.length + 1;
      continue;
    }
    const longer = Math.max(needle.length, line.length);
    const similarity = 1 - distance(needle, line) / longer;
    if (similarity >= SIMILARITY_MIN && (best === null || similarity > best.similarity))
      best = { index, similarity };
  }
  return best;
}

/** Lines that start as `needle` does, then lines that end so, each in file order and at most so many. */
function candidates(
  source: SourceText,
  needle: string,
  from: number,
  to: number,
): ReadonlySet<number> {
  const found = new Set<number>();
  const shared = Math.min(SHARED_UNITS, Math.ceil(needle.length / 2));
  if (shared === 0 || from >= to) return found;
  for (const part of [needle.slice(0, shared), needle.slice(-shared)]) {
    const most = found.size + CANDIDATES_MAX;
    let at = source.text.indexOf(part, source.start(from));
    for (let hits = 0; at >= 0 && hits < HITS_MAX && found.size < most; hits++) {
      const index = source.lineAt(at);
      if (index >= to) break;
      found.add(index);
      at = source.text.indexOf(part, source.start(index + 1));
    }
  }
  return found;
}

function trimmedLine(source: SourceText, index: number): string {
  const end = source.contentEnd(index);
  const start = skipSpace(source.text, source.start(index), end);
  return source.text.slice(start, skipSpaceBack(source.text, start, end));
}

/** Levenshtein distance over UTF-16 units. */
function distance(left: string, right: string): number {
  const width = right.length + 1;
  let row = new Uint16Array(width);
  let next = new Uint16Array(width);
  for (let j = 0; j < width; j++) row[j] = j;
  for (let i = 1; i <= left.length; i++) {
    const unit = left.charCodeAt(i - 1);
    let before = i;
    next[0] = i;
    for (let j = 1; j < width; j++) {
      const swap = (row[j - 1] ?? 0) + (unit === right.charCodeAt(j - 1) ? 0 : 1);
      before = Math.min(swap, (row[j] ?? 0) + 1, before + 1);
      next[j] = before;
    }
    [row, next] = [next, row];
  }
  return row[right.length] ?? 0;
}
