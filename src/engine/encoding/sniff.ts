import { bomOf, type UnicodeEncoding } from "./names.ts";

/**
 * What the first bytes of a file say. `bom`: the encoding is certain. `binary`: no text at all. `unmarked`:
 * decoding has to show.
 */
export type Sniffed =
  | { readonly kind: "bom"; readonly encoding: UnicodeEncoding; readonly bomLength: number }
  | { readonly kind: "binary" }
  | { readonly kind: "unmarked" };

/** The UTF-32LE mark begins with the UTF-16LE one, so it is asked first. */
const MARKS: readonly UnicodeEncoding[] = ["utf32le", "utf32be", "utf8bom", "utf16le", "utf16be"];

/** A NUL is looked for in this many bytes; a later one is left to the editor, which accepts it too. */
const NUL_SCAN_BYTES_MAX = 4096;
/** Bytes that never stand in text make a file binary within this head, as in content sniffing of the web. */
const CONTROL_SCAN_BYTES_MAX = 512;
/** More control bytes than this share of the scanned head, and it is no text, whatever they are. */
const CONTROL_SHARE_MAX = 0.3;

/** A byte order mark beats everything; without one a NUL, a known signature or control bytes mean binary. */
export function sniff(bytes: Uint8Array): Sniffed {
  for (const encoding of MARKS) {
    const mark = bomOf(encoding);
    if (startsWith(bytes, mark)) return { kind: "bom", encoding, bomLength: mark.length };
  }
  return looksBinary(bytes) ? { kind: "binary" } : { kind: "unmarked" };
}

function looksBinary(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, NUL_SCAN_BYTES_MAX);
  if (head.includes(0)) return true;
  if (SIGNATURES.some((signature) => hasSignature(head, signature))) return true;
  let controls = 0;
  for (let i = 0; i < head.length; i++) {
    const byte = head[i] ?? 0;
    if (!isControl(byte)) continue;
    controls++;
    if (i < CONTROL_SCAN_BYTES_MAX) return true;
  }
  return controls > head.length * CONTROL_SHARE_MAX;
}

/**
 * Bytes that no text has. Escape is left out for terminal captures, vertical tab for old sources: both stand in
 * honest text files.
 */
function isControl(byte: number): boolean {
  return byte <= 0x08 || (byte >= 0x0e && byte <= 0x1f && byte !== 0x1b);
}

interface Signature {
  readonly start: readonly number[];
  /** Bytes expected at offset 8, for containers whose first word does not tell what they hold. */
  readonly at8?: readonly number[];
}

/** Formats that may come without a NUL in their head. Signatures that a text could begin with are not listed. */
const SIGNATURES: readonly Signature[] = [
  { start: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] }, // PNG
  { start: [0xff, 0xd8, 0xff] }, // JPEG
  { start: ascii("GIF87a") },
  { start: ascii("GIF89a") },
  { start: ascii("RIFF"), at8: ascii("WEBP") },
  { start: ascii("RIFF"), at8: ascii("WAVE") },
  { start: ascii("RIFF"), at8: ascii("AVI ") },
  { start: [0x1a, 0x45, 0xdf, 0xa3] }, // WebM
  { start: ascii("wOFF") },
  { start: ascii("wOF2") },
  { start: [0x1f, 0x8b, 0x08] }, // gzip
  { start: [0x50, 0x4b, 0x03, 0x04] }, // zip
  { start: [0x52, 0x61, 0x72, 0x21, 0x1a] }, // rar
  { start: ascii("%PDF-") },
];

function hasSignature(head: Uint8Array, { start, at8 }: Signature): boolean {
  return startsWith(head, start) && (at8 === undefined || startsWith(head.subarray(8), at8));
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return bytes.length >= start.length && start.every((byte, i) => bytes[i] === byte);
}

function ascii(word: string): readonly number[] {
  return Array.from(word, (letter) => letter.charCodeAt(0));
}
