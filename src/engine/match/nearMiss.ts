import type { SourceText } from "../text/sourceText.ts";
import { trimSpace } from "../text/whitespace.ts";
import {
  looksEscaped,
  looksLikeEntities,
  looksNumbered,
  type FindText,
  type SpellingCause,
} from "./misspelled.ts";
import { indexLines } from "./lineIndex.ts";
import { miscounts, type Miscounts } from "./miscount.ts";
import { nearestPlace, type NearestPlace } from "./nearestPlace.ts";
import type { SearchText, TextReplacement } from "./search.ts";
import { firstLineOf, whereText, type FoundLines } from "./whereText.ts";

/** Why a text is not in a file, as far as bounded work can tell. All places are of the file as it is searched. */
export interface NearMiss {
  /** A way of writing that is not the file's, and with which the text is there. */
  readonly spelling: SpellingCause | null;
  readonly miscounts: Miscounts | null;
  /** Where the new text stands already: the two were swapped, or the edit is done. */
  readonly newText: FoundLines | null;
  readonly nearest: NearestPlace | null;
}

/** A new text shorter than this stands in most files anyway. */
const TELLING_UNITS_MIN = 3;

/**
 * Explains why `oldText` was not found. Every part costs work linear in the file at most, so that 50,000 lines that
 * all look alike cost no more than others.
 */
export function nearMiss(file: SearchText, old: SourceText, edit: TextReplacement): NearMiss {
  const find: FindText = (text) => firstLineOf(file, text);
  const spelling =
    looksNumbered(find, old) ??
    looksEscaped(find, edit.oldText) ??
    looksLikeEntities(find, edit.oldText);
  if (spelling !== null) return { spelling, miscounts: null, newText: null, nearest: null };
  const counts = miscounts(file.source, old, linesThere(file, old));
  return {
    spelling: null,
    miscounts: counts,
    // Whoever miscounted did not swap; the advice would do harm.
    newText:
      counts === null && trimSpace(edit.newText).length >= TELLING_UNITS_MIN
        ? whereText(file, edit.newText)
        : null,
    nearest: nearestPlace(file, old),
  };
}

/** Tells which lines of the old text stand in the file, white space at their ends aside. */
function linesThere(file: SearchText, old: SourceText): (index: number) => boolean {
  const { hashes } = indexLines(old);
  const asked = new Set(hashes);
  const present = new Set<number>();
  for (const hash of file.lines.hashes) if (asked.has(hash)) present.add(hash);
  return (index) => present.has(hashes[index] ?? 0);
}
