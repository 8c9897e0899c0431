import { ok } from "../../base/result.ts";
import { joinSplices, minimalSplices } from "../text/minimalSplices.ts";
import { SourceText } from "../text/sourceText.ts";
import { keptApart, withLine } from "./breaks.ts";
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
    let found = text.indexOf(oldText, from);
    // Where endings are to change, half a break is not the one that was meant.
    while (search.asSent && found >= 0 && cutsBreak(text, found, found + oldText.length))
      found = text.indexOf(oldText, found + 1);
    return found < 0 ? null : { from: found, to: found + oldText.length };
  });
}

/** Whether a range starts or ends between the CR and the LF of one break. */
function cutsBreak(text: string, from: number, to: number): boolean {
  return isInsideBreak(text, from) || isInsideBreak(text, to);
}

function isInsideBreak(text: string, offset: number): boolean {
  return offset > 0 && text.charCodeAt(offset) === 10 && text.charCodeAt(offset - 1) === 13;
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
  const chosen = chooseMatches(find, search.edit, step, source);
  if (chosen === null || !chosen.ok) return chosen;
  const matches = search.asSent ? chosen.value : withWholeBreaks(source.text, chosen.value);
  const write = writer(search);
  const splices = joinSplices(matches.flatMap((match) => write(match)));
  return ok({ step, splices, matches });
}

/**
 * A match that starts or ends between the CR and the LF of a break means the whole break. One that starts in a break
 * which the match before has taken so is no place any more.
 */
function withWholeBreaks(text: string, matches: readonly TextRange[]): readonly TextRange[] {
  const whole: TextRange[] = [];
  let free = 0;
  for (const { from, to } of matches) {
    if (from < free) continue;
    const start = from > free && isInsideBreak(text, from) ? from - 1 : from;
    free = isInsideBreak(text, to) ? to + 1 : to;
    whole.push({ from: start, to: free });
  }
  return whole;
}

/** What each match becomes. A text that is the same for all matches is made once. */
function writer(search: Search): (match: TextRange) => readonly Splice[] {
  const { source } = search.file;
  const { oldText, newText } = search.edit;
  const { text } = source;
  const written = ({ from, to }: TextRange, next: string): readonly Splice[] =>
    minimalSplices(
      from,
      text.slice(from, to),
      search.asSent ? next : keptApart(text, from, to, next),
    );
  if (keepsAsSent(search)) {
    if (text.includes("\r")) return (match) => written(match, newText);
    const once = minimalSplices(0, oldText, newText);
    return (match) =>
      match.to - match.from === oldText.length
        ? once.map((splice) => ({
            ...splice,
            from: splice.from + match.from,
            to: splice.to + match.from,
          }))
        : written(match, newText);
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
    const next = endings.reduce<string>(
      (text, ending, index) => withLine(text, search.now.line(index), ending),
      "",
    );
    return written({ from, to }, next);
  };
}

/** Whether the new text needs no look at line endings: it has none, or there is but one kind about. */
function keepsAsSent({ asSent, edit, file }: Search): boolean {
  if (asSent || !/[\r\n]/.test(edit.newText)) return true;
  return !edit.newText.includes("\r") && !file.source.text.includes("\r");
}
