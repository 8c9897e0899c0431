import { fail } from "../../base/result.ts";
import {
  SourceText,
  explainFile,
  textChange,
  type Explanation,
  type PlannedFile,
} from "../../engine/index.ts";
import { commitUnit, type Committed } from "../commit.ts";
import { judge, sameBytes } from "../evidence.ts";
import type { FileRef, FileSnapshot, Ports, ReadBack, Snapshot } from "../ports.ts";
import type { PlanFailure, UnitPlan } from "../unit.ts";
import { presentFile, type PatchFiles } from "./patchFiles.ts";

export type CommitPorts = Pick<Ports, "workspace" | "store" | "logBug">;

/** One written file, with the way back. */
export interface WrittenFile {
  readonly planned: PlannedFile;
  readonly done: Extract<Committed, { kind: "applied" }>;
  /** Puts back what was there; null when it is there again, else what is to be told. */
  readonly undo: () => Promise<Explanation | null>;
}

export type FileCommit =
  | { readonly kind: "written"; readonly file: WrittenFile }
  /** Nothing of this file was written, or what was written has been put back. */
  | { readonly kind: "failed"; readonly error: Explanation }
  | { readonly kind: "unknown"; readonly error: Explanation };

const LABEL = "Agent edit (apply_patch)";

/** Writes one file of the plan and reads it back. `files` is the snapshot that the plan was made on. */
export async function commitPlanned(
  ports: CommitPorts,
  files: PatchFiles,
  planned: PlannedFile,
  signal: AbortSignal,
): Promise<FileCommit> {
  const { key } = planned.path;
  const file = files.refs.get(key);
  const snapshot = files.snapshots.get(key);
  if (file === undefined || snapshot === undefined) return internal(planned.path.shown);
  switch (planned.kind) {
    case "unchanged":
      return written(planned, nothingDone(snapshot), () => Promise.resolve(null));
    case "delete":
      return unit(ports, planned, file, snapshot, { kind: "delete", notes: [] }, signal);
    case "add":
      return planned.content.kind === "text"
        ? unit(
            ports,
            planned,
            file,
            snapshot,
            { kind: "create", text: planned.content.text, notes: [] },
            signal,
          )
        : createBytes(ports, files, planned, file, planned.content.key);
    case "update":
      return planned.change === null
        ? replaceBytes(ports, files, planned, file, signal)
        : unit(
            ports,
            planned,
            file,
            snapshot,
            { kind: "update", change: planned.change, notes: [] },
            signal,
          );
    case "move":
      return move(ports, files, planned, file, signal);
  }
}

async function unit(
  ports: CommitPorts,
  planned: PlannedFile,
  file: FileRef,
  snapshot: Snapshot,
  plan: UnitPlan,
  signal: AbortSignal,
): Promise<FileCommit> {
  const replan = (): { ok: false; problem: PlanFailure } =>
    fail({
      error: explainFile({ code: "changed-after-planning", path: file.asked }),
      missed: false,
    });
  const done = await commitUnit(ports, { file, snapshot, plan, label: LABEL, replan }, signal);
  switch (done.kind) {
    case "applied":
      return written(planned, done, () => undoUnit(ports, file, snapshot, done));
    case "rejected":
      return { kind: "failed", error: done.error };
    case "unknown":
      return { kind: "unknown", error: done.error };
  }
}

function written(
  planned: PlannedFile,
  done: Extract<Committed, { kind: "applied" }>,
  undo: WrittenFile["undo"],
): FileCommit {
  return { kind: "written", file: { planned, done, undo } };
}

function internal(path: string): FileCommit {
  return { kind: "failed", error: explainFile({ code: "internal", path }) };
}

function nothingDone(base: Snapshot): Extract<Committed, { kind: "applied" }> {
  const size = base.kind === "file" ? base.bytes.length : 0;
  return {
    kind: "applied",
    diff: "",
    unsaved: false,
    notes: [],
    plan: { kind: "delete", notes: [] },
    base,
    sizes: { bytesBefore: size, bytesAfter: size, encoding: "utf8" },
    kept: {},
  };
}

