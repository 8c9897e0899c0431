import { createReadStream } from "node:fs";
import { UsageError } from "./cliUsage.ts";

/** Four bytes for each character that arguments may have; then they are refused by their length, in better words. */
const INPUT_BYTES_MAX = 200_000_000;

/**
 * All text of a file, or of standard input for `-`. Bytes that are not UTF-8 are refused: read as replacement
 * characters they would be written into files.
 */
export async function readInput(source: string): Promise<string> {
  const name = source === "-" ? "Standard input" : `FILE ${source}`;
  const bytes = await readAtMost(source === "-" ? process.stdin : createReadStream(source)).catch(
    () => {
      throw new UsageError(`${name} cannot be read.`);
    },
  );
  if (bytes === null)
    throw new UsageError(`${name} has more than ${INPUT_BYTES_MAX} bytes, the most that is read.`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${name} is not UTF-8 text.`);
  }
}

/** Null when there is more; the rest is not read. */
async function readAtMost(stream: AsyncIterable<Buffer>): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of stream) {
    length += part.length;
    if (length > INPUT_BYTES_MAX) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
