import { fail, ok, type Result } from "../../base/result.ts";
import {
  breakAround,
  breaksOfBlock,
  hasBreak,
  keptApart,
  uniformBreak,
  withBreaks,
} from "../match/breaks.ts";
import { keepPunctuation } from "../match/keepPunctuation.ts";
import {
  finalBreak,
  LfCopy,
  placeString,
  type Span,
  type StringPlaces,
} from "../match/placeString.ts";
import type { ReplaceProblem } from "../report/replaceProblem.ts";
import { foldSequence } from "../text/lookAlike.ts";
import { minimalSplices } from "../text/minimalSplices.ts";
import type { SourceText } from "../text/sourceText.ts";
import type { Splice } from "../text/splice.ts";
import { INSERTED_UNITS_MAX, TEXT_UNITS_MAX } from "../text/textLimits.ts";
import type { ReplaceLimits } from "./replaceLimits.ts";

/** Names of what a match left out of account, in the order of the steps. */
export type ReplaceTolerance = "line-endings" | "trailing-newline" | "look-alike-punctuation";

/** Both texts with the file's line breaks. */
export interface Wanted {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
}

/** Where a text stands in the file, and what takes its place. */
export interface FoundString {
  /** Matched ranges of the file, disjoint, left to right. */
  readonly spans: readonly Span[];
  /** For each span the splices inside it; none where it reads as wanted already. */
  readonly splices: readonly (readonly Splice[])[];
  readonly tolerance: readonly ReplaceTolerance[];
}

/**
 * The two texts as this file breaks its lines. A file of CRLF or lone CR throughout takes them in its own way; in a
 * file that mixes endings they are matched and written line by line; otherwise they stay as sent.
 */
export function adapted({ source, hasCr, isMixed }: FileView, sent: Wanted): Wanted {
  // In a file of LF a CR is content: it is matched, and written, as sent.
  if (!hasCr) return sent;
  const ending = isMixed ? "\n" : uniformBreak(source);
  if (ending === null) return sent;
  return {
    ...sent,
    oldString: withBreaks(sent.oldString, ending),
    newString: withBreaks(sent.newString, ending),
  };
}

/**
 * Places `wanted` (already `adapted`) in the file. Null when it is nowhere.
 * Law: outside the spans nothing changes; more than one place without `replaceAll` is a problem.
 */
export function findString(
  view: FileView,
  wanted: Wanted,
  tolerant: boolean,
  limits: ReplaceLimits,
): Result<FoundString | null, ReplaceProblem> {
  const copy = view.forText(wanted.oldString);
  const places = placeString(copy.text, wanted.oldString, tolerant, limits);
  if (places === null) return ok(null);
  if (places.spans.length * wanted.newString.length > INSERTED_UNITS_MAX && wanted.replaceAll)
    return fail({ code: "too-long", unitsMax: TEXT_UNITS_MAX });
  const problem = ambiguity(view.source, copy, places, wanted, limits);
  return problem === null ? written(view, copy, places, wanted) : fail(problem);
}

/** The text a match is made on: the file's own, or its copy with LF breaks where any break may match any other. */
interface Copy {
  readonly text: string;
  readonly sourceOffset: (offset: number) => number;
}

/** A file as texts are looked for in it. The copy for mixed endings is made once, when first needed. */
export class FileView {
  readonly source: SourceText;
  /** The cheap question first: a large file of LF is never cut into lines for the other one. */
  readonly hasCr: boolean;
  readonly #own: Copy;
  #lf: Copy | undefined;

  constructor(source: SourceText) {
    this.source = source;
    this.hasCr = source.text.includes("\r");
    this.#own = { text: source.text, sourceOffset: (offset) => offset };
  }

  get isMixed(): boolean {
    return this.hasCr && this.source.style.kind === "mixed";
  }

  forText(wanted: string): Copy {
    if (!hasBreak(wanted) || !this.isMixed) return this.#own;
    if (this.#lf === undefined) {
      const copy = LfCopy.of(this.source);
      this.#lf = { text: copy.text, sourceOffset: (offset) => copy.sourceOffset(offset) };
    }
    return this.#lf;
  }
}

