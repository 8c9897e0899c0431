/**
 * Encodings under one name each: the editor's own (`utf8bom`, `gb18030`, `windows1252` …), lower case, since
 * documents, settings and the codec tables all speak it. What a model reads is `reportedEncoding`.
 */
export const UNICODE_ENCODINGS = [
  "utf8",
  "utf8bom",
  "utf16le",
  "utf16be",
  "utf32le",
  "utf32be",
] as const;

export type UnicodeEncoding = (typeof UNICODE_ENCODINGS)[number];

export function isUnicodeEncoding(name: string): name is UnicodeEncoding {
  return (UNICODE_ENCODINGS as readonly string[]).includes(name);
}

/** The canonical name behind any common spelling; a name without an alias is only folded. */
export function canonicalEncoding(name: string): string {
  const folded = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  return ALIASES[folded] ?? folded;
}

/** The name results and messages use: the hyphenated one that models know, without a word on the BOM. */
export function reportedEncoding(name: string): string {
  const canonical = canonicalEncoding(name);
  const known = REPORTED[canonical];
  if (known !== undefined) return known;
  const parts = /^(windows|iso8859|cp|koi8)(.+)$/.exec(canonical);
  if (parts === null) return canonical;
  const [, family, rest] = parts;
  if (family === "iso8859") return `iso-8859-${rest}`;
  return family === "cp" ? canonical : `${family}-${rest}`;
}

/** Bytes in front of the text of a file in this encoding, as a new file would be written. */
export function bomOf(encoding: UnicodeEncoding): readonly number[] {
  return BOMS[encoding];
}

const BOMS: Readonly<Record<UnicodeEncoding, readonly number[]>> = {
  utf8: [],
  utf8bom: [0xef, 0xbb, 0xbf],
  utf16le: [0xff, 0xfe],
  utf16be: [0xfe, 0xff],
  utf32le: [0xff, 0xfe, 0, 0],
  utf32be: [0, 0, 0xfe, 0xff],
};

const ALIASES: Readonly<Record<string, string>> = {
  ascii: "utf8",
  usascii: "utf8",
  utf8withbom: "utf8bom",
  utf16: "utf16le",
  big5: "cp950",
  sjis: "shiftjis",
  windows31j: "shiftjis",
  cp932: "shiftjis",
  ksc5601: "euckr",
  cp949: "euckr",
  windows949: "euckr",
  cp936: "gbk",
  windows936: "gbk",
  latin1: "iso88591",
  cp1252: "windows1252",
};

const REPORTED: Readonly<Record<string, string>> = {
  utf8: "utf-8",
  utf8bom: "utf-8",
  utf16le: "utf-16le",
  utf16be: "utf-16be",
  utf32le: "utf-32le",
  utf32be: "utf-32be",
  cp950: "big5",
  big5hkscs: "big5-hkscs",
  shiftjis: "shift-jis",
  eucjp: "euc-jp",
  euckr: "euc-kr",
};
