import { fail, ok, type Result } from "../base/result.ts";
import { printUnified } from "../engine/index.ts";
import type { Explanation, FileOperation, FileOutcome } from "../engine/index.ts";
import { commitUnit, diffOf, encodingOf, whole, type Committed } from "./commit.ts";
import { sameBytes } from "./evidence.ts";
import type { UndoPlan } from "./journal.ts";
import type { FileRef, FileSnapshot, Snapshot } from "./ports.ts";
import {
  attempt,
  bringBack,
  keptBytes,
  makeFile,
  putBackUnit,
  removeAgain,
  renameBack,
  renameTo,
  type PutBackPorts,
} from "./putBack.ts";
import type { FileRecord } from "./record.ts";
import type { ReadyUndo } from "./undoCall.ts";
import { explainUndo } from "./undoProblem.ts";
import { UNDO_WORDS } from "./undoWords.ts";
import type { PlanFailure, UnitPlan } from "./unit.ts";

/** How one file of an undo came out. */
export interface UndoStep {
  readonly outcome: FileOutcome;
  readonly kept: Partial<FileRecord>;
  /** Only after a step that was carried out: null when everything is again as it was before the step. */
  readonly back?: () => Promise<Explanation | null>;
}

const LABEL = "Undo agent edit";
const BACK = "Take back an undo that failed";

export const UNDO_OPERATION: Readonly<Record<UndoPlan["kind"], FileOperation>> = {
  update: "update",
  restore: "update",
  create: "add",
  delete: "delete",
  move: "move",
};

/** The planned diff of a step, from what is there to what it leaves. */
export function undoDiff({ plan, file, base, after, target }: ReadyUndo): string {
  switch (plan.kind) {
    case "update":
    case "delete":
      return diffOf(file, base, unitOf(plan));
    case "create":
      return after.kind === "file" && after.body.ok
        ? diffOf(file, base, { kind: "create", text: after.body.value.text, notes: [] })
        : "";
    case "restore":
      return base.kind === "file" && base.body.ok && after.kind === "file" && after.body.ok
        ? whole(base.body.value.text, after.body.value.text, file.asked)
        : "";
    case "move":
      return plan.change === null || target === undefined
        ? ""
        : printUnified(plan.change.diff, file.absolute, { newPath: target.absolute });
  }
}

/** Carries out one planned step and reads back what it left. `base` is what is there now. */
export async function undoStep(
  ports: PutBackPorts,
  ready: ReadyUndo,
  signal: AbortSignal,
): Promise<UndoStep> {
  const { plan } = ready;
  switch (plan.kind) {
    case "update":
    case "delete":
      return changeFile(ports, ready, plan, signal);
    case "create":
      return recreate(ports, ready, plan);
    case "restore":
      return restore(ports, ready, plan);
    case "move":
      return moveBack(ports, ready, plan, signal);
  }
}

/** `movedFrom`: where a file is that was to move. */
export function refusedStep(
  path: string,
  operation: FileOperation,
  error: Explanation,
  movedFrom?: string,
): UndoStep {
  return ended({ path, status: "rejected", operation, error }, movedFrom);
}

export function unknownStep(
  path: string,
  operation: FileOperation,
  error: Explanation,
  movedFrom?: string,
): UndoStep {
  return ended({ path, status: "unknown", operation, error }, movedFrom);
}

function ended(outcome: FileOutcome, movedFrom: string | undefined): UndoStep {
  return { outcome: movedFrom === undefined ? outcome : { ...outcome, movedFrom }, kept: {} };
}

async function changeFile(
  ports: PutBackPorts,
  ready: ReadyUndo,
  plan: UndoPlan & { readonly kind: "update" | "delete" },
  signal: AbortSignal,
): Promise<UndoStep> {
  const { file, base } = ready;
  const operation = UNDO_OPERATION[plan.kind];
  const path = file.absolute;
  const done = await commit(ports, ready, file, base, plan, signal);
  if (done.kind === "rejected") return refusedStep(path, operation, done.error);
  if (done.kind === "unknown") return unknownStep(path, operation, done.error);
  const mode = base.kind === "file" ? base.mode : null;
  return {
    outcome: {
      path,
      status: "applied",
      operation,
      diff: done.diff,
      ...encoded(done.base),
      ...(done.unsaved ? { unsaved: true } : {}),
      ...(done.notes.length === 0 ? {} : { note: done.notes.join(" ") }),
    },
    kept: { ...done.kept, ...(mode === null ? {} : { modeBefore: mode }) },
    back: () => putBackUnit(ports, file, done.base, done, BACK),
  };
}

