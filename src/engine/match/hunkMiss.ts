import { newLines, type Hunk } from "../patch/patchDoc.ts";
import type { NearLine } from "../report/outcome.ts";
import type { HunkMiss, MissHint } from "../report/patchProblem.ts";
import { Needle } from "../text/needle.ts";
import { SourceText } from "../text/sourceText.ts";
import { isAllSpace, trimSpace } from "../text/whitespace.ts";
import type { Anchor } from "./anchor.ts";
import { closestLine } from "./closestLine.ts";
import { hunkSpelling, type LineRange as Range } from "./hunkSpelling.ts";
import { ORDERED_STEPS, type HunkIndex } from "./hunkIndex.ts";
import { lowerBound } from "./matchingWindows.ts";
import { miscountAt, type Miscounts } from "./miscount.ts";
import { nearestPlace } from "./nearestPlace.ts";
import type { Room } from "./placement.ts";
import { SearchText } from "./search.ts";

/** Bounds of the search for a hint, in steps, so that a miss never costs more than a match. */
const LIMITS = {
  lookAlikePlacesMax: 4,
  /** Places of a hunk's first line that are compared further. */
  startsMax: 256,
  comparisonsMax: 5_000,
  /** Hunk lines that may vote for a place, and file lines one of them may vote for. */
  votersMax: 500,
  votesPerLineMax: 32,
  occurrencesMax: 200,
  nearLinesMax: 7,
  nearUnitsMax: 200,
} as const;

/** What can be said of a hunk that has no place: where it nearly fits, and how it differs there. */
export function explainMiss(
  index: HunkIndex,
  hunk: Hunk,
  lines: readonly string[],
  room: Room,
  anchor: Anchor,
): HunkMiss {
  const { lineCount } = index.source;
  // Lines of the file in which the hunk might have stood. Only these are named in a hint.
  const range: Range = hunk.endOfFile
    ? { from: Math.max(0, lineCount - lines.length), to: lineCount }
    : { from: anchor.at ?? room.cursor, to: room.end };
  const lookAlike = hunk.endOfFile
    ? []
    : index.places(
        "look-alike-punctuation",
        lines,
        range.from,
        range.to,
        LIMITS.lookAlikePlacesMax,
      );
  const spelling = hunkSpelling(index.source, lines, range);
  // A hunk that is there in another spelling needs no second place.
  const found: MissHint = spelling === null ? findHint(index, lines, range) : { kind: "none" };
  const isAboveEnd =
    hunk.endOfFile && found.kind === "earlier" && found.number > (anchor.at ?? room.cursor);
  const hint: MissHint = isAboveEnd ? { ...found, kind: "before-end" } : found;
  const expected = hint.kind === "diverges" || hint.kind === "best-fit" ? hint.expected : lines[0];
  return {
    firstLine: lines[0] ?? "",
    hasBlankContext: hunk.lines.some(
      (line) => line.kind === "context" && isAllSpace(line.text) && line.text === expected,
    ),
    lookAlikeNumbers: lookAlike.length > 1 ? lookAlike.map((line) => line + 1) : [],
    hint,
    appliedAt: appliedAt(index, hunk, range),
    removesLines: hunk.lines.some((line) => line.kind === "removed"),
    spelling,
    miscounts: miscountOf(index.source, hint),
    anchorNumber: anchor.at === null ? null : anchor.at + 1,
    near: nearLines(index, spelling === null ? shownFrom(hint) : spelling.number - 1, lines.length),
  };
}

/** Whether the line where the hunk and its place part differs in a count only. */
function miscountOf(source: SourceText, hint: MissHint): Miscounts | null {
  if (!("expected" in hint) || hint.found === null) return null;
  const at =
    hint.kind === "diverges"
      ? hint.number - 1 + hint.matched
      : (hint.kind === "best-fit" ? hint.differsAt : hint.number) - 1;
  return miscountAt(source, at, hint.expected);
}

function findHint(index: HunkIndex, lines: readonly string[], range: Range): MissHint {
  const earlier = placeAbove(index, lines, range);
  if (earlier !== null) return { kind: "earlier", number: earlier + 1 };
  const part = partOfLine(index, lines, range);
  if (part !== null) return { kind: "part-of-line", number: part + 1 };
  const prefix = longestPrefix(index, lines, range);
  const fit = bestFit(index, lines, range);
  if (
    prefix !== null &&
    (fit === null || fit.index === prefix.index || fit.votes <= prefix.matched)
  )
    return divergence(index, lines, prefix, range);
  if (fit !== null) {
    const hint = fitHint(index, lines, fit);
    if (hint !== null) return hint;
  }
  const wanted = lines.find((line) => !isAllSpace(line));
  if (wanted === undefined) return { kind: "none" };
  const closest = closestLine(index.source, wanted, range.from, range.to);
  if (closest !== null)
    return {
      kind: "closest",
      number: closest.index + 1,
      percent: Math.floor(closest.similarity * 100),
      found: index.source.line(closest.index),
      expected: wanted,
    };
  if (index.alike(wanted).length > 0) return { kind: "none" };
  return nearestLine(index.source, wanted, range) ?? { kind: "absent" };
}

/** The line that shares most words with the wanted one, for lines that neither begin nor end alike. */
function nearestLine(source: SourceText, wanted: string, { from, to }: Range): MissHint | null {
  const part = source.text.slice(source.start(from), source.start(to));
  const found = nearestPlace(new SearchText(SourceText.of(part)), SourceText.of(wanted));
  if (found === null) return null;
  const line = from + found.fromNumber - 1;
  return { kind: "nearest", number: line + 1, expected: wanted, found: source.line(line) };
}

