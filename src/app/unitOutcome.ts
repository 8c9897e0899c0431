import type { Explanation, FileOutcome } from "../engine/index.ts";
import { encodingOf, type Committed } from "./commit.ts";
import { alreadyAppliedNote, repeatNote } from "./guard.ts";
import type { Snapshot } from "./ports.ts";
import type { FileRecord } from "./record.ts";
import type { Repeats } from "./prepareUnit.ts";
import type { FileUnit, UnitPlan } from "./unit.ts";

/** How one unit came out: for the result, for the record, and whether the file may have been written. */
export interface UnitEnd {
  readonly outcome: FileOutcome;
  readonly kept: Partial<FileRecord>;
  readonly wrote: boolean;
  /** The success in words, for tools whose result is a sentence; it has what the plan's notes say. */
  readonly said?: string;
  /** The text is not in the file under any tolerance. */
  readonly missed?: boolean;
}

export function told(
  unit: FileUnit,
  done: Committed,
  repeats: Repeats,
  notes: readonly string[],
): UnitEnd {
  switch (done.kind) {
    case "applied": {
      const { diff, unsaved, base, plan, kept } = done;
      const extra = { diff, unsaved, notes: [...done.notes, ...notes] };
      // The sentence of the plan has its own notes in it; what the commit found out comes behind.
      const added = done.notes.slice(plan.notes.length);
      return {
        outcome: described(unit, base, plan, extra, repeats),
        kept: { ...kept, ...keptOf(repeats) },
        wrote: true,
        ...(plan.say === undefined
          ? {}
          : { said: [plan.say(done.sizes), ...added, ...notes].join("\n") }),
      };
    }
    case "rejected":
      return { ...rejected(unit, done.error, repeats), missed: done.missed === true };
    case "unknown": {
      const end = rejected(unit, done.error, repeats);
      return { ...end, outcome: { ...end.outcome, status: "unknown" }, wrote: true };
    }
  }
}

/** Whatever the tool calls it, a file that was not there is added. */
const OPERATION = { update: "update", create: "add", delete: "delete" } as const;

export function described(
  unit: FileUnit,
  base: Snapshot,
  plan: UnitPlan,
  extra: { readonly diff: string; readonly unsaved?: boolean; readonly notes: readonly string[] },
  repeats: Repeats,
): FileOutcome {
  const tolerance = plan.kind === "update" ? plan.change.tolerance : [];
  const encoding = encodingOf(base);
  return {
    path: unit.path,
    status: "applied",
    operation: OPERATION[plan.kind],
    ...editsOf(unit, repeats),
    diff: extra.diff,
    ...(extra.notes.length > 0 ? { note: extra.notes.join(" ") } : {}),
    ...(extra.unsaved === true ? { unsaved: true } : {}),
    ...(encoding === "utf8" ? {} : { encoding }),
    ...(tolerance.length > 0 ? { tolerance } : {}),
  };
}

/** A rejected file lists its failing side only: what was skipped is applied already. */
export function rejected(unit: FileUnit, error: Explanation, repeats: Repeats): UnitEnd {
  const outcome: FileOutcome = {
    path: unit.path,
    status: "rejected",
    operation: unit.operation,
    ...editsOf(unit, repeats),
    error,
  };
  return { outcome, kept: keptOf(repeats), wrote: false };
}

export function alreadyApplied(unit: FileUnit, repeats: Repeats): UnitEnd {
  const outcome: FileOutcome = {
    path: unit.path,
    status: "already_applied",
    operation: unit.operation,
    ...(unit.edits === undefined ? {} : { edits: unit.edits }),
    note: skippedNote(unit, unit.edits ?? []),
  };
  return { outcome, kept: keptOf(repeats), wrote: false };
}

/** The skipped edits by their indexes, which a call of one replacement does not know. */
export function skippedNote(unit: FileUnit, skipped: readonly number[]): string {
  return unit.guardedWhole === true && unit.edits?.length === 1
    ? repeatNote("this edit", 1)
    : alreadyAppliedNote(skipped);
}

function editsOf(unit: FileUnit, { skipped }: Repeats): { edits?: readonly number[] } {
  return unit.edits === undefined
    ? {}
    : { edits: unit.edits.filter((index) => !skipped.has(index)) };
}

function keptOf({ skipped, appliedBy }: Repeats): Partial<FileRecord> {
  return skipped.size === 0
    ? {}
    : {
        skipped: [...skipped].sort((a, b) => a - b),
        ...(appliedBy === undefined ? {} : { appliedBy }),
      };
}
