import { fail } from "../base/result.ts";
import { SourceText, textChange } from "../engine/index.ts";
import type { Explanation, FileProblem } from "../engine/index.ts";
import { commitUnit, type Committed } from "./commit.ts";
import { judge, sameBytes } from "./evidence.ts";
import type { FileRef, FileSnapshot, Ports, ReadBack, Snapshot, WriteReply } from "./ports.ts";
import type { FileRecord } from "./record.ts";
import type { PlanFailure, UnitPlan } from "./unit.ts";
import { explain, type Spoken } from "./words.ts";

/**
 * Steps of a change of several files that stands or falls as one, and the way back from each. Every way back gives
 * null when what was there is there again, else what is to be told of it; text that somebody wrote on top of ours
 * is never taken away.
 */
export type PutBackPorts = Pick<Ports, "workspace" | "store" | "logBug"> & Spoken;

/** Takes back one written file: the inverse of its own change, on what is there now. `label` is for the undo list. */
export async function putBackUnit(
  ports: PutBackPorts,
  file: FileRef,
  before: Snapshot,
  done: Extract<Committed, { kind: "applied" }>,
  label: string,
): Promise<Explanation | null> {
  if (done.plan.kind === "delete")
    return before.kind === "missing" ? null : bringBack(ports, before, label);
  const now = await ports.workspace.look(file);
  if (!now.ok) return explain(ports, now.problem);
  const plan = inverseOf(done.plan, now.value);
  if (plan === null) return explain(ports, { code: "read-back-differs", path: file.asked });
  const replan = (): { ok: false; problem: PlanFailure } =>
    fail({
      error: explain(ports, { code: "kept-changing", path: file.asked, tries: 1 }),
      missed: false,
    });
  const request = { file, snapshot: now.value, plan, label, replan };
  const undone = await commitUnit(ports, request, new AbortController().signal);
  return undone.kind === "applied" ? null : undone.error;
}

function inverseOf(plan: UnitPlan, now: Snapshot): UnitPlan | null {
  if (plan.kind === "delete" || now.kind !== "file" || !now.body.ok) return null;
  const { text } = now.body.value;
  // Whatever came on top of our own text since is not ours to take away.
  if (text !== (plan.kind === "create" ? plan.text : plan.change.after)) return null;
  if (plan.kind === "create") return { kind: "delete", notes: [] };
  const back = plan.change.edit.invert(plan.change.before.text);
  const change = textChange(SourceText.of(plan.change.after), back, []);
  return { kind: "update", change, notes: [] };
}

/** What became of a file that was to be made. `failed`: nothing of ours is there. */
export type Made =
  | { readonly kind: "made"; readonly mode: number | null }
  | { readonly kind: "failed" | "unknown"; readonly error: Explanation };

/**
 * Makes a file with these bytes and this mode where nothing is. The beginning of the bytes, left by a write that failed,
 * is ours and goes again; anything else that is there afterwards is somebody's.
 */
export async function makeFile(
  ports: PutBackPorts,
  file: FileRef,
  { bytes, mode }: Pick<FileSnapshot, "bytes" | "mode">,
  label: string,
): Promise<Made> {
  const failed = await attempt(ports, file, () => ports.workspace.create(file, bytes, mode, label));
  if (failed?.untouched === true) return { kind: "failed", error: failed.error };
  const path = file.asked;
  const seen = await ports.workspace.readBack(file);
  if (!seen.ok) return { kind: "unknown", error: explain(ports, seen.problem) };
  const { disk } = seen.value;
  if (sameBytes(disk, bytes)) return { kind: "made", mode: seen.value.mode };
  if (disk === null) {
    const cause = "the file was not made";
    const error = failed?.error ?? explain(ports, { code: "write-failed", path, cause });
    return { kind: "failed", error };
  }
  const differs = explain(ports, { code: "read-back-differs", path });
  if (failed === null || !sameBytes(disk, bytes.subarray(0, disk.length)))
    return { kind: "unknown", error: differs };
  const stuck = await removeAgain(ports, file, disk, label);
  return stuck === null
    ? { kind: "failed", error: failed.error }
    : { kind: "unknown", error: stuck };
}

/** Makes a deleted file again, where nothing is. */
export async function bringBack(
  ports: PutBackPorts,
  base: FileSnapshot,
  label: string,
): Promise<Explanation | null> {
  const made = await makeFile(ports, base.file, base, label);
  if (made.kind === "made") return null;
  // Perhaps it was never gone.
  const seen = await ports.workspace.readBack(base.file);
  return seen.ok && sameBytes(seen.value.disk, base.bytes) ? null : made.error;
}

