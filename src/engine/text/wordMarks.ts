import { diffArrays } from "diff";

/** Half-open UTF-16 range of one line. */
export type Mark = readonly [from: number, to: number];

const LINE_UNITS_MAX = 2_000;
/** Words that may differ between two lines before they count as two different lines. */
const WORD_EDITS_MAX = 200;

/**
 * Which words of a removed and an added line differ. Both lists are empty when the lines have too little in common
 * for marks to help a reader, or are too long to compare.
 * Law: the text outside the marks is the same on both sides.
 */
export function wordMarks(
  removed: string,
  added: string,
): { readonly removed: readonly Mark[]; readonly added: readonly Mark[] } {
  const none = { removed: [], added: [] };
  if (removed.length > LINE_UNITS_MAX || added.length > LINE_UNITS_MAX) return none;
  const changes = diffArrays(wordsOf(removed), wordsOf(added), {
    maxEditLength: WORD_EDITS_MAX,
  });
  if (changes === undefined) return none;
  const marks = { removed: [] as Mark[], added: [] as Mark[] };
  let a = 0;
  let b = 0;
  let shared = 0;
  for (const change of changes) {
    const length = change.value.reduce((sum, word) => sum + word.length, 0);
    if (change.removed) {
      push(marks.removed, a, a + length);
      a += length;
    } else if (change.added) {
      push(marks.added, b, b + length);
      b += length;
    } else {
      shared += change.value.reduce((sum, word) => sum + word.trim().length, 0);
      a += length;
      b += length;
    }
  }
  // Marks over nearly the whole line say less than the line colour does.
  const longer = Math.max(removed.trim().length, added.trim().length);
  return shared * 4 < longer ? none : marks;
}

function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

function push(marks: Mark[], from: number, to: number): void {
  const previous = marks.at(-1);
  if (previous !== undefined && previous[1] === from) marks[marks.length - 1] = [previous[0], to];
  else marks.push([from, to]);
}
