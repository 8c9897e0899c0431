import {
  committedFile,
  explainFile,
  notAppliedGroup,
  type Explanation,
  type FailedGroup,
  type FileOutcome,
  type NotApplied,
  type PatchDoc,
  type PlannedFile,
  type TextChange,
} from "../../engine/index.ts";
import { keepSides, sidesOf, type Sides } from "../commit.ts";
import type { Keeper } from "../keeper.ts";
import type { Ports, Snapshot } from "../ports.ts";
import { keptBytes } from "../putBack.ts";
import type { FileRecord } from "../record.ts";
import type { UnitPlan } from "../unit.ts";
import type { PatchCommit } from "./commitAll.ts";
import { bytesOf, isMadeAnew, presentFile, type PatchFiles } from "./patchFiles.ts";
import {
  appliedOutcome,
  failedOutcome,
  groupOutcome,
  movedFrom,
  plannedOperation,
  waitingRecord,
  writtenPath,
} from "./patchOutcome.ts";
import type { PatchEnd } from "./patchWords.ts";
import { plannedDiff } from "./plannedDiff.ts";

export interface Decided {
  readonly kind: "planned";
  readonly files: readonly PlannedFile[];
  readonly failed: readonly FailedGroup[];
}

export interface Repeat {
  readonly outcome: FileOutcome;
  readonly record: FileRecord;
  readonly appliedBy: string;
}

/** The records of a patch, in the order: planned files, failed groups, repeats. */
export class PatchRecords {
  readonly #doc: PatchDoc;
  readonly #files: PatchFiles;
  readonly #keeper: Keeper;
  readonly #decided: Decided;
  readonly #repeats: readonly Repeat[];

  constructor(
    doc: PatchDoc,
    files: PatchFiles,
    keeper: Keeper,
    repeats: readonly Repeat[],
    decided: Decided,
  ) {
    this.#doc = doc;
    this.#files = files;
    this.#keeper = keeper;
    this.#decided = decided;
    this.#repeats = repeats;
    keeper.update({
      files: [
        ...decided.files.map((file) => waitingOf(doc, files, file)),
        ...overRecords(doc, files, decided.failed, repeats),
      ],
    });
  }

