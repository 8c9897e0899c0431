import { exhausted } from "../../base/assert.ts";
import type { NearMiss } from "../match/nearMiss.ts";
import type { PlaceProblem } from "../match/search.ts";
import { sayNearest, sayNearMiss } from "./nearMissText.ts";
import type { Explanation } from "./outcome.ts";

/** Why one edit of a file cannot be planned. `index` is its place in the caller's list. */
export type EditProblem = PlaceProblem & {
  readonly index: number;
  /** Set when the text was not found. */
  readonly near: NearMiss | null;
  /** How many edits the file has; with more than one, the failing one is named. */
  readonly editCount: number;
  /** How many of them were taken before it: line numbers are those of the text they left. */
  readonly editsBefore: number;
};

export const OLD_TEXT_EMPTY = "old_text must not be empty; include the text you want to match";

/** The sentences for one failing edit. The first one is the contract; what helps to repair the call comes after. */
export function explainEdit(problem: EditProblem): Explanation {
  const advice: string[] = [];
  if (problem.editCount > 1) advice.push(`The edit that failed is edits[${problem.index}].`);
  switch (problem.code) {
    case "old-text-empty":
      return { message: OLD_TEXT_EMPTY };
    case "text-too-often":
      return {
        message: `old_text matches more than ${problem.countMax} places, the most that one edit replaces`,
        advice: [...advice, "Use a longer old_text, or change this file with a script."].join(" "),
      };
    case "text-too-long":
      return {
        message: `with new_text in place the file would have more than ${problem.unitsMax} characters, the most that is edited`,
        advice: [...advice, "Send a shorter new_text, or change this file with a script."].join(
          " ",
        ),
      };
    case "text-not-found": {
      const whole = problem.asSent
        ? "whitespace, indentation, and line endings"
        : "whitespace and indentation";
      if (problem.near !== null) advice.push(...hintsOf(problem.near, problem.asSent));
      if (problem.near?.nearest && problem.editsBefore > 0) advice.push(COUNTED_AFTER);
      const lines = problem.near?.nearest?.lines ?? [];
      return {
        message: `old_text not found in file. Verify old_text matches the file content exactly, including ${whole}`,
        ...(advice.length === 0 ? {} : { advice: advice.join(" ") }),
        ...(lines.length === 0 ? {} : { near: lines }),
      };
    }
    case "text-ambiguous": {
      advice.push(whereOf(problem));
      if (problem.editsBefore > 0) advice.push(COUNTED_AFTER);
      const isGuess = problem.step === "look-alike-punctuation";
      if (isGuess) advice.push(LOOK_ALIKES);
      return {
        message: `old_text matches ${problem.count} occurrences (expected exactly 1). Include more surrounding context to make the match unique${isGuess ? "" : ", or set replace_all to true"}`,
        advice: advice.join(" "),
      };
    }
    default:
      return exhausted(problem);
  }
}

const COUNTED_AFTER = "Lines are counted with the edits before it applied.";
const LOOK_ALIKES =
  "These differ from old_text in punctuation, so replace_all does not apply: copy one of them exactly.";

function whereOf({ count, numbers }: EditProblem & { readonly code: "text-ambiguous" }): string {
  const distinct = [...new Set(numbers)];
  const more = count - numbers.length;
  const word = distinct.length === 1 ? "line" : "lines";
  return `It matches at ${word} ${distinct.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}

function hintsOf(near: NearMiss, asSent: boolean): readonly string[] {
  const { nearest } = near;
  if (asSent && nearest !== null && nearest.difference === null)
    return [
      `The same lines are at line ${nearest.fromNumber} with other line endings. Send old_text and new_text with one kind of line ending; the file keeps its own.`,
    ];
  const hints = [...sayNearMiss(near, { old: "old_text", new: "new_text" })];
  if (nearest !== null) hints.push(sayNearest(nearest));
  else if (hints.length === 0)
    hints.push(
      "No line of old_text was found anywhere in the file. Re-read the file; it may have changed.",
    );
  return hints;
}
