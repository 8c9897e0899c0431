import { alignLines } from "../text/alignLines.ts";
import { SourceText } from "../text/sourceText.ts";
import { leadingSpace } from "../text/whitespace.ts";
import { BlockLines, foldForReader } from "./blockLines.ts";
import { boundedDistance, type Work } from "./editDistance.ts";

/** The stretch of the file that reads most like a text that is not there. Numbers count from 1. */
export interface ClosestBlock {
  /** Line of the file where it starts. */
  readonly number: number;
  /** Share of the wanted text that is there, 60 to 100. */
  readonly percent: number;
  /** Characters to put in, take out or exchange, as a reader counts them. */
  readonly distance: number;
  /** Lines that differ, at most three, the first one first. */
  readonly pairs: readonly DifferingLines[];
  /** Lines that differ and stand in the same place of both. */
  readonly differing: number;
  /** Lines that only one side has. */
  readonly extraWanted: number;
  readonly extraFound: number;
  /** Whether all of those are blank. */
  readonly extrasAreBlank: boolean;
  /** Lines of the wanted text: how much to read from `number` on. */
  readonly height: number;
}

export interface DifferingLines {
  readonly wantedNumber: number;
  readonly fileNumber: number;
  readonly wanted: string;
  readonly found: string;
  /** The first character where they part, counted from 1 in the wanted line; null where they read the same. */
  readonly mismatch: Mismatch | null;
}

export interface Mismatch {
  readonly place: number;
  /** null: the line ends there; its text is empty when `place` is 1. */
  readonly wantedPoint: number | null;
  readonly foundPoint: number | null;
}

/** What a search for the closest block may cost. */
export interface ClosestLimits {
  /** Code points of the wanted text after folding. */
  readonly blockPointsMax: number;
  readonly fileLinesMax: number;
  readonly fileUnitsMax: number;
  /** A block of which the file has no line is compared everywhere only up to this size. */
  readonly unseededPointsMax: number;
  /** Places that are compared in full. */
  readonly startsMax: number;
  /** Cells of the distance table, over all places. */
  readonly cellsMax: number;
}

export const CLOSEST_LIMITS: ClosestLimits = {
  blockPointsMax: 2_000,
  fileLinesMax: 10_000,
  fileUnitsMax: 4_000_000,
  unseededPointsMax: 256,
  startsMax: 256,
  cellsMax: 30_000_000,
};

/** Up to this share of the wanted text may differ, in tenths. */
const DIFFERENT_TENTHS = 4;
const PAIRS_MAX = 3;

/**
 * The place that `wanted` most likely means, for an error that repairs itself; never a place to write to. Places are
 * those where the block's rarest line stands. Null when nothing is near enough, or the texts are too large.
 * Law: work is bounded by the limits, whatever the texts.
 */
export function closestBlock(
  source: SourceText,
  wanted: string,
  limits: ClosestLimits = CLOSEST_LIMITS,
): ClosestBlock | null {
  if (source.lineCount > limits.fileLinesMax || source.text.length > limits.fileUnitsMax)
    return null;
  if (wanted.length > 4 * limits.blockPointsMax) return null;
  const block = BlockLines.of(SourceText.of(wanted));
  const points = block.joined(0, block.count);
  if (points.length === 0 || points.length > limits.blockPointsMax) return null;
  const file = BlockLines.of(source);
  if (file.count < block.count) return null;
  const starts = startsOf(block, file, points.length, limits);
  if (starts === null) return null;
  const best = nearest(block, file, points, starts, limits);
  if (best === null) return null;
  return described(block, file, best, points.length);
}

/** The first line of `wanted` that is not, to the character, the file's line in its place; from file line `start` on. */
export function firstDifference(
  source: SourceText,
  wanted: string,
  start: number,
): DifferingLines | null {
  const old = SourceText.of(wanted);
  for (let k = 0; k < old.lineCount && start + k < source.lineCount; k++) {
    const sent = old.line(k);
    const present = source.line(start + k);
    if (sent !== present) return pairOf(sent, k, present, start + k);
  }
  return null;
}

interface Best {
  readonly start: number;
  readonly distance: number;
}

function nearest(
  block: BlockLines,
  file: BlockLines,
  points: Uint32Array,
  starts: Iterable<number>,
  limits: ClosestLimits,
): Best | null {
  const work: Work = { left: limits.cellsMax };
  let best: Best | null = null;
  let bound = Math.floor((points.length * DIFFERENT_TENTHS) / 10);
  for (const start of starts) {
    const gap = Math.abs(file.length(start, start + block.count) - points.length);
    work.left -= block.count;
    if (work.left <= 0) break;
    if (gap > bound) continue;
    const window = file.joined(start, start + block.count);
    const distance = boundedDistance(points, window, bound, work);
    if (distance === null) continue;
    best = { start, distance };
    if (distance === 0) break;
    // Only what is strictly better may take its place.
    bound = distance - 1;
  }
  return best;
}

