import { fail, ok, type Result } from "../base/result.ts";
import { explainFile, printUnified } from "../engine/index.ts";
import type { Explanation, FileOutcome } from "../engine/index.ts";
import { commitUnit, diffOf, type Committed } from "./commit.ts";
import { judge, sameBytes } from "./evidence.ts";
import type { UndoPlan } from "./journal.ts";
import { createKeeper } from "./keeper.ts";
import type { FileRef, Ports, Snapshot } from "./ports.ts";
import type { CallRecord, FileRecord } from "./record.ts";
import { statusOf } from "./structured.ts";
import {
  planUndo,
  type FileUndo,
  type ReadyUndo,
  type UndoPorts,
  type UndoScope,
} from "./undoCall.ts";
import { explainUndo } from "./undoProblem.ts";
import type { PlanFailure, UnitPlan } from "./unit.ts";

export type RunUndoPorts = Pick<
  Ports,
  "workspace" | "store" | "clock" | "newId" | "onCall" | "logBug"
> &
  Pick<UndoPorts, "decode">;

/** The formal tool name in the record of an undo. Its arguments are `{call, file?, hunk?}`. */
export const UNDO_TOOL = "undo";

const LABEL = "Undo agent edit";

/**
 * Takes back a call, a file or a hunk, as a call of its own: it has a record, a card and inverses, and can be
 * undone like any other. A file that cannot be taken back is rejected with the reason; the others go on.
 *
 * To be run in the workspace's queue, like every call.
 */
export async function runUndo(
  ports: RunUndoPorts,
  call: CallRecord,
  scope: UndoScope,
  signal: AbortSignal,
): Promise<CallRecord> {
  const undos = await planUndo(ports, call, scope);
  const keeper = createKeeper(ports, {
    version: 1,
    id: ports.newId(),
    session: call.session,
    tool: UNDO_TOOL,
    source: UNDO_TOOL,
    startedAt: ports.clock.now(),
    phase: "applying",
    args: { call: call.id, ...scope },
    files: undos.map((undo) => waiting(call, undo)),
    flags: [],
  });
  await keeper.save();
  const outcomes: FileOutcome[] = [];
  for (const [index, undo] of undos.entries()) {
    keeper.updateFile(index, { phase: "running" });
    const { path } = waiting(call, undo);
    const done = await undoFile(ports, path, undo, signal);
    keeper.finishFile(index, done.outcome, done.kept);
    outcomes.push(done.outcome);
  }
  const status = statusOf(outcomes);
  const message = messageOf(outcomes);
  keeper.update({
    phase: "done",
    endedAt: ports.clock.now(),
    result: { status, isError: status === "error", text: message, message },
  });
  await keeper.save();
  return keeper.record;
}

function messageOf(outcomes: readonly FileOutcome[]): string {
  const files = (n: number): string => `${n} file${n === 1 ? "" : "s"}`;
  const done = outcomes.filter(({ status }) => status === "applied").length;
  if (outcomes.length === 0) return "The call changed no file";
  if (done === 0) return `Could not undo in ${files(outcomes.length)}`;
  return done === outcomes.length
    ? `Undone in ${files(done)}`
    : `Undone in ${done} of ${files(outcomes.length)}`;
}

/** The undo's own record of a file, before anything happened: a file that comes back is added, and so on. */
function waiting(call: CallRecord, { index, plan }: FileUndo): FileRecord {
  const file = call.files[index];
  const shown = file?.shown ?? "";
  const path = file?.absolute ?? file?.path ?? "";
  if (!plan.ok) return { path, shown, operation: file?.operation ?? "update", phase: "waiting" };
  const { target } = plan.value;
  if (plan.value.plan.kind === "move" && target !== undefined)
    return { path: target.absolute, shown: target.shown, operation: "move", phase: "waiting" };
  return {
    path: plan.value.file.absolute,
    absolute: plan.value.file.absolute,
    shown: plan.value.file.shown,
    operation: OPERATION[plan.value.plan.kind],
    phase: "waiting",
  };
}

const OPERATION = { update: "update", create: "add", delete: "delete", move: "move" } as const;

interface Done {
  readonly outcome: FileOutcome;
  readonly kept: Partial<FileRecord>;
}

async function undoFile(
  ports: RunUndoPorts,
  path: string,
  { plan }: FileUndo,
  signal: AbortSignal,
): Promise<Done> {
  if (!plan.ok) return refused(path, "update", explainUndo(plan.problem));
  const ready = plan.value;
  const operation = OPERATION[ready.plan.kind];
  if (signal.aborted) return refused(path, operation, explainFile({ code: "interrupted", path }));
  switch (ready.plan.kind) {
    case "update":
    case "delete": {
      const done = await commit(ports, ready, ready.file, ready.base, ready.plan, signal);
      const told = toldOf(path, operation, done);
      const mode = ready.base.kind === "file" ? ready.base.mode : null;
      return mode === null ? told : { ...told, kept: { ...told.kept, modeBefore: mode } };
    }
    case "create":
      return recreate(ports, ready, ready.plan);
    case "move":
      return moveBack(ports, ready, signal);
  }
}

