import { fail, type Result } from "../../base/result.ts";
import { isAllSpace } from "../text/whitespace.ts";
import { EDIT_LADDER, type LadderStep } from "./ladder.ts";
import { placeExact, placeOtherEndings } from "./placeExact.ts";
import { placeFolded } from "./placeFolded.ts";
import { placeLines } from "./placeLines.ts";
import {
  startSearch,
  type PlaceProblem,
  type Placement,
  type Search,
  type SearchText,
  type StepResult,
  type TextReplacement,
} from "./search.ts";

/**
 * Finds the place of a replacement and what to write there.
 * Laws: text outside the placement's matches is not touched. More than one place without `replaceAll` is a problem,
 * never a choice.
 */
export function placeText(
  file: SearchText,
  edit: TextReplacement,
  ladder: readonly LadderStep[] = EDIT_LADDER,
): Result<Placement, PlaceProblem> {
  if (edit.oldText === "") return fail({ code: "old-text-empty" });
  const search = startSearch(file, edit);
  // White space alone would match any blank line of the file.
  const isBlank = isAllSpace(edit.oldText);
  for (const step of ladder) {
    if (search.asSent && step.name !== "exact") continue;
    if (isBlank && step.compares !== "text") continue;
    const found = tryStep(step, search);
    if (found !== null) return found;
  }
  return fail({ code: "text-not-found", asSent: search.asSent });
}

function tryStep(step: LadderStep, search: Search): StepResult {
  switch (step.name) {
    case "exact":
      return placeExact(search);
    case "line-endings":
      return placeOtherEndings(search);
    case "trailing-whitespace":
      return placeLines(search, "trailing", step.name);
    case "surrounding-whitespace":
      return placeLines(search, "surrounding", step.name);
    case "look-alike-punctuation":
      return placeFolded(search);
  }
}
