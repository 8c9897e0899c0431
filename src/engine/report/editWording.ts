import { at, exhausted } from "../../base/assert.ts";
import type { SpellingCause } from "../match/misspelled.ts";
import type { Miscounts } from "../match/miscount.ts";
import type { NearMiss } from "../match/nearMiss.ts";
import type { LineDifference, NearestPlace } from "../match/nearestPlace.ts";
import type { PlaceProblem } from "../match/search.ts";
import type { FoundLines } from "../match/whereText.ts";
import type { Explanation } from "./outcome.ts";
import { unicodeName } from "./wording.ts";

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

function hintsOf({ spelling, miscounts, newText, nearest }: NearMiss): readonly string[] {
  const hints: string[] = [];
  if (spelling !== null) hints.push(spellingHint(spelling));
  if (miscounts !== null) hints.push(...miscountHints(miscounts));
  if (newText !== null) hints.push(newTextHint(newText));
  if (nearest !== null) hints.push(nearestHint(nearest));
  else if (hints.length === 0)
    hints.push(
      "No line of old_text was found anywhere in the file. Re-read the file; it may have changed.",
    );
  return hints;
}

function spellingHint(cause: SpellingCause): string {
  switch (cause.code) {
    case "line-numbers":
      return `old_text begins its lines with line numbers, which are not part of the file; without them it is at line ${cause.number}.`;
    case "escaped":
      return `old_text contains ${cause.sequence} as two characters where the file at line ${cause.number} has the character itself; escape it once less.`;
    case "unescaped":
      return `The file at line ${cause.number} has ${cause.sequence} as two characters where old_text has the character itself; escape it once more.`;
    case "entity":
      return `old_text contains ${cause.entity} where the file at line ${cause.number} has ${cause.character}; send plain characters, not HTML entities.`;
    case "no-entity":
      return `The file at line ${cause.number} has ${cause.entity} where old_text has ${cause.character}; send it as it is in the file.`;
    default:
      return exhausted(cause);
  }
}

function miscountHints({ found, more }: Miscounts): readonly string[] {
  const hints = found.map(({ character, count, places, more: others }) => {
    const name = `"${character}" (${unicodeName(character.charCodeAt(0))})`;
    const listed = places.map((place) => `${place.count} at line ${place.number}`).join(", ");
    return `Your old_text has ${count} ${name}; the file has ${listed}${others > 0 ? ` and ${others} more` : ""}.`;
  });
  return more > 0 ? [...hints, `And ${more} more lines are miscounted.`] : hints;
}

function newTextHint({ numbers, more }: FoundLines): string {
  const listed = `${numbers.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  const swap = `Did you swap old_text and new_text? Your new_text appears at line ${listed}.`;
  return numbers.length === 1 && more === 0
    ? `${swap} If not, the edit looks already applied at line ${at(numbers, 0)}.`
    : swap;
}

function nearestHint({ fromNumber, toNumber, equal, lineCount, difference }: NearestPlace): string {
  const place = fromNumber === toNumber ? `line ${fromNumber}` : `lines ${fromNumber}-${toNumber}`;
  const share = lineCount === 1 ? "" : `, where ${equal} of ${lineCount} lines match`;
  const head = `The nearest place is ${place}${share}`;
  return difference === null ? `${head}.` : `${head}; ${differenceHint(difference, lineCount)}`;
}

function differenceHint(
  { number, sent, present, kind }: LineDifference,
  lineCount: number,
): string {
  const first = lineCount === 1 ? "it" : `the first difference is at line ${number}, which`;
  if (present === null) return `the file ends before line ${number} of it.`;
  const has = `${first} reads ${quoted(present)} and not ${quoted(sent ?? "")}`;
  switch (kind) {
    case "inside":
      return `${has}: your line is only part of it.`;
    case "spaces":
      return `${has}: they differ in white space only.`;
    case "case":
      return `${has}: they differ in upper and lower case only.`;
    case "other":
      return `${has}.`;
    default:
      return exhausted(kind);
  }
}

const QUOTED_UNITS_MAX = 120;

/** As JSON, so that tabs and trailing spaces can be seen. */
function quoted(line: string): string {
  const isLong = line.length > QUOTED_UNITS_MAX;
  return JSON.stringify(isLong ? line.slice(0, QUOTED_UNITS_MAX) : line) + (isLong ? "…" : "");
}
