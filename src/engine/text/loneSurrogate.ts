/**
 * The first half of a surrogate pair that stands alone; null in a text of whole characters. No encoding holds one: it
 * would be written as another character, and two texts that differ in it as the same bytes.
 */
export function loneSurrogate(text: string): number | null {
  if (text.isWellFormed()) return null;
  const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.exec(text);
  return lone === null ? null : lone[0].charCodeAt(0);
}

export function isSurrogate(codePoint: number): boolean {
  return 0xd800 <= codePoint && codePoint <= 0xdfff;
}
