import { leadingSpace, trimSpace } from "../text/whitespace.ts";
import type { SourceText } from "../text/sourceText.ts";

/**
 * Where a line of the new text comes from. `old` is the index of the old line it takes the place of; with
 * `inserted` it is a line of its own, and `old` only the line it stands near.
 */
export interface LinePair {
  readonly old: number;
  readonly inserted: boolean;
}

/**
 * Pairs the lines of a replacement, leaving white space aside: common lines at both ends, then by position while old
 * lines last. An inserted line leans on the common line next to it that has its indentation.
 */
export function pairLines(old: SourceText, now: SourceText): readonly LinePair[] {
  const oldCount = old.lineCount;
  const newCount = now.lineCount;
  const same = (oldIndex: number, newIndex: number): boolean =>
    trimSpace(old.line(oldIndex)) === trimSpace(now.line(newIndex));
  const shorter = Math.min(oldCount, newCount);
  let prefix = 0;
  while (prefix < shorter && same(prefix, prefix)) prefix++;
  let suffix = 0;
  while (suffix < shorter - prefix && same(oldCount - 1 - suffix, newCount - 1 - suffix)) suffix++;

  const lead = (index: number): string => leadingSpace(now.line(index));
  const near = (index: number): number => {
    const before = prefix - 1;
    const behind = oldCount - suffix;
    if (prefix === 0 && suffix === 0) return Math.min(index, oldCount - 1);
    if (suffix === 0) return before;
    if (prefix === 0) return behind;
    if (lead(index) === lead(newCount - suffix)) return behind;
    return lead(index) === lead(prefix - 1) ? before : behind;
  };
  return Array.from({ length: newCount }, (_, index): LinePair => {
    if (index < prefix) return { old: index, inserted: false };
    if (index >= newCount - suffix) return { old: index - newCount + oldCount, inserted: false };
    if (index < oldCount - suffix) return { old: index, inserted: false };
    return { old: near(index), inserted: true };
  });
}
