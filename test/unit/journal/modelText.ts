/**
 * The bytes of a file of the model as a string, one character a byte: files of any encoding stay exact, and most of
 * them can be read in a failure.
 */
export type Raw = string;

/** Files by path. */
export type Files = Readonly<Record<string, Raw>>;

/** A line that is written many times, by anybody; all others are written once. */
export const COMMON = "}";

/** How a file is written at the start; everything that SPEC promises of endings and encodings. */
export const STYLES = [
  "lf",
  "crlf",
  "cr",
  "mixed",
  "bom",
  "utf16le",
  "utf16be",
  "open",
  "empty",
  "binary",
  "repeated",
] as const;
export type Style = (typeof STYLES)[number];

type Encoding = "utf8" | "utf8bom" | "utf16le" | "utf16be";

const MARKS: readonly (readonly [Encoding, Raw])[] = [
  ["utf8bom", "\xef\xbb\xbf"],
  ["utf16le", "\xff\xfe"],
  ["utf16be", "\xfe\xff"],
];
const ENDINGS: Partial<Record<Style, readonly string[]>> = {
  crlf: ["\r\n"],
  utf16le: ["\r\n"],
  cr: ["\r"],
  mixed: ["\n", "\r\n", "\r", "\r\n"],
};

/** A file of lines that are written nowhere else, but for the repeated ones; the empty one has none, the binary one is no text. */
export function startOf(style: Style, letter: string): Raw {
  if (style === "empty") return "";
  if (style === "binary") return `\0${letter}000000\xff\n`;
  const endings = ENDINGS[style] ?? ["\n"];
  if (style === "repeated")
    return rawOf(
      Array.from({ length: 8 }, (_, i) => `${letter}é${String(i).padStart(5, "0")}\n${COMMON}\n`)
        .map((pair, i) => (i % 3 === 0 ? pair + `${COMMON}\n` : pair))
        .join(""),
      "utf8",
    );
  const lines = Array.from(
    { length: 12 },
    (_, i) => `${letter}é${String(i).padStart(5, "0")}${endings[i % endings.length] ?? ""}`,
  );
  const text = lines.join("");
  const encoding = { bom: "utf8bom", utf16le: "utf16le", utf16be: "utf16be" } as const;
  return rawOf(
    style === "open" || style === "mixed" ? text.trimEnd() : text,
    style in encoding ? encoding[style as keyof typeof encoding] : "utf8",
  );
}

export function isText(raw: Raw): boolean {
  return encodingOf(raw) !== "utf8" || !raw.includes("\0");
}

export function encodingOf(raw: Raw): Encoding {
  return MARKS.find(([, mark]) => raw.startsWith(mark))?.[0] ?? "utf8";
}

/** Without the byte order mark. */
export function textOf(raw: Raw): string {
  if (!isText(raw)) return raw;
  const encoding = encodingOf(raw);
  const bytes = bytesOf(raw);
  if (encoding === "utf8" || encoding === "utf8bom") return new TextDecoder("utf-8").decode(bytes);
  return new TextDecoder(encoding === "utf16le" ? "utf-16le" : "utf-16be").decode(bytes);
}

export function rawOf(text: string, encoding: Encoding): Raw {
  const mark = MARKS.find(([name]) => name === encoding)?.[1] ?? "";
  if (encoding === "utf8" || encoding === "utf8bom")
    return mark + Buffer.from(text, "utf8").toString("latin1");
  const bytes = Buffer.from(text, "utf16le");
  return mark + (encoding === "utf16be" ? bytes.swap16() : bytes).toString("latin1");
}

export function bytesOf(raw: Raw): Uint8Array {
  return Uint8Array.from(Buffer.from(raw, "latin1"));
}

export function rawFrom(bytes: Uint8Array): Raw {
  return Buffer.from(bytes).toString("latin1");
}

/** Lines with their endings. A file that is no text is one line. */
export function linesOf(raw: Raw): readonly string[] {
  if (!isText(raw)) return [raw];
  return textOf(raw).match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}

/** Lines without their endings. */
export function bodiesOf(raw: Raw): readonly string[] {
  return linesOf(raw).map(bodyOf);
}

/** Only the lines of which it is known whose they are. */
export function ownBodiesOf(raw: Raw): readonly string[] {
  return bodiesOf(raw).filter((body) => body !== COMMON);
}

export function commonLines(raw: Raw): number {
  return bodiesOf(raw).length - ownBodiesOf(raw).length;
}

export function bodyOf(line: string): string {
  return line.replace(/[\r\n]+$/, "");
}

export function allBodies(files: Files): readonly string[] {
  return Object.values(files).flatMap(ownBodiesOf);
}

export function sorted(files: Files): Files {
  return Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The ending that most lines have; LF where there is none. */
export function endingOf(raw: Raw): string {
  const text = textOf(raw);
  return text.includes("\r\n") ? "\r\n" : text.includes("\n") || !text.includes("\r") ? "\n" : "\r";
}

/** The file with some of its lines gone and others in their place; a last line without an ending keeps none. */
export function spliced(raw: Raw, from: number, remove: number, insert: readonly string[]): Raw {
  const lines = linesOf(raw);
  const ending = endingOf(raw);
  const front = lines.slice(0, from);
  const back = lines.slice(from + remove);
  const isOpen = lines.length > 0 && bodyOf(lines.at(-1) ?? "") === lines.at(-1);
  const added = insert.map((line) => line + ending);
  if (isOpen && back.length === 0 && added.length > 0) {
    if (remove === 0) front.push((front.pop() ?? "") + ending);
    added.push(bodyOf(added.pop() ?? ""));
  }
  return rawOf([...front, ...added, ...back].join(""), encodingOf(raw));
}
