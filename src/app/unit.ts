import type { Result } from "../base/result.ts";
import type {
  Explanation,
  FileOperation,
  FileProblem,
  FileSizes,
  TextChange,
} from "../engine/index.ts";
import type { GuardEdit } from "./guard.ts";
import type { FileUse, Snapshot } from "./ports.ts";

/**
 * One file of a call that stands for itself: its failure touches no other file. A tool turns its request into
 * units; `runUnits` does everything that waits.
 */
export interface FileUnit {
  /** As the caller sent it, trimmed. */
  readonly path: string;
  readonly operation: FileOperation;
  readonly use: FileUse;
  /** Whether a relative path is taken from the workspace folder (edit, write, delete) or refused (edit_files). */
  readonly relative: boolean;
  readonly edits?: readonly number[];
  /** Decided before any file was read, for example by validation. */
  readonly refused?: Explanation;
  /** The tool's own words for what is wrong with the file; absent: the usual ones. */
  readonly explain?: (problem: FileProblem) => Explanation;
  /** The request as plain text, for "Requested, not applied". */
  readonly requested: string;
  /** What to send again when the file is rejected, ready to copy. */
  readonly resend: string;
  /** One entry for each of `edits`, in their order, for the guard; absent where repeats are not guarded. */
  readonly guarded?: readonly GuardEdit[];
  /** The edits stand or fall together, so that only a repeat of all of them is skipped. */
  readonly guardedWhole?: boolean;
  /** Plans the unit without the flat indexes that the guard skips. */
  plan(snapshot: Snapshot, skipped: ReadonlySet<number>): Result<UnitPlan, PlanFailure>;
}

export interface PlanFailure {
  readonly error: Explanation;
  /** The text was looked for with every tolerance and is not there: what the re-read note counts. */
  readonly missed: boolean;
}

/** `say` words the written file for tools whose result is a sentence. */
export type UnitPlan = {
  readonly notes: readonly string[];
  readonly say?: (sizes: FileSizes) => string;
} & (
  | { readonly kind: "update"; readonly change: TextChange }
  | { readonly kind: "create"; readonly text: string }
  | { readonly kind: "delete" }
);
