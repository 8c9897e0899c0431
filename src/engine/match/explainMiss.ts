import type { StringMiss } from "../report/replaceProblem.ts";
import { SourceText } from "../text/sourceText.ts";
import { hasBreak } from "./breaks.ts";
import { closestBlock, firstDifference } from "./closestBlock.ts";
import { nearMiss } from "./nearMiss.ts";
import { SearchText } from "./search.ts";

const FIRST_LINE_UNITS = 200;

/**
 * What a reader needs to see why `oldString` is not there; both texts as they were looked for. Never a place that
 * could not be edited: in one file, any line can be. `searches` false: name the text, and leave it at that.
 */
export function explainMiss(
  source: SourceText,
  wanted: { readonly oldString: string; readonly newString: string; readonly replaceAll: boolean },
  searches = true,
): StringMiss {
  const { oldString, newString, replaceAll } = wanted;
  const firstLine = oldString.slice(0, FIRST_LINE_UNITS).split(/[\r\n]/, 1)[0] ?? "";
  if (!searches)
    return { firstLine, near: null, closest: null, spacing: null, foreignEndings: false };
  const file = new SearchText(source);
  const foreignEndings =
    source.style.kind === "lf" && oldString.includes("\r") && hasBreak(oldString);
  const old = foreignEndings ? oldString.replaceAll(/\r\n?/g, () => "\n") : oldString;
  const near = nearMiss(file, SourceText.of(old), { oldText: old, newText: newString, replaceAll });
  // A text that is there in another spelling needs no second place.
  const closest = near.spelling === null ? closestBlock(source, old) : null;
  const nearest = closest === null ? near.nearest : null;
  return {
    firstLine,
    near,
    closest,
    // Lines that are the same but for the spaces around them: which ones, the lines themselves must tell.
    spacing:
      nearest !== null && nearest.difference === null
        ? firstDifference(source, old, nearest.fromNumber - 1)
        : null,
    foreignEndings,
  };
}
