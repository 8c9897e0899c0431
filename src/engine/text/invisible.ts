import { isSpace } from "./whitespace.ts";

export interface CleanedText {
  readonly text: string;
  /** How often each code point was taken out; empty when the text is as it was. */
  readonly removed: ReadonlyMap<number, number>;
}

export interface CleaningOptions {
  /** Also take out combining marks that stand on nothing: for new text only. */
  readonly floatingMarks: boolean;
}

/**
 * Takes out characters that carry no content and that models leak into arguments: variation selectors without a
 * base, zero-width characters, soft hyphens, a BOM that is not the first character, combining marks on nothing.
 * What an emoji, a keycap or a script needs stays.
 *
 * Law: cleaning a clean text changes nothing. `removed` counts exactly what is gone.
 */
export function cleanInvisible(text: string, options: CleaningOptions): CleanedText {
  if (!SUSPECT.test(text)) return { text, removed: new Map() };
  const before = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  let points = withoutZeroWidth(withoutOrphanSelectors(before));
  if (options.floatingMarks) points = withoutFloatingMarks(points);
  if (points.length === before.length) return { text, removed: new Map() };
  const parts: string[] = [];
  for (const point of points) parts.push(String.fromCodePoint(point));
  return { text: parts.join(""), removed: difference(before, points) };
}

/** `U+00AD×1, U+200B×2`: code points ascending, with their counts. */
export function sayRemoved(removed: ReadonlyMap<number, number>): string {
  return [...removed]
    .sort(([left], [right]) => left - right)
    .map(([point, count]) => `U+${point.toString(16).toUpperCase().padStart(4, "0")}×${count}`)
    .join(", ");
}

/** Whether there is anything to look at; nearly every text is plain. */
const SUSPECT = /[\u00AD\u200B-\u200D\u2060\uFE00-\uFE0F\uFEFF]|[\p{Mn}\p{Mc}]/u;

const TEXT_SELECTOR = 0xfe0e;
const EMOJI_SELECTOR = 0xfe0f;
const KEYCAP = 0x20e3;
const JOINER = 0x200d;
const BOM = 0xfeff;

function isSelector(point: number | undefined): boolean {
  return point === TEXT_SELECTOR || point === EMOJI_SELECTOR;
}

const SYMBOL = /^[\p{So}\p{Sk}\p{Sm}]$/u;
const SELECTOR_BASES: ReadonlySet<number> = new Set([0x203c, 0x2049, 0x2139, 0x3030, 0x303d]);
const KEYCAP_BASE = /^[#*0-9]$/;

function withoutOrphanSelectors(points: readonly number[]): readonly number[] {
  const kept: number[] = [];
  points.forEach((point, index) => {
    if (!isSelector(point) || takesSelector(kept.at(-1), point, points[index + 1]))
      kept.push(point);
  });
  return kept;
}

function takesSelector(
  base: number | undefined,
  selector: number,
  next: number | undefined,
): boolean {
  if (base === undefined) return false;
  if (SELECTOR_BASES.has(base)) return true;
  const character = String.fromCodePoint(base);
  if (base > 0x7f) return SYMBOL.test(character);
  return selector === EMOJI_SELECTOR && next === KEYCAP && KEYCAP_BASE.test(character);
}

function isZeroWidth(point: number): boolean {
  return (
    (point >= 0x200b && point <= JOINER) ||
    point === 0x2060 ||
    point === 0xad ||
    (point >= 0xfe00 && point <= 0xfe0d) ||
    point === BOM
  );
}

function withoutZeroWidth(points: readonly number[]): readonly number[] {
  const kept: number[] = [];
  points.forEach((point, index) => {
    if (!isZeroWidth(point) || (point === BOM && index === 0)) kept.push(point);
    else if (point === JOINER && joinsEmoji(points, index, kept)) kept.push(point);
  });
  return kept;
}

const EMOJI = /^[\p{So}\u{1F3FB}-\u{1F3FF}]$/u;

/** A joiner between two emoji makes one picture of them; characters that go away do not stand between. */
function joinsEmoji(points: readonly number[], index: number, kept: readonly number[]): boolean {
  let before = kept.length - 1;
  while (isSelector(kept[before])) before--;
  let after = index + 1;
  while (isPassedOver(points[after])) after++;
  return isEmoji(kept[before]) && isEmoji(points[after]);
}

function isPassedOver(point: number | undefined): boolean {
  return point !== undefined && (isSelector(point) || (isZeroWidth(point) && point !== JOINER));
}

function isEmoji(point: number | undefined): boolean {
  return point !== undefined && EMOJI.test(String.fromCodePoint(point));
}

const MARK = /^[\p{Mn}\p{Mc}]$/u;

function isMark(point: number): boolean {
  return point > 0x2ff && MARK.test(String.fromCodePoint(point));
}

/** A mark needs something visible to the left; marks above one another share it. */
function withoutFloatingMarks(points: readonly number[]): readonly number[] {
  const kept: number[] = [];
  let base: number | null = null;
  for (const point of points) {
    if (isSelector(point) || point === KEYCAP || isZeroWidth(point)) kept.push(point);
    else if (!isMark(point)) {
      base = point;
      kept.push(point);
    } else if (base !== null && !isSpace(base)) kept.push(point);
  }
  return kept;
}

function difference(
  before: readonly number[],
  after: readonly number[],
): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const point of before) if (point > 0x7f) counts.set(point, (counts.get(point) ?? 0) + 1);
  for (const point of after) {
    const left = (counts.get(point) ?? 0) - 1;
    if (left > 0) counts.set(point, left);
    else counts.delete(point);
  }
  return counts;
}
