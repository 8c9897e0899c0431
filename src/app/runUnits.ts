import { at } from "../base/assert.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { explainFile } from "../engine/index.ts";
import type { Explanation, FileOutcome, FileProblem } from "../engine/index.ts";
import {
  commitUnit,
  diffOf,
  encodingOf,
  keepSides,
  sidesOf,
  type CommitRequest,
  type Sides,
} from "./commit.ts";
import { contentHash } from "./contentHash.ts";
import { markRepeats, type PreviousEdit } from "./guard.ts";
import type { KeptFile } from "./journal.ts";
import type { Keeper } from "./keeper.ts";
import type { FileRef, Ports, Snapshot } from "./ports.ts";
import type { FileUnit, PlanFailure, UnitPlan } from "./unit.ts";
import {
  alreadyApplied,
  described,
  rejected,
  skippedNote,
  told,
  type UnitEnd,
} from "./unitOutcome.ts";

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

/** A unit that can be written, with the snapshot its plan was made on. */
interface Ready {
  readonly kind: "ready";
  readonly file: FileRef;
  readonly snapshot: Snapshot;
  readonly plan: UnitPlan;
  readonly repeats: Repeats;
  /** An earlier unit of the call writes the same file under another name; then the snapshot is what it will leave. */
  readonly follows: boolean;
  /** The diff a person said yes to: exactly this may be written. */
  readonly approved?: string;
  readonly sides: Sides;
  /** What the store keeps of this plan. */
  readonly kept?: Partial<KeptFile>;
}

/** A unit that came to its end before anything was written. */
interface Over {
  readonly kind: "over";
  readonly end: UnitEnd & { readonly file?: FileRef };
}

type Prepared = Ready | Over;

