import { fail, ok, type Result } from "../../base/result.ts";
import { bomOf, type UnicodeEncoding } from "../../engine/index.ts";

/**
 * Strict Unicode codecs over the web's own TextDecoder, so that they run in every host. Bytes that are no text of
 * the encoding, and text that it cannot hold, are refused: nothing ever becomes U+FFFD or "?".
 *
 * Law: where `decodeUnicode(e, b)` gives a text, `encodeUnicode(e, text)` gives `b` back, byte for byte.
 */

/** `bytes` begin with the encoding's BOM where it has one; the text comes without it. Null: not valid. */
export function decodeUnicode(encoding: UnicodeEncoding, bytes: Uint8Array): string | null {
  const mark = bomOf(encoding);
  if (mark.some((byte, i) => bytes[i] !== byte)) return null;
  const body = bytes.subarray(mark.length);
  if (encoding === "utf32le" || encoding === "utf32be")
    return decodeUtf32(body, encoding === "utf32le");
  const label = encoding === "utf16le" || encoding === "utf16be" ? encoding : "utf8";
  try {
    return decoder(label).decode(body);
  } catch {
    // `fatal` throws a TypeError for every malformed sequence: the answer to the question, not a failure.
    return null;
  }
}

/** The problem is the first surrogate half without its partner: no Unicode encoding holds one. */
export function encodeUnicode(
  encoding: UnicodeEncoding,
  text: string,
): Result<Uint8Array, { readonly codePoint: number }> {
  const lone = loneSurrogate(text);
  if (lone !== null) return fail({ codePoint: lone });
  const mark = bomOf(encoding);
  switch (encoding) {
    case "utf8":
      return ok(new TextEncoder().encode(text));
    case "utf8bom": {
      const body = new TextEncoder().encode(text);
      const bytes = new Uint8Array(mark.length + body.length);
      bytes.set(mark);
      bytes.set(body, mark.length);
      return ok(bytes);
    }
    case "utf16le":
    case "utf16be": {
      const bytes = new Uint8Array(mark.length + text.length * 2);
      bytes.set(mark);
      const view = new DataView(bytes.buffer, mark.length);
      for (let i = 0; i < text.length; i++)
        view.setUint16(i * 2, text.charCodeAt(i), encoding === "utf16le");
      return ok(bytes);
    }
    case "utf32le":
    case "utf32be": {
      const points = Array.from(text, (point) => point.codePointAt(0) ?? 0);
      const bytes = new Uint8Array(mark.length + points.length * 4);
      bytes.set(mark);
      const view = new DataView(bytes.buffer, mark.length);
      for (const [i, point] of points.entries())
        view.setUint32(i * 4, point, encoding === "utf32le");
      return ok(bytes);
    }
  }
}

export function loneSurrogate(text: string): number | null {
  if (text.isWellFormed()) return null;
  for (const point of text) {
    const code = point.codePointAt(0) ?? 0;
    if (0xd800 <= code && code <= 0xdfff) return code;
  }
  return null;
}

type Decoder = InstanceType<typeof TextDecoder>;

const DECODERS = new Map<string, Decoder>();

/** `ignoreBOM` keeps a second U+FEFF as text: the mark itself was cut off before. */
function decoder(label: "utf8" | "utf16le" | "utf16be"): Decoder {
  const known = DECODERS.get(label);
  if (known !== undefined) return known;
  const name = label === "utf8" ? "utf-8" : label === "utf16le" ? "utf-16le" : "utf-16be";
  const made = new TextDecoder(name, { fatal: true, ignoreBOM: true });
  DECODERS.set(label, made);
  return made;
}

function decodeUtf32(bytes: Uint8Array, little: boolean): string | null {
  if (bytes.length % 4 !== 0) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const parts: string[] = [];
  for (let i = 0; i < bytes.length; i += 4) {
    const point = view.getUint32(i, little);
    if (point > 0x10ffff || (0xd800 <= point && point <= 0xdfff)) return null;
    parts.push(String.fromCodePoint(point));
  }
  return parts.join("");
}
