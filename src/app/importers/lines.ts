/** One line of a transcript; `text` is null where the line was longer than the bound and was passed over. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string | null;
}

/** A line holds one call at most, and its arguments are bounded too; a longer line is some other data. */
export const LINE_UNITS_MAX = 32_000_000;

/**
 * Cuts chunks into lines, of which only the present one is held. Ends are LF or CR LF, a byte order mark in front
 * and blank lines are left out (they are counted, so that numbers are those an editor shows).
 */
export async function* readLines(
  chunks: AsyncIterable<string> | Iterable<string>,
  unitsMax: number = LINE_UNITS_MAX,
): AsyncGenerator<Line> {
  let number = 1;
  let parts: string[] = [];
  let units = 0;
  const close = (): Line | null => {
    const text = units > unitsMax ? null : parts.join("");
    const line = {
      number,
      text: text === null ? null : number === 1 ? text.replace(/^\ufeff/, "") : text,
    };
    parts = [];
    units = 0;
    number++;
    return line.text === null || line.text.trim() !== "" ? line : null;
  };
  const add = (part: string): void => {
    units += part.length;
    if (units <= unitsMax) parts.push(part);
    else parts = [];
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", from)) {
      add(chunk.slice(from, end));
      from = end + 1;
      const line = close();
      if (line !== null) yield line;
    }
    if (from < chunk.length) add(chunk.slice(from));
  }
  if (units === 0) return;
  const line = close();
  if (line !== null) yield line;
}
