import { fail, ok, type Result } from "../base/result.ts";
import type { FileProblem } from "../engine/index.ts";
import { planFileUndo, type Present, type UndoPlan } from "./journal.ts";
import type { CallStore, FileRef, FileUse, Snapshot, Workspace } from "./ports.ts";
import type { CallRecord, FileRecord } from "./record.ts";
import type { LaterCall, UndoProblem } from "./undoProblem.ts";

/** What planning an undo reads. Nothing is written, except present bytes into the store, under their hash. */
export interface UndoPorts {
  readonly workspace: Pick<Workspace, "locate" | "look">;
  readonly store: Pick<CallStore, "content" | "keep" | "find">;
  /** The text of kept bytes under exactly this encoding; null when they are none. */
  readonly decode: (bytes: Uint8Array, encoding: string) => Promise<string | null>;
}

/** All of a call, one of its files (index into `call.files`), or one hunk of that file's diff. */
export interface UndoScope {
  readonly file?: number;
  readonly hunk?: number;
}

export interface FileUndo {
  /** Index into `call.files`. */
  readonly index: number;
  readonly plan: Result<ReadyUndo, UndoProblem>;
}

/** A plan with the file and the look it was made on. */
export interface ReadyUndo {
  readonly plan: UndoPlan;
  readonly file: FileRef;
  readonly base: Snapshot;
  /** Where a moved file goes back to. */
  readonly target?: FileRef;
  /** Plans again on a newer look, for a file that moved on between plan and write. */
  readonly again: (snapshot: Snapshot) => Result<UndoPlan, UndoProblem>;
}

/** Later calls named in a refusal. */
const LATER_CALLS_MAX = 3;
const LATER_CALLS_READ_MAX = 50;

/**
 * Plans each file of the scope on its own, last file first: what the call did last is taken back first. Files that
 * the call did not change are left out, unless the scope names one.
 */
export async function planUndo(
  ports: UndoPorts,
  call: CallRecord,
  scope: UndoScope = {},
): Promise<readonly FileUndo[]> {
  const undos: FileUndo[] = [];
  for (let index = call.files.length - 1; index >= 0; index--) {
    const file = call.files[index];
    if (file === undefined || (scope.file ?? index) !== index) continue;
    if (scope.file === undefined && file.outcome?.status !== "applied") continue;
    undos.push({ index, plan: await planFile(ports, call, file, scope.hunk) });
  }
  return undos;
}

async function planFile(
  ports: UndoPorts,
  call: CallRecord,
  file: FileRecord,
  hunk: number | undefined,
): Promise<FileUndo["plan"]> {
  const path = file.absolute ?? file.path;
  const found = await lookAt(ports, path, USE[file.operation]);
  if (!found.ok) return unreadable(file.path, found.problem);
  const movedFrom = file.operation === "move" ? file.outcome?.movedFrom : undefined;
  const origin = movedFrom === undefined ? null : await lookAt(ports, movedFrom, "create");
  if (origin !== null && !origin.ok) return unreadable(movedFrom ?? file.path, origin.problem);

  const { ref, snapshot } = found.value;
  const present = await presentOf(ports, snapshot);
  const originPresent = origin === null ? null : await presentOf(ports, origin.value.snapshot);
  const afterText = await keptText(ports, file, snapshot);
  const beforeBytes =
    file.operation === "delete" && file.hashBefore !== undefined
      ? ((await ports.store.content(file.hashBefore)) ?? null)
      : null;
  const later = await laterCalls(ports, call, file);
  const decide = (now: Present): Result<UndoPlan, UndoProblem> =>
    planFileUndo({
      file,
      present: now,
      ...(originPresent === null ? {} : { origin: originPresent }),
      afterText,
      beforeBytes,
      ...(hunk === undefined ? {} : { hunk }),
      later,
    });
  const plan = decide(present);
  if (!plan.ok) return plan;
  return ok({
    plan: plan.value,
    file: ref,
    base: snapshot,
    ...(origin === null ? {} : { target: origin.value.ref }),
    // Without a hash the text alone decides, and a file that may only be the very same one is refused.
    again: (newer) => decide(sameAs(newer, snapshot) ? present : shown(newer, "")),
  });
}

const USE: Record<FileRecord["operation"], FileUse> = {
  add: "delete",
  update: "edit",
  move: "edit",
  delete: "create",
};

function unreadable(path: string, problem: FileProblem): FileUndo["plan"] {
  return fail({ code: "undo-unreadable", path, problem });
}

async function lookAt(
  { workspace }: UndoPorts,
  path: string,
  use: FileUse,
): Promise<Result<{ readonly ref: FileRef; readonly snapshot: Snapshot }, FileProblem>> {
  const ref = await workspace.locate(path, use, true);
  if (!ref.ok) return ref;
  const snapshot = await workspace.look(ref.value);
  return snapshot.ok ? ok({ ref: ref.value, snapshot: snapshot.value }) : snapshot;
}

async function presentOf({ store }: UndoPorts, snapshot: Snapshot): Promise<Present> {
  return shown(snapshot, snapshot.kind === "file" ? await store.keep(snapshot.bytes) : "");
}

function shown(snapshot: Snapshot, hash: string): Present {
  if (snapshot.kind === "missing") return { kind: "missing" };
  const { body } = snapshot;
  return {
    kind: "file",
    hash,
    text: body.ok ? ok(body.value.text) : body,
    unsaved: body.ok && body.value.source === "document",
  };
}

function sameAs(a: Snapshot, b: Snapshot): boolean {
  if (a.kind !== "file" || b.kind !== "file") return a.kind === b.kind;
  if (a.bytes.length !== b.bytes.length || a.bytes.some((byte, i) => byte !== b.bytes[i]))
    return false;
  const [text, other] = [a, b].map(({ body }) => (body.ok ? body.value.text : null));
  return text === other;
}

/** The text the call left, read like the file is read now; a file that changed its encoding has other text. */
async function keptText(
  { store, decode }: UndoPorts,
  file: FileRecord,
  snapshot: Snapshot,
): Promise<string | null> {
  if (file.hashAfter === undefined || snapshot.kind !== "file" || !snapshot.body.ok) return null;
  const bytes = await store.content(file.hashAfter);
  return bytes === undefined ? null : decode(bytes, snapshot.body.value.encoding);
}

async function laterCalls(
  { store }: UndoPorts,
  call: CallRecord,
  file: FileRecord,
): Promise<readonly LaterCall[]> {
  const calls = await store.find({
    path: file.shown,
    startedFrom: call.startedAt,
    limit: LATER_CALLS_READ_MAX,
  });
  return calls
    .filter(({ id, startedAt }) => id !== call.id && startedAt >= call.startedAt)
    .filter(({ files }) =>
      files.some((other) => other.shown === file.shown && other.outcome?.status === "applied"),
    )
    .slice(0, LATER_CALLS_MAX)
    .map(({ id, tool, startedAt }) => ({ id, tool, startedAt }));
}
