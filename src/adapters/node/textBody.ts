import { fail, ok, type Result } from "../../base/result.ts";
import {
  canonicalEncoding,
  isUnicodeEncoding,
  sniff,
  type FileProblem,
  type UnicodeEncoding,
} from "../../engine/index.ts";
import type { TextBody } from "../../app/ports.ts";
import { decodeUnicode, encodeUnicode } from "./unicode.ts";

/** A text with the codec that proved it: encoding the same text gives the file's bytes. */
export type Decoded = Pick<TextBody, "text" | "encoding" | "encode">;

/**
 * Reads a file's bytes as text. The order: byte order mark, `preferred` (an open document's encoding, a setting),
 * UTF-8, detection. Each step must give the bytes back, so an edit can never touch what it does not mean.
 */
export async function decodeFile(
  path: string,
  bytes: Uint8Array,
  preferred: readonly string[],
): Promise<Result<Decoded, FileProblem>> {
  const sniffed = sniff(bytes);
  if (sniffed.kind === "binary") return fail({ code: "file-binary", path });
  if (sniffed.kind === "bom") {
    const text = decodeUnicode(sniffed.encoding, bytes);
    return text === null
      ? fail({ code: "file-undecodable", path, tried: [sniffed.encoding] })
      : ok(unicodeBody(sniffed.encoding, text));
  }
  const tried: string[] = [];
  for (const name of preferred) {
    const encoding = canonicalEncoding(name);
    // Without a mark the others are no claim about the file: the editor takes them for plain UTF-8 too.
    if (isUnicodeEncoding(encoding) && encoding !== "utf8") continue;
    const body = await decodeAs(encoding, bytes);
    if (body !== null) return ok(body);
    tried.push(encoding);
  }
  if (!tried.includes("utf8")) {
    const text = decodeUnicode("utf8", bytes);
    if (text !== null) return ok(unicodeBody("utf8", text));
    tried.push("utf8");
  }
  // Go source is UTF-8 by its language definition; anything else in it is a fault to be seen.
  if (path.endsWith(".go")) return fail({ code: "file-undecodable", path, tried });
  const codecs = await import("./codecs.ts");
  const detected = codecs.detectRegional(bytes);
  if (detected.found !== null) {
    const { encoding, text } = detected.found;
    return ok({ text, encoding, encode: (next) => codecs.encodeRegional(encoding, next) });
  }
  tried.push(...detected.tried.filter((name) => !tried.includes(name)));
  return fail({ code: "file-undecodable", path, tried });
}

/** The text under exactly this encoding, or null when it does not give the bytes back. */
export async function decodeAs(name: string, bytes: Uint8Array): Promise<Decoded | null> {
  const encoding = canonicalEncoding(name);
  if (isUnicodeEncoding(encoding)) {
    const text = decodeUnicode(encoding, bytes);
    return text === null ? null : unicodeBody(encoding, text);
  }
  const codecs = await import("./codecs.ts");
  const text = codecs.decodeRegional(encoding, bytes);
  return text === null
    ? null
    : { text, encoding, encode: (next) => codecs.encodeRegional(encoding, next) };
}

/** Encodes any text in a named encoding, for a document whose bytes are not the base of the plan. */
export async function encoderOf(name: string): Promise<TextBody["encode"]> {
  const encoding = canonicalEncoding(name);
  if (isUnicodeEncoding(encoding)) return (text) => encodeUnicode(encoding, text);
  const codecs = await import("./codecs.ts");
  return (text) => codecs.encodeRegional(encoding, text);
}

function unicodeBody(encoding: UnicodeEncoding, text: string): Decoded {
  return { text, encoding, encode: (next) => encodeUnicode(encoding, next) };
}
