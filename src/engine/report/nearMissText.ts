import { at, exhausted } from "../../base/assert.ts";
import type { Miscounts } from "../match/miscount.ts";
import type { SpellingCause } from "../match/misspelled.ts";
import type { NearMiss } from "../match/nearMiss.ts";
import type { LineDifference, NearestPlace } from "../match/nearestPlace.ts";
import type { FoundLines } from "../match/whereText.ts";
import { codePointName, quotedPair, sayFirstDifference } from "./quote.ts";

/** The names that the caller's tool gives the two texts. */
export interface TextNames {
  readonly old: string;
  readonly new: string;
  /** Set where the old text comes as lines with a marker each, so that a break in it is no character. */
  readonly lines?: true;
}

/** What is known of a text that is not there, a sentence for each hint; without its nearest place. */
export function sayNearMiss(near: NearMiss, names: TextNames): readonly string[] {
  const hints: string[] = [];
  if (near.spelling !== null) hints.push(saySpelling(near.spelling, names));
  if (near.miscounts !== null) hints.push(...sayMiscounts(near.miscounts, names));
  if (near.newText !== null) hints.push(sayNewText(near.newText, names));
  return hints;
}

export function saySpelling(cause: SpellingCause, names: TextNames): string {
  switch (cause.code) {
    case "line-numbers":
      return `${names.old} begins its lines with line numbers, which are not part of the file; without them it is at line ${cause.number}.`;
    case "escaped":
      if (names.lines === true && /^\\[nr]$/.test(cause.sequence))
        return `${names.old} contains ${cause.sequence} as two characters where the file at line ${cause.number} has a line break; send each line as a line of its own, with its marker.`;
      return `${names.old} contains ${cause.sequence} as two characters where the file at line ${cause.number} has the character itself; escape it once less.`;
    case "unescaped":
      return `The file at line ${cause.number} has ${cause.sequence} as two characters where ${names.old} has the character itself; escape it once more.`;
    case "entity":
      return `${names.old} contains ${cause.entity} where the file at line ${cause.number} has ${cause.character}; send plain characters, not HTML entities.`;
    case "no-entity":
      return `The file at line ${cause.number} has ${cause.entity} where ${names.old} has ${cause.character}; send it as it is in the file.`;
    default:
      return exhausted(cause);
  }
}

export function sayMiscounts({ found, more }: Miscounts, names: TextNames): readonly string[] {
  const hints = found.map(({ character, count, places, more: others }) => {
    const name = `"${character}" (${codePointName(character.codePointAt(0) ?? 0)})`;
    const listed = places.map((place) => `${place.count} at line ${place.number}`).join(", ");
    return `Your ${names.old} has ${count} ${name}; the file has ${listed}${others > 0 ? ` and ${others} more` : ""}.`;
  });
  return more > 0 ? [...hints, `And ${more} more lines are miscounted.`] : hints;
}

function sayNewText({ numbers, more }: FoundLines, names: TextNames): string {
  const listed = `${numbers.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  const swap = `Did you swap ${names.old} and ${names.new}? Your ${names.new} appears at line ${listed}.`;
  return numbers.length === 1 && more === 0
    ? `${swap} If not, the edit looks already applied at line ${at(numbers, 0)}; leave it out then.`
    : swap;
}

/** The nearest place by its lines, and the first of them that differs. */
export function sayNearest(nearest: NearestPlace): string {
  const { fromNumber, toNumber, equal, lineCount, difference } = nearest;
  const place = fromNumber === toNumber ? `line ${fromNumber}` : `lines ${fromNumber}-${toNumber}`;
  const share = lineCount === 1 ? "" : `, where ${equal} of ${lineCount} lines match`;
  const head = `The nearest place is ${place}${share}`;
  return difference === null ? `${head}.` : `${head}; ${sayDifference(difference, lineCount)}`;
}

function sayDifference({ number, sent, present, kind }: LineDifference, lineCount: number): string {
  if (present === null) return `the file ends before line ${number} of it.`;
  const first = lineCount === 1 ? "it" : `the first difference is at line ${number}, which`;
  const [mine, its] = quotedPair(sent ?? "", present);
  const has = `${first} reads ${its} and not ${mine}`;
  switch (kind) {
    case "inside":
      return `${has}: your line is only part of it.`;
    case "spaces":
      return `${has}: they differ in white space only${sayFirstDifference(sent ?? "", present)}.`;
    case "case":
      return `${has}: they differ in upper and lower case only.`;
    case "other":
      return `${has}${sayFirstDifference(sent ?? "", present)}.`;
    default:
      return exhausted(kind);
  }
}
