import { ORDERED_STEPS, type HunkIndex } from "./hunkIndex.ts";

/** What became of a hunk's headers. */
export interface Anchor {
  /** Line of the last header that was found; null when none was, or there is none. */
  readonly at: number | null;
  /** Line of the first header that was found. */
  readonly firstAt: number | null;
  /** Headers that are no complete line from where they were searched. They do not count any further. */
  readonly missing: readonly string[];
}

/**
 * Searches the headers in order, each below the one before. A header is one complete line under one of the
 * ordered steps, each tried over the whole range. A header that is not found is soft: it is left out.
 */
export function findAnchor(
  index: HunkIndex,
  headers: readonly string[],
  from: number,
  end: number,
): Anchor {
  let at: number | null = null;
  let firstAt: number | null = null;
  const missing: string[] = [];
  for (const header of headers) {
    const found = findHeader(index, header, at === null ? from : at + 1, end);
    if (found === null) missing.push(header);
    else {
      at = found;
      firstAt ??= found;
    }
  }
  return { at, firstAt, missing };
}

/** Line of the last header when the headers, all of them, stand in this order once more further down; else null. */
export function hasSecondAnchor(
  index: HunkIndex,
  headers: readonly string[],
  anchor: Anchor,
  end: number,
): number | null {
  if (anchor.firstAt === null) return null;
  const second = findAnchor(
    index,
    headers.filter((header) => !anchor.missing.includes(header)),
    anchor.firstAt + 1,
    end,
  );
  return second.missing.length > 0 ? null : second.at;
}

function findHeader(index: HunkIndex, header: string, from: number, end: number): number | null {
  for (const step of ORDERED_STEPS) {
    const [found] = index.places(step, [header], from, end, 1);
    if (found !== undefined) return found;
  }
  return null;
}
