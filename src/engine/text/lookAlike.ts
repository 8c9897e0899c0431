import { FoldedSearch, FoldedText, type FoldSink, type Folded } from "./foldedText.ts";
import { isHorizontalSpace, isSpace, skipSpace, skipSpaceBack } from "./whitespace.ts";

export type { Folded };

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
      // Not codePointAt: with it the Maglev compiler of Node 24 now and then gives another high half than the text's.
      const low = source.charCodeAt(next);
      if (low >= 0xdc00 && low <= 0xdfff) {
        point = ((unit - 0xd800) << 10) + (low - 0xdc00) + 0x10000;
        next++;
      }
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
      out.push(unit, i, false);
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

/** The plain punctuation unit that a look-alike folds to; undefined for every other unit. */
export function lookAlikeOf(unit: number): number | undefined {
  return LOOK_ALIKES.get(unit);
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
