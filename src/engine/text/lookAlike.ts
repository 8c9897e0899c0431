import { isHorizontalSpace, isSpace, skipSpace, skipSpaceBack } from "./whitespace.ts";

/**
 * A text with its typographic look-alikes folded, and the way back: unit `i` of `text` stands for the source
 * from `starts[i]` up to `starts[i + 1]`. The ranges lie side by side, so a range of folded units is a range of
 * the source, and together they cover all of it (of the trimmed line, where it was trimmed). `cores[i]` is where
 * the unit itself stands, without the space or the invisible characters that were merged into its range.
 *
 * Two texts that a reader takes for the same fold to the same `text`: curly and straight quotes, dashes,
 * full-width punctuation with or without the space beside it, zero-width characters, variation selectors.
 */
export interface Folded {
  readonly text: string;
  readonly starts: Uint32Array;
  readonly cores: Uint32Array;
}

export interface LineFolding {
  /** Drop whitespace at both ends first. */
  readonly trim: boolean;
  /** Take every whitespace character that is left for a plain space. */
  readonly mapSpaces: boolean;
}

/** Space runs of a line count as one space, besides what `foldSequence` does. How lines are compared. */
export function foldLine(line: string): Folded {
  return fold(line, { trim: true, mapSpaces: true });
}

/** As `foldLine`, but indentation and the kinds of spaces stay: what two lines must share to be spliced. */
export function foldLineForSplice(line: string): Folded {
  return fold(line, { trim: false, mapSpaces: false });
}

/** For text of any number of lines: double spaces, tabs, indentation and line ends stay as they are. */
export function foldSequence(text: string): Folded {
  return fold(text, null);
}

/** The same text as `foldLine(line).text`, for an index that needs no way back. */
export function foldedLineText(line: string): string {
  return fold(line, { trim: true, mapSpaces: true }).text;
}

function fold(source: string, line: LineFolding | null): Folded {
  const from = line?.trim === true ? skipSpace(source, 0, source.length) : 0;
  const to = line?.trim === true ? skipSpaceBack(source, from, source.length) : source.length;
  const out = new FoldedText(to - from);
  walk(source, from, to, line, out);
  return out.finish(from, to);
}

/**
 * Whether folded text may stand somewhere in a source: never false where it does. Costs one pass and no memory to
 * speak of, so that a text which is nowhere does not have the whole file folded for it.
 */
export function mayHoldFolded(source: string, wanted: string): boolean {
  const search = new FoldedSearch(wanted);
  walk(source, 0, source.length, null, search);
  return search.finish();
}

/** Takes folded units one by one. A space of its own may be taken back once, by what comes next. */
interface FoldSink {
  push(unit: number, at: number, isPlainSpace: boolean): void;
  endsInSpace(): boolean;
  dropSpace(): void;
}

