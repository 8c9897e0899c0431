import { exhausted } from "../../base/assert.ts";
import { reportedEncoding } from "../encoding/names.ts";
import { indexRanges } from "./batchText.ts";
import { nearLines, sayClosest, sayClosestShort, sayPair } from "./closestText.ts";
import { sayNearest, sayNearMiss } from "./nearMissText.ts";
import type { Explanation } from "./outcome.ts";
import type { FileProblem } from "./problem.ts";
import { codePointName, quoted } from "./quote.ts";
import type { BatchProblem, FailingEntry, ReplaceProblem, StringMiss } from "./replaceProblem.ts";
import { explainFile, sayHalf } from "./wording.ts";

const NAMES = { old: "old_string", new: "new_string" } as const;

/** Lines of a batch report; beyond it the details of single entries are left out first. */
const REPORT_LINES_MAX = 40;

/** The one place where a replacement that cannot be made becomes sentences. */
export function explainReplace(problem: ReplaceProblem | BatchProblem): Explanation {
  switch (problem.code) {
    case "batch":
      return explainBatch(problem);
    case "not-found":
      return explainNotFound(problem.miss);
    default:
      return { message: sayProblem(problem) };
  }
}

/** A problem with the file itself, in the words of `edit`, `write` and `delete`. */
export function explainReplacedFile(problem: FileProblem): Explanation {
  const explained = explainFile(problem);
  switch (problem.code) {
    case "file-missing":
      return { ...explained, message: `file not found: ${problem.path}.` };
    case "file-binary":
      return { ...explained, message: `cannot edit binary file: ${problem.path}.` };
    case "not-encodable":
      return {
        ...explained,
        message: `edited text cannot be encoded back to ${reportedEncoding(problem.encoding)}: it has no ${codePointName(problem.codePoint)}.`,
      };
    default:
      return explained;
  }
}

/** All of an explanation as one text. */
export function explanationText({ message, advice }: Explanation): string {
  if (advice === undefined) return message;
  if (advice.includes("\n")) return `${message}\n${advice}`;
  return `${message}${/[.!?…:]$/u.test(message) ? "" : "."} ${advice}`;
}

type Worded = Exclude<ReplaceProblem, { readonly code: "not-found" }>;

function sayProblem(problem: Worded): string {
  switch (problem.code) {
    case "missing":
      return problem.field === "new_string" && problem.batch
        ? "new_string is required; use an empty string for deletion"
        : `${problem.field} is required`;
    case "only-invisible":
      return sayOnlyInvisible(problem);
    case "control-character":
      return (
        `${problem.field} contains control character ${codePointName(problem.codePoint)}; binary or ` +
        "control-character content cannot be written with the text file tools — write it with a " +
        "shell command or script instead"
      );
    case "lone-surrogate":
      return (
        `${problem.field} contains ${sayHalf(problem.codePoint)} text file can hold; ` +
        "send the whole character"
      );
    case "identical":
      return problem.endingsOnly
        ? "old_string and new_string are identical, no change needed (they differ in line endings only, and the file keeps its own)"
        : "old_string and new_string are identical, no change needed";
    case "ambiguous":
      return `${sayFound(problem)}; ${sayWayOut(problem)}`;
    case "too-many":
      return `old_string found more than ${problem.countMax} times; use a script for a change of this size`;
    case "too-long":
      return `with new_string in place the file would have more than ${problem.unitsMax} characters, the most that is edited; use a script for a change of this size`;
    case "not-preservable":
      return (
        `old_string matches line ${problem.number} only under punctuation/whitespace tolerance, and the ` +
        "replacement cannot preserve unchanged text safely; copy old_string exactly from the file"
      );
    default:
      return exhausted(problem);
  }
}

function sayOnlyInvisible(problem: Worded & { readonly code: "only-invisible" }): string {
  const what = `${problem.field} contains only invisible characters (${problem.count} invisible character(s) were stripped)`;
  switch (problem.field) {
    case "old_string":
      return `${what} and cannot be matched; send the visible text to replace`;
    case "new_string":
      return `${what}; send the visible replacement text (send an empty new_string if you intend to delete the old_string text)`;
    case "content":
      return `${what}; send the visible text of the file (send an empty content if you intend to empty it)`;
  }
}

type Ambiguous = ReplaceProblem & { readonly code: "ambiguous" };

function sayFound({ step, count, numbers, linesLeft }: Ambiguous, where = ""): string {
  const under =
    step === "exact"
      ? ""
      : step === "line-endings"
        ? " under line-ending-tolerant matching"
        : " under punctuation/whitespace-tolerant matching";
  const more = linesLeft > 0 ? `, … (+${linesLeft} more)` : "";
  const noun = numbers.length + linesLeft === 1 ? "line" : "lines";
  return `old_string found ${count} times${under} at ${noun} ${numbers.join(", ")}${more}${where}`;
}

