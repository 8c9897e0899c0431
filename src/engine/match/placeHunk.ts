import { fail, ok, type Result } from "../../base/result.ts";
import { oldLines, type Hunk } from "../patch/patchDoc.ts";
import type { HunkPlace, PlacementProblem } from "../report/patchProblem.ts";
import { isAllSpace } from "../text/whitespace.ts";
import { findAnchor, secondAnchor, type Anchor } from "./anchor.ts";
import { explainMiss } from "./hunkMiss.ts";
import { ORDERED_STEPS, type HunkIndex, type LineStep } from "./hunkIndex.ts";
import { placeBehindPrevious } from "./overlap.ts";
import type { HunkTolerance, Placement, PlaceOptions, Room } from "./placement.ts";

/** So many places are named when there was a choice; the search stops there. */
const PLACES_MAX = 5;

/**
 * The place of one hunk, or why it has none. Order of search: the step decides first (each over the whole room),
 * then the anchor, then the hint of a line number, then file order. Edit distance is never used.
 *
 * Law L5: every old line from `index` on equals its file line under `step` or a stricter one.
 */
export function placeHunk(
  index: HunkIndex,
  hunk: Hunk,
  room: Room,
  place: HunkPlace,
  options: PlaceOptions,
): Result<Placement, PlacementProblem> {
  const anchor = findAnchor(index, hunk.headers, room.cursor, room.end);
  const lines = oldLines(hunk);
  const search: Search = { index, hunk, lines, room, anchor, place, options };
  if (lines.length === 0) return placeInsertion(search);
  return (
    (hunk.endOfFile ? placeAtEnd(search) : placeInOrder(search)) ??
    placeLookAlike(search) ??
    placeOverlapping(search) ??
    placeWithoutBlankLastLine(search) ??
    (hunk.unprefixedNumber !== null
      ? fail({ code: "line-without-marker", ...place, number: hunk.unprefixedNumber })
      : null) ??
    fail({ code: "hunk-not-found", ...place, ...explainMiss(index, hunk, lines, room, anchor) })
  );
}

interface Search {
  readonly index: HunkIndex;
  readonly hunk: Hunk;
  readonly lines: readonly string[];
  readonly room: Room;
  readonly anchor: Anchor;
  readonly place: HunkPlace;
  readonly options: PlaceOptions;
}

type Found = Result<Placement, PlacementProblem> | null;

/** Lines to insert and none to find: below the anchor, or at the end of the file where there is none. */
function placeInsertion(search: Search): Result<Placement, PlacementProblem> {
  const { index, hunk, room, anchor, place } = search;
  const [missing] = anchor.missing;
  if (missing !== undefined && !hunk.endOfFile)
    return fail({ code: "insertion-anchor-missing", ...place, header: missing });
  const end = index.source.lineCount;
  if (hunk.endOfFile || anchor.at === null) {
    const { hintNumber } = hunk;
    if (!hunk.endOfFile && hintNumber !== null && hintNumber !== end)
      return fail({ code: "insertion-by-number", ...place, number: hintNumber });
    return ok(placement(end, 0, "exact", [], [], search));
  }
  const second = secondAnchor(index, hunk.headers, anchor, room.end);
  return chosen(anchor.at + 1, "exact", second === null ? [] : [second + 2], search);
}

function placeInOrder(search: Search): Found {
  const { index, hunk, lines, room, anchor } = search;
  // Without its leading spaces a context line may be anything: only what reads the same counts.
  const steps = hunk.unprefixedNumber === null ? ORDERED_STEPS : ORDERED_STEPS.slice(0, 2);
  const from = anchor.at ?? room.cursor;
  for (const step of steps) {
    const above = placeBelowSameHeader(search, step);
    const places = index.places(step, lines, from, room.end, PLACES_MAX);
    const [first] = places;
    if (above !== null) return chosen(above, step, first === undefined ? [] : [first + 1], search);
    if (first === undefined) continue;
    if (places.length === 1 && anchor.at === null)
      return ok(placement(first, lines.length, step, [], tolerancesOf(hunk), search));
    if (hunk.unprefixedNumber !== null && places.length > 1)
      return fail({ code: "hunk-ambiguous", ...search.place, numbers: places.map(toNumber) });
    const hinted = byHint(search, step, from, places);
    const others = hinted.isExact ? [] : otherPlaces(search, step, hinted.index, places);
    return chosen(hinted.index, step, others.map(toNumber), search);
  }
  return null;
}

/**
 * A header that the hunk before had as well still names the text behind that hunk, although the search for it can
 * only find its next occurrence further down.
 */
function placeBelowSameHeader(
  { index, hunk, lines, room, anchor }: Search,
  step: LineStep,
): number | null {
  if (anchor.at === null || !isSameList(hunk.headers, room.below)) return null;
  const [place] = index.places(step, lines, room.cursor, anchor.at, 1);
  return place ?? null;
}

function isSameList(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((item, i) => item === right[i]);
}

/** Line numbers choose between places that match equally well, and do nothing else. */
function byHint(
  { index, hunk, lines, room }: Search,
  step: LineStep,
  from: number,
  places: readonly number[],
): { readonly index: number; readonly isExact: boolean } {
  const first = places[0] ?? from;
  if (hunk.hintNumber === null || places.length < 2) return { index: first, isExact: false };
  const wanted = hunk.hintNumber - 1;
  const at = Math.max(wanted, from);
  const [behind] = index.places(step, lines, at, room.end, 1);
  if (behind === wanted) return { index: behind, isExact: true };
  const all = behind === undefined ? places : [...places, behind];
  const nearest = all.reduce((best, next) =>
    Math.abs(next - wanted) < Math.abs(best - wanted) ? next : best,
  );
  return { index: nearest, isExact: false };
}