/** The flat indexes that the guard skips, and the call that applied them. */
export interface Repeats {
  readonly skipped: ReadonlySet<number>;
  readonly appliedBy?: string;
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

async function prepare(
  unit: FileUnit,
  { ports, tool, keeper, previous }: UnitsContext,
  index: number,
  left: ReadonlyMap<string, Snapshot>,
): Promise<Prepared> {
  const file = await ports.workspace.locate(unit.path, unit.use, unit.relative);
  // What validation found is told even where the file is not there: it is what the model must mend first.
  if (unit.refused !== undefined) {
    const seen =
      file.ok && unit.guarded !== undefined ? await ports.workspace.look(file.value) : null;
    const repeats =
      seen?.ok === true
        ? await repeatsOf(unit, seen.value, previous)
        : { skipped: new Set<number>() };
    return { kind: "over", end: rejected(unit, unit.refused, repeats) };
  }
  if (!file.ok) return over(unit, explainFile(file.problem));
  const { shown, absolute } = file.value;
  keeper.updateFile(index, { shown, absolute });
  if (ports.permissions?.judge(file.value, unit.use, tool) === "deny")
    return over(unit, explainFile({ code: "denied", path: unit.path, by: "rule" }));
  const before = left.get(file.value.real);
  const snapshot: Result<Snapshot, FileProblem> =
    before === undefined
      ? await ports.workspace.look(file.value)
      : ok({ ...before, file: file.value });
  if (!snapshot.ok) return over(unit, explainFile(snapshot.problem));
  const repeats = await repeatsOf(unit, snapshot.value, previous);
  if (repeats.skipped.size > 0 && repeats.skipped.size === unit.edits?.length)
    return { kind: "over", end: alreadyApplied(unit, repeats) };
  const plan = unit.plan(snapshot.value, repeats.skipped);
  if (!plan.ok) {
    const { error, missed } = plan.problem;
    const end = { ...rejected(unit, error, repeats), missed, file: file.value };
    return { kind: "over", end };
  }
  const sides = sidesOf(snapshot.value, plan.value);
  if (!sides.ok) return { kind: "over", end: rejected(unit, explainFile(sides.problem), repeats) };
  return {
    kind: "ready",
    file: file.value,
    snapshot: snapshot.value,
    plan: plan.value,
    repeats,
    sides: sides.value,
    follows: before !== undefined,
  };
}

/** What a file looks like once a plan is written: what a second unit of the same file begins with. */
function afterPlan({ snapshot, plan, sides }: Ready): Snapshot {
  if (plan.kind !== "update" || snapshot.kind !== "file" || !snapshot.body.ok) return snapshot;
  const body = { ...snapshot.body.value, text: plan.change.after };
  return { ...snapshot, body: ok(body), bytes: sides.after.bytes ?? snapshot.bytes };
}

/** Both sides of every plan go to the store before anything is written, and their hashes into the record. */
async function keep(
  prepared: readonly Prepared[],
  { ports, keeper, dryRun }: UnitsContext,
): Promise<readonly Prepared[]> {
  if (dryRun) return prepared;
  const out: Prepared[] = [];
  for (const [index, one] of prepared.entries()) {
    if (one.kind === "over" || one.follows) {
      out.push(one);
      continue;
    }
    const kept = await keepSides(ports, one.snapshot, one.plan, one.sides);
    const planned = diffOf(one.file, one.snapshot, one.plan);
    keeper.updateFile(index, { ...kept, planned });
    out.push({ ...one, kept });
  }
  return out;
}

async function repeatsOf(
  unit: FileUnit,
  snapshot: Snapshot,
  previous: ReadonlyMap<string, PreviousEdit>,
): Promise<Repeats> {
  const guarded = unit.guarded ?? [];
  if (!guarded.some(({ key }) => previous.has(key))) return { skipped: new Set() };
  const present =
    snapshot.kind === "missing"
      ? { exists: false, text: null }
      : {
          exists: true,
          text: snapshot.body.ok ? snapshot.body.value.text : null,
          hash: await contentHash(snapshot.bytes),
        };
  const marks = markRepeats(guarded, previous, (path) =>
    path === unit.path ? present : undefined,
  );
  const skipped = new Set<number>();
  let appliedBy: string | undefined;
  for (const [place, mark] of marks.entries()) {
    if (mark.kind !== "skip") continue;
    skipped.add(unit.edits?.[place] ?? place);
    appliedBy ??= mark.appliedBy;
  }
  if (unit.guardedWhole === true && skipped.size < guarded.length) return { skipped: new Set() };
  return { skipped, ...(appliedBy === undefined ? {} : { appliedBy }) };
}

/** Asks about every planned file that a rule wants asked, all at once, each to be answered on its own. */
async function approve(
  units: readonly FileUnit[],
  prepared: readonly Prepared[],
  { ports, keeper, signal, tool, dryRun, askAll }: UnitsContext,
): Promise<readonly Prepared[]> {
  const { permissions } = ports;
  if (dryRun || (permissions === undefined && !askAll)) return prepared;
  const asked: number[] = [];
  for (const [index, one] of prepared.entries()) {
    if (one.kind !== "ready") continue;
    if (!askAll && permissions?.judge(one.file, at(units, index).use, tool) !== "ask") continue;
    asked.push(index);
    keeper.updateFile(index, {
      phase: "proposed",
      proposed: diffOf(one.file, one.snapshot, one.plan),
    });
  }
  if (asked.length === 0) return prepared;
  keeper.update({ phase: "approval" });
  // Where nobody can be asked, nobody says yes.
  const answers = (await permissions?.ask(keeper.record, asked, signal)) ?? [];
  return prepared.map((one, index) => {
    const place = asked.indexOf(index);
    if (place < 0) return one;
    keeper.updateFile(index, { phase: "waiting" });
    const unit = at(units, index);
    if (answers[place] === "approved" && one.kind === "ready")
      return { ...one, approved: diffOf(one.file, one.snapshot, one.plan) };
    if (signal.aborted) return interrupted(unit);
    const by = answers[place] === "denied" ? "user" : "nobody";
    return over(unit, explainFile({ code: "denied", path: unit.path, by }));
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

function over(unit: FileUnit, error: Explanation): Over {
  return { kind: "over", end: rejected(unit, error, { skipped: new Set() }) };
}

function interrupted(unit: FileUnit): Over {
  return over(unit, explainFile({ code: "interrupted", path: unit.path }));
}
