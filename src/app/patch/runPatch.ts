import { at } from "../../base/assert.ts";
import {
  explainEnvelope,
  explainFile,
  isMatchFailure,
  planPatch,
  type Explanation,
  type PatchDoc,
  type PatchFileState,
  type PlannedFile,
} from "../../engine/index.ts";
import type { PatchRequest } from "../../tools/applyPatch.ts";
import { contentHash } from "../contentHash.ts";
import { markRepeats, type PresentFile } from "../guard.ts";
import type { Ended } from "../handler.ts";
import { deniedProblem } from "../permissions.ts";
import type { FileRef } from "../ports.ts";
import type { UnitsContext } from "../runUnits.ts";
import type { FileRecord } from "../record.ts";
import { commitAll } from "./commitAll.ts";
import { lookAtPatch, usesOf, type PatchFiles } from "./patchFiles.ts";
import { guardEditsOf, operationGroups } from "./patchGuard.ts";
import { appliedOutcome, repeatOutcome, waitingRecord, writtenPath } from "./patchOutcome.ts";
import {
  PatchRecords,
  dryEnd,
  endOfCommit,
  overRecords,
  waitingOf,
  type Decided,
  type Repeat,
} from "./patchRecords.ts";
import { endOf } from "./patchWords.ts";
import { plannedDiff } from "./plannedDiff.ts";
import { unwritable } from "./unwritable.ts";

/**
 * The life of one patch: look once, skip what the previous call applied, plan everything, ask, recheck, commit, tell.
 */
export async function runPatch(request: PatchRequest, context: UnitsContext): Promise<Ended> {
  const { keeper, signal } = context;
  keeper.update({ phase: "planning" });
  const whole = request.parsed.doc;
  const seen = await lookAtPatch(whole, context);
  const { doc, repeats } = await withoutRepeats(whole, seen, context);
  const { files, first } = planWritable(request, doc, seen, context);
  if (first.kind === "rejected")
    return endOf(context, request, {
      kind: "rejected",
      problem: explainEnvelope(first.problem),
      outcomes: operationGroups(doc).map(({ path, indexes }) => ({
        ...groupless(doc, path, indexes),
        error: explainEnvelope(first.problem),
      })),
    });
  const over = overRecords(doc, files, first.failed, repeats);
  const decided = await approve(request, doc, files, { ...first, over }, context);
  const records = new PatchRecords(doc, files, keeper, repeats, decided);
  if (context.dryRun) return endOf(context, request, dryEnd(doc, files, repeats, decided));
  if (signal.aborted) return endOf(context, request, records.interrupted());
  keeper.update({ phase: "applying" });
  await records.keepPlans(context.ports);
  await keeper.save();
  const commit = await commitAll(
    context.ports,
    doc,
    files,
    decided.files,
    {
      started: (file) => records.started(file),
      written: (file) =>
        records.finish(file.planned, appliedOutcome(doc, files, file), file.done.kept),
    },
    signal,
  );
  const end = endOfCommit(doc, files, decided, commit, records);
  return endOf(context, request, end, misreadFiles(doc, files, decided));
}

/**
 * The file whose text was not found, as the patch names it. A patch of several files says nothing about how often the
 * model misread one of them.
 */
function misreadFiles(doc: PatchDoc, files: PatchFiles, { failed }: Decided): readonly FileRef[] {
  const [group, ...others] = operationGroups(doc);
  const file = files.refs.get(failed[0]?.path.key ?? "");
  if (group === undefined || others.length > 0 || file === undefined) return [];
  const isMiss = failed[0]?.operations.some(({ problem }) => isMatchFailure(problem)) === true;
  return isMiss ? [file] : [];
}

function plan(
  request: PatchRequest,
  doc: PatchDoc,
  files: PatchFiles,
  states: ReadonlyMap<string, PatchFileState>,
  { ports }: UnitsContext,
) {
  const ambiguousHunk = ports.settings?.().ambiguousHunk ?? "note";
  return planPatch({ ...request.parsed, doc }, files.paths, states, { ambiguousHunk });
}

/**
 * The plan, without the groups whose text their file cannot hold: those files are blocked from here on.
 * What took another file's failed text may turn out to be in the way of nothing now, so it is asked until all fit.
 */
function planWritable(
  request: PatchRequest,
  doc: PatchDoc,
  seen: PatchFiles,
  context: UnitsContext,
) {
  let files = seen;
  for (;;) {
    const first = plan(request, doc, files, files.states, context);
    const lost = first.kind === "planned" ? unwritable(files, first.files) : NONE;
    if (lost.size === 0) return { files, first };
    const states = new Map(files.states);
    for (const [key, explanation] of lost) states.set(key, { kind: "blocked", explanation });
    files = { ...files, states };
  }
}

const NONE: ReadonlyMap<string, Explanation> = new Map();

function groupless(doc: PatchDoc, path: string, indexes: readonly number[]) {
  const { operation, operations } = waitingRecord(doc, path, indexes);
  return { path, status: "rejected" as const, operation, operations: operations ?? [] };
}

