import { fail, ok, type Result } from "../../base/result.ts";
import { EDIT_LADDER, tolerancesOf, type LadderStep, type StepName } from "../match/ladder.ts";
import { nearMiss } from "../match/nearMiss.ts";
import { placeText } from "../match/placeText.ts";
import { SearchText, type TextReplacement } from "../match/search.ts";
import type { EditProblem } from "../report/editWording.ts";
import { SourceText } from "../text/sourceText.ts";
import { Edit } from "../text/splice.ts";
import { textChange, type TextChange } from "./textChange.ts";

/** One edit of a call; `index` is its place in the caller's list. */
export interface IndexedEdit extends TextReplacement {
  readonly index: number;
}

export interface PlanOptions {
  /** The steps to try, in order; all of them unless a test leaves one out. */
  readonly ladder?: readonly LadderStep[];
}

/** How one edit found its place. */
export interface EditEvidence {
  readonly index: number;
  readonly step: StepName;
  /** Places replaced. */
  readonly count: number;
}

export interface EditsPlan extends TextChange {
  readonly evidence: readonly EditEvidence[];
}

/**
 * Plans the edits of one file in their order: each one sees what the ones before it left. The first that has no
 * place, or more than one, ends the plan with its problem, and nothing is to be written.
 * Law: the outcome is that of planning each edit alone on the result of the one before.
 */
export function planEdits(
  before: SourceText,
  edits: readonly IndexedEdit[],
  { ladder = EDIT_LADDER }: PlanOptions = {},
): Result<EditsPlan, readonly EditProblem[]> {
  let source = before;
  let whole = Edit.none(before.text.length);
  const evidence: EditEvidence[] = [];
  for (const edit of edits) {
    const file = new SearchText(source);
    const placed = placeText(file, edit, ladder);
    if (!placed.ok) {
      const { problem } = placed;
      const near =
        problem.code === "text-not-found"
          ? nearMiss(file, SourceText.of(edit.oldText), edit)
          : null;
      return fail([{ ...problem, index: edit.index, near, editCount: edits.length }]);
    }
    const { splices, step, matches } = placed.value;
    evidence.push({ index: edit.index, step, count: matches.length });
    const next = Edit.of(source.text.length, splices);
    whole = whole.compose(next);
    source = SourceText.of(next.apply(source.text));
  }
  const change = textChange(before, whole, tolerancesOf(evidence.map(({ step }) => step)));
  return ok(withEvidence(change, evidence));
}

/** The diff stays lazy: it is handed on, not read. */
function withEvidence(change: TextChange, evidence: readonly EditEvidence[]): EditsPlan {
  return {
    before: change.before,
    edit: change.edit,
    after: change.after,
    get diff() {
      return change.diff;
    },
    tolerance: change.tolerance,
    evidence,
  };
}
