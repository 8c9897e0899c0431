import { diffArrays } from "diff";

/** Lines `oldFrom`..`oldTo` of the old side gave way to lines `newFrom`..`newTo` of the new side. */
export interface ChangedRun {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

export interface Alignment {
  /** Sorted, apart from each other by at least one common line. */
  readonly runs: readonly ChangedRun[];
  /** False when the bound was reached and what differs is one run. */
  readonly minimal: boolean;
  /** Work done, in comparisons, to be taken from the caller's budget. */
  readonly steps: number;
}

/** Enough for some 1,400 changed lines in one block, a tenth of a second; more is shown as one block. */
export const ALIGN_STEPS_MAX = 2_000_000;

/**
 * Which lines of a changed block stayed. Cost is the square of what changed, so it is bounded by `stepsMax`.
 * Law: lines outside the runs are equal one by one, in order.
 */
export function alignLines(
  oldLines: readonly string[],
  newLines: readonly string[],
  stepsMax: number = ALIGN_STEPS_MAX,
): Alignment {
  const shorter = Math.min(oldLines.length, newLines.length);
  let prefix = 0;
  while (prefix < shorter && oldLines[prefix] === newLines[prefix]) prefix++;
  let suffix = 0;
  while (
    suffix < shorter - prefix &&
    oldLines[oldLines.length - 1 - suffix] === newLines[newLines.length - 1 - suffix]
  )
    suffix++;
  const whole: ChangedRun = {
    oldFrom: prefix,
    oldTo: oldLines.length - suffix,
    newFrom: prefix,
    newTo: newLines.length - suffix,
  };
  const oldCount = whole.oldTo - whole.oldFrom;
  const newCount = whole.newTo - whole.newFrom;
  if (oldCount === 0 && newCount === 0) return { runs: [], minimal: true, steps: shorter };
  if (oldCount === 0 || newCount === 0 || (oldCount === 1 && newCount === 1))
    return { runs: [whole], minimal: true, steps: shorter };

  const oldPart = oldLines.slice(whole.oldFrom, whole.oldTo);
  const newPart = newLines.slice(whole.newFrom, whole.newTo);
  // A file that is written anew: the search for common lines would cost most where there are none.
  if (!sharesLine(oldPart, newPart)) return { runs: [whole], minimal: true, steps: shorter };
  const changes = diffArrays(oldPart, newPart, {
    maxEditLength: Math.floor(Math.sqrt(Math.max(0, stepsMax))),
  });
  if (changes === undefined) return { runs: [whole], minimal: false, steps: Math.max(0, stepsMax) };

  const runs: ChangedRun[] = [];
  let oldAt = prefix;
  let newAt = prefix;
  let editLength = 0;
  let open: { oldFrom: number; newFrom: number } | null = null;
  for (const { added, removed, count } of changes) {
    if (!added && !removed) {
      if (open !== null) runs.push({ ...open, oldTo: oldAt, newTo: newAt });
      open = null;
      oldAt += count;
      newAt += count;
      continue;
    }
    open ??= { oldFrom: oldAt, newFrom: newAt };
    editLength += count;
    if (added) newAt += count;
    else oldAt += count;
  }
  if (open !== null) runs.push({ ...open, oldTo: oldAt, newTo: newAt });
  return { runs, minimal: true, steps: shorter + editLength * editLength };
}

function sharesLine(oldLines: readonly string[], newLines: readonly string[]): boolean {
  const known = new Set(newLines);
  return oldLines.some((line) => known.has(line));
}
