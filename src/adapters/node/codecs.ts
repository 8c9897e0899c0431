import * as chardet from "chardet";
import iconv from "iconv-lite";
import { sameBytes } from "../../app/evidence.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { canonicalEncoding } from "../../engine/encoding/names.ts";

/**
 * The regional encodings: tables of half a megabyte, so this file is only ever reached by `import()`, once a file
 * turned out not to be Unicode.
 */

/** The text of `bytes`, or null: unknown encoding, or encoding the text again would not give these bytes back. */
export function decodeRegional(encoding: string, bytes: Uint8Array): string | null {
  if (!iconv.encodingExists(encoding)) return null;
  const text = iconv.decode(bytes, encoding, { stripBOM: false });
  return sameBytes(iconv.encode(text, encoding), bytes) ? text : null;
}

/** Strict: a text that reads back differently is refused with the first code point that gets lost. */
export function encodeRegional(
  encoding: string,
  text: string,
): Result<Uint8Array, { readonly codePoint: number }> {
  const bytes = iconv.encode(text, encoding);
  if (iconv.decode(bytes, encoding, { stripBOM: false }) === text) return ok(new Uint8Array(bytes));
  for (const point of text)
    if (iconv.decode(iconv.encode(point, encoding), encoding, { stripBOM: false }) !== point)
      return fail({ codePoint: point.codePointAt(0) ?? 0 });
  // Each holds alone and all together do not: a pair of code points that the table writes as one.
  return fail({ codePoint: text.codePointAt(0) ?? 0 });
}

/** A guess below this is refused: a wrong one would show a wrong text to the model. */
const CONFIDENCE_MIN = 60;
/** Another reading of the bytes that comes this near makes the guess a choice, and it is refused. */
const CONFIDENCE_LEAD_MIN = 20;
/** Guessing looks at lines with bytes above ASCII only, up to this much. */
const SAMPLE_BYTES_MAX = 65_536;
const CANDIDATES_MAX = 8;

export interface Detected {
  /** Null when no reading is sure enough. */
  readonly found: { readonly encoding: string; readonly text: string } | null;
  /** Canonical names of what was tried, best first, for the message. */
  readonly tried: readonly string[];
}

/**
 * Law: what is found gives the same bytes back, holds no control characters, and every other reading that is nearly
 * as likely says the same text (so Latin-1 and Latin-2 do not compete over a file where both read "é").
 */
export function detectRegional(bytes: Uint8Array): Detected {
  const sample = highLines(bytes);
  if (isDamagedUtf8(sample)) return { found: null, tried: [] };
  const matches = chardet
    .analyse(sample)
    .map(({ name, confidence }) => ({ encoding: canonicalEncoding(name), confidence }))
    .filter(({ encoding }) => isRegional(encoding));
  const tried = matches.slice(0, CANDIDATES_MAX).map(({ encoding }) => encoding);
  const best = matches.find(
    ({ encoding, confidence }) =>
      confidence >= CONFIDENCE_MIN && plausible(decodeRegional(encoding, sample)),
  );
  if (best === undefined) return { found: null, tried };
  const reading = iconv.decode(sample, best.encoding);
  const rivals = matches.filter(
    ({ confidence, encoding }) =>
      encoding !== best.encoding && best.confidence - confidence < CONFIDENCE_LEAD_MIN,
  );
  for (const { encoding } of rivals) {
    const other = decodeRegional(encoding, sample);
    if (plausible(other) && other !== reading) return { found: null, tried };
  }
  const text = decodeRegional(best.encoding, bytes);
  return { found: plausible(text) ? { encoding: best.encoding, text } : null, tried };
}

/** Stateful encodings are out: in them a byte's meaning depends on what stands before it. */
function isRegional(encoding: string): boolean {
  return iconv.encodingExists(encoding) && !/^(utf|ucs|iso2022|hz)/.test(encoding);
}

/** Text that someone wrote: no replacement marks, and no controls but tab, line ends, form feed and escape. */
function plausible(text: string | null): text is string {
  if (text === null) return false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0xfffd || (0x7f <= unit && unit <= 0x9f)) return false;
    if (unit < 0x20 && !TEXT_CONTROLS.has(unit)) return false;
  }
  return true;
}

const TEXT_CONTROLS = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);

/** Whole lines, so that no multi-byte character is cut: LF is no trail byte in any encoding of the table. */
function highLines(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let size = 0;
  let from = 0;
  while (from < bytes.length && size < SAMPLE_BYTES_MAX) {
    const lf = bytes.indexOf(10, from);
    const to = lf < 0 ? bytes.length : lf + 1;
    const line = bytes.subarray(from, to);
    if (line.some((byte) => byte >= 0x80)) {
      parts.push(line);
      size += line.length;
    }
    from = to;
  }
  const sample = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    sample.set(part, at);
    at += part.length;
  }
  return sample;
}

/** More well-formed UTF-8 sequences than stray high bytes: a UTF-8 file with a fault, not a regional one. */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  let whole = 0;
  let stray = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (byte < 0x80) continue;
    const tail = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc2 ? 1 : 0;
    const follows = bytes.subarray(i + 1, i + 1 + tail);
    if (tail > 0 && follows.length === tail && follows.every((b) => (b & 0xc0) === 0x80)) {
      whole++;
      i += tail;
    } else stray++;
  }
  return whole > stray;
}
