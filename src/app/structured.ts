import { explanationText, type FileOutcome } from "../engine/index.ts";
import type { FileResult, StructuredResult } from "../protocol/result.ts";

/** `applied` when nothing was rejected, `partial` when something was and something stands, else `error`. */
export function statusOf(outcomes: readonly FileOutcome[]): StructuredResult["status"] {
  const stands = outcomes.some((o) => o.status === "applied" || o.status === "already_applied");
  const failed = outcomes.some((o) => o.status === "rejected" || o.status === "unknown");
  if (!failed && outcomes.length > 0) return "applied";
  return stands ? "partial" : "error";
}

export function structuredResult(
  status: StructuredResult["status"],
  message: string,
  outcomes: readonly FileOutcome[],
): StructuredResult {
  const failed = (o: FileOutcome): boolean => o.status === "rejected" || o.status === "unknown";
  const ordered = [...outcomes.filter(failed), ...outcomes.filter((o) => !failed(o))];
  return { status, message, files: ordered.map(fileResult) };
}

function fileResult(outcome: FileOutcome): FileResult {
  const { error } = outcome;
  return {
    path: outcome.path,
    status: outcome.status,
    operation: outcome.operation,
    ...(outcome.edits === undefined ? {} : { edits: [...outcome.edits] }),
    ...(outcome.operations === undefined ? {} : { operations: [...outcome.operations] }),
    ...(outcome.diff === undefined ? {} : { diff: outcome.diff }),
    ...(error === undefined ? {} : { error: explanationText(error) }),
    ...(outcome.note === undefined ? {} : { note: outcome.note }),
    ...(outcome.movedFrom === undefined ? {} : { movedFrom: outcome.movedFrom }),
    ...(outcome.unsaved === undefined ? {} : { unsaved: outcome.unsaved }),
    ...(outcome.encoding === undefined ? {} : { encoding: outcome.encoding }),
    ...(outcome.tolerance === undefined ? {} : { tolerance: [...outcome.tolerance] }),
  };
}
