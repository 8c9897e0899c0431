import { fail, ok, type Result } from "../../base/result.ts";
import { EDIT_LADDER, tolerancesOf, type LadderStep, type StepName } from "../match/ladder.ts";
import type { TextReplacement } from "../match/search.ts";
import type { EditProblem } from "../report/editWording.ts";
import type { SourceText } from "../text/sourceText.ts";
import { startSequence } from "./editSequence.ts";
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
  const sequence = startSequence(before, edits);
  const evidence: EditEvidence[] = [];
  for (const edit of edits) {
    const placed = sequence.take(edit, ladder);
    if (!placed.ok)
      return fail([
        {
          ...placed.problem,
          index: edit.index,
          editCount: edits.length,
          editsBefore: evidence.length,
        },
      ]);
    evidence.push({ index: edit.index, ...placed.value });
  }
  const whole = sequence.edit();
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
