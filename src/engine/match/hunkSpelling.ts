import { SourceText } from "../text/sourceText.ts";
import { findLines, indexLines, type LineFold } from "./lineIndex.ts";
import { miscounts, type Miscounts } from "./miscount.ts";
import {
  looksEscaped,
  looksLikeEntities,
  looksNumbered,
  type FindText,
  type SpellingCause,
} from "./misspelled.ts";
import { SearchText } from "./search.ts";

/** Half-open, in lines. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** What is wrong with a hunk's lines as they are written. At most one of the two is told. */
export interface HunkSpelling {
  readonly spelling: SpellingCause | null;
  readonly miscounts: Miscounts | null;
}

/**
 * Ways of writing with which the hunk's old lines would stand in the range as whole lines: only such a place could
 * ever be the hunk's. Work: linear in the file, a few times.
 */
export function hunkSpelling(
  source: SourceText,
  lines: readonly string[],
  range: LineRange,
): HunkSpelling {
  const file = new SearchText(source);
  const text = lines.join("\n");
  const old = SourceText.of(text);
  const find = wholeLines(file, range);
  const spelling =
    looksNumbered(find, old) ?? looksEscaped(find, text) ?? looksLikeEntities(find, text);
  return { spelling, miscounts: spelling === null ? miscounts(file, old, range) : null };
}

/** Finds a text as lines of the range, with white space at their ends left aside, as placing a hunk does. */
function wholeLines(file: SearchText, { from, to }: LineRange): FindText {
  return (text) => {
    const wanted = indexLines(SourceText.of(text));
    for (const fold of ["trailing", "surrounding"] satisfies LineFold[]) {
      const line = findLines(file.lines, wanted, fold, from);
      if (line >= 0 && line + wanted.hashes.length <= to) return line + 1;
    }
    return null;
  };
}
