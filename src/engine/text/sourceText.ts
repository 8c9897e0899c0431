/**
 * A text as lines that own their endings. Endings are `\n`, `\r\n` and a lone `\r`, in any mix; other Unicode
 * separators (U+2028, U+0085, VT, FF) are content, as they are in VS Code.
 *
 * Offsets are UTF-16 units into `text`; `index` counts lines from 0, `number` from 1. A text that ends in a
 * line ending has no empty last line; the empty text has no line.
 *
 * Law L1: joining every line with its ending gives `text` back, for every string.
 */
export class SourceText {
  readonly text: string;
  #table: LineTable | undefined;
  #style: EndingStyle | undefined;

  private constructor(text: string) {
    this.text = text;
  }

  /** Costs nothing: lines are looked for when the first one is asked for. */
  static of(text: string): SourceText {
    return new SourceText(text);
  }

  get lineCount(): number {
    return this.#lines.count;
  }

  get #lines(): LineTable {
    return (this.#table ??= readLines(this.text));
  }

  /** Offset of the line's first unit; `start(lineCount)` is the end of the text. */
  start(index: number): number {
    const { starts, first, count } = this.#lines;
    const start = starts[first + index];
    if (start === undefined || index < 0 || index > count)
      throw new RangeError(`line ${index} of ${this.lineCount}`);
    return start;
  }

  /** All of them, from `start(0)` to `start(lineCount)`, for a pass over every line. Not to be written to. */
  get starts(): Uint32Array {
    const { starts, first, count } = this.#lines;
    return starts.subarray(first, first + count + 1);
  }

  /** Offset just behind the line's content, before its ending. */
  contentEnd(index: number): number {
    const { endings, count, isOpen } = this.#lines;
    const ending = endings === null ? (isOpen && index === count - 1 ? 0 : 1) : endings[index];
    return this.start(index + 1) - (ending ?? 0);
  }

  /** The line without its ending. */
  line(index: number): string {
    return this.text.slice(this.start(index), this.contentEnd(index));
  }

  /** The line's own ending, "" for an unterminated last line. */
  ending(index: number): Ending {
    return this.text.slice(this.contentEnd(index), this.start(index + 1)) as Ending;
  }

  /** The line with its ending. */
  fullLine(index: number): string {
    return this.text.slice(this.start(index), this.start(index + 1));
  }

