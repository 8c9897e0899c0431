import type { StringMiss } from "../report/replaceProblem.ts";
import { SourceText } from "../text/sourceText.ts";
import { hasBreak } from "./breaks.ts";
import { closestBlock, firstDifference } from "./closestBlock.ts";
import { finalBreak } from "./placeString.ts";
import { isAllSpace } from "../text/whitespace.ts";
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
    return {
      firstLine,
      goesOn: null,
      near: null,
      closest: null,
      spacing: null,
      foreignEndings: false,
    };
  const file = new SearchText(source);
  const foreignEndings =
    source.style.kind === "lf" && oldString.includes("\r") && hasBreak(oldString);
  const old = foreignEndings ? oldString.replaceAll(/\r\n?/g, () => "\n") : oldString;
  const goesOn = lineGoingOn(source, old);
  const near = nearMiss(file, SourceText.of(old), { oldText: old, newText: newString, replaceAll });
  // A text that is there in another spelling needs no second place.
  const closest = near.spelling === null && goesOn === null ? closestBlock(source, old) : null;
  const nearest = closest === null && goesOn === null ? near.nearest : null;
  return {
    firstLine,
    goesOn,
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

/** The line, from 1, on which the text stands but for the break it ends in; null where it does not, or is nothing. */
function lineGoingOn(source: SourceText, old: string): number | null {
  const rest = old.slice(0, old.length - finalBreak(old).length);
  if (rest.length === old.length || isAllSpace(rest)) return null;
  const from = source.text.indexOf(rest);
  return from < 0 ? null : source.lineAt(from + rest.length) + 1;
}