/** Takes out whole file groups that the previous call applied and whose effect still stands. */
async function withoutRepeats(
  doc: PatchDoc,
  files: PatchFiles,
  { previous }: UnitsContext,
): Promise<{ doc: PatchDoc; repeats: readonly Repeat[] }> {
  const edits = guardEditsOf(doc);
  if (!edits.some(({ key }) => previous.has(key))) return { doc, repeats: [] };
  const present = new Map<string, PresentFile>();
  for (const [path, { key }] of files.paths) {
    const snapshot = files.snapshots.get(key);
    if (snapshot === undefined) continue;
    present.set(
      path,
      snapshot.kind === "missing"
        ? { exists: false, text: null }
        : {
            exists: true,
            text: snapshot.body.ok ? snapshot.body.value.text : null,
            hash: await contentHash(snapshot.bytes),
          },
    );
  }
  const groups = operationGroups(doc);
  const repeats: Repeat[] = [];
  const skipped = new Set<number>();
  for (const [place, mark] of markRepeats(edits, previous, (path) => present.get(path)).entries()) {
    if (mark.kind !== "skip") continue;
    const group = at(groups, place);
    for (const index of group.indexes) skipped.add(index);
    repeats.push({
      outcome: repeatOutcome(doc, group),
      record: waitingRecord(doc, group.path, group.indexes, files),
      appliedBy: mark.appliedBy,
    });
  }
  const operations = doc.operations.filter((_, index) => !skipped.has(index));
  return { doc: { ...doc, operations }, repeats };
}

/**
 * Asks about the planned files that a rule wants asked. A file that is not approved is blocked, and the patch is
 * planned again on the same snapshot, so that what depends on it fails with it.
 */
async function approve(
  request: PatchRequest,
  doc: PatchDoc,
  files: PatchFiles,
  decided: Decided & { readonly over: readonly FileRecord[] },
  context: UnitsContext,
): Promise<Decided> {
  const { ports, keeper, signal, dryRun, approvedPlan } = context;
  const { permissions } = ports;
  if (permissions === undefined && !context.askAll) return decided;
  if (dryRun && permissions?.wouldAsk === undefined) return decided;
  const asked = decided.files.filter((file) => wantsAsking(doc, files, file, context));
  if (asked.length === 0) return decided;
  const planned = decided.files.map((file) => ({
    ...waitingOf(doc, files, file),
    ...(asked.includes(file)
      ? { phase: "proposed" as const, proposed: plannedDiff(files, file) }
      : {}),
  }));
  const all = [...planned, ...decided.over];
  const places = asked.map((file) => decided.files.indexOf(file));
  if (dryRun) {
    keeper.update({ files: all });
    permissions?.wouldAsk?.(keeper.record, places);
    return decided;
  }
  keeper.update({ files: all, phase: "approval" });
  await keeper.save();
  // Where nobody can be asked, nobody said yes.
  const answers = (await permissions?.ask(keeper.record, places, signal, approvedPlan)) ?? [];
  const approved = new Set<string>();
  const states = new Map(files.states);
  const block = (file: PlannedFile, by: "user" | "nobody"): void => {
    const path = writtenPath(doc, files, file);
    const explanation = explainFile(
      signal.aborted ? { code: "interrupted", path } : deniedProblem(path, by, permissions),
    );
    states.set(sourceKey(file), { kind: "blocked", explanation });
  };
  for (const [place, file] of asked.entries()) {
    if (answers[place] === "approved") approved.add(signature(files, file));
    else block(file, answers[place] === "denied" ? "user" : "nobody");
  }
  if (approved.size === asked.length) return decided;
  // Without the refused files another plan may come out for the rest. What must be asked and was not seen just so is
  // refused too; each round refuses one file more.
  for (let round = 0; round <= files.states.size; round++) {
    const again = plan(request, doc, files, states, context);
    if (again.kind === "rejected") break;
    const unseen = again.files.filter(
      (file) => wantsAsking(doc, files, file, context) && !approved.has(signature(files, file)),
    );
    if (unseen.length === 0) return again;
    for (const file of unseen) block(file, "nobody");
  }
  return { kind: "planned", files: [], failed: decided.failed };
}

/** What a person said yes to: which file becomes which, and its diff. */
function signature(files: PatchFiles, file: PlannedFile): string {
  return JSON.stringify([file.kind, sourceKey(file), file.path.key, plannedDiff(files, file)]);
}

/** The file that a planned file is made from. */
function sourceKey(file: PlannedFile): string {
  return file.kind === "move" ? file.from.key : file.path.key;
}

function wantsAsking(
  doc: PatchDoc,
  files: PatchFiles,
  planned: PlannedFile,
  { ports, tool, askAll }: UnitsContext,
): boolean {
  if (planned.kind === "unchanged") return false;
  if (askAll) return true;
  const keys = planned.kind === "move" ? [planned.from.key, planned.path.key] : [planned.path.key];
  const uses = [...files.paths].filter(([, path]) => keys.includes(path.key));
  return uses.some(([path, { key }]) => {
    const file = files.refs.get(key);
    return (
      file !== undefined &&
      usesOf(doc, path).some((use) => ports.permissions?.judge(file, use, tool) === "ask")
    );
  });
}