  /** Index of the line that holds the offset; an offset at the end belongs to the last line (or 0). */
  lineAt(offset: number): number {
    const { starts, first, count } = this.#lines;
    let low = 0;
    let high = Math.max(0, count - 1);
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((starts[first + middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** How the breaks of the text look, counted once. */
  get style(): EndingStyle {
    return (this.#style ??= endingStyle(this, this.#lines.endings === null));
  }
}

interface LineTable {
  readonly count: number;
  /** From entry `first` on: offset of the first unit of each line, and the text's length at the end. */
  readonly starts: Uint32Array;
  readonly first: number;
  /** Length of each line's ending, 0, 1 or 2; null when all are of one unit. */
  readonly endings: Uint8Array | null;
  /** Whether the last line has no ending. */
  readonly isOpen: boolean;
}

function readLines(text: string): LineTable {
  return text.includes("\r") ? readMixedLines(text) : readLfLines(text);
}

/** More than most texts need; a wrong guess costs one copy. */
function guessedCount(text: string): number {
  return Math.max(16, Math.ceil(text.length / 24));
}

/** So many lines at the start of a large text tell how long its lines are: memory is dear where there is much. */
const GUESS_LINES = 256;

function guessedFromStart(text: string): number {
  let from = 0;
  for (let lines = 0; lines < GUESS_LINES; lines++) {
    const lf = text.indexOf("\n", from);
    if (lf < 0) return guessedCount(text);
    from = lf + 1;
  }
  return Math.ceil((1.25 * GUESS_LINES * text.length) / from);
}

function wider(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(2 * array.length);
  next.set(array);
  return next;
}

/** Tables of small texts share blocks of so many entries: memory of its own costs more than filling it. */
const BLOCK_ENTRIES = 16_384;
const SHARED_TEXT_UNITS_MAX = 65_536;
let block = new Uint32Array(0);
let blockUsed = 0;

/** indexOf is the fastest scan there is. */
function readLfLines(text: string): LineTable {
  if (text.length > SHARED_TEXT_UNITS_MAX) {
    const starts = new Uint32Array(guessedFromStart(text) + 1);
    return fillLfLines(text, starts, 0);
  }
  if (block.length - blockUsed < guessedCount(text) + 1) {
    block = new Uint32Array(BLOCK_ENTRIES);
    blockUsed = 0;
  }
  const table = fillLfLines(text, block, blockUsed);
  // A table that did not fit went to memory of its own.
  if (table.starts === block) blockUsed += table.count + 1;
  return table;
}

/** Writes the starts into `array` from `firstEntry` on, or into a wider copy where they do not fit. */
function fillLfLines(text: string, array: Uint32Array<ArrayBuffer>, firstEntry: number): LineTable {
  let starts = array;
  let first = firstEntry;
  let end = scanLf(text, 0, starts, first);
  while (end < 0) {
    const filled = ~end - first;
    const from = starts[~end] ?? 0;
    starts = wider(starts.subarray(first));
    first = 0;
    end = scanLf(text, from, starts, filled);
  }
  const count = end - first;
  const isOpen = count > 0 && text.charCodeAt(text.length - 1) !== LF;
  return { count, starts, first, endings: null, isOpen };
}

const LF = 10;

/**
 * Writes the start of each line from offset `from` on, and the text's length behind them, into `starts` from `entry`
 * on: gives the entry of the length. Where it is full it gives `~entry` of the start still to be scanned from.
 * The array and its limit do not change in the loop, which makes it a quarter quicker.
 */
function scanLf(text: string, from: number, starts: Uint32Array, entry: number): number {
  const limit = starts.length - 2;
  let at = entry;
  let start = from;
  for (let lf = text.indexOf("\n", start); lf >= 0; lf = text.indexOf("\n", start)) {
    starts[at] = start;
    if (at >= limit) return ~at;
    at++;
    start = lf + 1;
  }
  if (start < text.length) starts[at++] = start;
  starts[at] = text.length;
  return at;
}

/** The far slower loop over units runs only for texts with a CR. */
function readMixedLines(text: string): LineTable {
  let starts = new Uint32Array(guessedCount(text) + 1);
  let endings = new Uint8Array(starts.length);
  let count = 0;
  let from = 0;
  const add = (end: number, endingLength: number): void => {
    if (count + 2 >= starts.length) {
      starts = wider(starts);
      const widerEndings = new Uint8Array(starts.length);
      widerEndings.set(endings);
      endings = widerEndings;
    }
    starts[count] = from;
    endings[count] = endingLength;
    count++;
    from = end;
  };
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 10) add(i + 1, 1);
    else if (unit === 13) {
      if (text.charCodeAt(i + 1) === 10) {
        i++;
        add(i + 1, 2);
      } else add(i + 1, 1);
    }
  }
  const isOpen = from < text.length;
  if (isOpen) add(text.length, 0);
  starts[count] = text.length;
  return { count, starts, first: 0, endings, isOpen };
}

export type Ending = "\n" | "\r\n" | "\r" | "";

export interface EndingStyle {
  readonly kind: "none" | "lf" | "crlf" | "cr" | "mixed";
  readonly lf: number;
  readonly crlf: number;
  readonly cr: number;
}

function endingStyle(source: SourceText, onlyLf: boolean): EndingStyle {
  let lf = 0;
  let crlf = 0;
  let cr = 0;
  if (onlyLf) {
    const last = source.lineCount - 1;
    lf = source.lineCount === 0 ? 0 : source.ending(last) === "" ? last : source.lineCount;
  } else
    for (let i = 0; i < source.lineCount; i++) {
      const ending = source.ending(i);
      if (ending === "\n") lf++;
      else if (ending === "\r\n") crlf++;
      else if (ending === "\r") cr++;
    }
  const kinds = (lf > 0 ? 1 : 0) + (crlf > 0 ? 1 : 0) + (cr > 0 ? 1 : 0);
  const kind =
    kinds === 0 ? "none" : kinds > 1 ? "mixed" : lf > 0 ? "lf" : crlf > 0 ? "crlf" : "cr";
  return { kind, lf, crlf, cr };
}

/** The ending a new line takes where nothing nearer decides: the text's most frequent one, LF for a text without. */
export function dominantEnding(style: EndingStyle): Exclude<Ending, ""> {
  if (style.crlf > style.lf && style.crlf >= style.cr) return "\r\n";
  if (style.cr > style.lf && style.cr > style.crlf) return "\r";
  return "\n";
}
