import type { EnvelopeProblem, GroupProblem } from "../report/patchProblem.ts";
import type { PlacedHunk } from "./planUpdate.ts";
import type { TextChange } from "./textChange.ts";
import type { PatchPath } from "./virtualFiles.ts";

export type PatchPlan =
  /** Nothing of the patch may be written. */
  | { readonly kind: "rejected"; readonly problem: EnvelopeProblem }
  | {
      readonly kind: "planned";
      /** What is to be written, in an order in which it can be: deletions first. */
      readonly files: readonly PlannedFile[];
      /** In the order of their first operations. */
      readonly failed: readonly FailedGroup[];
    };

/** What the applied operations come to for one file. */
export type PlannedFile = PlannedCommon &
  (
    | { readonly kind: "add"; readonly content: NewContent }
    /**
     * `change` is null only when bytes take the place of others as they are. `recoded`: the text comes from a file of
     * another encoding and keeps that, so it is not written into the one that is there.
     */
    | {
        readonly kind: "update";
        readonly change: TextChange | null;
        readonly content: NewContent;
        readonly recoded?: true;
      }
    /** `change` is null when the bytes stay as they are. */
    | { readonly kind: "move"; readonly from: PatchPath; readonly change: TextChange | null }
    | { readonly kind: "delete" }
    /** Touched by operations that leave it as it was, present or not. */
    | { readonly kind: "unchanged" }
  );

interface PlannedCommon {
  readonly path: PatchPath;
  /** Indexes of the operations that this file comes from, ascending. */
  readonly operations: readonly number[];
  /** Their hunks as they were placed, for notes. */
  readonly hunks: readonly PlacedHunk[];
  /** Names of the tolerances used, each once. */
  readonly tolerance: readonly string[];
}

export type NewContent =
  /** `from`: key of the file whose text it was, and whose encoding it has; null for the text of an added file. */
  | { readonly kind: "text"; readonly text: string; readonly from: string | null }
  /** The bytes that the file with this key has in the snapshot. */
  | { readonly kind: "bytes-of"; readonly key: string };

/** Operations on one source file, none of which is applied, each with its reason. */
export interface FailedGroup {
  readonly path: PatchPath;
  readonly operations: readonly {
    readonly index: number;
    readonly title: string;
    readonly problem: GroupProblem;
  }[];
}
