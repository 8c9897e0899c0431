import { ORDERED_STEPS, type HunkIndex, type LineStep } from "./hunkIndex.ts";

/** What became of a hunk's headers. */
export interface Anchor {
  /** Line of the last header that was found; null when none was, or there is none. */
  readonly at: number | null;
  /** Line of the first header that was found. */
  readonly firstAt: number | null;
  /** Headers that are no complete line from where they were searched. They do not count any further. */
  readonly missing: readonly string[];
  /** The loosest step that a header took. */
  readonly step: LineStep;
}

const NO_ANCHOR: Anchor = { at: null, firstAt: null, missing: [], step: "exact" };

/**
 * Searches the headers in order, each below the one before. A header is one complete line under one of the
 * ordered steps, each tried over the whole range. A header that is not found is soft: it is left out.
 */
export function findAnchor(
  index: HunkIndex,
  headers: readonly string[],
  from: number,
  end: number,
  steps: readonly LineStep[] = ORDERED_STEPS,
): Anchor {
  if (headers.length === 0) return NO_ANCHOR;
  let at: number | null = null;
  let firstAt: number | null = null;
  let loosest = 0;
  const missing: string[] = [];
  for (const header of headers) {
    const found = findHeader(index, header, at === null ? from : at + 1, end, steps);
    if (found === null) missing.push(header);
    else {
      at = found.at;
      firstAt ??= at;
      loosest = Math.max(loosest, found.step);
    }
  }
  return { at, firstAt, missing, step: ORDERED_STEPS[loosest] ?? "exact" };
}

/**
 * Line of the last header when the headers, all of them, stand in this order once more further down; else null.
 * Only under the steps that the anchor took: a looser place is not as good.
 */
export function secondAnchor(
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
    ORDERED_STEPS.slice(0, ORDERED_STEPS.indexOf(anchor.step) + 1),
  );
  return second.missing.length > 0 ? null : second.at;
}

function findHeader(
  index: HunkIndex,
  header: string,
  from: number,
  end: number,
  steps: readonly LineStep[],
): { readonly at: number; readonly step: number } | null {
  const lines = [header];
  for (let step = 0; step < steps.length; step++) {
    const [at] = index.places(steps[step] ?? "exact", lines, from, end, 1);
    if (at !== undefined) return { at, step };
  }
  return null;
}