/** Where to compare: the places of the block's rarest line, the likeliest first when there are too many. */
function startsOf(
  block: BlockLines,
  file: BlockLines,
  pointCount: number,
  limits: ClosestLimits,
): Iterable<number> | null {
  const last = file.count - block.count;
  let seeds: readonly number[] | null = null;
  let seedLine = 0;
  for (let i = 0; i < block.count; i++) {
    const hits = file.places(block.text(i));
    if (hits.length === 0 || (seeds !== null && hits.length >= seeds.length)) continue;
    seeds = hits;
    seedLine = i;
  }
  if (seeds === null)
    return pointCount > limits.unseededPointsMax
      ? null
      : Array.from({ length: last + 1 }, (_, i) => i);
  const starts = seeds.map((hit) => hit - seedLine).filter((start) => start >= 0 && start <= last);
  if (starts.length <= limits.startsMax) return starts;
  // Ranking costs a step for each line of each place, so it looks at a bounded number of lines.
  const rows = Math.min(block.count, Math.max(1, Math.floor(limits.cellsMax / 10 / starts.length)));
  const gapAt = (start: number): number => {
    let gap = 0;
    for (let i = 0; i < rows; i++)
      gap += Math.abs(file.length(start + i, start + i + 1) - block.length(i, i + 1));
    return gap;
  };
  return starts
    .map((start) => ({ start, gap: gapAt(start) }))
    .sort((a, b) => a.gap - b.gap)
    .slice(0, limits.startsMax)
    .map(({ start }) => start);
}

function described(
  block: BlockLines,
  file: BlockLines,
  best: Best,
  pointCount: number,
): ClosestBlock {
  const { start, distance } = best;
  const wanted = block.texts(0, block.count);
  const found = file.texts(start, start + block.count);
  const { runs } = alignLines(wanted, found);
  const places: (readonly [number, number])[] = [];
  let differing = 0;
  let extraWanted = 0;
  let extraFound = 0;
  for (const run of runs) {
    const both = Math.min(run.oldTo - run.oldFrom, run.newTo - run.newFrom);
    for (let i = 0; i < both; i++) places.push([run.oldFrom + i, run.newFrom + i]);
    differing += both;
    extraWanted += run.oldTo - run.oldFrom - both;
    extraFound += run.newTo - run.newFrom - both;
  }
  const first = runs[0];
  // A line that only one side has stands beside the line that took its place.
  if (first !== undefined && places[0]?.[0] !== first.oldFrom)
    places.unshift([
      Math.min(first.oldFrom, block.count - 1),
      Math.min(first.newFrom, block.count - 1),
    ]);
  // What is folded away here may matter to the matcher: then the lines as they are tell the difference.
  if (first === undefined)
    for (let i = 0; i < block.count; i++)
      if (block.raw(i) !== file.raw(start + i)) places.push([i, i]);
  return {
    number: start + 1,
    percent:
      distance === 0 ? 100 : Math.min(99, Math.round((100 * (pointCount - distance)) / pointCount)),
    distance,
    pairs: places
      .slice(0, PAIRS_MAX)
      .map(([k, l]) => pairOf(block.raw(k), k, file.raw(start + l), start + l)),
    differing,
    extraWanted,
    extraFound,
    extrasAreBlank: extraWanted + extraFound > 0 && sameButBlank(wanted, found),
    height: block.height,
  };
}

function sameButBlank(wanted: readonly string[], found: readonly string[]): boolean {
  const isText = (line: string): boolean => line.trim() !== "";
  const { runs } = alignLines(wanted.filter(isText), found.filter(isText));
  return runs.every((run) => run.oldTo - run.oldFrom === run.newTo - run.newFrom);
}

function pairOf(wanted: string, k: number, found: string, l: number): DifferingLines {
  return {
    wantedNumber: k + 1,
    fileNumber: l + 1,
    wanted,
    found,
    mismatch: mismatchOf(wanted, found),
  };
}

/** Where two lines part for the matcher; where they fold to the same, where they part for the eye. */
function mismatchOf(wanted: string, found: string): Mismatch | null {
  let j = 0;
  while (j < wanted.length && wanted[j] === found[j]) j++;
  if (j === wanted.length && j === found.length) return null;
  // Spaces before the text are told apart to the character: a tab is no space.
  if (j < leadingSpace(wanted).length || j < leadingSpace(found).length)
    return mismatchAt(wanted, j, found, j);
  const a = foldForReader(wanted);
  const b = foldForReader(found);
  let i = 0;
  while (i < a.text.length && i < b.text.length && a.text[i] === b.text[i]) i++;
  if (i < a.text.length || i < b.text.length)
    return mismatchAt(wanted, a.cores[i] ?? wanted.length, found, b.cores[i] ?? found.length);
  return mismatchAt(wanted, j, found, j);
}

function mismatchAt(wanted: string, from: number, found: string, to: number): Mismatch {
  // Halves of a surrogate pair are one character.
  const a = isLowHalf(wanted, from) ? from - 1 : from;
  const b = isLowHalf(found, to) ? to - 1 : to;
  return {
    place: Array.from(wanted.slice(0, a)).length + 1,
    wantedPoint: wanted.codePointAt(a) ?? null,
    foundPoint: found.codePointAt(b) ?? null,
  };
}

function isLowHalf(text: string, offset: number): boolean {
  const unit = text.charCodeAt(offset);
  return offset > 0 && unit >= 0xdc00 && unit <= 0xdfff;
}
