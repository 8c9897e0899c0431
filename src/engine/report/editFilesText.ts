import { diffRoom } from "./diffRoom.ts";
import type { Explanation, FileOutcome } from "./outcome.ts";

/** What the model reads after `edit_files`, and how the call is to be marked. */
export interface EditFilesText {
  readonly text: string;
  readonly isError: boolean;
  readonly status: "applied" | "partial" | "error";
  /** The one sentence (or few) that sums the call up. */
  readonly message: string;
}

/**
 * Words the outcomes of one call. `outcomes` are in the order of the files' first edits; `diagnostics` are new errors
 * in the changed files. Something applied, or applied before: JSON. Nothing: plain lines, one a file.
 */
export function editFilesText(
  outcomes: readonly FileOutcome[],
  diagnostics: readonly string[] = [],
): EditFilesText {
  const failed = outcomes.filter(({ status }) => status === "rejected" || status === "unknown");
  const done = outcomes.filter(
    ({ status }) => status === "applied" || status === "already_applied",
  );
  if (done.length === 0) return nothingApplied(outcomes);
  const status = failed.length === 0 ? "applied" : "partial";
  const message = messageOf(outcomes, status);
  const room = diffRoom();
  const result = {
    status,
    message,
    files: [...failed, ...done].map((outcome) => entryOf(outcome, room)),
    ...(diagnostics.length === 0 ? {} : { diagnostics }),
  };
  return { text: JSON.stringify(result), isError: false, status, message };
}

function messageOf(outcomes: readonly FileOutcome[], status: "applied" | "partial"): string {
  const count = (wanted: FileOutcome["status"]): number =>
    outcomes.filter((outcome) => outcome.status === wanted).length;
  const applied = count("applied");
  const repeated = count("already_applied");
  const parts: string[] = [];
  if (applied > 0)
    parts.push(`${status === "applied" ? "Applied edits to" : "Applied"} ${files(applied)}.`);
  if (repeated > 0)
    parts.push(
      `${files(repeated)} ${repeated === 1 ? "was" : "were"} already applied by your previous call.`,
    );
  for (const { path, status: one, edits = [] } of outcomes)
    if (one === "rejected")
      parts.push(
        `${path} was not applied (${noneApplied(edits)}): fix and resend only the edits for ${path}.`,
      );
  for (const { path, status: one, edits = [] } of outcomes)
    if (one === "unknown")
      parts.push(
        `It is unknown whether ${path} was applied (${named(edits)}): re-read ${path} before resending its edits.`,
      );
  return parts.join(" ");
}

function files(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}

function named(edits: readonly number[]): string {
  return edits.map((index) => `edits[${index}]`).join(", ");
}

function noneApplied(edits: readonly number[]): string {
  return edits.length === 1
    ? `${named(edits)} was not applied`
    : `none of ${named(edits)} were applied`;
}

/** The order of the keys is part of the contract. */
function entryOf(
  outcome: FileOutcome,
  room: (diff: string) => string | null,
): Readonly<Record<string, unknown>> {
  const { path, status, edits = [], diff, note, error } = outcome;
  switch (status) {
    case "rejected":
    case "unknown":
      return { path, status, edits, error: sentence(error) };
    case "applied": {
      const leftOut = diff === undefined ? null : room(diff);
      const words = [note, leftOut].filter((one) => one !== undefined && one !== null).join(" ");
      return {
        path,
        status,
        ...(diff === undefined || leftOut !== null ? {} : { diff }),
        ...(words === "" ? {} : { message: words }),
      };
    }
    case "already_applied":
      return { path, status, message: note ?? alreadyAppliedNote(edits) };
  }
}

/** What is said of edits that the previous call applied; also beside the diff of a file with other edits. */
export function alreadyAppliedNote(edits: readonly number[]): string {
  const was = edits.length === 1 ? "was" : "were";
  return `${named(edits)} matched your previous call and ${was} not applied again.`;
}

function nothingApplied(outcomes: readonly FileOutcome[]): EditFilesText {
  const message = outcomes.some(({ status }) => status === "unknown")
    ? "No files were applied, except that files marked unknown may have been."
    : "No files were applied.";
  const lines = outcomes.map(({ path, status, edits = [], error }) => {
    const reason = sentence(error);
    const said =
      status === "unknown"
        ? `unknown whether applied (${reason}); re-read it before resending its edits`
        : reason;
    return `- ${path} (${named(edits)}): ${said}`;
  });
  return { text: [message, ...lines].join("\n"), isError: true, status: "error", message };
}

/** What is wrong, then what to do: one line, however the parts end. */
function sentence(error: Explanation | undefined): string {
  if (error === undefined) return "";
  const { message, advice } = error;
  if (advice === undefined || advice === "") return message;
  return `${message}${/[.!?…]$/u.test(message) ? "" : "."} ${advice}`;
}
