import type { SourceText } from "../text/sourceText.ts";
import { skipSpace, skipSpaceBack, trimSpace } from "../text/whitespace.ts";
import { Needle } from "../text/needle.ts";

/** Lines that differ from a line of the file in how often one character stands in them, and in nothing else. */
export interface Miscounts {
  readonly found: readonly Miscount[];
  /** How many more lines of the old text are miscounted. */
  readonly more: number;
}

export interface Miscount {
  readonly character: string;
  /** How often the old text has it in that line. */
  readonly count: number;
  /** What the file has, and where. */
  readonly places: readonly { readonly count: number; readonly number: number }[];
  readonly more: number;
}

const LIMITS = {
  found: 3,
  places: 5,
  /** Lines of the old text that are looked into: each costs a few searches of the file. */
  oldLines: 8,
  repeated: 8,
  /** Lines of the file that hold one part of such a line. */
  hits: 500,
  /** A shorter part stands nearly everywhere. */
  partUnits: 2,
} as const;

/**
 * Looks for rulers, dashes and other repeated characters that were counted wrong: lines of the old text that are not
 * in the file, but would be with another count of one character that stands there twice or more. `isThere` says
 * whether a line of the old text stands in the file.
 *
 * Where one run was miscounted, half of the line stands in the file as it is; where several were, what lies between
 * them does. Only lines that hold such a part are compared.
 */
export function miscounts(
  source: SourceText,
  old: SourceText,
  isThere: (index: number) => boolean,
): Miscounts | null {
  const wanted = new Map<string, LineProfile>();
  for (let i = 0; i < old.lineCount && wanted.size < LIMITS.oldLines; i++) {
    if (isThere(i)) continue;
    const profile = profileOf(old.line(i));
    if (profile.text !== "") wanted.set(profile.text, profile);
  }
  const found: Miscount[] = [];
  let more = 0;
  for (const line of wanted.values()) {
    const miscount = findMiscount(source, line, linesWithPart(source, line));
    if (miscount === null) continue;
    if (found.length < LIMITS.found) found.push(miscount);
    else more++;
  }
  return found.length === 0 ? null : { found, more };
}

/** The same for one line of the old text and the one line of the file that it was meant to be. */
export function miscountAt(source: SourceText, index: number, line: string): Miscounts | null {
  const miscount = findMiscount(source, profileOf(line), [index]);
  return miscount === null ? null : { found: [miscount], more: 0 };
}

/** A line without the white space at its ends. `repeated`: the characters that stand in it twice or more. */
interface LineProfile {
  readonly text: string;
  readonly sum: number;
  readonly repeated: readonly number[];
}

function profileOf(line: string): LineProfile {
  const text = trimSpace(line);
  const counts = new Map<number, number>();
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  const repeated = [...counts]
    .filter(([, count]) => count > 1)
    .sort(([, a], [, b]) => b - a)
    .map(([unit]) => unit);
  const sum = sumOf(text, 0, text.length);
  return { text, sum, repeated: repeated.slice(0, LIMITS.repeated) };
}

function trimmedRange(source: SourceText, index: number): { from: number; to: number } {
  const end = source.contentEnd(index);
  const from = skipSpace(source.text, source.start(index), end);
  return { from, to: skipSpaceBack(source.text, from, end) };
}

/** A number that texts of the same characters share, in whatever order. */
function sumOf(text: string, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i);
    sum = (sum + (WEIGHTS[unit] ?? weightOf(unit))) | 0;
  }
  return sum;
}

const WEIGHTS = Int32Array.from({ length: 0x80 }, (_, unit) => weightOf(unit));

/** Spread over 32 bits, so that sums of other characters do not look like a multiple of one. */
function weightOf(unit: number): number {
  let weight = Math.imul(unit + 0x7f4a7c15, 0x85ebca6b);
  weight = Math.imul(weight ^ (weight >>> 13), 0xc2b2ae35);
  return weight ^ (weight >>> 16);
}

function findMiscount(
  source: SourceText,
  line: LineProfile,
  candidates: readonly number[],
): Miscount | null {
  const differingUnit = unitFinder(line);
  let unit = -1;
  const places: { count: number; number: number }[] = [];
  let more = 0;
  for (const index of candidates) {
    const { from, to } = trimmedRange(source, index);
    const surplus = to - from - line.text.length;
    if (surplus === 0) continue;
    const differing = differingUnit(surplus, (sumOf(source.text, from, to) - line.sum) | 0);
    if (differing < 0 || (unit >= 0 && differing !== unit)) continue;
    const character = String.fromCharCode(differing);
    const present = source.text.slice(from, to);
    if (present.replaceAll(character, "") !== line.text.replaceAll(character, "")) continue;
    if (Math.max(countOf(present, character), countOf(line.text, character)) < 2) continue;
    unit = differing;
    if (places.length < LIMITS.places)
      places.push({ count: countOf(present, character), number: index + 1 });
    else more++;
  }
  if (unit < 0) return null;
  const character = String.fromCharCode(unit);
  return { character, count: countOf(line.text, character), places, more };
}

/** Lines of the file that hold a half of the line, or its longest part without its most frequent character. */
function linesWithPart(source: SourceText, { text, repeated }: LineProfile): readonly number[] {
  const found = new Set<number>();
  const middle = text.length >>> 1;
  const parts = new Set([text.slice(0, middle), text.slice(middle)]);
  if (repeated[0] !== undefined) parts.add(longestWithout(text, repeated[0]));
  for (const part of parts) {
    if (part.length < LIMITS.partUnits) continue;
    const needle = new Needle(part);
    let at = needle.indexIn(source.text, 0);
    for (let hits = 0; at >= 0 && hits < LIMITS.hits; hits++) {
      const index = source.lineAt(at);
      found.add(index);
      at = needle.indexIn(source.text, source.start(index + 1));
    }
  }
  return [...found].sort((a, b) => a - b);
}

function longestWithout(text: string, unit: number): string {
  return text
    .split(String.fromCharCode(unit))
    .reduce((longest, part) => (part.length > longest.length ? part : longest), "");
}

/** Characters that rulers are made of: the old text may lack them altogether. */
const RULERS = "-=_*#~+./\\|─═";

/** Gives the character whose surplus alone explains a difference of the sums; -1 when there is none. */
function unitFinder({
  text,
  repeated,
}: LineProfile): (surplus: number, difference: number) => number {
  const weights = repeated.map((unit) => weightOf(unit));
  const others = new Set(Array.from(RULERS + text, (character) => character.charCodeAt(0)));
  const bySurplus = new Map<number, ReadonlyMap<number, number>>();
  return (surplus, difference) => {
    for (let k = 0; k < repeated.length; k++)
      if (Math.imul(surplus, weights[k] ?? 0) === difference) return repeated[k] ?? -1;
    // With a character that the old text has once or never, the file must have more of it.
    if (surplus < 0) return -1;
    let units = bySurplus.get(surplus);
    if (units === undefined) {
      units = new Map(Array.from(others, (unit) => [Math.imul(surplus, weightOf(unit)), unit]));
      bySurplus.set(surplus, units);
    }
    return units.get(difference) ?? -1;
  };
}

function countOf(text: string, character: string): number {
  return text.split(character).length - 1;
}