/** Takes back one written file: the inverse of its own change, on what is there now. */
async function undoUnit(
  ports: CommitPorts,
  file: FileRef,
  before: Snapshot,
  done: Extract<Committed, { kind: "applied" }>,
): Promise<Explanation | null> {
  const never = new AbortController().signal;
  if (done.plan.kind === "delete") {
    if (before.kind === "missing") return null;
    return bringBack(ports, file, before);
  }
  const now = await ports.workspace.look(file);
  if (!now.ok) return explainFile(now.problem);
  const plan = inverseOf(done.plan, now.value);
  if (plan === null) return explainFile({ code: "read-back-differs", path: file.asked });
  const replan = (): { ok: false; problem: PlanFailure } =>
    fail({
      error: explainFile({ code: "kept-changing", path: file.asked, tries: 1 }),
      missed: false,
    });
  const request = { file, snapshot: now.value, plan, label: `Undo: ${LABEL}`, replan };
  const undone = await commitUnit(ports, request, never);
  return undone.kind === "applied" ? null : undone.error;
}

function inverseOf(plan: UnitPlan, now: Snapshot): UnitPlan | null {
  if (plan.kind === "create") return { kind: "delete", notes: [] };
  if (plan.kind !== "update" || now.kind !== "file" || !now.body.ok) return null;
  // Whatever came on top of our own text since is not ours to take away.
  if (now.body.value.text !== plan.change.after) return null;
  const back = plan.change.edit.invert(plan.change.before.text);
  const change = textChange(SourceText.of(plan.change.after), back, []);
  return { kind: "update", change, notes: [] };
}

async function bringBack(
  ports: CommitPorts,
  file: FileRef,
  before: FileSnapshot,
): Promise<Explanation | null> {
  const reply = await attempt(ports, file, () =>
    ports.workspace.create(file, before.bytes, before.mode, `Undo: ${LABEL}`),
  );
  const seen = await ports.workspace.readBack(file);
  if (!seen.ok) return explainFile(seen.problem);
  if (sameBytes(seen.value.disk, before.bytes)) return null;
  return reply ?? explainFile({ code: "read-back-differs", path: file.asked });
}

/** Runs one write; null when it says that it is done. The read-back decides, this is the reason when it failed. */
async function attempt(
  ports: CommitPorts,
  file: FileRef,
  write: () => ReturnType<Ports["workspace"]["rename"]>,
): Promise<Explanation | null> {
  try {
    const reply = await write();
    if (reply.kind === "done") return null;
    return explainFile(
      reply.kind === "failed"
        ? reply.problem
        : { code: "changed-after-planning", path: file.asked },
    );
  } catch (error) {
    ports.logBug(error);
    return explainFile({ code: "internal", path: file.asked });
  }
}

/** Bytes that are no text, moved from another file of the patch to a place where nothing is. */
async function createBytes(
  ports: CommitPorts,
  files: PatchFiles,
  planned: PlannedFile,
  file: FileRef,
  originKey: string,
): Promise<FileCommit> {
  const origin = presentFile(files, originKey);
  if (origin === undefined) return internal(file.asked);
  const reason = await attempt(ports, file, () =>
    ports.workspace.create(file, origin.bytes, origin.mode, LABEL),
  );
  const seen = await ports.workspace.readBack(file);
  if (!seen.ok) return { kind: "unknown", error: explainFile(seen.problem) };
  if (sameBytes(seen.value.disk, origin.bytes)) {
    const done = { ...nothingDone(origin), kept: await keptBytes(ports, null, origin.bytes) };
    return written(planned, done, () => removeAgain(ports, file));
  }
  return failedAs(file, reason, seen.value.disk === null);
}

function failedAs(file: FileRef, reason: Explanation | null, untouched: boolean): FileCommit {
  const error = reason ?? explainFile({ code: "read-back-differs", path: file.asked });
  return { kind: untouched ? "failed" : "unknown", error };
}

async function keptBytes(
  ports: CommitPorts,
  before: Uint8Array | null,
  after: Uint8Array,
): Promise<{ hashBefore?: string; hashAfter?: string }> {
  try {
    return {
      ...(before === null ? {} : { hashBefore: await ports.store.keep(before) }),
      hashAfter: await ports.store.keep(after),
    };
  } catch (error) {
    ports.logBug(error);
    return {};
  }
}

async function removeAgain(ports: CommitPorts, file: FileRef): Promise<Explanation | null> {
  const now = await ports.workspace.look(file);
  if (!now.ok) return explainFile(now.problem);
  if (now.value.kind === "missing") return null;
  const { value } = now;
  const reason = await attempt(ports, file, () => ports.workspace.remove(value, `Undo: ${LABEL}`));
  const seen = await ports.workspace.readBack(file);
  if (!seen.ok) return explainFile(seen.problem);
  if (seen.value.disk === null) return null;
  return reason ?? explainFile({ code: "read-back-differs", path: file.asked });
}

