import type { Explanation, FileProblem, FileStatus } from "../engine/index.ts";
import { UNDO_WORDS } from "./undoWords.ts";

/** Why a change cannot be taken back. Data; `explainUndo` has the words. */
export type UndoProblem =
  /** The call did not change this file, or nobody knows whether it did. */
  | {
      readonly code: "undo-nothing-done";
      readonly path: string;
      readonly status: FileStatus | null;
    }
  /** The record says too little: an imported or old call, or one whose contents could not be kept. */
  | { readonly code: "undo-not-kept"; readonly path: string }
  | { readonly code: "undo-already-done"; readonly path: string }
  | { readonly code: "undo-no-such-hunk"; readonly path: string; readonly hunk: number }
  /** The call gave the file other bytes than those of a changed text, so it has no hunks that could go back alone. */
  | { readonly code: "undo-only-whole"; readonly path: string }
  /** The store failed; what the call left may well be in it. */
  | { readonly code: "undo-store-failed"; readonly path: string }
  /** What is at the path now is not a file, or not the one that the call changed. `to`: where the path leads. */
  | {
      readonly code: "undo-other-place";
      readonly path: string;
      readonly is: "link" | "folder" | "other";
      readonly to?: string;
    }
  | { readonly code: "undo-file-missing"; readonly path: string }
  /** Something stands where the deleted or moved file was. */
  | { readonly code: "undo-place-taken"; readonly path: string }
  /** Numbers of the present lines that somebody changed, from 1; `count` 0: lines were removed there. */
  | {
      readonly code: "undo-changed-since";
      readonly path: string;
      readonly number: number;
      readonly count: number;
      readonly by: readonly LaterCall[];
    }
  /** The whole file differs from what the call left, and only the very same file may be deleted or moved. */
  | { readonly code: "undo-file-differs"; readonly path: string; readonly by: readonly LaterCall[] }
  | { readonly code: "undo-unsaved"; readonly path: string }
  /** The call put one of these files in the place of the other, so they go back together or not at all. */
  | { readonly code: "undo-together"; readonly path: string; readonly other: string }
  | { readonly code: "undo-unreadable"; readonly path: string; readonly problem: FileProblem };

/** A call that changed the same file later, newest first; at most a few are named. */
export interface LaterCall {
  readonly id: string;
  readonly tool: string;
  readonly startedAt: number;
}

export function explainUndo(problem: UndoProblem): Explanation {
  const { path } = problem;
  switch (problem.code) {
    case "undo-nothing-done":
      return problem.status === "unknown"
        ? {
            message: `It is not known whether the call changed ${path}.`,
            advice: "Look at the file itself; nothing was touched.",
          }
        : {
            message: `The call did not change ${path}, so there is nothing to undo.`,
            advice: NOTHING_TO_DO,
          };
    case "undo-not-kept":
      return {
        message: `What the call changed in ${path} was not kept, or was dropped to save space.`,
        advice: "It can only be undone by hand or from version control.",
      };
    case "undo-already-done":
      return { message: `${path} is already as it was before the call.`, advice: NOTHING_TO_DO };
    case "undo-no-such-hunk":
      return {
        message: `The call has no change ${problem.hunk + 1} in ${path}.`,
        advice: "Undo the file instead, or choose a change that its diff shows.",
      };
    case "undo-only-whole":
      return {
        message: `The call changed the bytes of ${path} as a whole (its encoding, or content that is no text), so no single change of it can go back.`,
        advice: "Undo the file instead.",
      };
    case "undo-store-failed":
      return {
        message: `What the call changed in ${path} could not be read from the store just now.`,
        advice: "Undo it again; nothing was touched.",
      };
    case "undo-other-place":
      return otherPlace(problem);
    case "undo-file-missing":
      return {
        message: `${path} is not there any more, so nothing can be undone in it.`,
        advice: "If it was moved, move it back first.",
      };
    case "undo-place-taken":
      return {
        message: `${path} exists again; undo would overwrite it.`,
        advice: "Move that file away first.",
      };
    case "undo-changed-since":
      return {
        message: `${linesOf(problem.number, problem.count)} of ${path} changed after the call${byWhom(problem.by)}.`,
        advice:
          "Compare the versions and take over what you need; nothing was undone in this file.",
      };
    case "undo-file-differs":
      return {
        message: `${path} is not what the call left${byWhom(problem.by)}.`,
        advice: "Compare the versions first; nothing was undone in this file.",
      };
    case "undo-unsaved":
      return { message: `${path} has unsaved changes.`, advice: "Save or revert it first." };
    case "undo-together":
      return {
        message: `${path} was not undone, because ${problem.other} cannot be, and the call put one in the place of the other.`,
        advice: `See what keeps ${problem.other} from going back, then undo both.`,
      };
    case "undo-unreadable":
      return UNDO_WORDS.explain(problem.problem);
  }
}

const NOTHING_TO_DO = "Nothing needs to be done.";

function otherPlace({
  path,
  is,
  to,
}: Extract<UndoProblem, { code: "undo-other-place" }>): Explanation {
  const what = {
    link: `a link now${to === undefined ? "" : `, to ${to}`}`,
    folder: "a folder now",
    other: `not where the call found it: a link on its path leads ${to === undefined ? "elsewhere" : `to ${to}`} now, or none does any more`,
  }[is];
  return {
    message: `${path} is ${what}, so nothing was undone there.`,
    advice:
      is === "other"
        ? "Put the folders and links on its path back first, then undo it again."
        : "Move that away first, then undo it again.",
  };
}

function linesOf(number: number, count: number): string {
  if (count === 0) return `Text at line ${number}`;
  return count === 1 ? `Line ${number}` : `Lines ${number} to ${number + count - 1}`;
}

function byWhom(by: readonly LaterCall[]): string {
  if (by.length === 0) return "";
  return ` (later calls to this file: ${by.map(({ tool, id }) => `${tool} ${id}`).join(", ")})`;
}
