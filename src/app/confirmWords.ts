import { parseUnified } from "../engine/index.ts";
import type { FileResult } from "../protocol/result.ts";
import { LIMITS } from "./limits.ts";
import type { Preview } from "./preview.ts";
import type { FileRecord } from "./record.ts";

/** Translates one English text; `{0}` and so on stand for `values`. */
export type Say = (text: string, ...values: (string | number)[]) => string;

export interface Confirmation {
  readonly title: string;
  /** Markdown in which nothing of the call is anything but text. */
  readonly message: string;
}

/**
 * What VS Code shows before a tool runs: the planned server diff of every file that a rule wants asked, cut to a
 * bound with a line that says so, and the other files by name. `panelAsks`: the review panel asks once more.
 */
export function confirmationOf(
  tool: string,
  { asked, files }: Preview,
  panelAsks: boolean,
  say: Say,
): Confirmation {
  let room: number = LIMITS.confirmationRowsMax;
  const parts: string[] = [];
  for (const file of asked.slice(0, LIMITS.confirmationFilesMax)) {
    const rows = rowsOf(file);
    parts.push(headOf(file, say));
    if (rows.length > 0) parts.push(fenced(rows.slice(0, room)));
    if (room < rows.length) parts.push(say("{0} more lines of the diff", rows.length - room));
    room = Math.max(0, room - rows.length);
  }
  const left = asked.length - LIMITS.confirmationFilesMax;
  if (left > 0) parts.push(say("And {0} more files that need approval.", left));
  const paths = new Set(asked.map(({ path }) => path));
  const others = files.filter(({ path }) => !paths.has(path));
  parts.push(...othersOf(others, say));
  if (panelAsks) parts.push(say("Edit Review then asks for each of these files."));
  return {
    title:
      asked.length === 1
        ? say("Let {0} change a file that needs your approval?", tool)
        : say("Let {0} change {1} files that need your approval?", tool, asked.length),
    message: parts.join("\n\n"),
  };
}

function headOf({ shown, operation, movedFrom, proposed = "" }: FileRecord, say: Say): string {
  const { added, removed } = parseUnified(proposed);
  const name = code(shown);
  const counts = `+${added} −${removed}`;
  switch (operation) {
    case "add":
      return say("Create {0} ({1})", name, counts);
    case "delete":
      return say("Delete {0} ({1})", name, counts);
    case "move":
      return say("Move {0} to {1} ({2})", code(movedFrom ?? ""), name, counts);
    case "update":
      return say("Change {0} ({1})", name, counts);
  }
}

/** The rows of the diff without its two lines of headers, which name the path once more. */
function rowsOf({ proposed = "" }: FileRecord): readonly string[] {
  const rows = proposed.replace(/\n$/, "").split("\n").slice(2);
  return rows.map((row) =>
    row.length <= LIMITS.confirmationRowUnitsMax
      ? row
      : `${row.slice(0, LIMITS.confirmationRowUnitsMax)}…`,
  );
}

function othersOf(files: readonly FileResult[], say: Say): readonly string[] {
  const named = (status: FileResult["status"]): string =>
    files
      .filter((file) => file.status === status)
      .slice(0, LIMITS.confirmationFilesMax)
      .map(({ path }) => code(path))
      .join(", ");
  const allowed = named("applied");
  const failing = named("rejected");
  return [
    ...(allowed === "" ? [] : [say("Changed without approval, as the rules allow: {0}", allowed)]),
    ...(failing === "" ? [] : [say("Not changed, as these edits do not fit: {0}", failing)]),
  ];
}

/**
 * A fence longer than any in the text, so that the text cannot end it. The last row ends with an empty line: outside of
 * a chat VS Code shows the code without its fence, and whatever follows would stand behind the last row.
 */
function fenced(rows: readonly string[]): string {
  const text = rows.join("\n");
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}diff\n${text}\n\n${fence}`;
}

/** A code span, in which Markdown of a path is text. Line ends and other controls are shown, not obeyed. */
function code(path: string): string {
  const visible = path.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, "\ufffd");
  const longest = Math.max(0, ...[...visible.matchAll(/`+/g)].map(([run]) => run.length));
  const tick = "`".repeat(longest + 1);
  return `${tick}${longest > 0 ? ` ${visible} ` : visible}${tick}`;
}
