import type { NearLine } from "../report/outcome.ts";
import type { SourceText } from "../text/sourceText.ts";
import { isAllSpace, trimSpace } from "../text/whitespace.ts";
import { indexLines } from "./lineIndex.ts";
import type { SearchText } from "./search.ts";

/** The part of a file that most resembles an old text. Numbers count from 1. */
export interface NearestPlace {
  readonly fromNumber: number;
  readonly toNumber: number;
  /** How many lines of the old text stand there as they are, white space at the ends aside; of how many. */
  readonly equal: number;
  readonly lineCount: number;
  readonly difference: LineDifference | null;
  /** The file around the first difference. */
  readonly lines: readonly NearLine[];
}

/** The first line that differs. `sent` is null when the old text has ended, `present` when the file has. */
export interface LineDifference {
  readonly number: number;
  readonly sent: string | null;
  readonly present: string | null;
  /** `inside`: the file's line contains it; `spaces`: only white space differs; `case`: only upper and lower case. */
  readonly kind: "other" | "inside" | "spaces" | "case";
}

const LIMITS = {
  /** A line that is in the file more often tells little of a place. */
  votesPerLine: 64,
  oldLines: 2_000,
  words: 8,
  placesPerWord: 200,
  candidates: 8,
  /** Below this likeness a line is another line. */
  likeness: 0.5,
  lineUnits: 400,
  shownUnits: 200,
  shownAround: 2,
} as const;

/**
 * Lines that the file has too vote for where the old text would start, rare ones more than common ones. Where no line
 * is there, rare words of the longest line choose a line of the file. Null when nothing resembles it.
 */
export function nearestPlace(file: SearchText, old: SourceText): NearestPlace | null {
  const { source } = file;
  const start =
    startByLines(file, old) ??
    startByWords(
      source,
      source.text,
      longestLine(old, (line) => line),
    ) ??
    startInAnyCase(source, old);
  return start === null ? null : describe(source, old, start);
}

function startByLines(file: SearchText, old: SourceText): number | null {
  const wanted = new Map<number, number[]>();
  const oldHashes = indexLines(old).hashes;
  for (let i = 0; i < Math.min(old.lineCount, LIMITS.oldLines); i++) {
    if (isAllSpace(old.line(i))) continue;
    const hash = oldHashes[i] ?? 0;
    const places = wanted.get(hash);
    if (places === undefined) wanted.set(hash, [i]);
    else if (places.length < 4) places.push(i);
  }
  const { hashes } = file.lines;
  const hits = new Map<number, number[]>();
  const counts = new Map<number, number>();
  for (let i = 0; i < hashes.length; i++) {
    const hash = hashes[i] ?? 0;
    if (!wanted.has(hash)) continue;
    const count = (counts.get(hash) ?? 0) + 1;
    counts.set(hash, count);
    if (count === 1) hits.set(hash, [i]);
    else if (count <= LIMITS.votesPerLine) hits.get(hash)?.push(i);
  }
  const votes = new Map<number, number>();
  for (const [hash, lines] of hits) {
    const weight = 1 / (counts.get(hash) ?? 1);
    for (const line of lines)
      for (const index of wanted.get(hash) ?? [])
        votes.set(line - index, (votes.get(line - index) ?? 0) + weight);
  }
  let best: number | null = null;
  for (const [start, weight] of votes)
    if (
      best === null ||
      weight > (votes.get(best) ?? 0) ||
      (weight === votes.get(best) && start < best)
    )
      best = start;
  return best === null ? null : Math.max(0, best);
}

/** The same with upper and lower case folded, where that keeps every character in its place. */
function startInAnyCase(source: SourceText, old: SourceText): number | null {
  const text = source.text.toLowerCase();
  if (text.length !== source.text.length) return null;
  return startByWords(
    source,
    text,
    longestLine(old, (line) => line.toLowerCase()),
  );
}

interface KeyLine {
  readonly index: number;
  readonly text: string;
}