/** For the views of the bytes that the record keeps. */
function encoded(snapshot: Snapshot): Pick<FileOutcome, "encoding"> {
  const encoding = encodingOf(snapshot);
  return encoding === "utf8" ? {} : { encoding };
}

async function commit(
  ports: PutBackPorts,
  ready: ReadyUndo,
  file: FileRef,
  snapshot: Snapshot,
  plan: UndoPlan & { readonly kind: "update" | "delete" },
  signal: AbortSignal,
): Promise<Committed> {
  const replan = (newer: Snapshot): Result<UnitPlan, PlanFailure> => {
    const again = ready.again(newer);
    if (!again.ok) return fail({ error: explainUndo(again.problem), missed: false });
    const { value } = again;
    if (value.kind === plan.kind && (value.kind === "update" || value.kind === "delete"))
      return ok(unitOf(value));
    const error = UNDO_WORDS.explain({ code: "kept-changing", path: file.asked, tries: 1 });
    return fail({ error, missed: false });
  };
  return commitUnit(ports, { file, snapshot, plan: unitOf(plan), label: LABEL, replan }, signal);
}

function unitOf(plan: UndoPlan & { readonly kind: "update" | "delete" }): UnitPlan {
  return plan.kind === "update"
    ? { kind: "update", change: plan.change, notes: [] }
    : { kind: "delete", notes: [] };
}

async function recreate(
  ports: PutBackPorts,
  ready: ReadyUndo,
  plan: UndoPlan & { readonly kind: "create" },
): Promise<UndoStep> {
  const { file } = ready;
  const path = file.absolute;
  const made = await makeFile(ports, file, plan, LABEL);
  if (made.kind !== "made")
    return (made.kind === "failed" ? refusedStep : unknownStep)(path, "add", made.error);
  return {
    outcome: {
      path,
      status: "applied",
      operation: "add",
      diff: undoDiff(ready),
      ...modeNote(plan.mode, made.mode),
      ...encoded(ready.after),
    },
    kept: await keptBytes(ports, { before: null, after: plan.bytes }),
    back: () => removeAgain(ports, file, plan.bytes, BACK),
  };
}

/** The bytes are what counts; a mode that the system did not take is told. */
function modeNote(wanted: number | null, now: number | null): Pick<FileOutcome, "note"> {
  if (wanted === null || now === null || wanted === now) return {};
  const [had, has] = [wanted, now].map((mode) => mode.toString(8).padStart(4, "0"));
  return {
    note: `The file is back, but its permissions are ${has} and were ${had}: set them by hand.`,
  };
}

/** The file is taken away and made anew; where that fails, what was there comes back. */
async function restore(
  ports: PutBackPorts,
  ready: ReadyUndo,
  plan: UndoPlan & { readonly kind: "restore" },
): Promise<UndoStep> {
  const { file, base, after } = ready;
  const path = file.absolute;
  if (base.kind === "missing")
    return refusedStep(
      path,
      "update",
      UNDO_WORDS.explain({ code: "file-missing", path, similar: [] }),
    );
  const kept = await keptBytes(ports, { before: base, after: plan.bytes });
  const failed = await attempt(ports, file, () => ports.workspace.remove(base, LABEL));
  if (failed?.untouched === true) return refusedStep(path, "update", failed.error);
  const seen = await ports.workspace.readBack(file);
  if (!seen.ok) return asBefore(ports, base, failed?.error ?? UNDO_WORDS.explain(seen.problem));
  const { disk } = seen.value;
  if (disk !== null) {
    const stayed = sameBytes(disk, base.bytes);
    const error =
      failed?.error ??
      UNDO_WORDS.explain(
        stayed
          ? { code: "write-failed", path, cause: "the file did not go" }
          : { code: "read-back-differs", path },
      );
    // Other bytes are somebody's who wrote while the file was away: those before are in the store only.
    return stayed ? refusedStep(path, "update", error) : unknownStep(path, "update", error);
  }
  const made = await makeFile(ports, file, plan, LABEL);
  if (made.kind !== "made") return asBefore(ports, base, made.error);
  return {
    outcome: {
      path,
      status: "applied",
      operation: "update",
      diff: undoDiff(ready),
      ...modeNote(plan.mode, made.mode),
      ...encoded(after),
    },
    kept,
    back: async () =>
      (await removeAgain(ports, file, plan.bytes, BACK)) ?? (await bringBack(ports, base, BACK)),
  };
}

