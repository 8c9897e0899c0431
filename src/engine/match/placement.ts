import type { LineChange } from "./hunkChanges.ts";
import type { LineStep } from "./hunkIndex.ts";

/** Where a hunk goes. Indexes are file lines, from 0. */
export interface Placement {
  /** First file line of the hunk's old lines, without the `skipped` ones. */
  readonly index: number;
  /** This many old lines, all context, stand in what the hunk before left, and nothing is to be done for them. */
  readonly skipped: number;
  /** Old lines that stand in the file from `index` on. */
  readonly count: number;
  readonly step: LineStep;
  /** Line numbers of further places that fit equally well; empty when there was no choice. */
  readonly otherNumbers: readonly number[];
  readonly tolerances: readonly HunkTolerance[];
  /** All headers of the hunk were found, and there are some. */
  readonly anchored: boolean;
}

/** Tolerances besides the steps: what a hunk may be written like and still be placed. */
export type HunkTolerance = "blank-last-line" | "context-without-space" | "overlapping-context";

/** The lines a hunk may stand in, and what came before it in the same file. */
export interface Room {
  /** First line behind the hunk before. */
  readonly cursor: number;
  /** Behind the last line that is free: an End of File hunk may have taken the tail. */
  readonly end: number;
  readonly previous: PreviousHunk | null;
  /** Headers of the hunk before, when all of them were found: the text behind it still lies below them. */
  readonly below: readonly string[];
}

export interface PlaceOptions {
  /** Several equally good places at an ordered step: the first with a note, or an error. */
  readonly ambiguousHunk: "note" | "reject";
}

/** What a placed hunk left behind, for a next hunk that quotes it. */
export interface PreviousHunk {
  /** Behind the last line that the hunk changed: what comes from here on is as in the file. */
  readonly changeEnd: number;
  /** From here on, with these changes, `linesAfter` tells what the hunk left. Few hunks quote it. */
  readonly index: number;
  readonly changes: readonly LineChange[];
}