function sayWayOut({ overlapping }: Ambiguous): string {
  return overlapping
    ? "the places overlap, so provide more context to choose one"
    : "provide more context or set replace_all to true";
}

function explainNotFound(miss: StringMiss): Explanation {
  const near = miss.closest === null ? (miss.near?.nearest?.lines ?? []) : nearLines(miss.closest);
  return {
    message: "old_string not found in file, even after punctuation/whitespace tolerance.",
    advice: adviceFor(miss),
    ...(near.length > 0 ? { near } : {}),
  };
}

function adviceFor(miss: StringMiss): string {
  const parts = [...hintsOf(miss)];
  const nearest = miss.goesOn === null ? (miss.near?.nearest ?? null) : null;
  if (miss.closest !== null) {
    // Nothing but the breaks differs: that has been said.
    if (!miss.foreignEndings || miss.closest.pairs.length > 0) parts.push(sayClosest(miss.closest));
  } else if (nearest !== null)
    parts.push(
      sayNearest(nearest),
      ...(miss.spacing === null ? [] : [sayPair(miss.spacing).join("\n")]),
      "Re-read that range and rebuild old_string from it; do not retry the same edit unchanged.",
    );
  else if (parts.length === 0)
    parts.push(
      "The target text may be stale or already changed, or differs beyond punctuation and spacing.",
      "Re-read the small target range and rebuild old_string from it.",
      "Do not retry the same edit unchanged.",
    );
  return parts.some((part) => part.includes("\n")) ? parts.join("\n") : parts.join(" ");
}

/** What is known of the text besides its closest place, a sentence each. */
function hintsOf({ foreignEndings, near, goesOn }: StringMiss): readonly string[] {
  const hints: string[] = [];
  if (foreignEndings)
    hints.push("old_string breaks its lines with CRLF or CR, the file with LF only: send \\n.");
  if (near !== null) hints.push(...sayNearMiss(near, NAMES));
  if (goesOn !== null)
    hints.push(
      `Without its final line break old_string is at line ${goesOn}, where the line goes on: it is only part of that line. Leave the break out, or send the complete line.`,
    );
  return hints;
}

function explainBatch({ failing, passed, skipped }: BatchProblem): Explanation {
  const summary: string[] = [];
  if (failing.some(({ problem }) => problem.code === "not-found"))
    summary.push(
      "A single edit accepts a trailing-newline or punctuation/whitespace-tolerant difference, but batch entries match exactly; copy old_string exactly from the file.",
    );
  if (passed.length > 0)
    summary.push(
      `Remaining entries (edits[${indexRanges(passed)}]) passed per-entry matching but were not applied.`,
    );
  if (skipped.length > 0)
    summary.push(
      `Skipped edits[${indexRanges(skipped)}]: old_string and new_string are identical, so no change was requested.`,
    );
  summary.push("Fix the failing entries above and resubmit the complete batch.");
  const message = "No changes were written (batch edits are atomic).";
  const lines: string[] = [];
  let room = REPORT_LINES_MAX - 1 - summary.length - failing.length;
  for (const { index, problem } of failing) {
    lines.push(`edits[${index}]: ${sayEntry(problem)}`);
    const detail = detailOf(problem);
    if (detail.length > room) continue;
    room -= detail.length;
    lines.push(...detail);
  }
  const near = failing.flatMap(({ problem }) =>
    problem.code === "not-found" && problem.miss.closest !== null
      ? nearLines(problem.miss.closest)
      : [],
  );
  return {
    message,
    advice: [...lines, ...summary].join("\n"),
    ...(near.length > 0 ? { near: near.slice(0, NEAR_LINES_MAX) } : {}),
  };
}

/** Lines of the file that a card shows for one call. */
const NEAR_LINES_MAX = 12;

function sayEntry(problem: FailingEntry["problem"]): string {
  switch (problem.code) {
    case "overlap":
      return `overlaps edits[${problem.peer}] in the original file; merge overlapping replacements`;
    case "not-found":
      return `old_string not found in the original file${sayStart(problem.miss)}`;
    case "ambiguous":
      return `${sayFound(problem, " in the original file")}; ${
        problem.overlapping
          ? "the places overlap, so provide more context to choose one"
          : "provide unique context or set replace_all"
      }`;
    default:
      return sayProblem(problem);
  }
}

function sayStart({ firstLine }: StringMiss): string {
  return firstLine === "" ? "" : ` (it starts with ${quoted(firstLine)})`;
}

function detailOf(problem: FailingEntry["problem"]): readonly string[] {
  if (problem.code !== "not-found") return [];
  const { near, closest, goesOn } = problem.miss;
  const hints = hintsOf(problem.miss).map((line) => `  ${line}`);
  if (closest !== null) return [...hints, ...sayClosestShort(closest)];
  const nearest = goesOn === null ? (near?.nearest ?? null) : null;
  return nearest === null ? hints : [...hints, `  ${sayNearest(nearest)}`];
}