/** The end of a restore that failed with `error`, after its file was taken away or may have been. */
async function asBefore(
  ports: PutBackPorts,
  base: FileSnapshot,
  error: Explanation,
): Promise<UndoStep> {
  const path = base.file.absolute;
  const stuck = await bringBack(ports, base, BACK);
  return stuck === null ? refusedStep(path, "update", error) : unknownStep(path, "update", stuck);
}

/** First the name, then the text: a rename that fails leaves everything as it was. */
async function moveBack(
  ports: PutBackPorts,
  ready: ReadyUndo,
  plan: UndoPlan & { readonly kind: "move" },
  signal: AbortSignal,
): Promise<UndoStep> {
  const { file, base, target } = ready;
  const path = target?.absolute ?? file.absolute;
  if (target === undefined || base.kind !== "file")
    return refusedStep(
      path,
      "move",
      UNDO_WORDS.explain({ code: "file-missing", path, similar: [] }),
    );
  const from = file.absolute;
  const renamed = await renameTo(ports, base, target, LABEL);
  if (renamed.kind === "stayed") return refusedStep(path, "move", renamed.error, from);
  if (renamed.kind === "unknown") return unknownMove(file, target, renamed.error);
  const moved = { path, status: "applied", operation: "move", movedFrom: from } as const;
  const shown = { ...moved, ...encoded(base) };
  const kept = await keptBytes(ports, { before: base, after: base.bytes });
  const back = (): Promise<Explanation | null> => renameBack(ports, base, target, BACK);
  if (plan.change === null) return { outcome: { ...shown, diff: "" }, kept, back };
  const text = await changeMoved(ports, ready, base, target, plan.change, signal);
  if (text.kind !== "applied") {
    // Nothing is half undone: without its text the file keeps its name too.
    const stuck = text.kind === "rejected" ? await back() : text.error;
    return stuck === null
      ? refusedStep(path, "move", text.error, from)
      : unknownMove(file, target, stuck);
  }
  return {
    outcome: {
      ...shown,
      diff: undoDiff(ready),
      ...(text.unsaved ? { unsaved: true } : {}),
      ...(text.notes.length === 0 ? {} : { note: text.notes.join(" ") }),
    },
    kept: { ...text.kept, ...kept, ...hashAfterOf(text.kept) },
    back: async () => (await putBackUnit(ports, target, text.base, text, BACK)) ?? (await back()),
  };
}

function hashAfterOf({ hashAfter }: Partial<FileRecord>): Partial<FileRecord> {
  return hashAfter === undefined ? {} : { hashAfter };
}

/** Both places are named: the file may be at either. */
function unknownMove(file: FileRef, target: FileRef, { message }: Explanation): UndoStep {
  const advice = `Look at ${target.shown} and ${file.shown}: the file may be at either place.`;
  return unknownStep(target.absolute, "move", { message, advice }, file.absolute);
}

async function changeMoved(
  ports: PutBackPorts,
  ready: ReadyUndo,
  base: FileSnapshot,
  target: FileRef,
  change: (UndoPlan & { readonly kind: "update" })["change"],
  signal: AbortSignal,
): Promise<Committed> {
  const now = await ports.workspace.look(target);
  if (!now.ok) return { kind: "rejected", error: UNDO_WORDS.explain(now.problem) };
  const same = now.value.kind === "file" && sameBytes(now.value.bytes, base.bytes);
  if (!same) {
    const problem = { code: "changed-after-planning", path: target.asked } as const;
    return { kind: "rejected", error: UNDO_WORDS.explain(problem) };
  }
  const plan = { kind: "update", change, rebased: true } as const;
  return commit(ports, ready, target, now.value, plan, signal);
}
