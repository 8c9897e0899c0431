import {
  parsePatch,
  patchPaths,
  planPatch,
  type SourceText,
  streamPatch,
  type ParsedPatch,
  type PatchFileState,
  type PatchPlan,
  type PlannedFile,
} from "../../src/engine/index.ts";
import { resolvePath, runPatch } from "../support/patchWorkspace.ts";
import type { FuzzInput } from "./fuzz.ts";

/** What is fuzzed: from a parsed patch and files to a plan. */
export type PatchSubject = (
  parsed: ParsedPatch,
  files: Readonly<Record<string, string>>,
) => PatchPlan;

export const realPatch: PatchSubject = (parsed, files) => {
  const paths = new Map(patchPaths(parsed.doc).map((path) => [path, resolvePath(path)]));
  const snapshot = new Map(
    Object.entries(files).map(([path, text]): [string, PatchFileState] => [
      resolvePath(path).key,
      { kind: "text", text },
    ]),
  );
  return planPatch(parsed, paths, snapshot, { ambiguousHunk: "note" });
};

/** The canary: drops trailing spaces of the whole file when a hunk matched with them ignored. */
export const plantedFault: PatchSubject = (parsed, files) => {
  const plan = realPatch(parsed, files);
  if (plan.kind !== "planned") return plan;
  return {
    ...plan,
    files: plan.files.map((file): PlannedFile => {
      if (file.kind !== "update" || file.change === null) return file;
      if (!file.tolerance.includes("trailing-whitespace")) return file;
      const after = file.change.after.replaceAll(/ +$/gm, "");
      return { ...file, change: { ...file.change, diff: file.change.diff, after } };
    }),
  };
};

/** A sentence on the law that does not hold, or null. */
export function checkPatch(subject: PatchSubject, input: FuzzInput): string | null {
  try {
    return checkParsing(input) ?? checkPlan(subject, input) ?? checkRun(input);
  } catch (error) {
    return `thrown: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
}

function checkParsing({ patch }: FuzzInput): string | null {
  const { doc, problems } = parsePatch(patch);
  if (doc.operations.length === 0 && problems.length === 0) return "neither operation nor problem";
  const last = patch.split("\n").length + 1;
  for (const problem of problems)
    if ("number" in problem && (problem.number < 1 || problem.number > last))
      return `a problem in line ${problem.number} of ${last}`;
  for (const operation of doc.operations) {
    if (operation.path.trim() === "") return "an operation without path";
    if (operation.kind === "add" && operation.lines.length === 0) return "an empty Add";
    if (operation.kind === "update" && operation.moveTo === null && operation.hunks.length === 0)
      return "an Update of nothing";
  }
  const stream = streamPatch();
  const half = patch.length >>> 1;
  stream.push(patch.slice(0, half));
  const before = stream.preview().operations;
  stream.push(patch.slice(half));
  const after = stream.preview().operations;
  if (before.some(({ hunks }, i) => hunks > (after[i]?.hunks ?? -1)))
    return "a hunk was taken back";
  return null;
}

function checkPlan(subject: PatchSubject, { patch, files }: FuzzInput): string | null {
  const parsed = parsePatch(patch);
  const plan = subject(parsed, files);
  if (plan.kind === "rejected") return null;
  if (parsed.problems.length > 0) return "a faulty patch was planned";
  const count = parsed.doc.operations.length;
  const told = new Set<number>();
  for (const group of plan.failed) for (const { index } of group.operations) told.add(index);
  for (const file of plan.files)
    for (const index of file.operations) {
      if (plan.failed.some((group) => group.operations.some((failed) => failed.index === index)))
        return `operation ${index} is both applied and failed`;
      told.add(index);
    }
  if (told.size !== count) return `${told.size} of ${count} operations are told of`;
  for (const file of plan.files) {
    const fault = checkFile(file);
    if (fault !== null) return `${file.path.shown}: ${fault}`;
  }
  return null;
}

function checkFile(file: PlannedFile): string | null {
  if (file.kind !== "update" && file.kind !== "move") return null;
  if (file.change === null) return null;
  const { before, edit, after, diff } = file.change;
  if (edit.apply(before.text) !== after) return "the edit does not give the text";
  if (edit.invert(before.text).apply(after) !== before.text) return "the inverse does not undo it";
  const own = file.operations.length === 1 && file.hunks.length > 0;
  if (own && after !== "" && !/[\r\n]$/.test(after)) return "no line ending at the end";
  if (diff.added + diff.removed === 0) return "a change without diff";
  if (!own) return null;
  return checkOutside(file, before, after);
}

/** Lines of the file before the first and behind the last placed hunk, byte for byte but for the final ending. */
function checkOutside(file: PlannedFile, before: SourceText, after: string): string | null {
  let first = before.lineCount;
  let last = 0;
  for (const { placement } of file.hunks) {
    first = Math.min(first, placement.index);
    last = Math.max(last, placement.index + placement.count);
  }
  // Behind a rework, indexes count in a later text.
  if (last > before.lineCount || file.hunks.some((hunk) => hunk.placement.skipped > 0)) return null;
  const head = before.text.slice(0, before.start(first));
  const tail = before.text.slice(before.start(last));
  if (!after.startsWith(head)) return "text above the first hunk changed";
  if (!after.includes(tail)) return "text below the last hunk changed";
  return null;
}

/** The whole way, over a map: what is said to have failed is untouched. */
function checkRun({ patch, files }: FuzzInput): string | null {
  const before = new Map(Object.entries(files));
  const run = runPatch(before, { raw: patch });
  if (run.text.trim() === "") return "no result text";
  if (run.status === "rejected" && JSON.stringify([...run.after]) !== JSON.stringify([...before]))
    return "rejected, and files changed";
  return null;
}
