import type { SourceText } from "../text/sourceText.ts";
import { skipSpace, skipSpaceBack } from "../text/whitespace.ts";
import { indexLines } from "./lineIndex.ts";
import type { SearchText } from "./search.ts";

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

const LIMITS = { found: 3, places: 5, oldLines: 40, repeated: 8, steps: 8_000_000 } as const;

/**
 * Looks for rulers, dashes and other repeated characters that were counted wrong: lines of the old text that are not
 * in the file, but would be with another count of one character that stands there twice or more.
 * A pair of lines is compared by sums over its characters, so it costs a few steps; steps are bounded. Only lines of the
 * range are named.
 */
export function miscounts(
  file: SearchText,
  old: SourceText,
  range: { readonly from: number; readonly to: number } = { from: 0, to: file.source.lineCount },
): Miscounts | null {
  const { source } = file;
  const { hashes } = indexLines(old);
  const asked = new Set(hashes);
  const present = new Set<number>();
  for (const hash of file.lines.hashes) if (asked.has(hash)) present.add(hash);
  const wanted = new Map<string, LineProfile>();
  for (let i = 0; i < old.lineCount && wanted.size < LIMITS.oldLines; i++) {
    const profile = profileOf(old, i);
    if (profile.text !== "" && !present.has(hashes[i] ?? 0)) wanted.set(profile.text, profile);
  }
  if (wanted.size === 0) return null;
  const sums = sumsOf(source);
  const found: Miscount[] = [];
  let more = 0;
  let steps = 0;
  for (const line of wanted.values()) {
    steps += source.lineCount * (line.repeated.length + 1);
    if (steps > LIMITS.steps) break;
    const miscount = findMiscount(source, sums, line, range);
    if (miscount === null) continue;
    if (found.length < LIMITS.found) found.push(miscount);
    else more++;
  }
  return found.length === 0 ? null : { found, more };
}

/** A line without the white space at its ends. `repeated`: the characters that stand in it twice or more. */
interface LineProfile {
  readonly text: string;
  readonly sum: number;
  readonly repeated: readonly number[];
}

function profileOf(source: SourceText, index: number): LineProfile {
  const end = source.contentEnd(index);
  const from = skipSpace(source.text, source.start(index), end);
  const text = source.text.slice(from, skipSpaceBack(source.text, from, end));
  const counts = new Map<number, number>();
  let sum = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    counts.set(unit, (counts.get(unit) ?? 0) + 1);
    sum = (sum + weightOf(unit)) | 0;
  }
  const repeated = [...counts]
    .filter(([, count]) => count > 1)
    .sort(([, a], [, b]) => b - a)
    .map(([unit]) => unit);
  return { text, sum, repeated: repeated.slice(0, LIMITS.repeated) };
}

/** For each line of a file: the sum of its characters' weights, and its length. */
interface LineSums {
  readonly sums: Int32Array;
  readonly lengths: Int32Array;
}

function sumsOf(source: SourceText): LineSums {
  const { text, lineCount } = source;
  const sums = new Int32Array(lineCount);
  const lengths = new Int32Array(lineCount);
  const weights = Int32Array.from({ length: 0x80 }, (_, unit) => weightOf(unit));
  for (let line = 0; line < lineCount; line++) {
    const end = source.contentEnd(line);
    const from = skipSpace(text, source.start(line), end);
    const to = skipSpaceBack(text, from, end);
    let sum = 0;
    for (let i = from; i < to; i++) {
      const unit = text.charCodeAt(i);
      sum = (sum + (unit < 0x80 ? (weights[unit] ?? 0) : weightOf(unit))) | 0;
    }
    sums[line] = sum;
    lengths[line] = to - from;
  }
  return { sums, lengths };
}

/** Spread over 32 bits, so that sums of other characters do not look like a multiple of one. */
function weightOf(unit: number): number {
  let weight = Math.imul(unit + 0x7f4a7c15, 0x85ebca6b);
  weight = Math.imul(weight ^ (weight >>> 13), 0xc2b2ae35);
  return weight ^ (weight >>> 16);
}

function findMiscount(
  source: SourceText,
  sums: LineSums,
  line: LineProfile,
  { from, to }: { readonly from: number; readonly to: number },
): Miscount | null {
  const differingUnit = unitFinder(line);
  let unit = -1;
  const places: { count: number; number: number }[] = [];
  let more = 0;
  for (let i = from; i < to; i++) {
    const surplus = (sums.lengths[i] ?? 0) - line.text.length;
    if (surplus === 0) continue;
    const difference = ((sums.sums[i] ?? 0) - line.sum) | 0;
    const differing = differingUnit(surplus, difference);
    if (differing < 0 || (unit >= 0 && differing !== unit)) continue;
    const character = String.fromCharCode(differing);
    const fileText = profileOf(source, i).text;
    if (fileText.replaceAll(character, "") !== line.text.replaceAll(character, "")) continue;
    if (Math.max(countOf(fileText, character), countOf(line.text, character)) < 2) continue;
    unit = differing;
    if (places.length < LIMITS.places)
      places.push({ count: countOf(fileText, character), number: i + 1 });
    else more++;
  }
  if (unit < 0) return null;
  const character = String.fromCharCode(unit);
  return { character, count: countOf(line.text, character), places, more };
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
