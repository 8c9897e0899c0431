import { fail, ok, type Result } from "../../base/result.ts";
import type { CleanedPoints, TextField, TextProblem } from "../report/replaceProblem.ts";
import { cleanInvisible } from "../text/invisible.ts";
import { loneSurrogate } from "../text/loneSurrogate.ts";

export interface CleanText {
  readonly text: string;
  readonly removed: CleanedPoints;
}

/** Everything below U+0020 but tab, line feed, form feed and carriage return. */
const CONTROL = /[\u0000-\u0008\u000b\u000e-\u001f]/;

/**
 * One text argument as it will be used: invisible characters taken out, everything that a text file must not hold
 * refused. Marks without a base go from new text only; in old text the matcher folds them, and says so.
 * Law: cleaning a clean text changes nothing.
 */
export function cleanText(field: TextField, sent: string): Result<CleanText, TextProblem> {
  const { text, removed } = cleanInvisible(sent, { floatingMarks: field !== "old_string" });
  if (text === "" && sent !== "")
    return fail({ code: "only-invisible", field, count: countOf(removed) });
  const control = CONTROL.exec(text);
  if (control !== null)
    return fail({ code: "control-character", field, codePoint: control[0].charCodeAt(0) });
  const lone = loneSurrogate(text);
  if (lone !== null) return fail({ code: "lone-surrogate", field, codePoint: lone });
  return ok({ text, removed });
}

/** The first control character of a new text that is not in the old one, which a text file that has it may keep. */
export function controlBroughtIn(oldText: string, newText: string): number | null {
  if (!CONTROL.test(newText)) return null;
  for (const [character] of newText.matchAll(new RegExp(CONTROL, "g")))
    if (!oldText.includes(character)) return character.charCodeAt(0);
  return null;
}

export function countOf(removed: CleanedPoints): number {
  let count = 0;
  for (const times of removed.values()) count += times;
  return count;
}

/** The counts of several arguments as one. */
export function sumOf(all: readonly CleanedPoints[]): CleanedPoints {
  const sum = new Map<number, number>();
  for (const removed of all)
    for (const [point, times] of removed) sum.set(point, (sum.get(point) ?? 0) + times);
  return sum;
}
