import { posix } from "node:path";
import {
  committedFile,
  notAppliedGroup,
  patchPaths,
  patchText,
  planPatch,
  rejectedPatchText,
  type PatchFileState,
  type PatchPath,
  type PlannedFile,
  type PlaceOptions,
} from "../../src/engine/index.ts";
import { applyPatchTool } from "../../src/tools/applyPatch.ts";

/** Files of one folder, by path: a text, or a state that is no text. */
export type PatchFiles = ReadonlyMap<string, string | PatchFileState>;

export interface PatchRun {
  readonly status: "applied" | "partial" | "rejected";
  /** What the model reads. */
  readonly text: string;
  readonly after: ReadonlyMap<string, string | PatchFileState>;
  readonly files: readonly PlannedFile[];
}

const ROOT = "/w";

/** Paths as an adapter resolves them on a file system without links that tells case apart. */
export function resolvePath(path: string): PatchPath {
  const name = posix.resolve(ROOT, path);
  const shown = name.startsWith(`${ROOT}/`) ? name.slice(ROOT.length + 1) : name;
  return { key: name, name, shown };
}

/** Decodes, plans and carries out one apply_patch call over a map. `before` is not changed. */
export function runPatch(
  before: PatchFiles,
  arrived: { readonly raw?: string; readonly input?: unknown },
  options: PlaceOptions = { ambiguousHunk: "note" },
  resolve: (path: string) => PatchPath = resolvePath,
): PatchRun {
  const rejected = (text: string): PatchRun => ({
    status: "rejected",
    text,
    after: before,
    files: [],
  });
  const decoded = applyPatchTool.decode(arrived);
  if (decoded.kind === "refused") return rejected(decoded.text);
  const request = applyPatchTool.validate(decoded.args);
  if (!request.ok) return rejected(request.problem.text);
  const { parsed, removed } = request.value;
  const paths = new Map(patchPaths(parsed.doc).map((path) => [path, resolve(path)]));
  const snapshot = new Map<string, PatchFileState>();
  for (const { key, shown } of paths.values()) snapshot.set(key, stateOf(before, shown));
  const plan = planPatch(parsed, paths, snapshot, options);
  if (plan.kind === "rejected") {
    const { text } = rejectedPatchText(plan.problem);
    return rejected(text);
  }
  const after = carryOut(before, plan.files);
  const { text } = patchText({
    committed: plan.files.map(committedFile),
    failed: plan.failed.map(notAppliedGroup),
    cleaned: removed,
    notes: [],
  });
  const status =
    plan.failed.length === 0 ? "applied" : plan.files.length === 0 ? "rejected" : "partial";
  return { status, text, after, files: plan.files };
}

function stateOf(before: PatchFiles, shown: string): PatchFileState {
  const file = before.get(shown);
  if (file === undefined) {
    const isFolder = [...before.keys()].some((path) => path.startsWith(`${shown}/`));
    return isFolder
      ? {
          kind: "blocked",
          explanation: { message: `apply_patch path is not a regular file: ${shown}` },
        }
      : { kind: "missing", similar: [] };
  }
  return typeof file === "string" ? { kind: "text", text: file } : file;
}

function carryOut(before: PatchFiles, files: readonly PlannedFile[]): PatchFiles {
  const after = new Map(before);
  for (const file of files) {
    const { shown } = file.path;
    switch (file.kind) {
      case "add":
      case "update":
        after.set(shown, contentOf(before, file.content));
        break;
      case "delete":
        after.delete(shown);
        break;
      case "move": {
        const content = before.get(file.from.shown);
        if (content === undefined) throw new Error(`nothing to move: ${file.from.shown}`);
        if (after.has(shown)) throw new Error(`moved onto a file: ${shown}`);
        after.delete(file.from.shown);
        after.set(shown, file.change?.after ?? content);
        break;
      }
      case "unchanged":
    }
  }
  return after;
}

function contentOf(
  before: PatchFiles,
  content: Extract<PlannedFile, { kind: "add" | "update" }>["content"],
): string | PatchFileState {
  if (content.kind === "text") return content.text;
  const bytes = before.get(content.key.slice(ROOT.length + 1));
  if (bytes === undefined) throw new Error(`no bytes of ${content.key}`);
  return bytes;
}
