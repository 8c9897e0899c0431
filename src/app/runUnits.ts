import { fail, ok, type Result } from "../base/result.ts";
import { at } from "../base/assert.ts";
import { explainFile } from "../engine/index.ts";
import type { Explanation, FileOutcome, FileProblem } from "../engine/index.ts";
import { commitUnit, diffOf, type Committed } from "./commit.ts";
import type { Keeper } from "./keeper.ts";
import type { FileRef, Ports, Snapshot } from "./ports.ts";
import type { FileUnit, UnitPlan } from "./unit.ts";

export interface UnitsContext {
  readonly ports: Ports;
  readonly keeper: Keeper;
  readonly signal: AbortSignal;
  readonly tool: string;
  /** Nothing is written; outcomes say what would happen. */
  readonly dryRun: boolean;
}

export interface UnitsRun {
  readonly outcomes: readonly FileOutcome[];
  /** Files that were written, for diagnostics. */
  readonly changed: readonly FileRef[];
}

/** A unit that can be written, with the snapshot its plan was made on. */
interface Ready {
  readonly file: FileRef;
  readonly snapshot: Snapshot;
  readonly plan: UnitPlan;
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
  const prepared: Result<Ready, Explanation>[] = [];
  for (const [index, unit] of units.entries()) {
    const one = signal.aborted ? interrupted(unit) : await prepare(unit, context);
    if (!one.ok) keeper.finishFile(index, rejected(unit, one.problem));
    else {
      const { shown, absolute } = one.value.file;
      keeper.updateFile(index, { shown, absolute });
    }
    prepared.push(one);
  }
  const allowed = await approve(units, prepared, context);

  keeper.update({ phase: "applying" });
  await keeper.save();
  const outcomes: FileOutcome[] = [];
  const changed: FileRef[] = [];
  for (const [index, unit] of units.entries()) {
    const one = at(allowed, index);
    if (!one.ok) {
      const outcome = rejected(unit, one.problem);
      keeper.finishFile(index, outcome);
      outcomes.push(outcome);
      continue;
    }
    if (signal.aborted) {
      const stopped = interrupted(unit);
      const outcome = rejected(unit, stopped.problem);
      keeper.finishFile(index, outcome);
      outcomes.push(outcome);
      continue;
    }
    keeper.updateFile(index, { phase: "running" });
    const { outcome, kept, wrote } = await apply(unit, one.value, context);
    if (wrote) changed.push(one.value.file);
    keeper.finishFile(index, outcome, kept);
    outcomes.push(outcome);
  }
  return { outcomes, changed };
}

async function prepare(
  unit: FileUnit,
  { ports, tool }: UnitsContext,
): Promise<Result<Ready, Explanation>> {
  if (unit.refused !== undefined) return fail(unit.refused);
  const file = await ports.workspace.locate(unit.path, unit.use, unit.relative);
  if (!file.ok) return fail(explainFile(file.problem));
  const verdict = ports.permissions?.judge(file.value, unit.use, tool) ?? "allow";
  if (verdict === "deny") return denied(unit.path, "rule");
  const snapshot = await ports.workspace.look(file.value);
  if (!snapshot.ok) return fail(explainFile(snapshot.problem));
  const plan = unit.plan(snapshot.value);
  if (!plan.ok) return plan;
  return ok({ file: file.value, snapshot: snapshot.value, plan: plan.value });
}

/** Asks about every planned file that a rule wants asked, all at once, each to be answered on its own. */
async function approve(
  units: readonly FileUnit[],
  prepared: readonly Result<Ready, Explanation>[],
  { ports, keeper, signal, tool, dryRun }: UnitsContext,
): Promise<readonly Result<Ready, Explanation>[]> {
  const { permissions } = ports;
  if (permissions === undefined || dryRun) return prepared;
  const asked: number[] = [];
  for (const [index, one] of prepared.entries()) {
    if (!one.ok || permissions.judge(one.value.file, at(units, index).use, tool) !== "ask") continue;
    asked.push(index);
    keeper.updateFile(index, {
      phase: "proposed",
      proposed: diffOf(one.value.file, one.value.snapshot, one.value.plan),
    });
  }
  if (asked.length === 0) return prepared;
  keeper.update({ phase: "approval" });
  const answers = await permissions.ask(keeper.record, asked, signal);
  return prepared.map((one, index) => {
    const place = asked.indexOf(index);
    if (place < 0 || !one.ok) return one;
    const answer = answers[place];
    keeper.updateFile(index, { phase: "waiting" });
    if (answer === "approved") return one;
    const unit = at(units, index);
    return answer === "denied" ? denied(unit.path, "user") : interrupted(unit);
  });
}

async function apply(
  unit: FileUnit,
  { file, snapshot, plan }: Ready,
  { ports, signal, tool, dryRun }: UnitsContext,
): Promise<{ outcome: FileOutcome; kept: object; wrote: boolean }> {
  if (dryRun) {
    const outcome = described(unit, snapshot, plan, { diff: diffOf(file, snapshot, plan) });
    return { outcome, kept: {}, wrote: false };
  }
  const label = `Agent edit (${tool})`;
  const replan = (newer: Snapshot): Result<UnitPlan, Explanation> => unit.plan(newer);
  const done = await commitUnit(ports, { file, snapshot, plan, label, replan }, signal);
  return told(unit, done);
}

function told(
  unit: FileUnit,
  done: Committed,
): { outcome: FileOutcome; kept: object; wrote: boolean } {
  switch (done.kind) {
    case "applied": {
      const extra = {
        diff: done.diff,
        ...(done.unsaved ? { unsaved: true } : {}),
        ...(done.notes.length > 0 ? { note: done.notes.join(" ") } : {}),
      };
      return {
        outcome: described(unit, done.base, done.plan, extra),
        kept: done.kept,
        wrote: true,
      };
    }
    case "rejected":
      return { outcome: rejected(unit, done.error), kept: {}, wrote: false };
    case "unknown":
      return {
        outcome: { ...rejected(unit, done.error), status: "unknown" },
        kept: {},
        wrote: true,
      };
  }
}

function described(
  unit: FileUnit,
  base: Snapshot,
  plan: UnitPlan,
  extra: Pick<FileOutcome, "diff" | "unsaved" | "note">,
): FileOutcome {
  const tolerance = plan.kind === "update" ? plan.tolerance : [];
  const encoding = base.kind === "file" && base.body.ok ? base.body.value.encoding : "utf8";
  return {
    path: unit.path,
    status: "applied",
    operation: unit.operation,
    ...(unit.edits === undefined ? {} : { edits: unit.edits }),
    ...extra,
    ...(encoding === "utf8" ? {} : { encoding }),
    ...(tolerance.length > 0 ? { tolerance } : {}),
  };
}

function rejected(unit: FileUnit, error: Explanation): FileOutcome {
  return {
    path: unit.path,
    status: "rejected",
    operation: unit.operation,
    ...(unit.edits === undefined ? {} : { edits: unit.edits }),
    error,
  };
}

function refusal(problem: FileProblem): { readonly ok: false; readonly problem: Explanation } {
  return fail(explainFile(problem));
}

function interrupted(unit: FileUnit): { readonly ok: false; readonly problem: Explanation } {
  return refusal({ code: "interrupted", path: unit.path });
}

function denied(
  path: string,
  by: "user" | "rule",
): { readonly ok: false; readonly problem: Explanation } {
  return refusal({ code: "denied", path, by });
}
