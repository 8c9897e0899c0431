import type { SourceText } from "../text/sourceText.ts";
import { skipBlankBack, skipSpace, skipSpaceBack } from "../text/whitespace.ts";

/** A text with a hash of each line, white space at both ends left aside. Built once, on the first near match. */
export interface LineIndex {
  readonly source: SourceText;
  readonly hashes: Int32Array;
}

export function indexLines(source: SourceText): LineIndex {
  const hashes = new Int32Array(source.lineCount);
  for (let i = 0; i < hashes.length; i++) hashes[i] = trimmedHash(source, i);
  return { source, hashes };
}

/** How two lines are compared; both keep what is inside a line as it is. */
export type LineFold = "trailing" | "surrounding";

/**
 * Index of the first line, at or behind `from`, where the lines of `old` stand; -1 when there is none. Places are
 * found by hash and then compared unit by unit, in work linear in both texts.
 */
export function findLines(index: LineIndex, old: LineIndex, fold: LineFold, from: number): number {
  const { hashes } = index;
  const wanted = old.hashes;
  if (wanted.length === 0) return -1;
  const fallback = fallbacks(wanted);
  let matched = 0;
  for (let i = from; i < hashes.length; i++) {
    while (matched > 0 && hashes[i] !== wanted[matched]) matched = fallback[matched - 1] ?? 0;
    if (hashes[i] === wanted[matched]) matched++;
    if (matched < wanted.length) continue;
    const start = i + 1 - wanted.length;
    if (linesAgree(index.source, start, old.source, fold)) return start;
    matched = fallback[matched - 1] ?? 0;
  }
  return -1;
}

/** For each prefix, the length of the longest shorter one that is also its end (Knuth, Morris and Pratt). */
function fallbacks(wanted: Int32Array): Int32Array {
  const fallback = new Int32Array(wanted.length);
  let length = 0;
  for (let i = 1; i < wanted.length; i++) {
    while (length > 0 && wanted[i] !== wanted[length]) length = fallback[length - 1] ?? 0;
    if (wanted[i] === wanted[length]) length++;
    fallback[i] = length;
  }
  return fallback;
}

function linesAgree(file: SourceText, start: number, old: SourceText, fold: LineFold): boolean {
  for (let i = 0; i < old.lineCount; i++)
    if (!sameLine(file, start + i, old, i, fold)) return false;
  return true;
}

function sameLine(a: SourceText, i: number, b: SourceText, j: number, fold: LineFold): boolean {
  let aFrom = a.start(i);
  let bFrom = b.start(j);
  let aTo = a.contentEnd(i);
  let bTo = b.contentEnd(j);
  if (fold === "trailing") {
    aTo = skipBlankBack(a.text, aFrom, aTo);
    bTo = skipBlankBack(b.text, bFrom, bTo);
  } else {
    aFrom = skipSpace(a.text, aFrom, aTo);
    bFrom = skipSpace(b.text, bFrom, bTo);
    aTo = skipSpaceBack(a.text, aFrom, aTo);
    bTo = skipSpaceBack(b.text, bFrom, bTo);
  }
  if (aTo - aFrom !== bTo - bFrom) return false;
  for (let k = 0; k < aTo - aFrom; k++)
    if (a.text.charCodeAt(aFrom + k) !== b.text.charCodeAt(bFrom + k)) return false;
  return true;
}

function trimmedHash(source: SourceText, index: number): number {
  const { text } = source;
  const end = source.contentEnd(index);
  const from = skipSpace(text, source.start(index), end);
  const to = skipSpaceBack(text, from, end);
  let hash = 0x811c9dc5;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash | 0;
}
