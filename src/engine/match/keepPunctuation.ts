import type { Splice } from "../text/splice.ts";
import type { Folded } from "../text/lookAlike.ts";

/**
 * The change from `oldText` to `newText`, carried over to `fileText`, which reads the same under `fold` but may
 * have other quotes, dashes or spaces. What the caller left alone keeps the file's own characters.
 *
 * One splice of `fileText` (possibly empty), or null where the two do not read the same: then the unchanged
 * parts cannot be told apart from the changed ones, and nothing may be written.
 * Law: with `fileText === oldText` the splice turns it into `newText`.
 */
export function keepPunctuation(
  fileText: string,
  oldText: string,
  newText: string,
  fold: (text: string) => Folded,
): Splice | null {
  const file = fold(fileText);
  const old = fold(oldText);
  if (file.text !== old.text) return null;
  const now = fold(newText);
  // A unit is common only when its source agrees as well: a wanted change of a colon's width comes from the caller.
  const common = (oldIndex: number, newIndex: number): boolean =>
    old.text.charCodeAt(oldIndex) === now.text.charCodeAt(newIndex) &&
    oldText.slice(old.starts[oldIndex], old.starts[oldIndex + 1]) ===
      newText.slice(now.starts[newIndex], now.starts[newIndex + 1]);
  const oldCount = old.text.length;
  const newCount = now.text.length;
  const shorter = Math.min(oldCount, newCount);
  let prefix = 0;
  while (prefix < shorter && common(prefix, prefix)) prefix++;
  let suffix = 0;
  while (suffix < shorter - prefix && common(oldCount - 1 - suffix, newCount - 1 - suffix))
    suffix++;
  // Outside the first and the last unit there may be invisible characters or trimmed spaces: with no common part
  // on that side they belong to the change, otherwise they stay as the file has them.
  return {
    from: prefix === 0 ? 0 : startOf(file, prefix),
    to: suffix === 0 ? fileText.length : startOf(file, oldCount - suffix),
    insert: newText.slice(
      prefix === 0 ? 0 : startOf(now, prefix),
      suffix === 0 ? newText.length : startOf(now, newCount - suffix),
    ),
  };
}

function startOf(folded: Folded, index: number): number {
  return folded.starts[index] ?? 0;
}
