/**
 * Whitespace as the designs behind the tools count it. JavaScript's `trim` and `\s` differ: they take U+FEFF for a
 * space and U+0085 for none, so every trim in the engine goes through this file.
 *
 * All of these code points lie in the basic plane, so a UTF-16 unit is enough to tell.
 */
export function isSpace(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  return isWideSpace(unit);
}

/** Whitespace that does not end a line: tab, space, and the spaces of other scripts. */
export function isHorizontalSpace(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || unit === 0x09;
  return isWideSpace(unit) && unit !== 0x85 && unit !== 0x2028 && unit !== 0x2029;
}

/** Space or tab, the only two that "trailing spaces" means in matching. */
export function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09;
}

function isWideSpace(unit: number): boolean {
  return (
    unit === 0x85 ||
    unit === 0xa0 ||
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000
  );
}

/** Offset of the first unit in `from`..`to` that is no whitespace, or `to`. */
export function skipSpace(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Offset behind the last unit in `from`..`to` that is no whitespace, or `from`. */
export function skipSpaceBack(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && isSpace(text.charCodeAt(at - 1))) at--;
  return at;
}

/** Offset behind the last unit in `from`..`to` that is neither space nor tab, or `from`. */
export function skipBlankBack(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && isBlank(text.charCodeAt(at - 1))) at--;
  return at;
}

/** Without whitespace at both ends. */
export function trimSpace(text: string): string {
  const from = skipSpace(text, 0, text.length);
  return text.slice(from, skipSpaceBack(text, from, text.length));
}

/** Without whitespace of any kind at the end. */
export function trimEndSpace(text: string): string {
  return text.slice(0, skipSpaceBack(text, 0, text.length));
}

/** Without spaces and tabs at the end. */
export function trimEndBlank(text: string): string {
  return text.slice(0, skipBlankBack(text, 0, text.length));
}

/** The whitespace a line starts with; the whole line when there is nothing else. */
export function leadingSpace(line: string): string {
  return line.slice(0, skipSpace(line, 0, line.length));
}

/** The whitespace a line ends in; "" for a line of whitespace only, whose whitespace is its lead. */
export function trailingSpace(line: string): string {
  const from = skipSpace(line, 0, line.length);
  return from === line.length ? "" : line.slice(skipSpaceBack(line, from, line.length));
}

export function isAllSpace(text: string): boolean {
  return skipSpace(text, 0, text.length) === text.length;
}