/** Places that fit as well as the taken one. An anchor narrows them to those that it names as well. */
function otherPlaces(
  search: Search,
  step: LineStep,
  taken: number,
  places: readonly number[],
): readonly number[] {
  const { anchor, hunk } = search;
  if (anchor.at === null) return places.filter((index) => index !== taken);
  // A header that is itself the line to be removed may mean that line or an equal one below it.
  const first = hunk.lines.find((line) => line.kind !== "added");
  if (taken === anchor.at && first?.kind === "removed") return places.slice(1, 2);
  return belowSecondAnchor(search, step, taken);
}

/** The place under the anchor's next occurrence, when the body stands below both. */
function belowSecondAnchor(
  { index, hunk, lines, room, anchor }: Search,
  step: LineStep,
  taken: number,
): readonly number[] {
  const second = secondAnchor(index, hunk.headers, anchor, room.end);
  // A body above the second anchor belongs to the first one; one below it may belong to either.
  if (second === null) return [];
  const [below] = index.places(step, lines, second, room.end, 1);
  return below === undefined || below === taken || taken > second ? [] : [below];
}

function placeAtEnd(search: Search): Found {
  const { index, lines, hunk } = search;
  const at = tailIndex(search, lines.length);
  if (at === null) return null;
  for (const step of ORDERED_STEPS)
    if (index.standsAt(step, lines, at))
      return ok(placement(at, lines.length, step, [], tolerancesOf(hunk), search));
  return null;
}

/** Where `count` lines start that end the file, if that is below a found anchor. */
function tailIndex({ index, anchor }: Search, count: number): number | null {
  const at = index.source.lineCount - count;
  return at < 0 || (anchor.at !== null && at < anchor.at) ? null : at;
}

/** Punctuation and spacing ignored: one place only, never a choice. */
function placeLookAlike(search: Search): Found {
  const { index, lines, hunk, room, anchor } = search;
  if (hunk.unprefixedNumber !== null) return null;
  if (hunk.endOfFile) {
    const at = tailIndex(search, lines.length);
    if (at === null || !index.standsAt("look-alike-punctuation", lines, at)) return null;
    return ok(placement(at, lines.length, "look-alike-punctuation", [], [], search));
  }
  const places = index.places(
    "look-alike-punctuation",
    lines,
    anchor.at ?? room.cursor,
    room.end,
    2,
  );
  const [only, second] = places;
  if (only === undefined || second !== undefined) return null;
  return ok(placement(only, lines.length, "look-alike-punctuation", [], [], search));
}

/** A hunk whose first lines are the last ones of the hunk before. */
function placeOverlapping(search: Search): Found {
  const { index, lines, hunk, room, anchor } = search;
  if (room.previous === null || hunk.endOfFile || anchor.at !== null) return null;
  if (hunk.unprefixedNumber !== null) return null;
  const found = placeBehindPrevious(index, hunk, lines, room.previous, room.cursor, room.end);
  if (found === null) return null;
  const { skipped } = found;
  const count = lines.length - skipped;
  return ok({
    ...placement(found.index, count, found.step, [], ["overlapping-context"], search),
    skipped,
  });
}

/** Some writers take the line ending at the end of a file for an empty line. Only there is it let go. */
function placeWithoutBlankLastLine(search: Search): Found {
  const { index, hunk, lines, room, anchor } = search;
  const last = hunk.lines.at(-1);
  if (last?.kind !== "context" || !isAllSpace(last.text) || lines.length < 2) return null;
  if (hunk.unprefixedNumber !== null) return null;
  const shorter = lines.slice(0, -1);
  const at = tailIndex(search, shorter.length);
  if (at === null || at < (anchor.at ?? room.cursor) || room.end < index.source.lineCount)
    return null;
  for (const step of ORDERED_STEPS)
    if (index.standsAt(step, shorter, at))
      return ok(placement(at, shorter.length, step, [], ["blank-last-line"], search));
  return null;
}

function tolerancesOf(hunk: Hunk): readonly HunkTolerance[] {
  return hunk.unprefixedNumber === null ? [] : ["context-without-space"];
}

function placement(
  index: number,
  count: number,
  step: LineStep,
  otherNumbers: readonly number[],
  tolerances: readonly HunkTolerance[],
  { anchor, hunk }: Pick<Search, "anchor" | "hunk">,
): Placement {
  const anchored = hunk.headers.length > 0 && anchor.missing.length === 0;
  return { index, skipped: 0, count, step, otherNumbers, tolerances, anchored };
}

/** One of several places that fit equally well, which the setting allows or not. */
function chosen(
  index: number,
  step: LineStep,
  otherNumbers: readonly number[],
  search: Search,
): Result<Placement, PlacementProblem> {
  const { place, options, lines, hunk } = search;
  if (otherNumbers.length > 0 && options.ambiguousHunk === "reject")
    return fail({
      code: "hunk-ambiguous",
      ...place,
      numbers: [index + 1, ...otherNumbers].sort((a, b) => a - b),
    });
  return ok(placement(index, lines.length, step, otherNumbers, tolerancesOf(hunk), search));
}

function toNumber(index: number): number {
  return index + 1;
}
