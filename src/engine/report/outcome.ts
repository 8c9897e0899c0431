/** What became of one file of a call. `unknown`: it was being written and could not be read back as old or new. */
export type FileStatus = "applied" | "rejected" | "already_applied" | "unknown";

export type FileOperation = "add" | "update" | "move" | "delete";

/** A line of the present file that helps to see why something did not match. `number` counts from 1. */
export interface NearLine {
  readonly number: number;
  readonly text: string;
}

/**
 * A failure in three parts, in this order: what is wrong (one line), what to do (plain), and the nearest lines of
 * the file. The model reads `message`, then `advice`; the panel shows all three.
 */
export interface Explanation {
  readonly message: string;
  readonly advice?: string;
  readonly near?: readonly NearLine[];
}

/** One file of a call's result; the structured result of a call is a list of these. */
export interface FileOutcome {
  /** The path as the caller wrote it, trimmed. */
  readonly path: string;
  readonly status: FileStatus;
  readonly operation: FileOperation;
  /** Flat indexes of the edits the entry speaks of (edit_files, edit), ascending. */
  readonly edits?: readonly number[];
  /** The patch operations of the group in words, for example "Update File: a.ts" (apply_patch). */
  readonly operations?: readonly string[];
  /** Server diff as unified text; "" when nothing changed. Present only on `applied`. */
  readonly diff?: string;
  readonly error?: Explanation;
  readonly note?: string;
  readonly movedFrom?: string;
  /** True when the change stands in an editor and not yet on disk. */
  readonly unsaved?: boolean;
  /** Present when the file is not UTF-8. */
  readonly encoding?: string;
  /** Names of the tolerances that a match took; absent or empty when all was exact. */
  readonly tolerance?: readonly string[];
}
