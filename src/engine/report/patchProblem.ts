import type { Miscounts } from "../match/miscount.ts";
import type { SpellingCause } from "../match/misspelled.ts";
import type { Explanation, NearLine } from "./outcome.ts";

/** A fault of the patch text. `number` is the patch line, from 1. Any of them refuses the whole patch. */
export type ParseProblem =
  | { readonly code: "patch-blank" }
  | { readonly code: "only-invisible"; readonly count: number }
  | { readonly code: "patch-too-large"; readonly units: number; readonly max: number }
  | { readonly code: "control-character"; readonly codePoint: number; readonly number: number }
  | { readonly code: "begin-missing"; readonly line: string }
  | { readonly code: "end-missing"; readonly line: string }
  | { readonly code: "no-operation" }
  | { readonly code: "too-many-operations"; readonly number: number; readonly max: number }
  | { readonly code: "unknown-operation"; readonly number: number; readonly line: string }
  | { readonly code: "empty-path"; readonly number: number }
  | { readonly code: "add-line-without-plus"; readonly number: number }
  | { readonly code: "add-without-content"; readonly number: number; readonly path: string }
  | { readonly code: "update-without-hunk"; readonly number: number; readonly path: string }
  | { readonly code: "hunk-header-expected"; readonly number: number }
  | { readonly code: "empty-hunk"; readonly number: number; readonly path: string }
  | { readonly code: "context-only-hunk"; readonly number: number; readonly path: string }
  | { readonly code: "line-without-marker"; readonly number: number };

/** Which hunk of its operation: the I-th of N, counted from 1. */
export interface HunkPlace {
  readonly hunk: number;
  readonly of: number;
}

/** Why a hunk has no place in the file, or may not be written there. Line numbers are the file's, from 1. */
export type PlacementProblem =
  | (HunkPlace & HunkMiss & { readonly code: "hunk-not-found" })
  /** Several places fit equally well, and the setting says that this is an error. */
  | (HunkPlace & { readonly code: "hunk-ambiguous"; readonly numbers: readonly number[] })
  | (HunkPlace & { readonly code: "look-alike-unsafe"; readonly number: number })
  | (HunkPlace & {
      readonly code: "indentation-unknown";
      readonly number: number;
      readonly line: string;
    })
  /** Lines to insert, and an anchor that is not in the file. */
  | (HunkPlace & { readonly code: "insertion-anchor-missing"; readonly header: string })
  /** Lines to insert with nothing but a line number to say where. */
  | (HunkPlace & { readonly code: "insertion-by-number"; readonly number: number })
  /** A context line without its leading space, in a hunk that has no certain place when read so. */
  | (HunkPlace & { readonly code: "line-without-marker"; readonly number: number })
  | (HunkPlace & { readonly code: "too-much-rework" });

/** What is known of a hunk that matches nowhere. */
export interface HunkMiss {
  readonly firstLine: string;
  readonly hasBlankContext: boolean;
  /** Places that read the same but for punctuation and spacing, when there is more than one. */
  readonly lookAlikeNumbers: readonly number[];
  readonly hint: MissHint;
  /** Where the file already reads as the hunk would leave it. */
  readonly appliedAt: number | null;
  /** True when the hunk removes lines, so that they may have been swapped with those it adds. */
  readonly removesLines: boolean;
  /** A way of writing with which the lines would be there. */
  readonly spelling: SpellingCause | null;
  readonly miscounts: Miscounts | null;
  /** Headers that were found, so that the place had to be below them. */
  readonly anchorNumber: number | null;
  readonly near: readonly NearLine[];
}

export type MissHint =
  | { readonly kind: "none" }
  | { readonly kind: "absent" }
  | {
      readonly kind: "nearest";
      readonly number: number;
      readonly expected: string;
      readonly found: string;
    }
  | { readonly kind: "earlier"; readonly number: number }
  /** A hunk of the end of the file, whose lines stand where the file goes on behind them. */
  | { readonly kind: "before-end"; readonly number: number }
  | { readonly kind: "part-of-line"; readonly number: number }
  | {
      readonly kind: "diverges";
      readonly matched: number;
      readonly number: number;
      readonly expected: string;
      /** Null when the file ends there. */
      readonly found: string | null;
    }
  | {
      readonly kind: "best-fit";
      readonly number: number;
      readonly matched: number;
      readonly of: number;
      readonly differsAt: number;
      readonly expected: string;
      readonly found: string;
    }
  | {
      readonly kind: "closest";
      readonly number: number;
      readonly percent: number;
      readonly found: string;
      readonly expected: string;
    };

/** Why an operation, and with it its file group, is not applied. `path` is the path a result shows. */
export type GroupProblem =
  | { readonly code: "add-exists"; readonly path: string }
  | { readonly code: "source-missing"; readonly path: string; readonly similar: readonly string[] }
  | { readonly code: "move-target-exists"; readonly path: string }
  | { readonly code: "file"; readonly path: string; readonly explanation: Explanation }
  | { readonly code: "placement"; readonly path: string; readonly problem: PlacementProblem }
  | { readonly code: "skipped"; readonly path: string }
  | { readonly code: "rolled-back"; readonly path: string }
  | { readonly code: "rolled-back-with"; readonly path: string };

/** Why nothing of a patch may be written. */
export type EnvelopeProblem =
  | { readonly code: "malformed"; readonly problems: readonly ParseProblem[] }
  | { readonly code: "move-to-itself"; readonly path: string }
  /** A link stands at the path. `leadsTo` is the file to be named instead. */
  | { readonly code: "not-regular"; readonly path: string; readonly leadsTo: string }
  | { readonly code: "overlap"; readonly first: string; readonly second: string };
