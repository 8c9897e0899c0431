import { at } from "../../base/assert.ts";
import {
  choiceNote,
  explainGroup,
  type Explanation,
  type FailedGroup,
  type FileOperation,
  type FileOutcome,
  type PatchDoc,
  type PlannedFile,
} from "../../engine/index.ts";
import { encodingOf } from "../commit.ts";
import { repeatNote } from "../guard.ts";
import type { FileRecord } from "../record.ts";
import { cut } from "../handlers/unitRecord.ts";
import type { WrittenFile } from "./commitPatch.ts";
import { envelope, rawOf, titlesOf, type PatchFiles } from "./patchFiles.ts";
import type { OperationGroup } from "./patchGuard.ts";

/** A file of the patch as it waits; `indexes` are the operations it comes from. */
export function waitingRecord(
  doc: PatchDoc,
  path: string,
  indexes: readonly number[],
  files?: PatchFiles,
): FileRecord {
  const raw = rawOf(doc, indexes);
  const key = files?.paths.get(path)?.key;
  const ref = key === undefined ? undefined : files?.refs.get(key);
  return {
    path,
    shown: ref?.shown ?? path,
    ...(ref === undefined ? {} : { absolute: ref.absolute, real: ref.real }),
    operation: operationOf(doc, indexes),
    phase: "waiting",
    operations: titlesOf(doc, indexes),
    requested: cut(raw),
    resend: envelope(raw),
  };
}

function operationOf(doc: PatchDoc, indexes: readonly number[]): FileOperation {
  const operation = doc.operations[indexes[0] ?? 0];
  if (operation === undefined) return "update";
  if (operation.kind === "update") return operation.moveTo === null ? "update" : "move";
  return operation.kind;
}

/** The path of a planned file as the patch wrote it. */
export function writtenPath(doc: PatchDoc, files: PatchFiles, planned: PlannedFile): string {
  return pathOfKey(doc, files, planned.operations, planned.path.key) ?? planned.path.shown;
}

export function movedFrom(
  doc: PatchDoc,
  files: PatchFiles,
  planned: PlannedFile,
): string | undefined {
  if (planned.kind !== "move") return undefined;
  return pathOfKey(doc, files, planned.operations, planned.from.key) ?? planned.from.shown;
}

function pathOfKey(
  doc: PatchDoc,
  files: PatchFiles,
  indexes: readonly number[],
  key: string,
): string | undefined {
  for (const index of indexes) {
    const operation = at(doc.operations, index);
    const named = [
      operation.path,
      ...(operation.kind === "update" && operation.moveTo !== null ? [operation.moveTo] : []),
    ];
    const path = named.find((one) => files.paths.get(one)?.key === key);
    if (path !== undefined) return path;
  }
  return undefined;
}

export function plannedOperation(planned: PlannedFile): FileOperation {
  return planned.kind === "unchanged" ? "update" : planned.kind;
}

export function appliedOutcome(
  doc: PatchDoc,
  files: PatchFiles,
  { planned, done }: WrittenFile,
): FileOutcome {
  const from = movedFrom(doc, files, planned);
  const encoding = encodingOf(done.base);
  const choices = planned.hunks.flatMap((hunk) => choiceNote(hunk) ?? []);
  const notes = [...done.notes, ...choices];
  return {
    path: writtenPath(doc, files, planned),
    status: "applied",
    operation: plannedOperation(planned),
    operations: titlesOf(doc, planned.operations),
    diff: done.diff,
    ...(notes.length === 0 ? {} : { note: notes.join(" ") }),
    ...(from === undefined ? {} : { movedFrom: from }),
    ...(done.unsaved ? { unsaved: true } : {}),
    ...(encoding === "utf8" ? {} : { encoding }),
    ...(planned.tolerance.length === 0 ? {} : { tolerance: planned.tolerance }),
  };
}

export function failedOutcome(
  doc: PatchDoc,
  files: PatchFiles,
  planned: PlannedFile,
  error: Explanation,
  status: "rejected" | "unknown",
): FileOutcome {
  const from = movedFrom(doc, files, planned);
  return {
    path: writtenPath(doc, files, planned),
    status,
    operation: plannedOperation(planned),
    operations: titlesOf(doc, planned.operations),
    ...(from === undefined ? {} : { movedFrom: from }),
    error,
  };
}

/** A group that could not be planned: the first reason of its own leads, then what goes along with it. */
export function groupOutcome(doc: PatchDoc, path: string, group: FailedGroup): FileOutcome {
  const indexes = group.operations.map(({ index }) => index);
  const reasons = group.operations.map(({ problem }) => explainGroup(problem));
  const own = group.operations.findIndex(({ problem }) => !FOLLOWING.has(problem.code));
  const error = at(reasons, Math.max(0, own));
  return {
    path,
    status: "rejected",
    operation: operationOf(doc, indexes),
    operations: group.operations.map(({ title }) => title),
    error,
  };
}

const FOLLOWING: ReadonlySet<string> = new Set(["skipped", "rolled-back", "rolled-back-with"]);

export function repeatOutcome(doc: PatchDoc, { path, indexes }: OperationGroup): FileOutcome {
  const titles = titlesOf(doc, indexes);
  return {
    path,
    status: "already_applied",
    operation: operationOf(doc, indexes),
    operations: titles,
    note: repeatNote(titles.join(", "), titles.length),
  };
}
