import { isUnicodeEncoding, sniff } from "../engine/index.ts";

/**
 * The encoding in which kept bytes are shown: what their byte order mark says, else what the record says of the file.
 * Null for bytes that are no text. The two sides of one file may differ, where a call put one file in another's place.
 */
export function keptEncoding(bytes: Uint8Array, recorded: string | undefined): string | null {
  const sniffed = sniff(bytes);
  if (sniffed.kind === "binary") return null;
  if (sniffed.kind === "bom") return sniffed.encoding;
  // The Unicode encodings other than plain UTF-8 are known by their mark only.
  return recorded === undefined || isUnicodeEncoding(recorded) ? "utf8" : recorded;
}
