import { LIMITS } from "../limits.ts";
import type { FileRecord } from "../record.ts";
import type { FileUnit } from "../unit.ts";

/** How a unit waits in the record before anything is known of its file. */
export function recordOf(unit: FileUnit): FileRecord {
  return {
    path: unit.path,
    shown: unit.path,
    operation: unit.operation,
    phase: "waiting",
    ...(unit.edits === undefined ? {} : { edits: unit.edits }),
    requested: cut(unit.requested),
    resend: unit.resend.length > LIMITS.requestedUnitsMax ? cut(unit.resend) : unit.resend,
  };
}

/** What a model asked for, as plain words and text: never laid out like a diff. */
export function requestedEdits(
  edits: readonly { readonly name: string; readonly oldText: string; readonly newText: string }[],
): string {
  return edits
    .map(({ name, oldText, newText }) => `${name}\nreplace:\n${oldText}\nwith:\n${newText}`)
    .join("\n\n");
}

export function cut(text: string): string {
  const { requestedUnitsMax } = LIMITS;
  return text.length <= requestedUnitsMax
    ? text
    : `${text.slice(0, requestedUnitsMax)}\n… (${text.length - requestedUnitsMax} more characters)`;
}
