import { trimSpace } from "../engine/index.ts";
import { isRecord, own } from "./editFilesShape.ts";

/** The edits that a stored call asked of one file, for showing only: nothing is ever planned from it. */
export interface StoredGroup {
  readonly path: string;
  readonly edits: readonly StoredEdit[];
}

export interface StoredEdit {
  /** Place in the flat list; of the old shape, counted over its files in order. */
  readonly index: number;
  readonly oldText: string;
  readonly newText: string;
  readonly replaceAll: boolean;
}

/**
 * Reads the arguments of a call that was stored, streamed in part, or made by an older version: the flat list, the
 * old `files` list with `old_text` or `search` keys, either of them also as a JSON text. What cannot be read is left
 * out; nothing is refused.
 */
export function readStoredArgs(args: unknown): readonly StoredGroup[] {
  const record = parsed(args);
  if (!isRecord(record)) return [];
  const flat = parsed(own(record, "edits"));
  const files = parsed(own(record, "files"));
  if (Array.isArray(flat))
    return grouped(flat.map((item: unknown, index) => readEdit(item, index)));
  if (Array.isArray(files)) return grouped(oldShape(files));
  return [];
}

interface PlacedEdit extends StoredEdit {
  readonly path: string;
}

function readEdit(item: unknown, index: number): PlacedEdit | null {
  if (!isRecord(item)) return null;
  const path = own(item, "path");
  return typeof path === "string" ? { ...textsOf(item, index), path } : null;
}

function oldShape(files: readonly unknown[]): readonly (PlacedEdit | null)[] {
  const edits: (PlacedEdit | null)[] = [];
  for (const file of files) {
    if (!isRecord(file)) continue;
    const path = own(file, "path");
    const list = parsed(own(file, "edits"));
    if (typeof path !== "string" || !Array.isArray(list)) continue;
    for (const item of list as readonly unknown[])
      edits.push(isRecord(item) ? { ...textsOf(item, edits.length), path } : null);
  }
  return edits;
}

function textsOf(item: Readonly<Record<string, unknown>>, index: number): StoredEdit {
  const text = (...keys: readonly string[]): string => {
    for (const key of keys) {
      const value = own(item, key);
      if (typeof value === "string") return value;
    }
    return "";
  };
  return {
    index,
    oldText: text("old_text", "search"),
    newText: text("new_text", "replace"),
    replaceAll: own(item, "replace_all") === true,
  };
}

/** Grouped as the executor does: by trimmed path, in the order of first edits. */
function grouped(edits: readonly (PlacedEdit | null)[]): readonly StoredGroup[] {
  const byPath = new Map<string, StoredEdit[]>();
  for (const edit of edits) {
    if (edit === null) continue;
    const { path: sent, ...rest } = edit;
    const path = trimSpace(sent);
    if (path === "") continue;
    const same = byPath.get(path);
    if (same === undefined) byPath.set(path, [rest]);
    else same.push(rest);
  }
  return Array.from(byPath, ([path, own]) => ({ path, edits: own }));
}

/** A text that is JSON is read; any other value is itself. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    // Half of a text that is still streaming: there is nothing to show of it yet.
    return undefined;
  }
}
