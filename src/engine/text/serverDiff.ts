import type { Edit } from "./splice.ts";
import type { SourceText } from "./sourceText.ts";

/**
 * The server diff: what one plan changes in one file, computed once from snapshot and splices. Nothing else in
 * the product makes a diff, least of all from call arguments.
 */
export interface ServerDiff {
  readonly hunks: readonly DiffHunk[];
  readonly added: number;
  readonly removed: number;
  /** False when the bound was reached, so a changed block is shown whole instead of line by line. */
  readonly minimal: boolean;
}

/** `oldNumber`/`newNumber` are 1-based line numbers of the hunk's first row on either side, as unified diffs count. */
export interface DiffHunk {
  readonly oldNumber: number;
  readonly oldCount: number;
  readonly newNumber: number;
  readonly newCount: number;
  readonly rows: readonly DiffRow[];
}

/** `text` is the line with a CR it may end in, without its LF. `unterminated` marks a last line without ending. */
export interface DiffRow {
  readonly kind: "context" | "removed" | "added";
  readonly text: string;
  readonly unterminated: boolean;
}

export type { Edit, SourceText };
