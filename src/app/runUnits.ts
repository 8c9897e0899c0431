import { at } from "../base/assert.ts";
import { fail, type Result } from "../base/result.ts";
import { explainFile } from "../engine/index.ts";
import type { FileOutcome } from "../engine/index.ts";
import { commitUnit, diffOf, encodingOf, keepSides, type CommitRequest } from "./commit.ts";
import type { PreviousEdit } from "./guard.ts";
import type { Keeper } from "./keeper.ts";
import type { FileRef, Ports, Snapshot } from "./ports.ts";
import { deniedProblem } from "./permissions.ts";
import { afterPlan, interrupted, over, prepare, type Prepared, type Ready } from "./prepareUnit.ts";
import type { FileUnit, PlanFailure, UnitPlan } from "./unit.ts";
import { described, rejected, skippedNote, told, type UnitEnd } from "./unitOutcome.ts";

export interface UnitsContext {
  readonly ports: Ports;
  readonly keeper: Keeper;
  readonly signal: AbortSignal;
  readonly tool: string;
  /** Nothing is written; outcomes say what would happen. */
  readonly dryRun: boolean;
  /** What the session's previous call of this tool left applied, for the guard. */
  readonly previous: ReadonlyMap<string, PreviousEdit>;
  /** A hook wants a person to see every planned file. */
  readonly askAll: boolean;
  /** Why a path may not be edited whatever is in the file, or null; rejects that file only. */
  readonly pathProblem: (path: string) => string | null;
  /** Hash of a plan that a person approved before the call came. */
  readonly approvedPlan?: string;
}

export interface UnitsRun {
  readonly outcomes: readonly FileOutcome[];
  /** Files that were written, for diagnostics. */
  readonly changed: readonly FileRef[];
  /** Files in which a text was not found under any tolerance, for the re-read note. */
  readonly missed: readonly FileRef[];
  /** The sentence of each unit that has one, for tools whose result is a sentence. */
  readonly said: readonly (string | undefined)[];
}

/**
 * Plans every unit, asks a person where the rules say so, then writes file by file. A file that fails leaves the
 * others alone. After an interruption, files not started are rejected; what was written stays.
 */
export async function runUnits(
  units: readonly FileUnit[],
  context: UnitsContext,
): Promise<UnitsRun> {
  const { keeper, signal } = context;
  keeper.update({ phase: "planning" });
  const prepared: Prepared[] = [];
  const left = new Map<string, Snapshot>();
  for (const [index, unit] of units.entries()) {
    const one = signal.aborted ? interrupted(unit) : await prepare(unit, context, index, left);
    if (one.kind === "over") keeper.finishFile(index, one.end.outcome, one.end.kept);
    else left.set(one.file.real, afterPlan(one));
    prepared.push(one);
  }
  const allowed = await keep(await approve(units, prepared, context), context);

  keeper.update({ phase: "applying" });
  await keeper.save();
  const outcomes: FileOutcome[] = [];
  const said: (string | undefined)[] = [];
  const changed: FileRef[] = [];
  const missed: FileRef[] = [];
  for (const [index, unit] of units.entries()) {
    const one = at(allowed, index);
    let over = one;
    if (one.kind === "ready" && signal.aborted) over = interrupted(unit);
    if (over.kind === "over") {
      if (prepared[index] !== over) keeper.finishFile(index, over.end.outcome, over.end.kept);
      outcomes.push(over.end.outcome);
      said.push(undefined);
      if (over.end.missed === true && over.end.file !== undefined) missed.push(over.end.file);
      continue;
    }
    keeper.updateFile(index, { phase: "running" });
    const end = await apply(unit, over, context);
    if (end.wrote) changed.push(over.file);
    if (end.missed === true) missed.push(over.file);
    keeper.finishFile(index, end.outcome, end.kept);
    outcomes.push(end.outcome);
    said.push(end.said);
  }
  return { outcomes, changed, missed, said };
}

/** Both sides of every plan go to the store before anything is written, and their hashes into the record. */
async function keep(
  prepared: readonly Prepared[],
  { ports, keeper, dryRun }: UnitsContext,
): Promise<readonly Prepared[]> {
  if (dryRun) return prepared;
  const out: Prepared[] = [];
  for (const [index, one] of prepared.entries()) {
    if (one.kind === "over") {
      out.push(one);
      continue;
    }
    const kept = await keepSides(ports, one.snapshot, one.plan, one.sides);
    const planned = diffOf(one.file, one.snapshot, one.plan);
    keeper.updateFile(index, { ...kept, planned });
    // What follows another unit is planned again on what that one really left.
    out.push(one.follows ? one : { ...one, kept });
  }
  return out;
}

