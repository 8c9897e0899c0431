import iconv from "iconv-lite";

/**
 * Every encoding that files are edited in, under the editor's own names, and what each can hold. Bytes are made here
 * without the product's codecs, so that a test compares with somebody else's word.
 */
export const UNICODE_NAMES = [
  "utf8",
  "utf8bom",
  "utf16le",
  "utf16be",
  "utf32le",
  "utf32be",
] as const;

/** More than one byte a character. The trail bytes of the first four take in ASCII: 0x5C is half of a character. */
export const MULTIBYTE_NAMES = [
  "shiftjis",
  "gbk",
  "gb18030",
  "cp950",
  "big5hkscs",
  "euckr",
  "eucjp",
  "gb2312",
] as const;

export const SINGLE_BYTE_NAMES = [
  "windows1250",
  "windows1251",
  "windows1252",
  "windows1253",
  "windows1254",
  "windows1255",
  "windows1256",
  "windows1257",
  "windows1258",
  "windows874",
  "iso88591",
  "iso88592",
  "iso88595",
  "iso88597",
  "iso88599",
  "iso885915",
  "koi8r",
  "koi8u",
  "cp437",
  "cp850",
  "cp866",
  "macroman",
] as const;

export const REGIONAL_NAMES = [...MULTIBYTE_NAMES, ...SINGLE_BYTE_NAMES];
export const ENCODING_NAMES = [...UNICODE_NAMES, ...REGIONAL_NAMES];

const MARKS: Readonly<Record<string, string>> = {
  utf8bom: "efbbbf",
  utf16le: "fffe",
  utf16be: "feff",
  utf32le: "fffe0000",
  utf32be: "0000feff",
};

/** What stands in front of all text of a file in this encoding. */
export function markOf(encoding: string): Buffer {
  return Buffer.from(MARKS[encoding] ?? "", "hex");
}

/** The text in this encoding, without a mark. */
export function rawBytes(encoding: string, text: string): Buffer {
  switch (encoding) {
    case "utf8":
    case "utf8bom":
      return Buffer.from(text, "utf8");
    case "utf16le":
      return Buffer.from(text, "utf16le");
    case "utf16be":
      return Buffer.from(text, "utf16le").swap16();
    case "utf32le":
    case "utf32be": {
      const points = Array.from(text, (point) => point.codePointAt(0) ?? 0);
      const bytes = Buffer.alloc(points.length * 4);
      points.forEach((point, i) =>
        encoding === "utf32le"
          ? bytes.writeUInt32LE(point, i * 4)
          : bytes.writeUInt32BE(point, i * 4),
      );
      return bytes;
    }
    default:
      return iconv.encode(text, encoding);
  }
}

export interface Repertoire {
  /** Characters that the encoding holds, beyond ASCII. */
  readonly held: readonly string[];
  /** The first of some characters that it does not hold; null for Unicode. */
  readonly missing: string | null;
}

const known = new Map<string, Repertoire>();

/** What an encoding can hold, asked of the codec character by character. */
export function repertoireOf(encoding: string): Repertoire {
  const found = known.get(encoding);
  if (found !== undefined) return found;
  const isUnicode = (UNICODE_NAMES as readonly string[]).includes(encoding);
  const asked = candidates();
  // One text of all, so that a table of a hundred thousand characters is one call.
  const back = isUnicode
    ? asked
    : iconv.decode(iconv.encode(asked.join("\n"), encoding), encoding).split("\n");
  const held = asked.filter((character, i) => back[i] === character);
  const missing = ["€", "é", "漢", "я", "☃", "😀"].filter((one) => !held.includes(one));
  const made = { held, missing: isUnicode ? null : (missing[0] ?? null) };
  known.set(encoding, made);
  return made;
}

function candidates(): readonly string[] {
  const points: number[] = [];
  for (let point = 0x80; point < 0xd800; point++) points.push(point);
  for (let point = 0xe000; point <= 0xffff; point++) points.push(point);
  for (let point = 0x1f300; point < 0x1f700; point++) points.push(point);
  for (let point = 0x20000; point < 0x20400; point++) points.push(point);
  return points.map((point) => String.fromCodePoint(point));
}