/** A file that is no text gives way to other bytes: it is taken away and made anew, and put back on failure. */
async function replaceBytes(
  ports: CommitPorts,
  files: PatchFiles,
  planned: PlannedFile & { readonly kind: "update" },
  file: FileRef,
  signal: AbortSignal,
): Promise<FileCommit> {
  const before = presentFile(files, planned.path.key);
  const { content } = planned;
  if (before === undefined) return internal(file.asked);
  const removed = await unit(ports, planned, file, before, { kind: "delete", notes: [] }, signal);
  if (removed.kind !== "written") return removed;
  const missing: Snapshot = { kind: "missing", file, similar: [] };
  const made =
    content.kind === "text"
      ? await unit(
          ports,
          planned,
          file,
          missing,
          { kind: "create", text: content.text, notes: [] },
          signal,
        )
      : await createBytes(ports, files, planned, file, content.key);
  if (made.kind === "written") {
    const undo = async (): Promise<Explanation | null> =>
      (await made.file.undo()) ?? (await removed.file.undo());
    return { kind: "written", file: { ...made.file, undo } };
  }
  const back = await removed.file.undo();
  return back === null ? { kind: "failed", error: made.error } : { kind: "unknown", error: back };
}

/** Rename first, so that open editors follow, then the change of the text at its new place. */
async function move(
  ports: CommitPorts,
  files: PatchFiles,
  planned: PlannedFile & { readonly kind: "move" },
  target: FileRef,
  signal: AbortSignal,
): Promise<FileCommit> {
  const source = presentFile(files, planned.from.key);
  if (source === undefined) return internal(target.asked);
  const reason = await attempt(ports, target, () => ports.workspace.rename(source, target, LABEL));
  const moved = await whereIs(ports, source, target);
  if (moved.kind === "unknown") return { kind: "unknown", error: reason ?? moved.error };
  if (moved.kind === "source")
    return {
      kind: "failed",
      error:
        reason ??
        explainFile({ code: "write-failed", path: target.asked, cause: "the file did not move" }),
    };
  const undoRename = (): Promise<Explanation | null> => renameBack(ports, source, target);
  const { change } = planned;
  if (change === null || change.edit.isEmpty) {
    const done = {
      ...nothingDone(source),
      kept: await keptBytes(ports, source.bytes, source.bytes),
    };
    return written(planned, done, undoRename);
  }
  const at = await ports.workspace.look(target);
  const changed: FileCommit =
    at.ok && at.value.kind === "file"
      ? await unit(ports, planned, target, at.value, { kind: "update", change, notes: [] }, signal)
      : { kind: "failed", error: explainFile({ code: "read-back-differs", path: target.asked }) };
  if (changed.kind === "written") {
    const undo = async (): Promise<Explanation | null> =>
      (await changed.file.undo()) ?? (await undoRename());
    return { kind: "written", file: { ...changed.file, undo } };
  }
  if (changed.kind === "unknown") return changed;
  const back = await undoRename();
  return back === null ? changed : { kind: "unknown", error: back };
}

type Whereabouts =
  | { readonly kind: "source" | "target" }
  | { readonly kind: "unknown"; readonly error: Explanation };

async function whereIs(
  ports: CommitPorts,
  source: FileSnapshot,
  target: FileRef,
): Promise<Whereabouts> {
  const from = await ports.workspace.readBack(source.file);
  const to = await ports.workspace.readBack(target);
  if (!from.ok) return { kind: "unknown", error: explainFile(from.problem) };
  if (!to.ok) return { kind: "unknown", error: explainFile(to.problem) };
  const has = (seen: ReadBack): boolean => sameBytes(seen.disk, source.bytes);
  if (from.value.disk === null && has(to.value)) return { kind: "target" };
  const text = source.body.ok ? source.body.value.text : null;
  const before = { bytes: source.bytes, text };
  const gone = { bytes: null, text: null };
  if (to.value.disk === null && judge(before, gone, from.value) === "unchanged")
    return { kind: "source" };
  return {
    kind: "unknown",
    error: explainFile({ code: "read-back-differs", path: target.asked }),
  };
}

async function renameBack(
  ports: CommitPorts,
  source: FileSnapshot,
  target: FileRef,
): Promise<Explanation | null> {
  const now = await ports.workspace.look(target);
  if (!now.ok) return explainFile(now.problem);
  if (now.value.kind === "missing")
    return explainFile({ code: "file-missing", path: target.asked, similar: [] });
  const { value } = now;
  const reason = await attempt(ports, target, () =>
    ports.workspace.rename(value, source.file, `Undo: ${LABEL}`),
  );
  const there = await whereIs(ports, value, source.file);
  if (there.kind === "target") return null;
  return reason ?? explainFile({ code: "read-back-differs", path: source.file.asked });
}
