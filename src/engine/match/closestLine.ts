import { Needle } from "../text/needle.ts";
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
/** Candidates that hold the longest start that occurs, and as many that hold the longest end. */
const BEST_MAX = 12;
/** Longer needles are searched for by so much of their start and end. */
const SEARCHED_UNITS_MAX = 400;
/** So alike a line of the first round ends the search. */
const SURE_MIN = 0.9;
const ROUND_END = -1;
/** Lines that hold them, candidates or not. */
const HITS_MAX = 200;

/**
 * The line of `from`..`to` most like `wanted`, for an error hint and nothing else. Distances are taken only of a
 * few candidates that hold a part of `wanted`; within the budget the answer is the same on every machine.
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
    if (index === ROUND_END) {
      if (best !== null && best.similarity >= SURE_MIN) break;
      continue;
    }
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

/**
 * Lines that hold as much of the needle's start as any line does, then of its end, then lines that hold a few units
 * of either or of its middle: where most lines begin alike, the first ones in the file say nothing.
 */
function* candidates(
  source: SourceText,
  needle: string,
  from: number,
  to: number,
): Generator<number, void> {
  const found = new Set<number>();
  const shared = Math.min(SHARED_UNITS, Math.ceil(needle.length / 2));
  if (shared === 0 || from >= to) return;
  const part = needle.slice(0, SEARCHED_UNITS_MAX);
  const tail = needle.slice(-SEARCHED_UNITS_MAX);
  const range = { text: source.text, from: source.start(from), to: source.start(to) };
  const head = longestHead(range, part, shared);
  const foot = longestTail(range, tail, shared);
  const take = (wanted: string, most: number): Generator<number, void> =>
    newLines(source, wanted, from, to, most, found);
  if (head > 0) yield* take(part.slice(0, head), BEST_MAX);
  if (foot > 0) yield* take(tail.slice(-foot), BEST_MAX);
  yield ROUND_END;
  if (head > shared) yield* take(part.slice(0, shared), CANDIDATES_MAX);
  if (foot > shared) yield* take(tail.slice(-shared), CANDIDATES_MAX);
  const middle = needle.length >>> 1;
  if (middle > shared) yield* take(needle.slice(middle - shared, middle + shared), CANDIDATES_MAX);
}

interface UnitRange {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/**
 * How much of the part's start stands in the range, `least` units or more; 0 where less does. Each place is the first
 * that holds more than the one before, so that all searches together pass over the text once.
 */
function longestHead({ text, from, to }: UnitRange, part: string, least: number): number {
  let units = 0;
  for (let at = from, wanted = least; wanted <= part.length; wanted = units + 1) {
    at = new Needle(part.slice(0, wanted)).indexIn(text, at);
    if (at < 0 || at + wanted > to) break;
    units = wanted;
    while (units < part.length && text.charCodeAt(at + units) === part.charCodeAt(units)) units++;
  }
  return units;
}

/** The same for the part's end. */
function longestTail({ text, from, to }: UnitRange, part: string, least: number): number {
  let units = 0;
  for (let at = from, wanted = least; wanted <= part.length; wanted = units + 1) {
    at = new Needle(part.slice(-wanted)).indexIn(text, at);
    if (at < 0 || at + wanted > to) break;
    units = wanted;
    while (
      units < part.length &&
      at > from &&
      text.charCodeAt(at - 1) === part.charCodeAt(part.length - 1 - units)
    ) {
      at--;
      units++;
    }
  }
  return units;
}

/** Lines of `from`..`to` that hold `part` and are not in `found` yet, in file order, at most so many. */
function* newLines(
  source: SourceText,
  part: string,
  from: number,
  to: number,
  most: number,
  found: Set<number>,
): Generator<number, void> {
  const needle = new Needle(part);
  let at = needle.indexIn(source.text, source.start(from));
  let left = most;
  for (let hits = 0; at >= 0 && hits < HITS_MAX && left > 0; hits++) {
    const index = source.lineAt(at);
    if (index >= to) break;
    if (!found.has(index)) {
      found.add(index);
      left--;
      yield index;
    }
    at = needle.indexIn(source.text, source.start(index + 1));
  }
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
