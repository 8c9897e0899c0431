import { fail, ok, type Result } from "../../base/result.ts";
import { explainMiss } from "../match/explainMiss.ts";
import type { CleanedPoints, ReplaceProblem } from "../report/replaceProblem.ts";
import { joinSplices } from "../text/minimalSplices.ts";
import type { SourceText } from "../text/sourceText.ts";
import { Edit } from "../text/splice.ts";
import { TEXT_UNITS_MAX } from "../text/textLimits.ts";
import { cleanText, sumOf } from "./cleanText.ts";
import { adapted, FileView, findString } from "./findString.ts";
import { readAsSent } from "./readAsSent.ts";
import { REPLACE_LIMITS, type ReplaceLimits } from "./replaceLimits.ts";
import { textChange, type TextChange } from "./textChange.ts";

/** One replacement as the caller asks for it, not yet cleaned. */
export interface Replacement {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
}

export interface ReplacePlan {
  readonly kind: "single";
  readonly change: TextChange;
  /** Places replaced. */
  readonly count: number;
  /** Line of each place, from 1, each once, cut to a bound. */
  readonly numbers: readonly number[];
  /** Invisible characters taken out of the arguments. */
  readonly removed: CleanedPoints;
}

/**
 * One replacement in one file. In this order: clean the arguments, take over the file's line endings, refuse what
 * asks for no change, then the steps of `placeString`, each over the whole file.
 * Laws: outside the places nothing changes; with more than one place and no `replaceAll` nothing does; new text is
 * inserted as sent but for line endings and, under `look-alike-punctuation`, what it has in common with old text.
 */
export function planReplace(
  source: SourceText,
  sent: Replacement,
  limits: ReplaceLimits = REPLACE_LIMITS,
): Result<ReplacePlan, ReplaceProblem> {
  const cleaned = cleanReplacement(sent);
  if (!cleaned.ok) return cleaned;
  const view = new FileView(source);
  const meant = readAsSent(view, sent, cleaned.value);
  const wanted = adapted(view, meant);
  if (wanted.oldString === wanted.newString)
    return fail({ code: "identical", endingsOnly: meant.oldString !== meant.newString });
  const found = findString(view, wanted, true, limits);
  if (!found.ok) return found;
  if (found.value === null) return fail({ code: "not-found", miss: explainMiss(source, wanted) });
  const { spans, splices, tolerance } = found.value;
  const edit = Edit.of(source.text.length, joinSplices(splices.flat()));
  if (edit.newLength > TEXT_UNITS_MAX) return fail({ code: "too-long", unitsMax: TEXT_UNITS_MAX });
  return ok({
    kind: "single",
    change: textChange(source, edit, tolerance),
    count: spans.length,
    get numbers() {
      return lineNumbers(source, spans, limits.numbersMax);
    },
    removed: meant.removed,
  });
}

export interface CleanReplacement extends Replacement {
  readonly removed: CleanedPoints;
}

/** The checks that need no file: what a call can be refused for before anything is read. */
export function cleanReplacement(sent: Replacement): Result<CleanReplacement, ReplaceProblem> {
  if (sent.oldString === "") return fail({ code: "missing", field: "old_string", batch: false });
  const old = cleanText("old_string", sent.oldString);
  if (!old.ok) return old;
  const now = cleanText("new_string", sent.newString);
  if (!now.ok) return now;
  return ok({
    oldString: old.value.text,
    newString: now.value.text,
    replaceAll: sent.replaceAll,
    removed: sumOf([old.value.removed, now.value.removed]),
  });
}

function lineNumbers(
  source: SourceText,
  spans: readonly { readonly from: number }[],
  numbersMax: number,
): readonly number[] {
  const numbers: number[] = [];
  for (const { from } of spans) {
    const number = source.lineAt(from) + 1;
    if (numbers.at(-1) === number) continue;
    if (numbers.length === numbersMax) break;
    numbers.push(number);
  }
  return numbers;
}