const OPERATION = { create: "add", update: "update", delete: "delete" } as const;

/** Asks about every planned file that a rule wants asked, all at once, each to be answered on its own. */
async function approve(
  units: readonly FileUnit[],
  prepared: readonly Prepared[],
  { ports, keeper, signal, tool, dryRun, askAll, approvedPlan }: UnitsContext,
): Promise<readonly Prepared[]> {
  const { permissions } = ports;
  if (permissions === undefined && !askAll) return prepared;
  if (dryRun && permissions?.wouldAsk === undefined) return prepared;
  const asked: number[] = [];
  for (const [index, one] of prepared.entries()) {
    if (one.kind !== "ready") continue;
    if (!askAll && permissions?.judge(one.file, at(units, index).use, tool) !== "ask") continue;
    asked.push(index);
    keeper.updateFile(index, {
      phase: "proposed",
      operation: OPERATION[one.plan.kind],
      proposed: diffOf(one.file, one.snapshot, one.plan),
    });
  }
  if (asked.length === 0) return prepared;
  if (dryRun) {
    permissions?.wouldAsk?.(keeper.record, asked);
    return prepared;
  }
  keeper.update({ phase: "approval" });
  await keeper.save();
  // Where nobody can be asked, nobody says yes.
  const answers = (await permissions?.ask(keeper.record, asked, signal, approvedPlan)) ?? [];
  return prepared.map((one, index) => {
    const place = asked.indexOf(index);
    if (place < 0) return one;
    keeper.updateFile(index, { phase: "waiting" });
    const unit = at(units, index);
    if (answers[place] === "approved" && one.kind === "ready")
      return { ...one, approved: diffOf(one.file, one.snapshot, one.plan) };
    if (signal.aborted) return interrupted(unit);
    const by = answers[place] === "denied" ? "user" : "nobody";
    return over(unit, explainFile(deniedProblem(unit.path, by, permissions)));
  });
}

async function apply(
  unit: FileUnit,
  { file, snapshot, plan, sides, repeats, follows, approved, kept }: Ready,
  { ports, signal, tool, dryRun }: UnitsContext,
): Promise<UnitEnd> {
  const note =
    repeats.skipped.size === 0
      ? []
      : [
          skippedNote(
            unit,
            [...repeats.skipped].sort((a, b) => a - b),
          ),
        ];
  if (dryRun) {
    const extra = { diff: diffOf(file, snapshot, plan), notes: [...plan.notes, ...note] };
    const sizes = {
      bytesBefore: sides.before.bytes?.length ?? 0,
      bytesAfter: sides.after.bytes?.length ?? 0,
      encoding: encodingOf(snapshot),
    };
    return {
      outcome: described(unit, snapshot, plan, extra, repeats),
      kept: {},
      wrote: false,
      ...(plan.say === undefined ? {} : { said: `Would do: ${plan.say(sizes)}` }),
    };
  }
  const label = `Agent edit (${tool})`;
  const replan = (newer: Snapshot): Result<UnitPlan, PlanFailure> => {
    const next = unit.plan(newer, repeats.skipped);
    // A yes was said to one diff; another one is another question.
    if (next.ok && approved !== undefined && diffOf(file, newer, next.value) !== approved)
      return fail({
        error: explainFile({ code: "changed-after-planning", path: unit.path }),
        missed: false,
      });
    return next;
  };
  let request: CommitRequest = { file, snapshot, plan, label, replan };
  if (kept !== undefined) request = { ...request, ready: { sides, kept } };
  if (follows) {
    const now = await ports.workspace.look(file);
    if (!now.ok) return rejected(unit, explainFile(now.problem), repeats);
    const again = replan(now.value);
    if (!again.ok)
      return { ...rejected(unit, again.problem.error, repeats), missed: again.problem.missed };
    request = { ...request, snapshot: now.value, plan: again.value };
  }
  return told(unit, await commitUnit(ports, request, signal), repeats, note);
}
