import type { StringMiss } from "../report/replaceProblem.ts";
import { SourceText } from "../text/sourceText.ts";
import { hasBreak } from "./breaks.ts";
import { closestBlock } from "./closestBlock.ts";
import { nearMiss } from "./nearMiss.ts";
import { SearchText } from "./search.ts";

/**
 * What a reader needs to see why `oldString` is not there; both texts as they were looked for. Never a place that
 * could not be edited: in one file, any line can be.
 */
export function explainMiss(
  source: SourceText,
  wanted: { readonly oldString: string; readonly newString: string; readonly replaceAll: boolean },
): StringMiss {
  const { oldString, newString, replaceAll } = wanted;
  const file = new SearchText(source);
  const foreignEndings =
    source.style.kind === "lf" && oldString.includes("\r") && hasBreak(oldString);
  const old = foreignEndings ? oldString.replaceAll(/\r\n?/g, () => "\n") : oldString;
  const near = nearMiss(file, SourceText.of(old), { oldText: old, newText: newString, replaceAll });
  // A text that is there in another spelling needs no second place.
  const closest = near.spelling === null ? closestBlock(source, old) : null;
  return { near, closest, foreignEndings };
}
