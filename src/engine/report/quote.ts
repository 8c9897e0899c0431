const QUOTE_POINTS_MAX = 120;
const NUMBERS_MAX = 3;

/** `U+200B`: how a character that cannot be seen is named. */
export function codePointName(point: number): string {
  return `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** A line in quotes, with escapes, cut to a bound; what cannot be seen is shown as an escape. */
export function quoted(line: string): string {
  const points = Array.from(line.slice(0, 2 * QUOTE_POINTS_MAX + 2));
  const isCut = points.length > QUOTE_POINTS_MAX;
  const shown = JSON.stringify(points.slice(0, QUOTE_POINTS_MAX).join("")).replace(
    /[\u200B-\u200D\u2060\uFE00-\uFE0F\uFEFF\u00AD\u00A0]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return isCut ? `${shown}...` : shown;
}

/** Of two long lines that begin alike, this many units before they part are shown. */
const BEFORE_DIFFERENCE_UNITS = 40;
/** Lines are compared this far. */
const COMPARED_UNITS_MAX = 20_000;

/**
 * Two lines in quotes so that what they differ in can be seen: where their common beginning would fill what is shown,
 * most of it is left out, with dots for it.
 */
export function quotedPair(left: string, right: string): readonly [string, string] {
  if (isQuotedWhole(left) && isQuotedWhole(right)) return [quoted(left), quoted(right)];
  const parts = differenceAt(left, right);
  if (parts === null || parts <= BEFORE_DIFFERENCE_UNITS) return [quoted(left), quoted(right)];
  let from = parts - BEFORE_DIFFERENCE_UNITS;
  if (isLowHalf(left, from)) from--;
  return [`...${quoted(left.slice(from))}`, `...${quoted(right.slice(from))}`];
}

/** ` (first difference at character 9: …)`, for lines that may look the same in quotes; "" where they do not part. */
export function sayFirstDifference(expected: string, found: string): string {
  const at = differenceAt(expected, found);
  if (at === null) return "";
  const place = Array.from(expected.slice(0, at)).length + 1;
  const name = (line: string): string => {
    const point = line.codePointAt(at);
    return point === undefined ? "the end of the line" : codePointName(point);
  };
  return ` (first difference at character ${place}: expected ${name(expected)}, found ${name(found)})`;
}

/** Offset of the first character in which two lines differ; null when none is found. */
function differenceAt(left: string, right: string): number | null {
  const length = Math.min(Math.max(left.length, right.length), COMPARED_UNITS_MAX);
  let at = 0;
  while (at < length && left.charCodeAt(at) === right.charCodeAt(at)) at++;
  if (at === length) return null;
  return isLowHalf(left, at) || isLowHalf(right, at) ? at - 1 : at;
}

/** Whether the offset lies inside a surrogate pair. */
function isLowHalf(line: string, offset: number): boolean {
  return offset > 0 && /^[\ud800-\udbff][\udc00-\udfff]/.test(line.slice(offset - 1, offset + 1));
}

/** Whether `quoted` shows all of the line. */
export function isQuotedWhole(line: string): boolean {
  return Array.from(line.slice(0, 2 * QUOTE_POINTS_MAX + 2)).length <= QUOTE_POINTS_MAX;
}

export function someNumbers(numbers: readonly number[]): string {
  const shown = numbers.slice(0, NUMBERS_MAX).join(", ");
  return numbers.length > NUMBERS_MAX ? `${shown}, …` : shown;
}

/** A line cut to the bound of a message. */
export function cut(line: string): string {
  return line.length > QUOTE_POINTS_MAX ? `${line.slice(0, QUOTE_POINTS_MAX)}...` : line;
}
