import { alignLines } from "./alignLines.ts";
import { SourceText } from "./sourceText.ts";
import type { Splice } from "./splice.ts";

/**
 * The change from `oldText` to `newText` as small splices, at offsets counted from `at`: lines that both share stay
 * out, and so does what a changed line keeps at either end. No splice cuts a CRLF or a surrogate pair in two.
 * Law: applied to `oldText` (with `at` 0) they give `newText`.
 */
export function minimalSplices(at: number, oldText: string, newText: string): readonly Splice[] {
  if (oldText === newText) return [];
  if (oldText === "" || newText === "")
    return [{ from: at, to: at + oldText.length, insert: newText }];
  const old = SourceText.of(oldText);
  const now = SourceText.of(newText);
  if (old.lineCount === 1 && now.lineCount === 1) return [trimmedSplice(at, oldText, newText)];
  const splices: Splice[] = [];
  for (const run of alignLines(fullLines(old), fullLines(now)).runs) {
    const from = old.start(run.oldFrom);
    const oldPart = oldText.slice(from, old.start(run.oldTo));
    const newPart = newText.slice(now.start(run.newFrom), now.start(run.newTo));
    splices.push(trimmedSplice(at + from, oldPart, newPart));
  }
  return splices;
}

/** Touching splices made one, so that no two stand at one place. */
export function joinSplices(splices: readonly Splice[]): readonly Splice[] {
  const joined: Splice[] = [];
  for (const next of splices) {
    const last = joined.at(-1);
    if (last !== undefined && last.to === next.from)
      joined[joined.length - 1] = {
        from: last.from,
        to: next.to,
        insert: last.insert + next.insert,
      };
    else joined.push(next);
  }
  return joined;
}

export function fullLines(source: SourceText): readonly string[] {
  return Array.from({ length: source.lineCount }, (_, index) => source.fullLine(index));
}

function trimmedSplice(at: number, oldText: string, newText: string): Splice {
  const shorter = Math.min(oldText.length, newText.length);
  let from = 0;
  while (from < shorter && oldText.charCodeAt(from) === newText.charCodeAt(from)) from++;
  while (cutsPair(oldText, from) || cutsPair(newText, from)) from--;
  let tail = 0;
  const tailMax = shorter - from;
  while (
    tail < tailMax &&
    oldText.charCodeAt(oldText.length - 1 - tail) === newText.charCodeAt(newText.length - 1 - tail)
  )
    tail++;
  while (cutsPair(oldText, oldText.length - tail) || cutsPair(newText, newText.length - tail))
    tail--;
  return {
    from: at + from,
    to: at + oldText.length - tail,
    insert: newText.slice(from, newText.length - tail),
  };
}

/** Whether the place is inside a CRLF or a surrogate pair. */
function cutsPair(text: string, place: number): boolean {
  if (place <= 0 || place >= text.length) return false;
  const before = text.charCodeAt(place - 1);
  const behind = text.charCodeAt(place);
  return (
    (before === 13 && behind === 10) ||
    (before >= 0xd800 && before <= 0xdbff && behind >= 0xdc00 && behind <= 0xdfff)
  );
}
