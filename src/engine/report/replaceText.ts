import { exhausted } from "../../base/assert.ts";
import { reportedEncoding } from "../encoding/names.ts";
import { countOf } from "../plan/cleanText.ts";
import type { BatchPlan } from "../plan/planBatch.ts";
import type { ReplacePlan } from "../plan/planReplace.ts";
import type { WritePlan } from "../plan/planWrite.ts";
import { sayRemoved } from "../text/invisible.ts";
import { indexRanges } from "./batchText.ts";
import type { CleanedPoints } from "./replaceProblem.ts";

/** Sizes of a file on disk, in bytes; `encoding` by its canonical name. */
export interface FileSizes {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly encoding: string;
}

/** What a model reads of a replacement that was made. */
export function sayReplaced(plan: ReplacePlan | BatchPlan, sizes: FileSizes): string {
  switch (plan.kind) {
    case "single":
      return saySingle(plan, sizes);
    case "batch":
      return sayBatch(plan, sizes);
    default:
      return exhausted(plan);
  }
}

function saySingle(plan: ReplacePlan, sizes: FileSizes): string {
  const { change, count, numbers, removed } = plan;
  if (change.edit.isEmpty)
    return `No changes: the text at ${lineList(numbers)} already reads as new_string${cleanedSuffix(removed)}`;
  const how = change.tolerance.map(toleranceName);
  const isLookAlike = change.tolerance.includes("look-alike-punctuation");
  const via = how.length === 0 ? "" : ` via ${how.join(" and ")} match`;
  const place = isLookAlike ? ` at ${lineList(numbers)}` : "";
  return `Replaced ${occurrences(count)}${via}${place}${cleanedSuffix(removed)} ${sizeChange(sizes)}`;
}

function sayBatch(plan: BatchPlan, sizes: FileSizes): string {
  const { applied, skipped, count, change, removed } = plan;
  if (applied.length === 0)
    return (
      `No changes: all ${skipped.length} edits have identical old_string and new_string, ` +
      "so there is nothing to write"
    );
  const head = change.edit.isEmpty
    ? `No changes: the file already reads as the ${counted(applied.length, "edit")} would leave it`
    : `Applied ${counted(applied.length, "edit")} (${counted(count, "replacement")}, ${byteChange(sizes)})`;
  const lines = [`${head}${cleanedSuffix(removed)}`];
  if (change.tolerance.includes("line-endings"))
    lines.push("Line breaks of old_string were matched with the file's mixed line endings.");
  if (skipped.length > 0) lines.push(saySkipped(skipped));
  return lines.join("\n");
}

export function saySkipped(skipped: readonly number[]): string {
  return `Skipped edits[${indexRanges(skipped)}]: old_string and new_string are identical, so no change was requested.`;
}

/** What a model reads of a whole file that was written. */
export function sayWritten(path: string, plan: WritePlan, sizes: FileSizes): string {
  const cleaned =
    plan.removed.size === 0
      ? ""
      : `, cleaned ${countOf(plan.removed)} invisible character(s) from content: ${sayPoints(plan.removed)}`;
  if (plan.kind === "create") return `Created ${path} (${bytes(sizes.bytesAfter)})${cleaned}`;
  if (plan.change.edit.isEmpty) return `No changes: ${path} already reads as content${cleaned}`;
  const endings =
    plan.ending === null ? "" : `, kept the file's ${endingName(plan.ending)} line endings`;
  return `Replaced ${path} ${sizeChange(sizes)}${endings}${cleaned}`;
}

export function sayDeleted(path: string): string {
  return `Deleted ${path}`;
}

/** The sentences about a plan that stand beside its diff; none when there is nothing to say. */
export function cleaningNotes(removed: CleanedPoints): readonly string[] {
  return removed.size === 0
    ? []
    : [`Cleaned ${countOf(removed)} invisible character(s): ${sayRemoved(removed)}.`];
}

export function cleanedSuffix(removed: CleanedPoints): string {
  return removed.size === 0
    ? ""
    : `, cleaned ${countOf(removed)} invisible character(s) from your arguments: ${sayPoints(removed)}`;
}

function sayPoints(removed: CleanedPoints): string {
  return `${sayRemoved(removed)} (invisible formatting characters that carry no content; do not include them in tool arguments)`;
}

function toleranceName(name: string): string {
  switch (name) {
    case "line-endings":
      return "line-ending-tolerant";
    case "look-alike-punctuation":
      return "punctuation/whitespace-tolerant";
    default:
      return `${name}-tolerant`;
  }
}

function endingName(ending: "\n" | "\r\n" | "\r"): string {
  if (ending === "\n") return "LF";
  return ending === "\r" ? "CR" : "CRLF";
}

function lineList(numbers: readonly number[]): string {
  return `line${numbers.length === 1 ? "" : "s"} ${numbers.join(", ")}`;
}

function occurrences(count: number): string {
  return counted(count, "occurrence");
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function bytes(count: number): string {
  return counted(count, "byte");
}

function sizeChange(sizes: FileSizes): string {
  return `(${byteChange(sizes)})`;
}

function byteChange({ bytesBefore, bytesAfter, encoding }: FileSizes): string {
  const name = reportedEncoding(encoding);
  const suffix = name === "utf-8" ? "" : `, encoding=${name}`;
  return `${bytesBefore} bytes -> ${bytesAfter} bytes${suffix}`;
}
