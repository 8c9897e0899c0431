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
