import { exhausted } from "../../base/assert.ts";
import { reportedEncoding } from "../encoding/names.ts";
import { isSurrogate } from "../text/loneSurrogate.ts";
import type { Explanation } from "./outcome.ts";
import type { FileProblem } from "./problem.ts";

/**
 * The one place where a problem with a file becomes sentences. `message` says what is wrong, `advice` what to do
 * next; both are read by models, so they are short and plain.
 */
export function explainFile(problem: FileProblem): Explanation {
  switch (problem.code) {
    case "path-not-absolute":
      return {
        message: `file path must be absolute: ${JSON.stringify(problem.path)}`,
        advice: "Send the full path, beginning with the workspace folder.",
      };
    case "path-empty":
      return { message: "path must not be empty", advice: "Set path to the file to change." };
    case "path-control-character":
      return {
        message: `path contains control character ${unicodeName(problem.codePoint)}`,
        advice: "Send the path without it.",
      };
    case "path-half-character":
      return {
        message: `path contains ${sayHalf(problem.codePoint)} name can hold`,
        advice: "Send the whole character.",
      };
    case "path-outside":
      return {
        message:
          problem.real === null
            ? "path is outside the workspace"
            : `path leads outside the workspace, to ${problem.real}`,
        advice: "Edit files of the workspace only, or ask the user to allow this path.",
      };
    case "path-foreign-scheme":
      return {
        message: `path has scheme "${problem.scheme}", which is not the workspace's`,
        advice: "Send an absolute path of the workspace.",
      };
    case "path-device":
      return {
        message: "path names a device, not a file",
        advice: "Send the path of a regular file.",
      };
    case "file-missing":
      return {
        message: `open ${problem.path}: file does not exist`,
        advice:
          problem.similar.length === 0
            ? "Check the path by listing its folder."
            : `Check the path; similar names there: ${problem.similar.join(", ")}.`,
      };
    case "file-is-folder":
      return {
        message: `open ${problem.path}: not a file but a folder`,
        advice: "Send the path of a file in it.",
      };
    case "file-not-regular":
      return {
        message: `open ${problem.path}: not a regular file`,
        advice: "Send the path of a regular file.",
      };
    case "file-binary":
      return {
        message: "file is binary and cannot be edited as text",
        advice: "Change it with the program that makes it.",
      };
    case "file-undecodable":
      return {
        message: `file is not valid UTF-8 and could not be read in another encoding without loss${tried(problem.tried)}`,
        advice: "Convert the file to UTF-8 first, or ask the user to set files.encoding for it.",
      };
    case "file-too-large":
      return {
        message: `file has ${problem.bytes} bytes, more than the limit of ${problem.bytesMax}`,
        advice: "Change it with a script.",
      };
    case "result-too-large":
      return {
        message: `file would have ${problem.bytes} bytes, more than the limit of ${problem.bytesMax}`,
        advice: "Write it with a script.",
      };
    case "file-read-only":
      return {
        message:
          problem.by === "setting"
            ? "file is read-only by the setting files.readonlyInclude"
            : "file is read-only: its permissions do not allow writing",
        advice: "Leave this file alone, or ask the user to make it writable.",
      };
    case "file-unreadable":
      return {
        message: `file could not be read: ${CAUSE[problem.cause] ?? problem.cause}`,
        advice:
          writeHindrance(problem.cause) === "not-connected"
            ? HINDERED["not-connected"]
            : "Check the path and its permissions, then send the edits again.",
      };
    case "file-exists":
      return {
        message: `cannot add file that already exists: ${problem.path}`,
        advice: "Read it and update it, or choose another path.",
      };
    case "changed-on-disk":
      return {
        message: "file changed on disk while it was read",
        advice: "Read the file again, then send edits for its present text.",
      };
    case "dirty-and-newer-on-disk":
      return {
        message: "file has unsaved changes and a newer version on disk",
        advice: "Ask the user to save or revert it in the editor first.",
      };
    case "dirty-needs-bytes":
      return {
        message: `file has unsaved changes and ${NEEDS_BYTES[problem.why]}`,
        advice: "Ask the user to save it first, then send the edits again.",
      };
    case "dirty-would-be-lost":
      return {
        message: "file has unsaved changes that would be lost",
        advice: "Ask the user to save or revert it in the editor first.",
      };
    case "kept-changing":
      return {
        message: `file kept changing: planned ${problem.tries} times and each time it had moved on`,
        advice: "Read the file again, then send edits for its present text.",
      };
    case "changed-after-planning":
      return {
        message: "file changed after the edits were planned, so nothing was written",
        advice: "Read the file again, then send edits for its present text.",
      };
    case "not-encodable":
      if (isSurrogate(problem.codePoint))
        return {
          message: `new text contains ${sayHalf(problem.codePoint)} text file can hold`,
          advice: "Send the whole character.",
        };
      return {
        message: `new text contains ${unicodeName(problem.codePoint)}, which encoding ${reportedEncoding(problem.encoding)} of the file cannot hold`,
        advice: "Use characters of that encoding, or convert the file to UTF-8 first.",
      };
    case "write-failed":
      return {
        message: `writing failed: ${CAUSE[problem.cause] ?? problem.cause}`,
        advice: writeAdvice(problem.cause),
      };
    case "save-failed":
      return {
        message: `saving failed: ${problem.cause}`,
        advice: "Read the file again before you resend its edits.",
      };
    case "save-timed-out":
      return {
        message: `saving did not end within ${problem.afterMs} ms`,
        advice: "Read the file again before you resend its edits.",
      };
    case "read-back-differs":
      return {
        message: "after writing, the file holds neither its old nor its new text",
        advice: "Read the file again before you resend its edits.",
      };
    case "read-back-failed":
      return {
        message: `after writing, the file could not be read back: ${CAUSE[problem.cause] ?? problem.cause}`,
        advice: "Read the file again before you resend its edits.",
      };
    case "notebook-open":
      return {
        message: "notebook is open in the editor and cannot be edited as text",
        advice: "Use notebook tools, or ask the user to close it first.",
      };
    case "interrupted":
      return {
        message: "not sent because the tool call was interrupted",
        advice: "Send it again if it is still wanted.",
      };
    case "denied":
      return denied(problem);
    case "internal":
      return {
        message: "an internal error of Agent Edit Review stopped this file",
        advice: "Read the file again, then send its edits once more.",
      };
    default:
      return exhausted(problem);
  }
}

