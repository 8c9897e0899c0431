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
};

export const OLD_TEXT_EMPTY = "old_text must not be empty; include the text you want to match";

/** The sentences for one failing edit. The first one is the contract; what helps to repair the call comes after. */
export function explainEdit(problem: EditProblem): Explanation {
  const advice: string[] = [];
  if (problem.editCount > 1) advice.push(`The edit that failed is edits[${problem.index}].`);
  switch (problem.code) {
    case "old-text-empty":
      return { message: OLD_TEXT_EMPTY };
    case "text-not-found": {
      const whole = problem.asSent
        ? "whitespace, indentation, and line endings"
        : "whitespace and indentation";
      if (problem.near !== null) advice.push(...hintsOf(problem.near));
      const lines = problem.near?.nearest?.lines ?? [];
      return {
        message: `old_text not found in file. Verify old_text matches the file content exactly, including ${whole}`,
        ...(advice.length === 0 ? {} : { advice: advice.join(" ") }),
        ...(lines.length === 0 ? {} : { near: lines }),
      };
    }
    case "text-ambiguous":
      advice.push(...placesOf(problem));
      return {
        message: `old_text matches ${problem.count} occurrences (expected exactly 1). Include more surrounding context to make the match unique, or set replace_all to true`,
        advice: advice.join(" "),
      };
    default:
      return exhausted(problem);
  }
}

function placesOf(problem: EditProblem & { readonly code: "text-ambiguous" }): readonly string[] {
  const { count, numbers, step } = problem;
  const distinct = [...new Set(numbers)];
  const more = count - numbers.length;
  const word = distinct.length === 1 ? "line" : "lines";
  const where = `It matches at ${word} ${distinct.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
  return step === "look-alike-punctuation"
    ? [
        where,
        "These differ from old_text in punctuation, so replace_all does not apply: copy one of them exactly.",
      ]
    : [where];
}

function hintsOf(near: NearMiss): readonly string[] {
  const hints = [...sayNearMiss(near, { old: "old_text", new: "new_text" })];
  if (near.nearest !== null) hints.push(sayNearest(near.nearest));
  else if (hints.length === 0)
    hints.push(
      "No line of old_text was found anywhere in the file. Re-read the file; it may have changed.",
    );
  return hints;
}