function ambiguity(
  source: SourceText,
  copy: Copy,
  { spans, overlap, complete, step }: StringPlaces,
  { replaceAll }: Wanted,
  limits: ReplaceLimits,
): ReplaceProblem | null {
  if (!complete) return { code: "too-many", countMax: limits.placesMax };
  if (replaceAll || (spans.length === 1 && overlap === null)) return null;
  const overlapping = spans.length === 1;
  const places = overlapping && overlap !== null ? [...spans, overlap] : spans;
  const numbers: number[] = [];
  let linesLeft = 0;
  let last = -1;
  for (const { from } of places) {
    const line = source.lineAt(copy.sourceOffset(from));
    if (line === last) continue;
    last = line;
    if (numbers.length < limits.numbersMax) numbers.push(line + 1);
    else linesLeft++;
  }
  const isCopy = copy.text !== source.text;
  return {
    code: "ambiguous",
    step: step === "look-alike-punctuation" ? step : isCopy ? "line-endings" : "exact",
    count: places.length,
    numbers,
    linesLeft,
    overlapping,
  };
}

function written(
  view: FileView,
  copy: Copy,
  { spans, step }: StringPlaces,
  wanted: Wanted,
): Result<FoundString, ReplaceProblem> {
  const newString =
    step === "trailing-newline"
      ? wanted.newString.slice(0, wanted.newString.length - finalBreak(wanted.newString).length)
      : wanted.newString;
  if (step !== "look-alike-punctuation" && !view.isMixed) {
    // Every place reads the same, so what changes in it is worked out once.
    const length = spans[0] === undefined ? 0 : spans[0].to - spans[0].from;
    const changes = minimalSplices(0, wanted.oldString.slice(0, length), newString);
    const splices = spans.map(({ from }) => changes.map((change) => moved(change, from)));
    return ok({ spans, splices, tolerance: step === "exact" ? [] : [step] });
  }
  return writtenOneByOne(view, copy, { spans, step }, { ...wanted, newString });
}

function moved({ from, to, insert }: Splice, by: number): Splice {
  return { from: from + by, to: to + by, insert };
}

/** For places that read differently: each keeps its own punctuation and its own breaks. */
function writtenOneByOne(
  { source, isMixed }: FileView,
  copy: Copy,
  { spans, step }: Pick<StringPlaces, "spans" | "step">,
  { oldString, newString }: Wanted,
): Result<FoundString, ReplaceProblem> {
  const ranges: Span[] = [];
  const splices: (readonly Splice[])[] = [];
  let isOtherEnding = false;
  for (const span of spans) {
    const from = copy.sourceOffset(span.from);
    const to = copy.sourceOffset(span.to);
    const old = source.text.slice(from, to);
    const seen = copy.text.slice(span.from, span.to);
    const next =
      step === "look-alike-punctuation" ? preserved(seen, oldString, newString) : newString;
    if (next === null) return fail({ code: "not-preservable", number: source.lineAt(from) + 1 });
    if (isMixed && old !== seen) isOtherEnding = true;
    const insert = isMixed
      ? keptApart(source.text, from, to, breaksOfSpan(source, old, next, to))
      : next;
    ranges.push({ from, to });
    splices.push(minimalSplices(from, old, insert));
  }
  const tolerance: ReplaceTolerance[] = isOtherEnding ? ["line-endings"] : [];
  if (step !== "exact") tolerance.push(step);
  return ok({ spans: ranges, splices, tolerance });
}

function breaksOfSpan(source: SourceText, old: string, next: string, to: number): string {
  return hasBreak(next) ? breaksOfBlock(old, next, breakAround(source, to)) : next;
}

/** The matched text with the caller's change, and the file's own punctuation in what the caller left alone. */
function preserved(seen: string, oldString: string, newString: string): string | null {
  const splice = keepPunctuation(seen, oldString, newString, foldSequence);
  return splice === null
    ? null
    : seen.slice(0, splice.from) + splice.insert + seen.slice(splice.to);
}