/** Takes a file away that was made with just these bytes. */
export async function removeAgain(
  ports: PutBackPorts,
  file: FileRef,
  bytes: Uint8Array,
  label: string,
): Promise<Explanation | null> {
  const now = await ports.workspace.look(file);
  if (!now.ok) return explain(ports, now.problem);
  const { value } = now;
  if (value.kind === "missing") return null;
  if (!sameBytes(value.bytes, bytes))
    return explain(ports, { code: "read-back-differs", path: file.asked });
  const failed = await attempt(ports, file, () => ports.workspace.remove(value, label));
  const seen = await ports.workspace.readBack(file);
  if (!seen.ok) return explain(ports, seen.problem);
  if (seen.value.disk === null) return null;
  return failed?.error ?? explain(ports, { code: "read-back-differs", path: file.asked });
}

/** Why a write did not do what it was to do. */
export interface Failed {
  readonly error: Explanation;
  /** It says for certain that it wrote nothing: what is there now is somebody else's, however much it looks like ours. */
  readonly untouched: boolean;
}

/** Runs one write; null when it says that it is done. The read-back decides, this is the reason when it failed. */
export async function attempt(
  ports: PutBackPorts,
  { asked }: FileRef,
  write: () => Promise<WriteReply>,
): Promise<Failed | null> {
  try {
    const reply = await write();
    if (reply.kind === "done") return null;
    const problem: FileProblem =
      reply.kind === "failed" ? reply.problem : { code: "changed-after-planning", path: asked };
    const untouched = reply.kind === "moved-on" || problem.code === "file-exists";
    return { error: explain(ports, problem), untouched };
  } catch (error) {
    ports.logBug(error);
    return { error: explain(ports, { code: "internal", path: asked }), untouched: false };
  }
}

/** The end of one rename, told from what is at both places. */
export type Renamed =
  { readonly kind: "moved" } | { readonly kind: "stayed" | "unknown"; readonly error: Explanation };

/** Moves a file with its bytes and mode to a place where nothing is. */
export async function renameTo(
  ports: PutBackPorts,
  source: FileSnapshot,
  target: FileRef,
  label: string,
): Promise<Renamed> {
  const failed = await attempt(ports, target, () => ports.workspace.rename(source, target, label));
  if (failed?.untouched === true) return { kind: "stayed", error: failed.error };
  const path = target.asked;
  const from = await ports.workspace.readBack(source.file);
  const to = await ports.workspace.readBack(target);
  if (!from.ok) return { kind: "unknown", error: failed?.error ?? explain(ports, from.problem) };
  if (!to.ok) return { kind: "unknown", error: failed?.error ?? explain(ports, to.problem) };
  const has = (seen: ReadBack): boolean => sameBytes(seen.disk, source.bytes);
  if (from.value.disk === null && has(to.value)) return { kind: "moved" };
  const text = source.body.ok ? source.body.value.text : null;
  const gone = { bytes: null, text: null };
  const stayed =
    judge({ bytes: source.bytes, text }, gone, from.value) === "unchanged" &&
    // A failure beside a file with these very bytes may have left a second name of it.
    (to.value.disk === null || (failed !== null && !has(to.value)));
  const error =
    failed?.error ??
    explain(
      ports,
      stayed
        ? { code: "write-failed", path, cause: "the file did not move" }
        : { code: "read-back-differs", path },
    );
  return { kind: stayed ? "stayed" : "unknown", error };
}

export async function renameBack(
  ports: PutBackPorts,
  source: FileSnapshot,
  target: FileRef,
  label: string,
): Promise<Explanation | null> {
  const now = await ports.workspace.look(target);
  if (!now.ok) return explain(ports, now.problem);
  if (now.value.kind === "missing")
    return explain(ports, { code: "file-missing", path: target.asked, similar: [] });
  const renamed = await renameTo(ports, now.value, source.file, label);
  return renamed.kind === "moved" ? null : renamed.error;
}

/** Both sides of a change of bytes, for the record. A store that fails costs the undo, never the call. */
export async function keptBytes(
  { store, logBug }: Pick<Ports, "store" | "logBug">,
  { before, after }: { readonly before: FileSnapshot | null; readonly after: Uint8Array },
): Promise<Partial<FileRecord>> {
  try {
    return {
      ...(before === null ? {} : { hashBefore: await store.keep(before.bytes) }),
      ...(before === null || before.mode === null ? {} : { modeBefore: before.mode }),
      hashAfter: await store.keep(after),
    };
  } catch (error) {
    logBug(error);
    return {};
  }
}
