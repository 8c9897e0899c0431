import {
  explanationText,
  patchText,
  type CommittedFile,
  type Explanation,
  type FileOutcome,
  type NotApplied,
} from "../../engine/index.ts";
import type { PatchRequest } from "../../tools/applyPatch.ts";
import type { Ended } from "../handler.ts";
import type { FileRef } from "../ports.ts";
import type { UnitsContext } from "../runUnits.ts";

/** How a patch came out, before it is worded. */
export type PatchEnd = { readonly outcomes: readonly FileOutcome[] } & (
  | {
      readonly kind: "done";
      readonly committed: readonly CommittedFile[];
      readonly failed: readonly NotApplied[];
      readonly changed: readonly FileRef[];
    }
  /** The envelope as a whole; no file of it was planned. */
  | { readonly kind: "rejected"; readonly problem: Explanation }
  | { readonly kind: "moved-on"; readonly path: string; readonly error: Explanation }
  | {
      readonly kind: "rolled-back";
      readonly failed: string;
      readonly error: Explanation;
      readonly stuck: readonly { readonly shown: string; readonly error: Explanation }[];
      readonly changed: readonly FileRef[];
    }
);

interface Words {
  readonly text: string;
  readonly message: string;
  readonly isError: boolean;
}

/** Joins an end with the way to word it; the files of `missed` count for the re-read note. */
export function endOf(
  context: UnitsContext,
  request: PatchRequest,
  end: PatchEnd,
  missed: readonly FileRef[] = [],
): Ended {
  const { keeper } = context;
  if (end.kind === "rejected")
    keeper.update({
      files: keeper.record.files.map((file, index) => {
        const outcome = end.outcomes[index];
        return outcome === undefined ? file : { ...file, phase: "done" as const, outcome };
      }),
    });
  return {
    outcomes: end.outcomes,
    changed: "changed" in end ? end.changed : [],
    missed,
    word(outcomes, problems, notes) {
      const words = wordsOf(request, end);
      const repeats = outcomes.filter(({ status }) => status === "already_applied");
      const parts = [words.text];
      if (repeats.length > 0) parts.push(repeats.map(({ note = "" }) => note).join("\n"));
      if (problems.length > 0)
        parts.push(
          ["New problems in the changed files:", ...problems.map((one) => `- ${one}`)].join("\n"),
        );
      return { ...words, text: [...parts, ...notes].join("\n") };
    },
  };
}

function wordsOf(request: PatchRequest, end: PatchEnd): Words {
  switch (end.kind) {
    case "done": {
      const repeated = end.outcomes.some(({ status }) => status === "already_applied");
      if (repeated && end.committed.length === 0 && end.failed.length === 0)
        return {
          text: "Applied patch:\nNo net file changes",
          message: "Already applied.",
          isError: false,
        };
      return patchText({
        committed: end.committed,
        failed: end.failed,
        cleaned: request.removed,
        notes: notesOf(end.outcomes),
      });
    }
    case "rejected": {
      const { message } = end.problem;
      return {
        text: `${explanationText(end.problem)}\nNo files were modified.`,
        message,
        isError: true,
      };
    }
    case "moved-on": {
      const message = `apply_patch ${end.path} changed after planning. No files were modified.`;
      return {
        text: `${message}\n${explanationText(end.error)}`,
        message,
        isError: true,
      };
    }
    case "rolled-back":
      return rolledBack(end);
  }
}

function rolledBack({ failed, error, stuck }: Extract<PatchEnd, { kind: "rolled-back" }>): Words {
  const cause = `apply_patch commit failed: ${failed}: ${explanationText(error)}`;
  if (stuck.length === 0) {
    const text = `${cause}\nAll changes were rolled back; no files were modified. Send the patch again when the cause is gone.`;
    return { text, message: cause, isError: true };
  }
  const lines = stuck.map(({ shown, error: why }) => `- ${shown}: ${explanationText(why)}`);
  const text = [
    cause,
    "Changes were rolled back; rollback also failed for these files, re-read them before editing:",
    ...lines,
  ].join("\n");
  return { text, message: cause, isError: true };
}

/** What commits add to the placement notes, with the file in front. */
function notesOf(outcomes: readonly FileOutcome[]): readonly string[] {
  return outcomes.flatMap(({ path, status, unsaved }) =>
    status === "applied" && unsaved === true
      ? [`${path} is changed in the editor and not saved yet (unsaved)`]
      : [],
  );
}
