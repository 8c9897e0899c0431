import { at } from "../../base/assert.ts";
import {
  explainFile,
  operationTitle,
  patchPaths,
  type Explanation,
  type NewContent,
  type PatchDoc,
  type PatchFileState,
  type PatchPath,
  type PlannedFile,
} from "../../engine/index.ts";
import { deniedProblem } from "../permissions.ts";
import type { FileRef, FileSnapshot, FileUse, Snapshot } from "../ports.ts";
import type { UnitsContext } from "../runUnits.ts";

/** Every file of a patch as it was looked at before anything was decided. */
export interface PatchFiles {
  /** By path as written. */
  readonly paths: ReadonlyMap<string, PatchPath>;
  /** By key. */
  readonly states: ReadonlyMap<string, PatchFileState>;
  readonly refs: ReadonlyMap<string, FileRef>;
  readonly snapshots: ReadonlyMap<string, Snapshot>;
}

/**
 * Locates and looks at each path of the patch once. A path that may not be touched becomes a blocked file with the
 * reason; its operations fail, the others may go on.
 */
export async function lookAtPatch(
  doc: PatchDoc,
  { ports, tool, pathProblem }: UnitsContext,
): Promise<PatchFiles> {
  const paths = new Map<string, PatchPath>();
  const states = new Map<string, PatchFileState>();
  const refs = new Map<string, FileRef>();
  const snapshots = new Map<string, Snapshot>();
  for (const path of patchPaths(doc)) {
    const uses = usesOf(doc, path);
    const misplaced = pathProblem(path);
    if (misplaced !== null) {
      const key = `refused:${path}`;
      paths.set(path, { key, name: path, shown: path });
      states.set(key, blocked({ message: misplaced }));
      continue;
    }
    const found = await ports.workspace.locate(path, at(uses, 0), true);
    if (!found.ok) {
      // Nothing else can have this key, so a path that is refused stands for itself.
      const key = `refused:${path}`;
      paths.set(path, { key, name: path, shown: path });
      states.set(key, blocked(explainFile(found.problem)));
      continue;
    }
    const file = found.value;
    const key = file.real;
    paths.set(path, pathOf(file, key));
    if (states.has(key)) continue;
    refs.set(key, file);
    if (uses.some((use) => ports.permissions?.judge(file, use, tool) === "deny")) {
      states.set(key, blocked(explainFile(deniedProblem(path, "rule", ports.permissions))));
      continue;
    }
    const snapshot = await ports.workspace.look(file);
    if (!snapshot.ok) states.set(key, blocked(explainFile(snapshot.problem)));
    else {
      const twin = hardLinkOf(snapshot.value, snapshots);
      if (twin !== null) {
        // One key with two names: the plan refuses it as it does a link and its target.
        paths.set(path, pathOf(file, twin));
        refs.delete(key);
        continue;
      }
      snapshots.set(key, snapshot.value);
      states.set(key, stateOf(snapshot.value));
    }
  }
  return { paths, states, refs, snapshots };
}

function pathOf({ absolute, shown, linkTo }: FileRef, key: string): PatchPath {
  return { key, name: absolute, shown, ...(linkTo === undefined ? {} : { linkTo }) };
}

/** Key of a file looked at before that is the same one under another name. */
function hardLinkOf(snapshot: Snapshot, seen: ReadonlyMap<string, Snapshot>): string | null {
  if (snapshot.kind !== "file" || snapshot.identity === undefined) return null;
  for (const [key, other] of seen)
    if (other.kind === "file" && other.identity === snapshot.identity) return key;
  return null;
}

function blocked(explanation: Explanation): PatchFileState {
  return { kind: "blocked", explanation };
}

function stateOf(snapshot: Snapshot): PatchFileState {
  if (snapshot.kind === "missing") return { kind: "missing", similar: snapshot.similar };
  return snapshot.body.ok
    ? { kind: "text", text: snapshot.body.value.text, encoding: snapshot.body.value.encoding }
    : { kind: "undecodable", explanation: explainFile(snapshot.body.problem) };
}

/** What the operations do with one path; a move edits and removes its source and creates its target. */
export function usesOf(doc: PatchDoc, path: string): readonly FileUse[] {
  const uses = new Set<FileUse>();
  for (const operation of doc.operations) {
    if (operation.kind === "update") {
      if (operation.path === path) uses.add("edit");
      if (operation.path === path && operation.moveTo !== null) uses.add("delete");
      if (operation.moveTo === path) uses.add("create");
    } else if (operation.path === path) uses.add(operation.kind === "add" ? "create" : "delete");
  }
  return [...uses];
}

/** The snapshot of a file that the plan takes for present. */
export function presentFile(files: PatchFiles, key: string): FileSnapshot | undefined {
  const snapshot = files.snapshots.get(key);
  return snapshot?.kind === "file" ? snapshot : undefined;
}

/**
 * The bytes of content that comes from a file as it was looked at: its own, or another text in its encoding. Undefined
 * where that encoding cannot hold the text; text that comes from no file is UTF-8.
 */
export function bytesOf(files: PatchFiles, content: NewContent): Uint8Array | undefined {
  if (content.kind === "bytes-of") return presentFile(files, content.key)?.bytes;
  const body = content.from === null ? undefined : presentFile(files, content.from)?.body;
  if (body?.ok !== true) return new TextEncoder().encode(content.text);
  const bytes = body.value.encode(content.text);
  return bytes.ok ? bytes.value : undefined;
}

/**
 * Whether an update takes the file away and makes it anew: for bytes, for a text in another encoding, and for one that
 * was moved here from a file of another mode, which comes with it. Unsaved text would be lost that way, so an open
 * editor that has some takes the text and keeps its file's mode.
 */
export function isMadeAnew(
  files: PatchFiles,
  { path, change, content, recoded }: PlannedFile & { readonly kind: "update" },
): boolean {
  if (change === null || recoded === true) return true;
  if (content.kind !== "text" || content.from === null) return false;
  const both = [path.key, content.from].map((key) => presentFile(files, key));
  const [own, origin] = both;
  if (own?.mode === origin?.mode) return false;
  return both.every((file) => file?.body.ok === true && file.body.value.source === "disk");
}

export function titlesOf(doc: PatchDoc, indexes: readonly number[]): readonly string[] {
  return indexes.map((index) => operationTitle(at(doc.operations, index)));
}

/** The operations' own text, ready to be sent again. */
export function rawOf(doc: PatchDoc, indexes: readonly number[]): string {
  return indexes.map((index) => at(doc.operations, index).raw.replace(/\n$/, "")).join("\n");
}

export function envelope(raw: string): string {
  return `*** Begin Patch\n${raw}\n*** End Patch`;
}
