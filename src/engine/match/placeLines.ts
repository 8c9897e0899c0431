import { ok } from "../../base/result.ts";
import { joinSplices, minimalSplices } from "../text/minimalSplices.ts";
import { SourceText } from "../text/sourceText.ts";
import { keptApart } from "./breaks.ts";
import { newEndings } from "./endings.ts";
import type { StepName } from "./ladder.ts";
import { findLines, indexLines, type LineFold } from "./lineIndex.ts";
import { pairLines, type LinePair } from "./pairLines.ts";
import { reindent } from "./reindent.ts";
import { chooseMatches, type Search, type StepResult, type TextRange } from "./search.ts";

/** Whole lines of the file that equal the old text's, with white space at their ends left aside. */
export function placeLines(search: Search, fold: LineFold, step: StepName): StepResult {
  const { source, lines } = search.file;
  const { old, now, edit } = search;
  const wanted = indexLines(old);
  const chosen = chooseMatches(
    (from) => {
      // Behind the start of a line means from the next line on.
      const line = source.lineAt(from);
      const first = from > source.start(line) ? line + 1 : line;
      const found = findLines(lines, wanted, fold, first);
      return found < 0 ? null : lineRange(source, found, old.lineCount);
    },
    edit,
    step,
    source,
  );
  if (chosen === null || !chosen.ok) return chosen;
  const pairs = pairLines(old, now);
  const splices = chosen.value.flatMap(({ from, to }) => {
    const regionText = source.text.slice(from, to);
    const region = SourceText.of(regionText);
    const ended = newEndings({
      region,
      old,
      now,
      pairs,
      style: source.style,
      neighbour: region.ending(0),
      wholeLines: { moreFollows: to < source.text.length },
    });
    const endings = ended.map((ending, index) => {
      // An LF right behind a CR would make one break of two.
      const isLf = ending === "\n" && ended[index - 1] === "\r";
      return isLf && isEmptied(search, region, pairs, index) ? "\r\n" : ending;
    });
    const text = reindent({ head: search.file.head, region, old, now, pairs, endings });
    return minimalSplices(from, regionText, keptApart(source.text, from, to, text));
  });
  return ok({ step, splices: joinSplices(splices), matches: chosen.value });
}

/** Whether the new line comes out empty: as sent, or as the file has a line that the caller left alone. */
function isEmptied(
  { old, now }: Search,
  region: SourceText,
  pairs: readonly LinePair[],
  index: number,
): boolean {
  const line = now.line(index);
  const pair = pairs[index];
  if (line !== "" || pair === undefined) return false;
  return pair.inserted || old.line(pair.old) !== "" || region.line(pair.old) === "";
}

function lineRange(source: SourceText, index: number, count: number): TextRange {
  return { from: source.start(index), to: source.start(index + count) };
}