function walk(
  source: string,
  from: number,
  to: number,
  line: LineFolding | null,
  out: FoldSink,
): void {
  let before = -1; // nearest code point to the left that is not ignorable
  let beforeMark = -1; // the same, not counting combining marks: what a mark stands on
  for (let i = from; i < to;) {
    const unit = source.charCodeAt(i);
    if (unit < 0x80 && isPlain(unit)) {
      out.push(unit, i, false);
      before = unit;
      beforeMark = unit;
      i++;
      continue;
    }
    // A run of spaces is one space of the line form; its range is the whole run.
    let next = i + 1;
    let point = unit;
    if (line !== null && isHorizontalSpace(unit)) {
      while (next < to && isHorizontalSpace(source.charCodeAt(next))) next++;
      if (next - i > 1) point = 0x20;
    } else if (unit >= 0xd800 && unit <= 0xdbff && next < to) {
      point = source.codePointAt(i) ?? unit;
      if (point > 0xffff) next++;
    }

    if (isIgnorable(point)) {
      // Merged into the range of the unit before: the next start just lies further right.
      i = next;
      continue;
    }
    if (point > 0x2ff && isFoldableMark(point) && (beforeMark < 0 || isSpace(beforeMark))) {
      i = next;
      continue;
    }
    if (point === 0x20 && isWordPoint(before) && isWordPoint(nextPoint(source, next, to))) {
      before = 0x20;
      beforeMark = 0x20;
      i = next;
      continue;
    }
    const folded = point < 0x80 ? point : (LOOK_ALIKES.get(point) ?? point);
    if (folded === 0x29 && out.endsInSpace()) out.dropSpace();
    if (folded > 0xffff) {
      out.push(source.charCodeAt(i), i, false);
      out.push(source.charCodeAt(i + 1), i + 1, false);
    } else if (line?.mapSpaces === true && isSpace(folded)) out.push(0x20, i, false);
    else out.push(folded, i, folded === 0x20 && point === 0x20);
    before = point;
    if (point <= 0x2ff || !isMark(point)) beforeMark = point;
    i = next;
    if (absorbsNextSpace(folded) && i < to && source.charCodeAt(i) === 0x20) {
      // In the line form the run that follows is one space, and so is absorbed whole.
      i++;
      if (line !== null) while (i < to && isHorizontalSpace(source.charCodeAt(i))) i++;
      before = 0x20;
      beforeMark = 0x20;
    }
  }
}

/** ASCII that folds to itself and does nothing to its neighbours: all but white space, separators and `)`. */
function isPlain(unit: number): boolean {
  return PLAIN[unit] === 1;
}

const PLAIN: Uint8Array = Uint8Array.from({ length: 0x80 }, (_, unit) =>
  isSpace(unit) || unit === 0x29 || absorbsNextSpace(unit) ? 0 : 1,
);

/** After these a single space says nothing. */
function absorbsNextSpace(unit: number): boolean {
  switch (unit) {
    case 0x2c: // ,
    case 0x3b: // ;
    case 0x3a: // :
    case 0x2e: // .
    case 0x21: // !
    case 0x3f: // ?
    case 0x28: // (
      return true;
    default:
      return false;
  }
}

/** The folded units under way. A start is fixed when its unit comes; the end of a range is the next start. */
class FoldedText implements FoldSink {
  readonly #units: Uint16Array;
  readonly #starts: Uint32Array;
  readonly #cores: Uint32Array;
  #count = 0;
  #lastIsSpace = false;
  /** Where the next unit's range starts, when it takes over the range of a dropped space; else -1. */
  #from = -1;

  constructor(capacity: number) {
    this.#units = new Uint16Array(capacity);
    this.#starts = new Uint32Array(capacity + 1);
    this.#cores = new Uint32Array(capacity);
  }

  push(unit: number, at: number, isPlainSpace: boolean): void {
    this.#units[this.#count] = unit;
    this.#starts[this.#count] = this.#from < 0 ? at : this.#from;
    this.#cores[this.#count] = at;
    this.#from = -1;
    this.#count++;
    this.#lastIsSpace = isPlainSpace;
  }

  endsInSpace(): boolean {
    return this.#lastIsSpace;
  }

  /** Takes the last unit back, a space of its own: its range goes to the unit that comes next. */
  dropSpace(): void {
    this.#count--;
    this.#from = this.#starts[this.#count] ?? 0;
  }

