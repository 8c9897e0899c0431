import {
  explainFile,
  type Explanation,
  type PatchDoc,
  type PlannedFile,
} from "../../engine/index.ts";
import { sameBytes } from "../evidence.ts";
import type { Ports, Snapshot } from "../ports.ts";
import { commitPlanned, type WrittenFile } from "./commitPatch.ts";
import type { PatchFiles } from "./patchFiles.ts";

/** How the commit of a whole patch ended; every planned file is in exactly one of its lists. */
export type PatchCommit =
  /** `left` were not started when the call was interrupted. */
  | {
      readonly kind: "committed";
      readonly written: readonly WrittenFile[];
      readonly left: readonly PlannedFile[];
    }
  /** Somebody changed a file between plan and commit; nothing was written. */
  | { readonly kind: "moved-on"; readonly path: string; readonly error: Explanation }
  /** A write failed; what this commit had written is put back, but for `stuck`. */
  | {
      readonly kind: "rolled-back";
      readonly failed: PlannedFile;
      readonly error: Explanation;
      readonly stuck: readonly { readonly file: PlannedFile; readonly error: Explanation }[];
    };

export interface Progress {
  readonly started: (file: PlannedFile) => void;
  readonly written: (file: WrittenFile) => void;
}

type CommitPorts = Pick<Ports, "workspace" | "store" | "logBug">;

/**
 * Rechecks every file of the plan, then writes them. All or nothing against failures: one that fails takes back what
 * this commit wrote before. An interruption is looked for between independent files only, so that no operation is
 * ever half done.
 */
export async function commitAll(
  ports: CommitPorts,
  doc: PatchDoc,
  files: PatchFiles,
  planned: readonly PlannedFile[],
  progress: Progress,
  signal: AbortSignal,
): Promise<PatchCommit> {
  const moved = await recheck(ports, files, planned);
  if (moved !== null) return moved;
  const written: WrittenFile[] = [];
  const toItsEnd = new AbortController().signal;
  const groups = independentGroups(doc, files, planned);
  for (const [place, group] of groups.entries()) {
    if (signal.aborted) return { kind: "committed", written, left: groups.slice(place).flat() };
    for (const file of group) {
      progress.started(file);
      const done = await commitPlanned(ports, files, file, toItsEnd);
      if (done.kind === "written") {
        written.push(done.file);
        progress.written(done.file);
        continue;
      }
      const stuck = await rollBack(ports, written);
      if (done.kind === "unknown") stuck.push({ file, error: done.error });
      return { kind: "rolled-back", failed: file, error: done.error, stuck };
    }
  }
  return { kind: "committed", written, left: [] };
}

/** In reverse order. A file that cannot be put back does not keep the others from it. */
async function rollBack(
  ports: CommitPorts,
  written: readonly WrittenFile[],
): Promise<{ file: PlannedFile; error: Explanation }[]> {
  const stuck: { file: PlannedFile; error: Explanation }[] = [];
  for (const { planned, undo } of written.toReversed()) {
    let error: Explanation | null;
    try {
      error = await undo();
    } catch (bug) {
      ports.logBug(bug);
      error = explainFile({ code: "internal", path: planned.path.shown });
    }
    if (error !== null) stuck.push({ file: planned, error });
  }
  return stuck;
}

async function recheck(
  ports: CommitPorts,
  files: PatchFiles,
  planned: readonly PlannedFile[],
): Promise<PatchCommit | null> {
  const keys = new Set<string>();
  for (const file of planned) {
    keys.add(file.path.key);
    if (file.kind === "move") keys.add(file.from.key);
  }
  for (const key of keys) {
    const ref = files.refs.get(key);
    const before = files.snapshots.get(key);
    if (ref === undefined || before === undefined) continue;
    const now = await ports.workspace.look(ref);
    if (now.ok && sameSnapshot(before, now.value)) continue;
    const error = explainFile({ code: "changed-after-planning", path: ref.asked });
    return { kind: "moved-on", path: ref.asked, error };
  }
  return null;
}

function sameSnapshot(before: Snapshot, now: Snapshot): boolean {
  if (before.kind === "missing" || now.kind === "missing") return before.kind === now.kind;
  if (before.mode !== now.mode || !sameBytes(before.bytes, now.bytes)) return false;
  if (before.body.ok !== now.body.ok) return false;
  return !before.body.ok || !now.body.ok || before.body.value.text === now.body.value.text;
}

/** Planned files that share an operation or a path belong together; the order of the plan is kept within each. */
function independentGroups(
  doc: PatchDoc,
  files: PatchFiles,
  planned: readonly PlannedFile[],
): readonly (readonly PlannedFile[])[] {
  const root = new Map<string, string>();
  const find = (key: string): string => {
    let at = key;
    for (let up = root.get(at); up !== undefined && up !== at; up = root.get(at)) at = up;
    return at;
  };
  for (const operation of doc.operations) {
    if (operation.kind !== "update" || operation.moveTo === null) continue;
    const from = files.paths.get(operation.path)?.key;
    const to = files.paths.get(operation.moveTo)?.key;
    if (from !== undefined && to !== undefined) root.set(find(from), find(to));
  }
  const groups = new Map<string, PlannedFile[]>();
  for (const file of planned) {
    const key = find(file.path.key);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [file]);
    else group.push(file);
  }
  return [...groups.values()];
}
