import { fail, ok, type Result } from "../../base/result.ts";
import type { LadderStep, StepName } from "../match/ladder.ts";
import { nearMiss, type NearMiss } from "../match/nearMiss.ts";
import { placeText } from "../match/placeText.ts";
import { STEP_LINES_MAX } from "../match/indent.ts";
import {
  SearchText,
  type Placement,
  type PlaceProblem,
  type TextReplacement,
} from "../match/search.ts";
import { minimalSplices } from "../text/minimalSplices.ts";
import { SourceText } from "../text/sourceText.ts";
import { Edit, type Splice } from "../text/splice.ts";
import { TEXT_UNITS_MAX } from "../text/textLimits.ts";
import { LooseText, type LooseLimits } from "./looseText.ts";
import { WorkingText } from "./workingText.ts";

export interface Taken {
  readonly step: StepName;
  /** Places replaced. */
  readonly count: number;
}

export type NotTaken = PlaceProblem & { readonly near: NearMiss | null };

/** One text and the edits it takes, each on the result of the one before. */
export interface EditSequence {
  take(edit: TextReplacement, ladder: readonly LadderStep[]): Result<Taken, NotTaken>;
  /** Everything taken so far, as one edit of the text at the start. */
  edit(): Edit;
}

/** Below this many units to search over all edits, an index costs more than it saves. */
const INDEXED_UNITS_MIN = 4_000_000;

export function startSequence(before: SourceText, edits: readonly TextReplacement[]): EditSequence {
  const units = before.text.length * edits.length;
  if (edits.length <= 2 || units < INDEXED_UNITS_MIN) return plainSequence(before);
  const sentCr = edits.some(
    ({ oldText, newText }) => oldText.includes("\r") || newText.includes("\r"),
  );
  return before.style.kind === "crlf" && !sentCr
    ? crlfSequence(before, edits)
    : indexedSequence(before, edits);
}

/**
 * A text of CRLF lines takes edits of LF lines as the same text with LF would, and its new lines get CRLF. So it is
 * planned with LF, where an index helps, and the outcome carried back. (One thing is kept better here: a text that
 * loses its last break on the way still gets CRLF for new ones.)
 */
export function crlfSequence(before: SourceText, edits: readonly TextReplacement[]): EditSequence {
  const plain = SourceText.of(before.text.replaceAll("\r\n", "\n"));
  const sequence = indexedSequence(plain, edits);
  const carried = (offset: number): number => {
    const line = plain.lineAt(offset);
    const isEnd = offset === plain.text.length;
    return isEnd ? before.text.length : before.start(line) + offset - plain.start(line);
  };
  return {
    take: (edit, ladder) => sequence.take(edit, ladder),
    edit: () =>
      Edit.of(
        before.text.length,
        sequence.edit().splices.map(({ from, to, insert }) => ({
          from: carried(from),
          to: carried(to),
          insert: insert.replaceAll("\n", "\r\n"),
        })),
      ),
  };
}

/** Searches the whole text for every edit. What a list of edits means is written here. */
export function plainSequence(before: SourceText): EditSequence {
  let source = before;
  let whole = Edit.none(before.text.length);
  return {
    take(edit, ladder) {
      const placed = search(source, edit, ladder);
      if (!placed.ok) return placed;
      const { splices, step, matches } = placed.value;
      if (isTooLong(source.text.length, splices)) return TOO_LONG;
      const next = Edit.of(source.text.length, splices);
      whole = whole.compose(next);
      source = SourceText.of(next.apply(source.text));
      return ok({ step, count: matches.length });
    },
    edit: () => whole,
  };
}

/**
 * The same, with indexes that tell where an old text can be. Only what needs no look at the whole text takes the
 * short way: one exact place, or no exact one and places under a tolerance, and no line endings to take over.
 * `limits` for tests, whose texts are short.
 */