  finish(begin: number, end: number): Folded {
    if (this.#count > 0) this.#starts[0] = begin;
    this.#starts[this.#count] = end;
    return {
      text: decodeUnits(this.#units, this.#count),
      starts: this.#starts.subarray(0, this.#count + 1),
      cores: this.#cores.subarray(0, this.#count),
    };
  }
}

/** Compares a rolling hash of the last units with that of the wanted text. */
class FoldedSearch implements FoldSink {
  readonly #length: number;
  readonly #wanted: number;
  readonly #leaving: number;
  /** The last units, in a ring as long as the wanted text. */
  readonly #ring: Uint16Array;
  #at = 0;
  #count = 0;
  #hash = 0;
  #pendingSpace = false;
  #found = false;

  constructor(wanted: string) {
    this.#length = wanted.length;
    this.#ring = new Uint16Array(Math.max(1, wanted.length));
    let hash = 0;
    let leaving = 1;
    for (let i = 0; i < wanted.length; i++) {
      hash = (Math.imul(hash, HASH_FACTOR) + wanted.charCodeAt(i)) | 0;
      leaving = Math.imul(leaving, HASH_FACTOR);
    }
    this.#wanted = hash;
    this.#leaving = leaving;
  }

  push(unit: number, _at: number, isPlainSpace: boolean): void {
    if (this.#pendingSpace) this.#feed(0x20);
    this.#pendingSpace = isPlainSpace;
    if (!isPlainSpace) this.#feed(unit);
  }

  endsInSpace(): boolean {
    return this.#pendingSpace;
  }

  dropSpace(): void {
    this.#pendingSpace = false;
  }

  finish(): boolean {
    if (this.#pendingSpace) this.#feed(0x20);
    return this.#found;
  }

  #feed(unit: number): void {
    const old = this.#ring[this.#at] ?? 0; // zero until the ring is full, and so without weight
    this.#ring[this.#at] = unit;
    this.#at = this.#at + 1 === this.#length ? 0 : this.#at + 1;
    this.#hash = (Math.imul(this.#hash, HASH_FACTOR) + unit - Math.imul(old, this.#leaving)) | 0;
    this.#count++;
    if (this.#hash === this.#wanted && this.#count >= this.#length) this.#found = true;
  }
}

const HASH_FACTOR = 0x01000193;

/** `String.fromCharCode` takes its units as arguments, so long texts are made in parts. */
function decodeUnits(units: Uint16Array, count: number): string {
  const parts: string[] = [];
  for (let from = 0; from < count; from += 8192) {
    // `apply` takes a typed array for its list, which its type does not say; spreading it is three times slower.
    const part: ArrayLike<number> = units.subarray(from, Math.min(count, from + 8192));
    parts.push(Reflect.apply(String.fromCharCode, null, part));
  }
  return parts.join("");
}

function nextPoint(source: string, from: number, to: number): number {
  for (let i = from; i < to; i++) {
    const point = source.codePointAt(i) ?? -1;
    if (!isIgnorable(point)) return point;
  }
  return -1;
}

function isIgnorable(point: number): boolean {
  return (
    (point >= 0x200b && point <= 0x200d) || point === 0x2060 || (point >= 0xfe00 && point <= 0xfe0f)
  );
}

const LETTER_OR_DIGIT = /^[\p{L}\p{Nd}]/u;
const MARK = /^[\p{Mn}\p{Mc}]/u;

function isWordPoint(point: number): boolean {
  if (point < 0x80)
    return (
      (point >= 0x61 && point <= 0x7a) ||
      (point >= 0x41 && point <= 0x5a) ||
      (point >= 0x30 && point <= 0x39)
    );
  return LETTER_OR_DIGIT.test(String.fromCodePoint(point));
}

function isMark(point: number): boolean {
  return MARK.test(String.fromCodePoint(point));
}

/** A combining mark that floats is dropped; the keycap mark belongs to what it encloses. */
function isFoldableMark(point: number): boolean {
  return point !== 0x20e3 && isMark(point);
}

/** What folds to what. Brackets, `、`, `…` and full-width letters are content and stay. */
const LOOK_ALIKES: ReadonlyMap<number, number> = new Map(
  (
    [
      ["“”„‟", '"'],
      ["‘’‚‛", "'"],
      ["–—−", "-"],
      ["，", ","],
      ["；", ";"],
      ["：", ":"],
      ["。．", "."],
      ["！", "!"],
      ["？", "?"],
      ["（", "("],
      ["）", ")"],
    ] as const
  ).flatMap(([from, to]) =>
    Array.from(from, (character) => [character.charCodeAt(0), to.charCodeAt(0)] as const),
  ),
);
