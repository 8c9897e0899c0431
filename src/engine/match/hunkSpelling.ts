import { Needle } from "../text/needle.ts";
import { SourceText } from "../text/sourceText.ts";
import { trimSpace } from "../text/whitespace.ts";
import {
  looksEscaped,
  looksLikeEntities,
  looksNumbered,
  type FindText,
  type SpellingCause,
} from "./misspelled.ts";

/** Half-open, in lines. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Ways of writing with which the hunk's old lines would stand in the range as whole lines: only such a place could
 * ever be the hunk's. Work: a few searches of the file.
 */
export function hunkSpelling(
  source: SourceText,
  lines: readonly string[],
  range: LineRange,
): SpellingCause | null {
  const text = lines.join("\n");
  const old = SourceText.of(text);
  const find = wholeLines(source, range);
  return looksNumbered(find, old) ?? looksEscaped(find, text) ?? looksLikeEntities(find, text);
}

/** Places of the longest line that are looked at for the others. */
const HITS_MAX = 200;

/** Finds a text as lines of the range, with white space at their ends left aside, as placing a hunk does. */
function wholeLines(source: SourceText, { from, to }: LineRange): FindText {
  return (text) => {
    const wanted = linesOf(text);
    const longest = wanted.reduce(
      (best, line, i) => (line.length > (wanted[best] ?? "").length ? i : best),
      0,
    );
    const needle = new Needle(wanted[longest] ?? "");
    let at = needle.indexIn(source.text, source.start(from));
    for (let hits = 0; at >= 0 && hits < HITS_MAX; hits++) {
      const line = source.lineAt(at);
      const first = line - longest;
      if (line >= to) return null;
      if (first >= from && first + wanted.length <= to)
        if (wanted.every((one, i) => trimSpace(source.line(first + i)) === one)) return first + 1;
      at = needle.indexIn(source.text, source.start(line + 1));
    }
    return null;
  };
}

function linesOf(text: string): readonly string[] {
  const source = SourceText.of(text);
  return Array.from({ length: source.lineCount }, (_, i) => trimSpace(source.line(i)));
}
