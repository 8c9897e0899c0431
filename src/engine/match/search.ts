import { fail, ok, type Result } from "../../base/result.ts";
import { foldSequence, type Folded } from "../text/lookAlike.ts";
import { SourceText } from "../text/sourceText.ts";
import type { Splice } from "../text/splice.ts";
import { INSERTED_UNITS_MAX, TEXT_UNITS_MAX } from "../text/textLimits.ts";
import { wantsOtherEndings } from "./endings.ts";
import type { StepName } from "./ladder.ts";
import { indexLines, type LineIndex } from "./lineIndex.ts";

/** One replacement as the caller asks for it. */
export interface TextReplacement {
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

/** Half-open, in UTF-16 units. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** Where a replacement lands: the splices it makes, and the step of the ladder that found the place. */
export interface Placement {
  readonly step: StepName;
  readonly splices: readonly Splice[];
  /** What matched, sorted and apart from each other. */
  readonly matches: readonly TextRange[];
}

export type PlaceProblem =
  /** An empty text stands everywhere, so it names no place. */
  | { readonly code: "old-text-empty" }
  /** `asSent`: endings are to change, so only a match byte for byte would do. */
  | { readonly code: "text-not-found"; readonly asSent: boolean }
  /** More places than `replaceAll` may take. */
  | { readonly code: "text-too-often"; readonly countMax: number }
  /** The file would become longer than files that are edited. */
  | { readonly code: "text-too-long"; readonly unitsMax: number }
  /** `numbers`: of the lines where the first few places start. */
  | {
      readonly code: "text-ambiguous";
      readonly count: number;
      readonly numbers: readonly number[];
      readonly step: StepName;
    };

/** What a step of the ladder says: null when it finds nothing, so that the next one may try. */
export type StepResult = Result<Placement, PlaceProblem> | null;

/** A text to search, with what the steps need of it made when the first one asks. */
export class SearchText {
  readonly source: SourceText;
  /** A text that starts as the file does: what tells its usual step of indentation. */
  readonly head: SourceText;
  #index: LineIndex | undefined;
  #folded: Folded | undefined;

  /** `head` where `source` is only a part of the file. */
  constructor(source: SourceText, head: SourceText = source) {
    this.source = source;
    this.head = head;
  }

  get lines(): LineIndex {
    return (this.#index ??= indexLines(this.source));
  }

  get folded(): Folded {
    return (this.#folded ??= foldSequence(this.source.text));
  }
}

/** One replacement under way: both of its texts as lines, and the file. */
export interface Search {
  readonly file: SearchText;
  readonly edit: TextReplacement;
  readonly old: SourceText;
  readonly now: SourceText;
  /** Endings are to change: the text must match byte for byte and is written as sent. */
  readonly asSent: boolean;
}

export function startSearch(file: SearchText, edit: TextReplacement): Search {
  const old = SourceText.of(edit.oldText);
  const now = SourceText.of(edit.newText);
  return { file, edit, old, now, asSent: wantsOtherEndings(old, now) };
}

const LIMITS = {
  /** Line numbers named in an ambiguity; more places are only counted. */
  numbers: 5,
  /** Places that overlap are counted up to here. */
  overlaps: 100,
  /** Places that one edit may replace; each costs memory until it is written. */
  matches: 100_000,
} as const;

/** Gives the first match that starts at or behind an offset. */
export type Find = (from: number) => TextRange | null;

/**
 * The matches that a step takes: all that do not overlap, or the only one. Two places are ambiguous also where they
 * overlap.
 */
export function chooseMatches(
  find: Find,
  { newText, replaceAll }: Pick<TextReplacement, "newText" | "replaceAll">,
  step: StepName,
  source: SourceText,
): Result<readonly TextRange[], PlaceProblem> | null {
  const first = find(0);
  if (first === null) return null;
  if (replaceAll) return allMatches(find, first, newText.length);
  if (find(first.from + 1) === null) return ok([first]);
  const numbers: number[] = [];
  const count = (next: (match: TextRange) => number, max: number): number => {
    numbers.length = 0;
    let places = 0;
    for (
      let match: TextRange | null = first;
      match !== null && places < max;
      match = find(next(match))
    ) {
      if (numbers.length < LIMITS.numbers) numbers.push(source.lineAt(match.from) + 1);
      places++;
    }
    return places;
  };
  const apart = count(({ to }) => to, Infinity);
  const places = apart > 1 ? apart : count(({ from }) => from + 1, LIMITS.overlaps);
  return fail({ code: "text-ambiguous", count: places, numbers, step });
}

function allMatches(
  find: Find,
  first: TextRange,
  newUnits: number,
): Result<readonly TextRange[], PlaceProblem> {
  const matches: TextRange[] = [];
  for (let match: TextRange | null = first; match !== null; match = find(match.to)) {
    if (matches.length === LIMITS.matches)
      return fail({ code: "text-too-often", countMax: LIMITS.matches });
    matches.push(match);
    if (matches.length * newUnits > INSERTED_UNITS_MAX)
      return fail({ code: "text-too-long", unitsMax: TEXT_UNITS_MAX });
  }
  return ok(matches);
}