async function commit(
  ports: RunUndoPorts,
  ready: ReadyUndo,
  file: FileRef,
  snapshot: Snapshot,
  plan: UndoPlan & { readonly kind: "update" | "delete" },
  signal: AbortSignal,
): Promise<Committed> {
  const replan = (newer: Snapshot): Result<UnitPlan, PlanFailure> => {
    const again = ready.again(newer);
    if (!again.ok) return fail({ error: explainUndo(again.problem), missed: false });
    const { kind } = again.value;
    if (kind === plan.kind) return ok(unitOf(again.value));
    const error = explainFile({ code: "kept-changing", path: file.asked, tries: 1 });
    return fail({ error, missed: false });
  };
  return commitUnit(ports, { file, snapshot, plan: unitOf(plan), label: LABEL, replan }, signal);
}

function unitOf(plan: UndoPlan): UnitPlan {
  return plan.kind === "update"
    ? { kind: "update", change: plan.change, notes: [] }
    : { kind: "delete", notes: [] };
}

function toldOf(path: string, operation: FileOutcome["operation"], done: Committed): Done {
  switch (done.kind) {
    case "applied":
      return {
        outcome: {
          path,
          status: "applied",
          operation,
          diff: done.diff,
          ...(done.unsaved ? { unsaved: true } : {}),
          ...(done.notes.length > 0 ? { note: done.notes.join(" ") } : {}),
        },
        kept: done.kept,
      };
    case "rejected":
      return refused(path, operation, done.error);
    case "unknown":
      return unknown(path, operation, done.error);
  }
}

function refused(path: string, operation: FileOutcome["operation"], error: Explanation): Done {
  return { outcome: { path, status: "rejected", operation, error }, kept: {} };
}

function unknown(path: string, operation: FileOutcome["operation"], error: Explanation): Done {
  return { outcome: { path, status: "unknown", operation, error }, kept: {} };
}

async function recreate(
  { workspace, store, decode }: RunUndoPorts,
  { file, base }: ReadyUndo,
  { bytes, mode }: UndoPlan & { readonly kind: "create" },
): Promise<Done> {
  const path = file.absolute;
  const reply = await workspace.create(file, bytes, mode, LABEL);
  const failure =
    reply.kind === "failed"
      ? explainFile(reply.problem)
      : explainFile({ code: "file-exists", path });
  const seen = await workspace.readBack(file);
  if (!seen.ok) return unknown(path, "add", explainFile(seen.problem));
  const verdict = judge({ bytes: null, text: null }, { bytes, text: null }, seen.value);
  if (verdict === "written") {
    const text = await decode(bytes, "utf8");
    const diff = text === null ? "" : diffOf(file, base, { kind: "create", text, notes: [] });
    return {
      outcome: { path, status: "applied", operation: "add", diff },
      kept: { hashAfter: await store.keep(bytes) },
    };
  }
  return verdict === "unchanged" || reply.kind !== "done"
    ? refused(path, "add", failure)
    : unknown(path, "add", explainFile({ code: "read-back-differs", path }));
}

/** First the name, then the text: a rename that fails leaves everything as it was. */
async function moveBack(ports: RunUndoPorts, ready: ReadyUndo, signal: AbortSignal): Promise<Done> {
  const { workspace, store } = ports;
  const { file, base, target, plan } = ready;
  const path = target?.absolute ?? file.absolute;
  if (target === undefined || base.kind !== "file" || plan.kind !== "move")
    return refused(path, "move", explainFile({ code: "file-missing", path, similar: [] }));
  const reply = await workspace.rename(base, target, LABEL);
  const [from, to] = [await workspace.readBack(file), await workspace.readBack(target)];
  if (!from.ok) return unknown(path, "move", explainFile(from.problem));
  if (!to.ok) return unknown(path, "move", explainFile(to.problem));
  if (from.value.disk !== null || !sameBytes(to.value.disk, base.bytes)) {
    const stayed = sameBytes(from.value.disk, base.bytes) && to.value.disk === null;
    const problem =
      reply.kind === "failed" ? reply.problem : ({ code: "read-back-differs", path } as const);
    return (stayed || reply.kind !== "done" ? refused : unknown)(
      path,
      "move",
      explainFile(problem),
    );
  }
  const hash = await store.keep(base.bytes);
  const moved: FileOutcome = {
    path,
    status: "applied",
    operation: "move",
    diff: "",
    movedFrom: file.absolute,
  };
  const kept = { hashBefore: hash, hashAfter: hash };
  if (plan.change === null) return { outcome: moved, kept };
  const now = await workspace.look(target);
  const text: Committed = now.ok
    ? await commit(
        ports,
        ready,
        target,
        now.value,
        { kind: "update", change: plan.change, rebased: true },
        signal,
      )
    : { kind: "rejected", error: explainFile(now.problem) };
  if (text.kind !== "applied")
    return {
      outcome: { ...moved, note: `It was moved back, its text was not: ${text.error.message}` },
      kept,
    };
  const diff = printUnified(plan.change.diff, file.absolute, { newPath: path });
  return { outcome: { ...moved, diff }, kept: { ...text.kept, hashBefore: hash } };
}
