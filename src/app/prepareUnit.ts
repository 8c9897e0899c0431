import { ok, type Result } from "../base/result.ts";
import { explainFile } from "../engine/index.ts";
import type { Explanation, FileProblem } from "../engine/index.ts";
import { sidesOf, type Sides } from "./commit.ts";
import { contentHash } from "./contentHash.ts";
import { markRepeats, type PreviousEdit } from "./guard.ts";
import { deniedProblem } from "./permissions.ts";
import type { FileRef, Snapshot } from "./ports.ts";
import type { FileRecord } from "./record.ts";
import type { UnitsContext } from "./runUnits.ts";
import type { FileUnit, UnitPlan } from "./unit.ts";
import { alreadyApplied, rejected, type UnitEnd } from "./unitOutcome.ts";

/** A unit that can be written, with the snapshot its plan was made on. */
export interface Ready {
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
  readonly kept?: Partial<FileRecord>;
}

/** A unit that came to its end before anything was written. */
export interface Over {
  readonly kind: "over";
  readonly end: UnitEnd & { readonly file?: FileRef };
}

export type Prepared = Ready | Over;

/** The flat indexes that the guard skips, and the call that applied them. */
export interface Repeats {
  readonly skipped: ReadonlySet<number>;
  readonly appliedBy?: string;
}

/**
 * Finds, judges and looks at one file, and plans on what is there; `left` holds what earlier units of the call will
 * leave, by real path.
 */
export async function prepare(
  unit: FileUnit,
  { ports, tool, keeper, previous, pathProblem }: UnitsContext,
  index: number,
  left: ReadonlyMap<string, Snapshot>,
): Promise<Prepared> {
  const file = await ports.workspace.locate(unit.path, unit.use, unit.relative);
  // What validation found is told even where the file is not there: it is what the model must mend first.
  const misplaced = pathProblem(unit.path);
  if (misplaced !== null) return over(unit, { message: misplaced });
  const denied = file.ok && ports.permissions?.judge(file.value, unit.use, tool) === "deny";
  if (unit.refused !== undefined) {
    const mayLook = file.ok && !denied && unit.guarded !== undefined;
    const seen = mayLook ? await ports.workspace.look(file.value) : null;
    const repeats =
      seen?.ok === true
        ? await repeatsOf(unit, seen.value, previous)
        : { skipped: new Set<number>() };
    return { kind: "over", end: rejected(unit, unit.refused, repeats) };
  }
  const explain = unit.explain ?? explainFile;
  if (!file.ok) return over(unit, explain(file.problem));
  const { shown, absolute, real } = file.value;
  keeper.updateFile(index, { shown, absolute, real });
  if (denied) return over(unit, explain(deniedProblem(unit.path, "rule", ports.permissions)));
  const before = left.get(file.value.real);
  const snapshot: Result<Snapshot, FileProblem> =
    before === undefined
      ? await ports.workspace.look(file.value)
      : ok({ ...before, file: file.value });
  if (!snapshot.ok) return over(unit, explain(snapshot.problem));
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
  if (!sides.ok) return { kind: "over", end: rejected(unit, explain(sides.problem), repeats) };
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
export function afterPlan({ snapshot, plan, sides }: Ready): Snapshot {
  if (plan.kind !== "update" || snapshot.kind !== "file" || !snapshot.body.ok) return snapshot;
  const body = { ...snapshot.body.value, text: plan.change.after };
  return { ...snapshot, body: ok(body), bytes: sides.after.bytes ?? snapshot.bytes };
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

export function over(unit: FileUnit, error: Explanation): Over {
  return { kind: "over", end: rejected(unit, error, { skipped: new Set() }) };
}

export function interrupted(unit: FileUnit): Over {
  return over(unit, explainFile({ code: "interrupted", path: unit.path }));
}
