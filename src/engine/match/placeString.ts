import { blockAround, foldPattern, lineEnd, longestLine } from "./lookAlikeScan.ts";
import type { SourceText } from "../text/sourceText.ts";
import { foldSequence, type Folded } from "../text/lookAlike.ts";
import { isAllSpace } from "../text/whitespace.ts";

/** The steps of `edit`, strictest first. */
export const STRING_STEPS = ["exact", "trailing-newline", "look-alike-punctuation"] as const;
export type StringStep = (typeof STRING_STEPS)[number];

/** Half-open range of UTF-16 offsets. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Where a text stands under the strictest step that knows a place. */
export interface StringPlaces {
  readonly step: StringStep;
  /** Disjoint, left to right: what "all occurrences" means. */
  readonly spans: readonly Span[];
  /** Two places that share units. Then `spans` holds one of them, and which one is a choice. */
  readonly overlap: Span | null;
  /** False when more than `placesMax` were found and the rest was not looked at. */
  readonly complete: boolean;
}

export interface PlaceLimits {
  /** Places of one text in one file. */
  readonly placesMax: number;
  /** Files above this many units are not searched for look-alikes. */
  readonly foldUnitsMax: number;
}

/**
 * Finds `wanted` in a text. A later step is tried only where all before it found nothing.
 *
 * `trailing-newline`: `wanted` ends in a line break and the last line of the text does not; what stands before the
 * break occurs once, and that at the end of the text. Anywhere else a line would be taken for one that goes on.
 * Law: under `exact` every span reads `wanted`; under `look-alike-punctuation` it folds to the same text.
 */
export function placeString(
  text: string,
  wanted: string,
  tolerant: boolean,
  limits: PlaceLimits,
): StringPlaces | null {
  if (wanted === "") return null;
  const exact = exactPlaces(text, wanted, limits.placesMax);
  if (exact !== null) return exact;
  if (!tolerant) return null;
  return (
    lastLinePlace(text, wanted) ??
    (text.length <= limits.foldUnitsMax ? lookAlikePlaces(text, wanted, limits.placesMax) : null)
  );
}

function exactPlaces(text: string, wanted: string, placesMax: number): StringPlaces | null {
  const first = text.indexOf(wanted);
  if (first < 0) return null;
  // From one unit on, not from behind the first: two places that share units are two places.
  const second = text.indexOf(wanted, first + 1);
  const spans: Span[] = [{ from: first, to: first + wanted.length }];
  const places = { step: "exact", spans, complete: true } as const;
  if (second < 0) return { ...places, overlap: null };
  const overlap =
    second < first + wanted.length ? { from: second, to: second + wanted.length } : null;
  let next = overlap === null ? second : text.indexOf(wanted, first + wanted.length);
  while (next >= 0) {
    if (spans.length === placesMax) return { ...places, overlap, complete: false };
    spans.push({ from: next, to: next + wanted.length });
    next = text.indexOf(wanted, next + wanted.length);
  }
  return { ...places, overlap };
}

function lastLinePlace(text: string, wanted: string): StringPlaces | null {
  const rest = wanted.slice(0, wanted.length - finalBreak(wanted).length);
  if (rest === "" || rest.length === wanted.length || !text.endsWith(rest)) return null;
  const from = text.length - rest.length;
  if (text.indexOf(rest) !== from) return null;
  const spans = [{ from, to: text.length }];
  return { step: "trailing-newline", spans, overlap: null, complete: true };
}

/** The line break a text ends in, or "". */
export function finalBreak(text: string): string {
  if (text.endsWith("\r\n")) return "\r\n";
  return text.endsWith("\n") || text.endsWith("\r") ? text.slice(-1) : "";
}

function lookAlikePlaces(text: string, wanted: string, placesMax: number): StringPlaces | null {
  const old = foldSequence(wanted);
  // Nothing that can be seen is nothing to look for.
  if (isAllSpace(old.text)) return null;
  const endsBare = coreEnd(old, old.text.length - 1) === wanted.length;
  const spans = scanned(text, old, endsBare, placesMax) ?? folded(text, old, endsBare, placesMax);
  const [first] = spans;
  if (first === undefined) return null;
  const disjoint: Span[] = [];
  let overlap: Span | null = null;
  for (const span of spans) {
    if (span.from >= (disjoint.at(-1)?.to ?? 0)) disjoint.push(span);
    else overlap ??= span;
  }
  return {
    step: "look-alike-punctuation",
    spans: disjoint,
    overlap,
    complete: spans.length < placesMax,
  };
}

/**
 * Places by folding only the lines where a place may be: a line folds by itself. Null when that would cost more than
 * folding the whole text.
 */
function scanned(
  text: string,
  old: Folded,
  endsBare: boolean,
  placesMax: number,
): readonly Span[] | null {
  const { line, above, below } = longestLine(old);
  const pattern = foldPattern(line);
  const spans: Span[] = [];
  let work = 2 * text.length;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const block = blockAround(text, match.index, above, below);
    // Everything on one line is found at once.
    pattern.lastIndex = lineEnd(text, match.index);
    if (block !== null) {
      work -= block.to - block.from;
      if (work < 0) return null;
      const part = text.slice(block.from, block.to);
      const firstLine = lineEnd(part, 0);
      for (const { from, to } of folded(part, old, endsBare, placesMax)) {
        if (from >= firstLine) break;
        spans.push({ from: block.from + from, to: block.from + to });
      }
      if (spans.length >= placesMax) return spans;
    }
    if (pattern.lastIndex >= text.length) break;
  }
  return spans;
}

/**
 * Places in a text that is folded as a whole, overlapping ones too. With `endsBare` the caller's text ends with its
 * last visible unit: then a space or an invisible character that the folding put into the range of the file's last
 * unit lies outside the match and stays.
 */
function folded(text: string, old: Folded, endsBare: boolean, placesMax: number): readonly Span[] {
  const file = foldSequence(text);
  const spans: Span[] = [];
  let at = file.text.indexOf(old.text);
  while (at >= 0 && spans.length < placesMax) {
    const end = at + old.text.length;
    spans.push({
      from: file.cores[at] ?? 0,
      to: endsBare ? coreEnd(file, end - 1) : (file.starts[end] ?? text.length),
    });
    at = file.text.indexOf(old.text, at + 1);
  }
  return spans;
}

/** Halves of a surrogate pair are units of their own, so one unit ends it too. */
function coreEnd(folded: Folded, index: number): number {
  return (folded.cores[index] ?? 0) + 1;
}

/**
 * A text whose line breaks all read `\n`, and the way back. For files that mix endings: there any break matches any
 * other, and a match is made on this copy.
 * Law: `sourceOffset` keeps order, and maps the copy's start and end to those of the source.
 */
export class LfCopy {
  readonly text: string;
  readonly #source: SourceText;
  readonly #starts: Uint32Array;

  private constructor(source: SourceText, text: string, starts: Uint32Array) {
    this.#source = source;
    this.text = text;
    this.#starts = starts;
  }

  static of(source: SourceText): LfCopy {
    const { lineCount } = source;
    const starts = new Uint32Array(lineCount + 1);
    const lines: string[] = [];
    let at = 0;
    for (let i = 0; i < lineCount; i++) {
      starts[i] = at;
      const line = source.line(i);
      const ending = source.ending(i) === "" ? "" : "\n";
      lines.push(line + ending);
      at += line.length + ending.length;
    }
    starts[lineCount] = at;
    return new LfCopy(source, lines.join(""), starts);
  }

  sourceOffset(offset: number): number {
    const starts = this.#starts;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return this.#source.start(low) + offset - (starts[low] ?? 0);
  }
}
