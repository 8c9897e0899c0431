import { ok } from "../../base/result.ts";
import { joinSplices, minimalSplices } from "../text/minimalSplices.ts";
import { SourceText } from "../text/sourceText.ts";
import { newEndings } from "./endings.ts";
import type { Splice } from "../text/splice.ts";
import type { StepName } from "./ladder.ts";
import { pairLines } from "./pairLines.ts";
import { chooseMatches, type Search, type StepResult, type TextRange } from "./search.ts";

/** The old text as it stands in the file, byte for byte. */
export function placeExact(search: Search): StepResult {
  const { text } = search.file.source;
  const { oldText } = search.edit;
  return place(search, "exact", (from) => {
    const found = text.indexOf(oldText, from);
    return found < 0 ? null : { from: found, to: found + oldText.length };
  });
}

/** The same, whatever ends the lines on either side. */
export function placeOtherEndings(search: Search): StepResult {
  const { source } = search.file;
  const { oldText } = search.edit;
  if (!/[\r\n]/.test(oldText) || !(oldText.includes("\r") || source.text.includes("\r")))
    return null;
  return place(search, "line-endings", (from) => findWithAnyBreaks(source, search.old, from));
}

/** The first line may start, and the last one end, inside a line of the file. */
function findWithAnyBreaks(source: SourceText, old: SourceText, from: number): TextRange | null {
  const head = old.line(0);
  for (let i = source.lineAt(from); i + old.lineCount <= source.lineCount; i++) {
    const start = source.contentEnd(i) - head.length;
    if (start < source.start(i) || start < from || !source.text.startsWith(head, start)) continue;
    const end = endOfRun(source, i, old);
    if (end !== null) return { from: start, to: end };
  }
  return null;
}

/** Where the rest of `old` ends when its first line ends line `index` of the file; null when it does not follow. */
function endOfRun(source: SourceText, index: number, old: SourceText): number | null {
  if (source.ending(index) === "") return null;
  for (let k = 1; k < old.lineCount; k++) {
    const line = old.line(k);
    const start = source.start(index + k);
    const end = start + line.length;
    if (!source.text.startsWith(line, start)) return null;
    if (old.ending(k) === "") return end <= source.contentEnd(index + k) ? end : null;
    if (end !== source.contentEnd(index + k) || source.ending(index + k) === "") return null;
  }
  return source.start(index + old.lineCount);
}

function place(
  search: Search,
  step: StepName,
  find: (from: number) => TextRange | null,
): StepResult {
  const { source } = search.file;
  const chosen = chooseMatches(find, search.edit.replaceAll, step, source);
  if (chosen === null || !chosen.ok) return chosen;
  const matches = search.asSent ? chosen.value : withWholeBreaks(source.text, chosen.value);
  const write = writer(search);
  const splices = joinSplices(matches.flatMap((match) => write(match)));
  return ok({ step, splices, matches });
}

/** A match that starts between the CR and the LF of a break means the whole break. */
function withWholeBreaks(text: string, matches: readonly TextRange[]): readonly TextRange[] {
  let free = 0;
  return matches.map(({ from, to }) => {
    const cuts = from > free && text.charCodeAt(from) === 10 && text.charCodeAt(from - 1) === 13;
    free = to;
    return cuts ? { from: from - 1, to } : { from, to };
  });
}

/** What each match becomes. A text that is the same for all matches is made once. */
function writer(search: Search): (match: TextRange) => readonly Splice[] {
  const { source } = search.file;
  const { oldText, newText } = search.edit;
  if (keepsAsSent(search)) {
    const once = minimalSplices(0, oldText, newText);
    return ({ from, to }) =>
      to - from === oldText.length
        ? once.map((splice) => ({ ...splice, from: splice.from + from, to: splice.to + from }))
        : minimalSplices(from, source.text.slice(from, to), newText);
  }
  const pairs = pairLines(search.old, search.now);
  return ({ from, to }) => {
    const regionText = source.text.slice(from, to);
    const endings = newEndings({
      region: SourceText.of(regionText),
      old: search.old,
      now: search.now,
      pairs,
      style: source.style,
      neighbour: source.ending(source.lineAt(from)),
      wholeLines: null,
    });
    const lines = endings.map((ending, index) => search.now.line(index) + ending);
    return minimalSplices(from, regionText, lines.join(""));
  };
}

/** Whether the new text needs no look at line endings: it has none, or there is but one kind about. */
function keepsAsSent({ asSent, edit, file }: Search): boolean {
  if (asSent || !/[\r\n]/.test(edit.newText)) return true;
  return !edit.newText.includes("\r") && !file.source.text.includes("\r");
}
