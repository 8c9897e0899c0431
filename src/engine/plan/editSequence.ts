import { fail, ok, type Result } from "../../base/result.ts";
import type { LadderStep, StepName } from "../match/ladder.ts";
import { nearMiss, type NearMiss } from "../match/nearMiss.ts";
import { placeText } from "../match/placeText.ts";
import { SearchText, type PlaceProblem, type TextReplacement } from "../match/search.ts";
import { minimalSplices } from "../text/minimalSplices.ts";
import { SourceText } from "../text/sourceText.ts";
import { Edit } from "../text/splice.ts";
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
      const next = Edit.of(source.text.length, splices);
      whole = whole.compose(next);
      source = SourceText.of(next.apply(source.text));
      return ok({ step, count: matches.length });
    },
    edit: () => whole,
  };
}

/**
 * The same, with an index that tells where an old text can be. Only what needs no look at the whole text takes the
 * short way: one exact place, and no line endings to take over.
 */
export function indexedSequence(
  before: SourceText,
  edits: readonly TextReplacement[],
): EditSequence {
  const hasCr = before.text.includes("\r") || edits.some(({ newText }) => newText.includes("\r"));
  const working = new WorkingText(
    before.text,
    edits.filter(({ replaceAll }) => !replaceAll).map(({ oldText }) => oldText),
  );
  return {
    take(edit, ladder) {
      const places =
        hasCr || edit.replaceAll || ladder[0]?.name !== "exact" ? null : working.find(edit.oldText);
      const [place] = places ?? [];
      if (places?.length === 1 && place !== undefined) {
        working.apply(place.chunk, minimalSplices(place.offset, edit.oldText, edit.newText));
        return ok({ step: "exact", count: 1 });
      }
      const placed = search(SourceText.of(working.text()), edit, ladder);
      if (!placed.ok) return placed;
      working.apply(0, placed.value.splices);
      return ok({ step: placed.value.step, count: placed.value.matches.length });
    },
    edit: () => working.edit(),
  };
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