function longestLine(old: SourceText, fold: (line: string) => string): KeyLine {
  let key: KeyLine = { index: 0, text: "" };
  for (let i = 0; i < Math.min(old.lineCount, LIMITS.oldLines); i++) {
    const text = trimSpace(old.line(i));
    if (text.length > key.text.length) key = { index: i, text: fold(text) };
  }
  return key;
}

/** `text` is the source's, or folded unit by unit. */
function startByWords(source: SourceText, text: string, key: KeyLine): number | null {
  const words = [...new Set(key.text.slice(0, LIMITS.lineUnits).match(/[\p{L}\p{N}_]{3,}/gu) ?? [])]
    .sort((a, b) => b.length - a.length)
    .slice(0, LIMITS.words);
  const votes = new Map<number, number>();
  for (const word of words) {
    const lines = new Set<number>();
    let found = text.indexOf(word);
    for (let k = 0; found >= 0 && k < LIMITS.placesPerWord; k++) {
      lines.add(source.lineAt(found));
      found = text.indexOf(word, found + word.length);
    }
    for (const line of lines) votes.set(line, (votes.get(line) ?? 0) + word.length / lines.size);
  }
  const candidates = [...votes]
    .sort(([a, x], [b, y]) => y - x || a - b)
    .slice(0, LIMITS.candidates);
  let best: number | null = null;
  let bestLikeness: number = LIMITS.likeness;
  for (const [line] of candidates) {
    const present = text.slice(source.start(line), source.contentEnd(line));
    const likeness = likenessOf(key.text, trimSpace(present));
    if (likeness < bestLikeness || (best !== null && likeness === bestLikeness)) continue;
    best = line;
    bestLikeness = likeness;
  }
  return best === null ? null : Math.max(0, best - key.index);
}

/** Share of character pairs that two lines have in common: 1 for equal lines, 0 for strangers. */
function likenessOf(a: string, b: string): number {
  const counts = new Map<string, number>();
  const left = a.slice(0, LIMITS.lineUnits);
  const right = b.slice(0, LIMITS.lineUnits);
  if (left.length < 2 || right.length < 2) return left === right ? 1 : 0;
  for (let i = 0; i + 1 < left.length; i++) {
    const pair = left.slice(i, i + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  let common = 0;
  for (let i = 0; i + 1 < right.length; i++) {
    const pair = right.slice(i, i + 2);
    const count = counts.get(pair) ?? 0;
    if (count === 0) continue;
    counts.set(pair, count - 1);
    common++;
  }
  return (2 * common) / (left.length + right.length - 2);
}

function describe(source: SourceText, old: SourceText, start: number): NearestPlace {
  let equal = 0;
  let difference: LineDifference | null = null;
  const lineCount = old.lineCount;
  for (let k = 0; k < lineCount; k++) {
    const sent = old.line(k);
    const present = start + k < source.lineCount ? source.line(start + k) : null;
    if (present !== null && trimSpace(present) === trimSpace(sent)) equal++;
    else difference ??= { number: start + k + 1, sent, present, kind: kindOf(sent, present) };
  }
  const toNumber = Math.min(source.lineCount, start + lineCount);
  const middle = (difference?.number ?? start + 1) - 1;
  const lines: NearLine[] = [];
  for (
    let i = Math.max(0, middle - LIMITS.shownAround);
    i <= Math.min(source.lineCount - 1, middle + LIMITS.shownAround);
    i++
  )
    lines.push({ number: i + 1, text: source.line(i).slice(0, LIMITS.shownUnits) });
  return { fromNumber: start + 1, toNumber, equal, lineCount, difference, lines };
}

function kindOf(sent: string, present: string | null): LineDifference["kind"] {
  if (present === null) return "other";
  const body = trimSpace(sent);
  if (body !== "" && present.includes(body)) return "inside";
  if (withoutSpaces(sent) === withoutSpaces(present)) return "spaces";
  return sent.toLowerCase() === present.toLowerCase() ? "case" : "other";
}

function withoutSpaces(line: string): string {
  return line.replaceAll(/\s+/gu, "");
}