export function indexedSequence(
  before: SourceText,
  edits: readonly TextReplacement[],
  limits?: LooseLimits,
): EditSequence {
  const hasCr = before.text.includes("\r") || edits.some(({ newText }) => newText.includes("\r"));
  const searched = edits.filter(({ replaceAll }) => !replaceAll).map(({ oldText }) => oldText);
  const working = new WorkingText(before.text, searched, limits?.chunkUnits);
  let loose: LooseText | undefined;
  let length = before.text.length;
  return {
    take(edit, ladder) {
      const places =
        hasCr || edit.replaceAll || ladder[0]?.name !== "exact" ? null : working.find(edit.oldText);
      const [place] = places ?? [];
      if (places?.length === 1 && place !== undefined) {
        const splices = minimalSplices(place.offset, edit.oldText, edit.newText);
        if (isTooLong(length, splices)) return TOO_LONG;
        length += growthOf(splices);
        const start = working.offsetOf(place) - place.offset;
        working.apply(place.chunk, splices);
        loose?.apply(splices.map((splice) => moved(splice, start)));
        return ok({ step: "exact", count: 1 });
      }
      const isNowhere = places?.length === 0 && !edit.oldText.includes("\r");
      // Made when it is first needed: most lists of edits match exactly.
      if (isNowhere) loose ??= new LooseText(working.text(), searched, limits);
      const found = isNowhere && loose !== undefined ? placeLoosely(loose, edit, ladder) : null;
      const placed =
        found === null ? search(SourceText.of(working.text()), edit, ladder) : ok<Placement>(found);
      if (!placed.ok) return placed;
      if (isTooLong(length, placed.value.splices)) return TOO_LONG;
      length += growthOf(placed.value.splices);
      working.apply(0, placed.value.splices);
      loose?.apply(placed.value.splices);
      return ok({ step: placed.value.step, count: placed.value.matches.length });
    },
    edit: () => working.edit(),
  };
}

/**
 * The place of an edit that stands nowhere exactly, found in the few lines where it can be; null where there is none,
 * or too many for one: then the whole text is asked, for the words.
 */
function placeLoosely(
  loose: LooseText,
  edit: TextReplacement,
  ladder: readonly LadderStep[],
): Placement | null {
  const excerpts = loose.excerpts(edit.oldText, SourceText.of(edit.oldText).lineCount);
  if (excerpts === null) return null;
  const head = SourceText.of(loose.head(STEP_LINES_MAX));
  const placed = placeText(new SearchText(SourceText.of(excerpts.text), head), edit, ladder);
  if (!placed.ok) return null;
  const shiftOf = (offset: number): number => {
    const part = excerpts.parts.findLast(({ from }) => from <= offset);
    return part === undefined ? 0 : part.sourceFrom - part.from;
  };
  const { step, splices, matches } = placed.value;
  return {
    step,
    splices: splices.map((splice) => moved(splice, shiftOf(splice.from))),
    matches: matches.map(({ from, to }) => ({
      from: from + shiftOf(from),
      to: to + shiftOf(from),
    })),
  };
}

const TOO_LONG = fail<NotTaken>({ code: "text-too-long", unitsMax: TEXT_UNITS_MAX, near: null });

function isTooLong(length: number, splices: readonly Splice[]): boolean {
  return length + growthOf(splices) > TEXT_UNITS_MAX;
}

function growthOf(splices: readonly Splice[]): number {
  return splices.reduce((sum, { from, to, insert }) => sum + insert.length - (to - from), 0);
}

function moved({ from, to, insert }: Splice, by: number): Splice {
  return { from: from + by, to: to + by, insert };
}

function search(source: SourceText, edit: TextReplacement, ladder: readonly LadderStep[]) {
  const file = new SearchText(source);
  const placed = placeText(file, edit, ladder);
  if (placed.ok) return placed;
  const { problem } = placed;
  const isMiss = problem.code === "text-not-found";
  const near = isMiss ? nearMiss(file, SourceText.of(edit.oldText), edit) : null;
  return fail<NotTaken>({ ...problem, near });
}
