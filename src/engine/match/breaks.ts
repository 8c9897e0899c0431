import { dominantEnding, type Ending, type SourceText } from "../text/sourceText.ts";

/** The break that a text uses throughout; null where it has none or more than one kind. */
export function uniformBreak(source: SourceText): Exclude<Ending, ""> | null {
  switch (source.style.kind) {
    case "lf":
      return "\n";
    case "crlf":
      return "\r\n";
    case "cr":
      return "\r";
    case "mixed":
    case "none":
      return null;
  }
}

const ANY_BREAK = /\r\n|\r|\n/g;

/** All breaks of a text as this one. */
export function withBreaks(text: string, ending: Exclude<Ending, "">): string {
  if (ending === "\n" && !text.includes("\r")) return text;
  return hasBreak(text) ? text.replace(ANY_BREAK, () => ending) : text;
}

export function hasBreak(text: string): boolean {
  return text.includes("\n") || text.includes("\r");
}

/**
 * `next` with the breaks of the block it replaces, for a file that mixes endings. A line at either end that stays as
 * it is keeps its own ending; a changed line takes that of the line in its place; a further line that of the line
 * before. `around` decides where the block has no break.
 * Law: with `next` equal to `block` but for its breaks, the result is `block`.
 */
export function breaksOfBlock(block: string, next: string, around: Exclude<Ending, "">): string {
  if (!hasBreak(next)) return next;
  const old = cutLines(block);
  const now = cutLines(next);
  const shorter = Math.min(old.lines.length, now.lines.length);
  let head = 0;
  while (head < shorter && old.lines[head] === now.lines[head]) head++;
  let tail = 0;
  while (
    tail < shorter - head &&
    old.lines[old.lines.length - 1 - tail] === now.lines[now.lines.length - 1 - tail]
  )
    tail++;
  const parts: string[] = [];
  let previous: string = old.breaks[0] ?? around;
  now.lines.forEach((line, index) => {
    parts.push(line);
    if (index === now.lines.length - 1) return;
    const fromEnd = now.lines.length - 1 - index;
    const own =
      fromEnd < tail
        ? old.breaks[old.breaks.length - fromEnd]
        : index < old.lines.length - tail
          ? old.breaks[index]
          : undefined;
    previous = own ?? previous;
    // An LF right behind a CR would make one break of two.
    if (line === "" && previous === "\n" && parts.at(-2)?.endsWith("\r") === true) previous = "\r";
    parts.push(previous);
  });
  return parts.join("");
}

/** Pieces between breaks, and the breaks: one fewer. */
function cutLines(text: string): {
  readonly lines: readonly string[];
  readonly breaks: readonly string[];
} {
  const lines = text.split(/\r\n|\r|\n/);
  return { lines, breaks: text.match(ANY_BREAK) ?? [] };
}

/**
 * Text for `from`..`to` whose breaks do not melt with those before and behind it: a CR and an LF side by side are one
 * break, also where a deletion brings them together. A CRLF melts with neither.
 */
export function keptApart(text: string, from: number, to: number, insert: string): string {
  const afterCr = from > 0 && text.charCodeAt(from - 1) === 13;
  const beforeLf = text.charCodeAt(to) === 10;
  if (insert === "") return afterCr && beforeLf && from < to ? "\r" : "";
  const head = afterCr && insert.startsWith("\n") ? `\r${insert}` : insert;
  return beforeLf && head.endsWith("\r") ? `${head}\n` : head;
}

/** A text and one more line behind it, whose LF does not make one break of a CR that the text ends in. */
export function withLine(text: string, line: string, ending: Ending): string {
  return line === "" && ending === "\n" && text.endsWith("\r")
    ? `${text}\r\n`
    : text + line + ending;
}

/** The ending that a new line at this place takes: its line's own, else that of the line before, else the file's. */
export function breakAround(source: SourceText, offset: number): Exclude<Ending, ""> {
  if (source.lineCount === 0) return "\n";
  const line = source.lineAt(offset);
  const own = source.ending(line);
  if (own !== "") return own;
  const before = line > 0 ? source.ending(line - 1) : "";
  return before === "" ? dominantEnding(source.style) : before;
}
