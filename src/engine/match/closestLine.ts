import type { SourceText } from "../text/sourceText.ts";
import { skipSpace, skipSpaceBack } from "../text/whitespace.ts";

export interface ClosestLine {
  readonly index: number;
  /** From 0.6 to 1. */
  readonly similarity: number;
}

const SIMILARITY_MIN = 0.6;
const CANDIDATES_MAX = 64;
/** Cells of the distance table, over all candidates. */
const CELLS_MAX = 200_000;
/** Lines are taken for candidates when they share this many units at their start or end. */
const SHARED_UNITS = 4;

/**
 * The line of `from`..`to` most like `wanted`, for an error hint and nothing else. Distances are taken only of a
 * few candidates that start or end as `wanted` does; within the budget the answer is the same on every machine.
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
    cells -= needle.length * line.length;
    // One oversized line must not end the search, only a spent budget may.
    if (cells < 0) {
      cells += needle.length * line.length;
      continue;
    }
    const longer = Math.max(needle.length, line.length);
    const similarity = 1 - distance(needle, line) / longer;
    if (similarity >= SIMILARITY_MIN && (best === null || similarity > best.similarity))
      best = { index, similarity };
  }
  return best;
}

function candidates(
  source: SourceText,
  needle: string,
  from: number,
  to: number,
): readonly number[] {
  const both: number[] = [];
  const one: number[] = [];
  const least = needle.length * SIMILARITY_MIN;
  const most = needle.length / SIMILARITY_MIN;
  const shared = Math.min(SHARED_UNITS, needle.length);
  if (shared === 0) return [];
  const head = needle.slice(0, shared);
  const tail = needle.slice(-shared);
  const { text } = source;
  for (let i = from; i < to && both.length < CANDIDATES_MAX; i++) {
    const end = source.contentEnd(i);
    const start = skipSpace(text, source.start(i), end);
    // The length with trailing spaces is near enough for a first sieve.
    if (end - start < least || end - start > most + SHARED_UNITS) continue;
    const starts = text.startsWith(head, start);
    const ends = text.startsWith(tail, skipSpaceBack(text, start, end) - shared);
    if (starts && ends) both.push(i);
    else if ((starts || ends) && one.length < CANDIDATES_MAX) one.push(i);
  }
  return [...both, ...one].slice(0, CANDIDATES_MAX);
}

function trimmedLine(source: SourceText, index: number): string {
  const end = source.contentEnd(index);
  const start = skipSpace(source.text, source.start(index), end);
  return source.text.slice(start, skipSpaceBack(source.text, start, end));
}

/** Levenshtein distance over UTF-16 units. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, i) => i);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const same = left.charCodeAt(i - 1) === right.charCodeAt(j - 1) ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