function placeAbove(
  index: HunkIndex,
  lines: readonly string[],
  { from, to }: Range,
): number | null {
  if (from === 0) return null;
  for (const step of ORDERED_STEPS) {
    const [place] = index.places(step, lines, 0, Math.min(to, from + lines.length - 1), 1);
    if (place !== undefined) return place;
  }
  return null;
}

function partOfLine(index: HunkIndex, lines: readonly string[], range: Range): number | null {
  const wanted = trimSpace(lines[0] ?? "");
  if (lines.length !== 1 || wanted === "") return null;
  const { source } = index;
  const at = source.text.indexOf(wanted, source.start(range.from));
  return at < 0 || at >= source.start(range.to) ? null : source.lineAt(at);
}

interface Prefix {
  readonly index: number;
  readonly matched: number;
}

function longestPrefix(
  index: HunkIndex,
  lines: readonly string[],
  { from, to }: Range,
): Prefix | null {
  const first = lines[0] ?? "";
  const places = index.alike(first);
  const nearest = lowerBound(places, from);
  let best: Prefix | null = null;
  let comparisons = 0;
  for (let i = nearest; i < places.length && i < nearest + LIMITS.startsMax; i++) {
    const start = places[i] ?? 0;
    if (start >= to) break;
    if (!index.matches("surrounding-whitespace", start, first)) continue;
    let matched = 1;
    while (
      matched < lines.length &&
      start + matched < to &&
      comparisons++ < LIMITS.comparisonsMax &&
      index.matches("surrounding-whitespace", start + matched, lines[matched] ?? "")
    )
      matched++;
    if (best === null || best.matched < matched) best = { index: start, matched };
    if (matched >= lines.length - 1) break;
  }
  return best === null || best.matched === lines.length || isAllSpace(first) ? null : best;
}

function divergence(
  index: HunkIndex,
  lines: readonly string[],
  { index: start, matched }: Prefix,
  { to }: Range,
): MissHint {
  return {
    kind: "diverges",
    matched,
    number: start + 1,
    expected: lines[matched] ?? "",
    found: start + matched < to ? index.source.line(start + matched) : null,
  };
}

interface Fit {
  readonly index: number;
  readonly votes: number;
}

/** Every hunk line that stands somewhere votes for the place where the whole hunk would then start. */
function bestFit(index: HunkIndex, lines: readonly string[], { from, to }: Range): Fit | null {
  const votes = new Map<number, number>();
  for (let k = 0; k < lines.length && k < LIMITS.votersMax; k++) {
    const line = lines[k] ?? "";
    if (isAllSpace(line)) continue;
    const places = index.alike(line);
    const first = lowerBound(places, from + k);
    for (let i = first; i < places.length && i < first + LIMITS.votesPerLineMax; i++) {
      const start = (places[i] ?? 0) - k;
      if (start + lines.length > to) break;
      votes.set(start, (votes.get(start) ?? 0) + 1);
    }
  }
  let best: Fit | null = null;
  for (const [start, count] of votes)
    if (best === null || best.votes < count || (best.votes === count && start < best.index))
      best = { index: start, votes: count };
  return best;
}

function fitHint(index: HunkIndex, lines: readonly string[], fit: Fit): MissHint | null {
  for (let k = 0; k < lines.length; k++) {
    const expected = lines[k] ?? "";
    if (index.matches("surrounding-whitespace", fit.index + k, expected)) continue;
    return {
      kind: "best-fit",
      number: fit.index + 1,
      matched: Math.min(fit.votes, lines.length - 1),
      of: lines.length,
      differsAt: fit.index + k + 1,
      expected,
      found: index.source.line(fit.index + k),
    };
  }
  return null;
}

/** First line of a place that reads as the hunk would leave it, spacing at line ends aside. */
function appliedAt(index: HunkIndex, hunk: Hunk, { from, to }: Range): number | null {
  const lines = newLines(hunk);
  const adds = hunk.lines.some((line) => line.kind === "added");
  if (lines.length < (adds ? 1 : 2) || to - from < lines.length) return null;
  const { source } = index;
  // The longest line is the rarest guess that needs no index of lines nobody asked for.
  const longest = lines.reduce(
    (best, line, i) => (line.length > best.length ? { i, length: line.length } : best),
    {
      i: 0,
      length: -1,
    },
  );
  const text = trimSpace(lines[longest.i] ?? "");
  if (text === "") return null;
  const needle = new Needle(text);
  let at = needle.indexIn(source.text, source.start(from));
  let comparisons = LIMITS.comparisonsMax;
  for (let tries = 0; at >= 0 && tries < LIMITS.occurrencesMax && comparisons > 0; tries++) {
    const start = source.lineAt(at) - longest.i;
    if (start + lines.length > to) return null;
    if (start >= from) {
      let k = 0;
      while (k < lines.length && index.matches("trailing-whitespace", start + k, lines[k] ?? ""))
        k++;
      if (k === lines.length) return start + 1;
      comparisons -= k + 1;
    }
    at = needle.indexIn(source.text, at + text.length);
  }
  return null;
}

/** Index of the first line that a card shows for the hint. */
function shownFrom(hint: MissHint): number | null {
  if ("differsAt" in hint) return Math.max(0, hint.differsAt - 3);
  return "number" in hint ? hint.number - 1 : null;
}

function nearLines(index: HunkIndex, from: number | null, height: number): readonly NearLine[] {
  if (from === null) return [];
  const { source } = index;
  const to = Math.min(source.lineCount, from + Math.min(Math.max(height, 3), LIMITS.nearLinesMax));
  const near: NearLine[] = [];
  for (let i = from; i < to; i++)
    near.push({ number: i + 1, text: source.line(i).slice(0, LIMITS.nearUnitsMax) });
  return near;
}