const NEEDS_BYTES = {
  "mixed-endings": "mixed line endings, which an editor cannot keep",
  encoding: "an encoding that the editor would not keep",
  size: "a size that the editor does not take edits for",
} as const;

/** A rule that is read more strictly than it was meant looks like any other: the reason goes with the denial. */
function denied({ by, unreadable = [] }: Extract<FileProblem, { code: "denied" }>): Explanation {
  const { message, advice } = DENIED[by];
  if (unreadable.length === 0 || by === "user" || by === "trust") return { message, advice };
  const named = unreadable.slice(0, UNREADABLE_RULES_MAX).join(" ");
  const more = unreadable.length - UNREADABLE_RULES_MAX;
  const rest = more > 0 ? ` And ${more} more.` : "";
  return {
    message,
    advice: `${advice} The user's permission rules hold lines that cannot be read, which are taken strictly: ${named}${rest}`,
  };
}

const UNREADABLE_RULES_MAX = 3;

const DENIED = {
  user: {
    message: "denied by the user",
    advice: "Do not send it again; ask the user how to go on.",
  },
  rule: {
    message: "denied by a permission rule",
    advice: "Sending it again will be denied again; leave this file alone or ask the user.",
  },
  trust: {
    message: "denied because the workspace is not trusted",
    advice: "Ask the user to trust the workspace first.",
  },
  nobody: {
    message: "not approved: a rule wants a person to approve this file, and nobody answered",
    advice: "Ask the user to approve it or to change the rule, then send it again.",
  },
} as const;

/** Names that an editor's file systems give their errors, in place of those of a system. */
const CAUSE: Readonly<Record<string, string>> = {
  Unavailable: "its file system is not connected",
  NoPermissions: "its file system does not permit it",
};
function writeAdvice(cause: string): string {
  const hindrance = writeHindrance(cause);
  return hindrance === null
    ? "Read the file again before you resend its edits."
    : HINDERED[hindrance];
}

/** What hinders a reader or writer, by the system's error code, where something can be done about it. */
export type Hindrance = "not-allowed" | "no-room" | "not-connected" | "not-a-folder";

export function writeHindrance(cause: string): Hindrance | null {
  return HINDRANCE[cause] ?? null;
}

const HINDRANCE: Readonly<Record<string, Hindrance>> = {
  EACCES: "not-allowed",
  EPERM: "not-allowed",
  EROFS: "not-allowed",
  NoPermissions: "not-allowed",
  Unavailable: "not-connected",
  ENOSPC: "no-room",
  EDQUOT: "no-room",
  ENOTDIR: "not-a-folder",
};

const HINDERED: Readonly<Record<Hindrance, string>> = {
  "not-allowed": "Leave this file alone, or ask the user to make its folder writable.",
  "no-room": "Ask the user to make room on the disk, then send it again.",
  "not-connected": "Ask the user to connect it again, then send the edits again.",
  "not-a-folder": "A folder of this path is a file: check the path.",
};

function tried(encodings: readonly string[]): string {
  return encodings.length === 0 ? "" : ` (tried ${encodings.map(reportedEncoding).join(", ")})`;
}

/** As a noun phrase that wants what cannot hold it. */
export function sayHalf(codePoint: number): string {
  return `${unicodeName(codePoint)}, one half of a surrogate pair, which no`;
}

/** A code point as people write it: U+ and at least four digits. */
export function unicodeName(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
}
