import type { FileRecord } from "../record.ts";
import { isObject } from "./items.ts";

/** A file that a call names, before anything is looked at. */
export interface NamedFile {
  readonly path: string;
  readonly operation: FileRecord["operation"];
}

const FILES_MAX = 1_000;
const HEADER = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;

/** The files a stored call speaks of, each once, in order; what it takes to find the call by a path. */
export function namedFiles(tool: string, args: unknown): readonly NamedFile[] {
  const files = new Map<string, NamedFile>();
  for (const file of all(tool, args)) {
    if (files.size === FILES_MAX) break;
    if (!files.has(file.path)) files.set(file.path, file);
  }
  return [...files.values()];
}

function* all(tool: string, args: unknown): Generator<NamedFile> {
  if (!isObject(args)) return;
  if (tool === "apply_patch") {
    if (typeof args["patch"] === "string") yield* ofPatch(args["patch"]);
    return;
  }
  if (tool === "edit_files") {
    const { edits } = args;
    for (const edit of Array.isArray(edits) ? edits : [])
      if (isObject(edit) && typeof edit["path"] === "string")
        yield { path: edit["path"].trim(), operation: "update" };
    return;
  }
  if (typeof args["path"] !== "string") return;
  yield { path: args["path"].trim(), operation: tool === "delete" ? "delete" : "update" };
}

/** Headers only: whether the patch is a good one is for its tool to say. */
function* ofPatch(patch: string): Generator<NamedFile> {
  let open: NamedFile | null = null;
  for (const line of patch.split("\n")) {
    if (!line.startsWith("*** ")) continue;
    const header = HEADER.exec(line.trimEnd());
    const move = MOVE.exec(line.trimEnd());
    if (header !== null) {
      if (open !== null) yield open;
      const [, verb, path = ""] = header;
      open = {
        path: path.trim(),
        operation: verb === "Add" ? "add" : verb === "Delete" ? "delete" : "update",
      };
    } else if (move !== null && open !== null) {
      yield open;
      open = { path: (move[1] ?? "").trim(), operation: "move" };
    }
  }
  if (open !== null) yield open;
}
