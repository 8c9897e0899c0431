import { at } from "../base/assert.ts";
import type { Explanation, FileOutcome } from "../engine/index.ts";
import { createKeeper, type Keeper } from "./keeper.ts";
import type { Ports, Snapshot } from "./ports.ts";
import type { CallRecord, FileRecord } from "./record.ts";
import { statusOf } from "./structured.ts";
import { steadyWorkspace } from "./steadyWorkspace.ts";
import {
  planUndo,
  sameSnapshot,
  type FileUndo,
  type ReadyUndo,
  type UndoPorts,
  type UndoScope,
} from "./undoCall.ts";
import { explainUndo } from "./undoProblem.ts";
import {
  refusedStep,
  UNDO_OPERATION,
  undoDiff,
  undoStep,
  unknownStep,
  type UndoStep,
} from "./undoSteps.ts";
import { UNDO_WORDS } from "./undoWords.ts";
import type { Spoken } from "./words.ts";

export type RunUndoPorts = Pick<
  Ports,
  "workspace" | "store" | "clock" | "newId" | "onCall" | "logBug"
> &
  Pick<UndoPorts, "decode"> &
  Spoken;

/**
 * The formal tool name in the record of an undo. Its arguments are `{call, file?, hunk?}`; where a file went back with
 * those it changed places with, `{call, files}`: the indexes into the call's files, one for each file of the undo.
 */
export const UNDO_TOOL = "undo";

/**
 * Takes back a call, a file or a hunk, as a call of its own: it has a record, a card and inverses, and can be
 * undone like any other. A file that cannot be taken back is rejected with the reason; the others go on, except
 * files that the call put in each other's place: they go back together or not at all.
 *
 * To be run in the workspace's queue, like every call. Ends with a record that is done and tells every file, whatever
 * a port or the store throws.
 */
