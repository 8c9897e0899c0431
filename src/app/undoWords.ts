import { explainFile, writeHindrance } from "../engine/index.ts";
import type { FileProblem } from "../engine/index.ts";
import type { Words } from "./words.ts";

/** What an undo says of a file. A person reads it: there is nothing to send, and nobody else to be asked. */
export const UNDO_WORDS: Words = {
  explain: (problem) => ({ message: messageOf(problem), advice: adviceOf(problem) }),
  changedOnSave: () =>
    "Changed on save: the editor's save actions changed the text further, the diff shows what is on disk.",
};

/** What is wrong is the same whoever reads it, where it speaks of the file alone. */
function messageOf(problem: FileProblem): string {
  switch (problem.code) {
    case "interrupted":
      return "not undone because the undo was stopped";
    case "changed-after-planning":
      return "file changed after the undo was planned, so nothing was written";
    case "path-not-absolute":
      return `more than one workspace folder has this file: ${problem.path}`;
    case "denied":
      return problem.by === "trust" ? "workspace is not trusted" : "a rule does not allow it";
    default:
      return explainFile(problem).message;
  }
}

function adviceOf(problem: FileProblem): string {
  switch (problem.code) {
    case "path-not-absolute":
    case "path-empty":
    case "path-control-character":
    case "path-half-character":
    case "path-foreign-scheme":
    case "path-device":
      return "Open the workspace that the call was made in, or undo the change by hand.";
    case "path-outside":
      return "Open the folder that it is in, then undo it again.";
    case "file-missing":
      return "If it was moved or deleted, bring it back first, then undo it again.";
    case "file-is-folder":
    case "file-not-regular":
    case "file-exists":
      return "Move what is there away first, then undo it again.";
    case "file-binary":
    case "file-too-large":
    case "result-too-large":
      return "Undo the change by hand or from version control.";
    case "file-undecodable":
      return "Set files.encoding for it or convert it to UTF-8, then undo it again.";
    case "file-read-only":
      return problem.by === "setting"
        ? "Take it out of files.readonlyInclude, then undo it again."
        : "Make it writable, then undo it again.";
    case "file-unreadable":
      return hindered(problem.cause) ?? "Check its path and its permissions, then undo it again.";
    case "changed-on-disk":
    case "kept-changing":
    case "changed-after-planning":
      return "Look at what changes it, then undo it again.";
    case "dirty-and-newer-on-disk":
    case "dirty-needs-bytes":
    case "dirty-would-be-lost":
      return "Save or revert it in the editor first, then undo it again.";
    case "not-encodable":
      return "Convert the file to UTF-8 first, then undo it again.";
    case "write-failed":
      return hindered(problem.cause) ?? LOOK;
    case "save-failed":
    case "save-timed-out":
    case "read-back-differs":
    case "read-back-failed":
    case "internal":
      return LOOK;
    case "notebook-open":
      return "Close it in the editor first, then undo it again.";
    case "interrupted":
      return "Undo it again if you still want it.";
    case "denied":
      return problem.by === "trust"
        ? "Trust the workspace first, then undo it again."
        : "Change the rule first, then undo it again.";
  }
}

const LOOK = "Compare the versions, then undo it again or put it right by hand.";

function hindered(cause: string): string | null {
  switch (writeHindrance(cause)) {
    case "not-allowed":
      return "Check the permissions of the file and its folder, then undo it again.";
    case "no-room":
      return "Make room on the disk, then undo it again.";
    case "not-connected":
      return "Connect its file system again, then undo it again.";
    case "not-a-folder":
      return "A folder of its path is a file now: move that away, then undo it again.";
    case null:
      return null;
  }
}
