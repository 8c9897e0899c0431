import { SourceText } from "../text/sourceText.ts";
import { findLines, indexLines, type LineFold } from "./lineIndex.ts";
import type { SearchText } from "./search.ts";

/** Lines at which a text starts, each named once; `more` counts those behind the first few. */
export interface FoundLines {
  readonly numbers: readonly number[];
  readonly more: number;
}

const NUMBERS_MAX = 5;

/** Only this many places are looked at; a text that occurs more often explains nothing. */
const PLACES_MAX = 100;

/** Where a text stands as it is, or else as whole lines with the white space at their ends left aside. */
export function whereText(file: SearchText, text: string): FoundLines | null {
  const { source } = file;
  const numbers = new Set<number>();
  let found = source.text.indexOf(text);
  for (let k = 0; found >= 0 && k < PLACES_MAX; k++) {
    numbers.add(source.lineAt(found) + 1);
    found = source.text.indexOf(text, found + 1);
  }
  if (numbers.size === 0) {
    const wanted = indexLines(SourceText.of(text));
    for (const fold of ["trailing", "surrounding"] satisfies LineFold[]) {
      let line = findLines(file.lines, wanted, fold, 0);
      for (let k = 0; line >= 0 && k < PLACES_MAX; k++) {
        numbers.add(line + 1);
        line = findLines(file.lines, wanted, fold, line + 1);
      }
      if (numbers.size > 0) break;
    }
  }
  if (numbers.size === 0) return null;
  const all = [...numbers];
  return { numbers: all.slice(0, NUMBERS_MAX), more: Math.max(0, all.length - NUMBERS_MAX) };
}

/** The number of the first line at which a text stands, or null. */
export function firstLineOf(file: SearchText, text: string): number | null {
  return whereText(file, text)?.numbers[0] ?? null;
}