  /** Both sides of every planned file go to the store before the first is written. */
  async keepPlans(ports: Pick<Ports, "store" | "logBug">): Promise<void> {
    for (const [index, file] of this.#decided.files.entries()) {
      const sides = plannedSides(this.#files, file);
      const kept =
        sides === null
          ? await keepMoved(ports, this.#files, file)
          : await keepSides(ports, sides.snapshot, sides.plan, sides.sides);
      this.#keeper.updateFile(index, { ...kept, planned: plannedDiff(this.#files, file) });
    }
  }

  started(file: PlannedFile): void {
    this.#keeper.updateFile(this.#decided.files.indexOf(file), { phase: "running" });
  }

  finish(file: PlannedFile, outcome: FileOutcome, kept: Partial<FileRecord> = {}): void {
    this.#keeper.finishFile(this.#decided.files.indexOf(file), outcome, kept);
  }

  /** Every planned file fails with one reason, but for those of which more is known. */
  fail(
    reason: (file: PlannedFile) => Explanation,
    unknown: ReadonlyMap<PlannedFile, Explanation> = new Map(),
  ): readonly FileOutcome[] {
    return this.#decided.files.map((file) => {
      const lost = unknown.get(file);
      const status = lost === undefined ? "rejected" : "unknown";
      const outcome = failedOutcome(this.#doc, this.#files, file, lost ?? reason(file), status);
      this.#replace(file, outcome);
      return outcome;
    });
  }

  /**
   * What was written and put back leaves nothing in the record that could be taken back. Of a file that nobody knows
   * the state of both sides stay, to be looked at and to be compared with what it holds.
   */
  #replace(file: PlannedFile, outcome: FileOutcome): void {
    const place = this.#decided.files.indexOf(file);
    const fresh = { ...waitingOf(this.#doc, this.#files, file), phase: "done" as const, outcome };
    this.#keeper.update({
      files: this.#keeper.record.files.map((one, index) => {
        if (index !== place) return one;
        return outcome.status === "unknown" ? { ...fresh, ...sidesOfRecord(one) } : fresh;
      }),
    });
  }

  interrupted(): PatchEnd {
    const outcomes = this.fail((file) =>
      explainFile({ code: "interrupted", path: writtenPath(this.#doc, this.#files, file) }),
    );
    return {
      kind: "done",
      outcomes: [...outcomes, ...this.others()],
      committed: [],
      failed: [
        ...this.#decided.files.map((file) => leftOut(file, interruptedAt(file))),
        ...this.#decided.failed.map(notAppliedGroup),
      ],
      changed: [],
    };
  }

  others(): readonly FileOutcome[] {
    return [
      ...this.#decided.failed.map((group) =>
        groupOutcome(this.#doc, failedPath(this.#doc, group), group),
      ),
      ...this.#repeats.map(({ outcome }) => outcome),
    ];
  }
}

function sidesOfRecord(record: FileRecord): Partial<FileRecord> {
  const { hashBefore, hashAfter, modeBefore, planned } = record;
  return {
    ...(planned === undefined ? {} : { planned }),
    ...(hashBefore === undefined ? {} : { hashBefore }),
    ...(hashAfter === undefined ? {} : { hashAfter }),
    ...(modeBefore === undefined ? {} : { modeBefore }),
  };
}

function failedPath(doc: PatchDoc, group: FailedGroup): string {
  const index = group.operations[0]?.index ?? 0;
  return doc.operations[index]?.path ?? group.path.shown;
}

/** The records of what will not be written, whoever says what to the rest: failed groups, then repeats. */
export function overRecords(
  doc: PatchDoc,
  files: PatchFiles,
  failed: readonly FailedGroup[],
  repeats: readonly Repeat[],
): readonly FileRecord[] {
  return [
    ...failed.map((group) => failedRecord(doc, files, group)),
    ...repeats.map(({ record, outcome, appliedBy }) => ({
      ...record,
      phase: "done" as const,
      outcome,
      appliedBy,
    })),
  ];
}

function failedRecord(doc: PatchDoc, files: PatchFiles, group: FailedGroup): FileRecord {
  const path = failedPath(doc, group);
  const indexes = group.operations.map(({ index }) => index);
  return {
    ...waitingRecord(doc, path, indexes, files),
    phase: "done",
    outcome: groupOutcome(doc, path, group),
  };
}

function interruptedAt(file: PlannedFile): Explanation {
  return explainFile({ code: "interrupted", path: file.path.shown });
}

function leftOut(file: PlannedFile, reason: Explanation): NotApplied {
  return { shown: file.path.shown, reasons: [reason], root: reason };
}

export function dryEnd(
  doc: PatchDoc,
  files: PatchFiles,
  repeats: readonly Repeat[],
  { files: planned, failed }: Decided,
): PatchEnd {
  const outcomes = planned.map((file): FileOutcome => {
    const from = movedFrom(doc, files, file);
    const { operations = [] } = waitingOf(doc, files, file);
    return {
      path: writtenPath(doc, files, file),
      status: "applied",
      operation: plannedOperation(file),
      operations,
      diff: plannedDiff(files, file),
      ...(from === undefined ? {} : { movedFrom: from }),
      ...(file.tolerance.length === 0 ? {} : { tolerance: file.tolerance }),
    };
  });
  return {
    kind: "done",
    outcomes: [
      ...outcomes,
      ...failed.map((group) => groupOutcome(doc, failedPath(doc, group), group)),
      ...repeats.map(({ outcome }) => outcome),
    ],
    committed: planned.map(committedFile),
    failed: failed.map(notAppliedGroup),
    changed: [],
  };
}

export function endOfCommit(
  doc: PatchDoc,
  files: PatchFiles,
  { failed }: Decided,
  commit: PatchCommit,
  records: PatchRecords,
): PatchEnd {
  switch (commit.kind) {
    case "committed": {
      for (const file of commit.left)
        records.finish(file, failedOutcome(doc, files, file, interruptedAt(file), "rejected"));
      const applied = commit.written.map((file) => appliedOutcome(doc, files, file));
      const left = commit.left.map((file) =>
        failedOutcome(doc, files, file, interruptedAt(file), "rejected"),
      );
      return {
        kind: "done",
        outcomes: [...applied, ...left, ...records.others()],
        committed: commit.written.map((file) => committedFile(file.planned)),
        failed: [
          ...commit.left.map((file) => leftOut(file, interruptedAt(file))),
          ...failed.map(notAppliedGroup),
        ],
        changed: commit.written.flatMap(({ planned: { path, kind } }) =>
          kind === "delete" ? [] : (files.refs.get(path.key) ?? []),
        ),
      };
    }
    case "moved-on":
      return {
        kind: "moved-on",
        path: commit.path,
        error: commit.error,
        outcomes: [...records.fail(() => commit.error), ...records.others()],
      };
    case "rolled-back": {
      const { error, stuck } = commit;
      const lost = new Map(stuck.map((one) => [one.file, one.error]));
      const reason = (file: PlannedFile): Explanation =>
        file === commit.failed
          ? error
          : {
              message: `not written, because ${commit.failed.path.shown} could not be written: ${error.message}`,
              advice: "Send it again together with the file that failed.",
            };
      return {
        kind: "rolled-back",
        error,
        failed: commit.failed.path.shown,
        stuck: stuck.map((one) => ({ shown: one.file.path.shown, error: one.error })),
        outcomes: [...records.fail(reason, lost), ...records.others()],
        changed: stuck.flatMap(({ file }) => files.refs.get(file.path.key) ?? []),
      };
    }
  }
}

export function waitingOf(doc: PatchDoc, files: PatchFiles, planned: PlannedFile): FileRecord {
  const path = writtenPath(doc, files, planned);
  const from = movedFrom(doc, files, planned);
  return {
    ...waitingRecord(doc, path, planned.operations, files),
    operation: plannedOperation(planned),
    ...(from === undefined ? {} : { movedFrom: from }),
    ...(planned.kind === "move" ? { realFrom: planned.from.key } : {}),
  };
}

/** What a planned file is written from and to; null where only its bytes move. */
function plannedSides(
  files: PatchFiles,
  planned: PlannedFile,
): { snapshot: Snapshot; plan: UnitPlan; sides: Sides } | null {
  const from = planned.kind === "move" ? planned.from.key : planned.path.key;
  const snapshot = files.snapshots.get(from);
  const plan = unitPlanOf(files, planned);
  if (snapshot === undefined || plan === null) return null;
  const sides = sidesOf(snapshot, plan);
  return sides.ok ? { snapshot, plan, sides: sides.value } : null;
}

/** The same for a file of which no text changes: its bytes stay, or those of another file come to its place. */
async function keepMoved(
  ports: Pick<Ports, "store" | "logBug">,
  files: PatchFiles,
  planned: PlannedFile,
): Promise<Partial<FileRecord>> {
  const own = presentFile(files, planned.path.key);
  const source = planned.kind === "move" ? presentFile(files, planned.from.key) : own;
  const content = planned.kind === "add" || planned.kind === "update" ? planned.content : null;
  const after = content === null ? source?.bytes : bytesOf(files, content);
  return after === undefined
    ? {}
    : keptBytes(ports, { before: planned.kind === "add" ? null : (source ?? null), after });
}

function unitPlanOf(files: PatchFiles, planned: PlannedFile): UnitPlan | null {
  switch (planned.kind) {
    case "unchanged":
      return null;
    case "delete":
      return { kind: "delete", notes: [] };
    case "add":
      return planned.content.kind === "text" && planned.content.from === null
        ? { kind: "create", text: planned.content.text, notes: [] }
        : null;
    case "update":
      return isMadeAnew(files, planned) ? null : changed(planned.change);
    case "move":
      return changed(planned.change);
  }
}

function changed(change: TextChange | null): UnitPlan | null {
  return change === null ? null : { kind: "update", change, notes: [] };
}
