import { fail } from "../../base/result.ts";
import { explainFile } from "../../engine/index.ts";
import type { Explanation, NewContent, PlannedFile } from "../../engine/index.ts";
import { commitUnit, type Committed } from "../commit.ts";
import { sameBytes } from "../evidence.ts";
import type { FileRef, Snapshot } from "../ports.ts";
import {
  attempt,
  keptBytes,
  putBackUnit,
  removeAgain,
  renameBack,
  renameTo,
  type PutBackPorts,
} from "../putBack.ts";
import type { PlanFailure, UnitPlan } from "../unit.ts";
import { bytesOf, isMadeAnew, presentFile, type PatchFiles } from "./patchFiles.ts";
import { plannedDiff } from "./plannedDiff.ts";

export type CommitPorts = PutBackPorts;

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
const BACK = `Undo: ${LABEL}`;

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
      return planned.content.kind === "text" && planned.content.from === null
        ? unit(
            ports,
            planned,
            file,
            snapshot,
            { kind: "create", text: planned.content.text, notes: [] },
            signal,
          )
        : createFrom(ports, files, planned, file, planned.content);
    case "update":
      return planned.change === null || isMadeAnew(files, planned)
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
      return written(planned, done, () => putBackUnit(ports, file, snapshot, done, BACK));
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

/** Content of another file of the patch, in its encoding and with its mode, comes to a place where nothing is. */
async function createFrom(
  ports: CommitPorts,
  files: PatchFiles,
  planned: PlannedFile,
  file: FileRef,
  content: NewContent,
): Promise<FileCommit> {
  const from = content.kind === "text" ? content.from : content.key;
  const origin = from === null ? undefined : presentFile(files, from);
  const bytes = bytesOf(files, content);
  if (origin === undefined || bytes === undefined) return internal(file.asked);
  const failed = await attempt(ports, file, () =>
    ports.workspace.create(file, bytes, origin.mode, LABEL),
  );
  if (failed?.untouched === true) return { kind: "failed", error: failed.error };
  const seen = await ports.workspace.readBack(file);
  if (!seen.ok) return { kind: "unknown", error: explainFile(seen.problem) };
  if (sameBytes(seen.value.disk, bytes)) {
    const kept = await keptBytes(ports, { before: null, after: bytes });
    const done = { ...nothingDone(origin), diff: plannedDiff(files, planned), kept };
    return written(planned, done, () => removeAgain(ports, file, bytes, BACK));
  }
  const error = failed?.error ?? explainFile({ code: "read-back-differs", path: file.asked });
  return { kind: seen.value.disk === null ? "failed" : "unknown", error };
}

/** A file gives way to bytes that are not its own text: it is taken away and made anew, and put back on failure. */
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
    content.kind === "text" && content.from === null
      ? await unit(
          ports,
          planned,
          file,
          missing,
          { kind: "create", text: content.text, notes: [] },
          signal,
        )
      : await createFrom(ports, files, planned, file, content);
  if (made.kind === "written") {
    const undo = async (): Promise<Explanation | null> =>
      (await made.file.undo()) ?? (await removed.file.undo());
    const kept = { ...removed.file.done.kept, ...made.file.done.kept };
    return { kind: "written", file: { ...made.file, done: { ...made.file.done, kept }, undo } };
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
  const moved = await renameTo(ports, source, target, LABEL);
  if (moved.kind !== "moved")
    return { kind: moved.kind === "stayed" ? "failed" : "unknown", error: moved.error };
  const undoRename = (): Promise<Explanation | null> => renameBack(ports, source, target, BACK);
  const { change } = planned;
  if (change === null || change.edit.isEmpty) {
    const kept = await keptBytes(ports, { before: source, after: source.bytes });
    return written(planned, { ...nothingDone(source), kept }, undoRename);
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