export async function runUndo(
  given: RunUndoPorts,
  call: CallRecord,
  scope: UndoScope,
  signal: AbortSignal,
): Promise<CallRecord> {
  const ports = { ...given, workspace: steadyWorkspace(given), words: UNDO_WORDS };
  const groups = await planUndo(ports, call, scope);
  const files: FileRecord[] = [];
  for (const undo of groups.flat()) files.push(await waiting(ports, call, undo));
  const indexes = groups.flat().map(({ index }) => index);
  const taken = scope.file !== undefined && indexes.length > 1 ? { files: indexes } : scope;
  const keeper = createKeeper(ports, {
    version: 1,
    id: ports.newId(),
    session: call.session,
    tool: UNDO_TOOL,
    source: UNDO_TOOL,
    startedAt: ports.clock.now(),
    phase: "applying",
    args: { call: call.id, ...taken },
    files,
    flags: [],
  });
  await keeper.save();
  const outcomes: FileOutcome[] = [];
  for (const group of groups) {
    const steps = await wholeGroup(ports, keeper, group, outcomes.length, signal);
    outcomes.push(...steps.map(({ outcome }) => outcome));
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

/**
 * The undo's own record of a file, before anything happened: a file that comes back is added, and so on. Both sides
 * of the plan are in it, for the case that the window closes in the middle.
 */
async function waiting(
  ports: RunUndoPorts,
  call: CallRecord,
  { index, plan }: FileUndo,
): Promise<FileRecord> {
  const record = at(call.files, index);
  if (!plan.ok) {
    const { absolute, path, shown, operation } = record;
    const place = absolute === undefined ? { path } : { path: absolute, absolute };
    return { ...place, shown, operation, phase: "waiting" };
  }
  const { file, target, base, after } = plan.value;
  const operation = UNDO_OPERATION[plan.value.plan.kind];
  const { absolute, real, shown } = target ?? file;
  const hashBefore = await keptHash(ports, base);
  const hashAfter = await keptHash(ports, after);
  const mode = base.kind === "file" ? base.mode : null;
  return {
    path: absolute,
    absolute,
    real,
    shown,
    operation,
    phase: "waiting",
    ...(operation === "move" ? { movedFrom: file.absolute, realFrom: file.real } : {}),
    ...(hashBefore === undefined ? {} : { hashBefore }),
    ...(hashAfter === undefined ? {} : { hashAfter }),
    ...(mode === null ? {} : { modeBefore: mode }),
    planned: undoDiff(plan.value),
  };
}

async function keptHash(
  { store, logBug }: RunUndoPorts,
  snapshot: Snapshot,
): Promise<string | undefined> {
  try {
    return snapshot.kind === "file" ? await store.keep(snapshot.bytes) : undefined;
  } catch (error) {
    logBug(error);
    return undefined;
  }
}

/**
 * A bug of ours stops the group and nothing else. What a file of it that was begun holds now nobody knows; those that
 * were not begun are as they were.
 */
async function wholeGroup(
  ports: RunUndoPorts,
  keeper: Keeper,
  group: readonly FileUndo[],
  first: number,
  signal: AbortSignal,
): Promise<readonly UndoStep[]> {
  try {
    return await undoGroup(ports, keeper, group, first, signal);
  } catch (bug) {
    ports.logBug(bug);
    return group.map((_, place) => {
      const { path, operation, phase, movedFrom, outcome } = at(keeper.record.files, first + place);
      if (outcome !== undefined) return { outcome, kept: {} };
      const error = UNDO_WORDS.explain({ code: "internal", path });
      const step = (phase === "running" ? unknownStep : refusedStep)(
        path,
        operation,
        error,
        movedFrom,
      );
      keeper.finishFile(first + place, step.outcome);
      return step;
    });
  }
}

/** `first`: the place of the group's first file in the record. */
async function undoGroup(
  ports: RunUndoPorts,
  keeper: Keeper,
  group: readonly FileUndo[],
  first: number,
  signal: AbortSignal,
): Promise<readonly UndoStep[]> {
  const steps: UndoStep[] = [];
  const record = (place: number): FileRecord => at(keeper.record.files, first + place);
  for (const [place, { plan }] of group.entries()) {
    keeper.updateFile(first + place, { phase: "running" });
    const { path, operation } = record(place);
    const step = !plan.ok
      ? refusedStep(path, operation, explainUndo(plan.problem))
      : signal.aborted && place === 0
        ? refusedStep(path, operation, UNDO_WORDS.explain({ code: "interrupted", path }))
        : await oneStep(ports, plan.value, group.length > 1, signal);
    steps.push(step);
    if (step.outcome.status !== "applied" && plan.ok && group.length > 1) break;
  }
  const failed = group.length > 1 ? steps.find(({ outcome }) => outcome.error !== undefined) : null;
  const ended =
    failed?.outcome.error === undefined || group.some(({ plan }) => !plan.ok)
      ? steps
      : await takenBack(
          ports,
          group.map((_, place) => record(place)),
          steps,
          failed.outcome.error,
        );
  for (const [place, { outcome, kept }] of ended.entries())
    keeper.finishFile(first + place, outcome, kept);
  return ended;
}

/** In a group each step begins where the one before it ended, and nowhere else. */
async function oneStep(
  ports: RunUndoPorts,
  ready: ReadyUndo,
  inGroup: boolean,
  signal: AbortSignal,
): Promise<UndoStep> {
  if (!inGroup) return undoStep(ports, ready, signal);
  const { file, base, plan } = ready;
  const now = await ports.workspace.look(file);
  const operation = UNDO_OPERATION[plan.kind];
  if (!now.ok) return refusedStep(file.absolute, operation, UNDO_WORDS.explain(now.problem));
  if (sameSnapshot(now.value, base))
    return undoStep(ports, { ...ready, base: now.value }, new AbortController().signal);
  const problem = { code: "changed-after-planning", path: file.absolute } as const;
  return refusedStep(file.absolute, operation, UNDO_WORDS.explain(problem));
}

/** A step of the group failed: those before it are taken back, in reverse order. */
async function takenBack(
  { logBug }: RunUndoPorts,
  files: readonly FileRecord[],
  steps: readonly UndoStep[],
  error: Explanation,
): Promise<readonly UndoStep[]> {
  const ended = files.map(({ path, operation }, place): UndoStep => {
    const step = steps[place];
    return step !== undefined && step.outcome.status !== "applied"
      ? step
      : refusedStep(path, operation, {
          message: `not undone, because another file that it changed places with could not be: ${error.message}`,
          ...(error.advice === undefined ? {} : { advice: error.advice }),
        });
  });
  for (const [place, { back, outcome }] of [...steps.entries()].toReversed()) {
    if (back === undefined) continue;
    let stuck: Explanation | null;
    try {
      stuck = await back();
    } catch (bug) {
      logBug(bug);
      stuck = UNDO_WORDS.explain({ code: "internal", path: outcome.path });
    }
    if (stuck !== null) ended[place] = unknownStep(outcome.path, outcome.operation, stuck);
  }
  return ended;
}
