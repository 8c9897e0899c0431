import { trimSpace, type FileOutcome } from "../engine/index.ts";
import { LIMITS } from "./limits.ts";
import type { CallRecord, FileRecord } from "./record.ts";

/**
 * A stored call as the panel reads it. Calls of `edit_files` from before the flat list hold `files`, each with edits
 * of its own, and a result without a status per file; they get file records made of both, and the flag `legacy`.
 * Any other record is given back as it is, a new call that was refused for its `files` key among them.
 *
 * Law: a diff is the one the old result holds, or there is none; nothing is made from arguments.
 */
export function readStoredCall(call: CallRecord): CallRecord {
  if (call.tool !== "edit_files" || call.files.length > 0) return call;
  const groups = groupsOf(storedValue(call.args));
  if (groups === null) return call;
  const result = oldResult(call.result);
  if (result === null && !call.flags.includes("legacy")) return call;
  const flags = call.flags.includes("legacy") ? call.flags : [...call.flags, "legacy" as const];
  const files = groups.map((group) => fileRecord(group, result));
  return result === null
    ? { ...call, files, flags }
    : { ...call, files, flags, result: summary(result, files) };
}

interface Group {
  readonly path: string;
  readonly edits: readonly { readonly oldText: string; readonly newText: string }[];
}

/** An old result in its two forms: `{ok, files: [{path, diff}]}`, or `{error}`. */
type OldResult =
  | { readonly ok: true; readonly text: string; readonly diffs: ReadonlyMap<string, string | null> }
  | { readonly ok: false; readonly text: string; readonly error: string };

type Json = Readonly<Record<string, unknown>>;

/** Arguments and results were also stored as JSON text. */
function storedValue(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    // The parser's only word for "not JSON"; then the text is all there is.
    return value;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Grouped as the executor did: trimmed, by exact path, in the order of first appearance. Null for another shape. */
function groupsOf(args: unknown): readonly Group[] | null {
  if (!isObject(args) || "edits" in args) return null;
  const list = storedValue(args.files);
  if (!Array.isArray(list)) return null;
  const groups = new Map<string, Group["edits"]>();
  for (const file of list.slice(0, LIMITS.filesPerCallMax) as readonly unknown[]) {
    if (!isObject(file) || typeof file.path !== "string") continue;
    const path = trimSpace(file.path);
    const edits = Array.isArray(file.edits) ? (file.edits as readonly unknown[]) : [];
    groups.set(path, [...(groups.get(path) ?? []), ...edits.flatMap(editOf)]);
  }
  return Array.from(groups, ([path, edits]) => ({ path, edits }));
}

function editOf(edit: unknown): Group["edits"] {
  if (!isObject(edit)) return [];
  const oldText = edit.old_text ?? edit.search;
  const newText = edit.new_text ?? edit.replace;
  if (typeof oldText !== "string" || typeof newText !== "string" || oldText === "") return [];
  return [{ oldText, newText }];
}

/** Null: the result is one of ours, which tells of its files or of the whole call by itself. */
function oldResult(result: unknown): OldResult | null {
  const value = storedValue(result);
  if (!isObject(value)) return null;
  // Kept as the model read it, inside a record of ours.
  if (typeof value.text === "string" && typeof value.status === "string")
    return value.error === undefined ? oldResult(value.text) : null;
  const text = typeof result === "string" ? result : JSON.stringify(value);
  if (typeof value.error === "string") return { ok: false, text, error: value.error };
  if (typeof value.ok !== "boolean") return null;
  if (!value.ok) {
    const message = typeof value.message === "string" ? value.message : "Failed to edit files";
    return { ok: false, text, error: message };
  }
  const diffs = new Map<string, string | null>();
  for (const file of Array.isArray(value.files) ? (value.files as readonly unknown[]) : [])
    if (isObject(file) && typeof file.path === "string")
      diffs.set(trimSpace(file.path), typeof file.diff === "string" ? file.diff : null);
  return { ok: true, text, diffs };
}

function fileRecord({ path, edits }: Group, result: OldResult | null): FileRecord {
  const requested = edits
    .map(({ oldText, newText }, i) => `edit ${i + 1}\nreplace:\n${oldText}\nwith:\n${newText}`)
    .join("\n\n")
    .slice(0, LIMITS.requestedUnitsMax);
  const file = { path, shown: path, operation: "update" as const, requested };
  if (result === null) return { ...file, phase: "waiting" };
  return { ...file, phase: "done", outcome: outcomeOf(path, result) };
}

/** These calls stood or fell as a whole. */
function outcomeOf(path: string, result: OldResult): FileOutcome {
  if (!result.ok)
    return { path, operation: "update", status: "rejected", error: { message: result.error } };
  const diff = result.diffs.get(path) ?? null;
  return diff === null
    ? {
        path,
        operation: "update",
        status: "applied",
        note: "The diff of this change was not stored.",
      }
    : { path, operation: "update", status: "applied", diff };
}

function summary(
  result: OldResult,
  files: readonly FileRecord[],
): NonNullable<CallRecord["result"]> {
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  return {
    status: result.ok ? "applied" : "error",
    isError: !result.ok,
    text: result.text,
    message: result.ok ? `Applied edits to ${count}.` : result.error,
  };
}
