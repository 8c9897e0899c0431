import type { FailedGroup, PlannedFile } from "../plan/patchPlan.ts";
import type { PlacedHunk } from "../plan/planUpdate.ts";
import { sayRemoved } from "../text/invisible.ts";
import type { Explanation } from "./outcome.ts";
import type { EnvelopeProblem, GroupProblem } from "./patchProblem.ts";
import { explainEnvelope, explainGroup } from "./patchWording.ts";
import { someNumbers } from "./quote.ts";

/** What became of a patch, after it was written and read back. */
export interface PatchReport {
  readonly committed: readonly CommittedFile[];
  readonly failed: readonly NotApplied[];
  /** Invisible characters taken out of added lines; empty when there were none. */
  readonly cleaned: ReadonlyMap<number, number>;
  /** Further sentences, without the "Note: " in front. */
  readonly notes: readonly string[];
}

export interface CommittedFile {
  readonly kind: PlannedFile["kind"];
  readonly shown: string;
  readonly from?: string;
  readonly hunks: readonly PlacedHunk[];
}

export interface NotApplied {
  readonly shown: string;
  /** One for each operation of the group, in order. */
  readonly reasons: readonly Explanation[];
  /** The reason that did not follow from another one; null where all followed from another group's. */
  readonly root: Explanation | null;
}

export interface PatchText {
  /** What the model reads. */
  readonly text: string;
  /** One line: what happened, and the first cause where something failed. */
  readonly message: string;
  readonly isError: boolean;
}

/** The committed part of a plan as a report has it. */
export function committedFile(file: PlannedFile): CommittedFile {
  const { kind, hunks } = file;
  const { shown } = file.path;
  return file.kind === "move"
    ? { kind, shown, from: file.from.shown, hunks }
    : { kind, shown, hunks };
}

/** A failed group of a plan as a report has it. */
export function notAppliedGroup(group: FailedGroup): NotApplied {
  const root = group.operations.find(({ problem }) => !FOLLOWING.has(problem.code));
  return {
    shown: group.path.shown,
    reasons: group.operations.map(({ problem }) => explainGroup(problem)),
    root: root === undefined ? null : explainGroup(root.problem),
  };
}

/** Problems that an operation has only because another one failed. */
const FOLLOWING: ReadonlySet<GroupProblem["code"]> = new Set([
  "skipped",
  "rolled-back",
  "rolled-back-with",
]);

/** The text of a patch of which nothing could be planned. */
export function rejectedPatchText(problem: EnvelopeProblem): PatchText {
  const { message, advice } = explainEnvelope(problem);
  const text = [message, ...(advice === undefined ? [] : [advice]), "No files were applied."];
  return { text: text.join("\n"), message: message.split("\n", 1)[0] ?? message, isError: true };
}

export function patchText(report: PatchReport): PatchText {
  const changed = report.committed.filter((file) => file.kind !== "unchanged");
  const { failed } = report;
  if (failed.length === 0) {
    const text = [...appliedBlock(changed), ...notesOf(report)].join("\n");
    return { text, message: appliedMessage(changed.length), isError: false };
  }
  const groups = counted(failed.length, "file group");
  const cause = reasonText(failed.find(({ root }) => root !== null)?.root ?? undefined);
  const list = ["Not applied:", ...failed.map(notApplied)];
  if (changed.length === 0 && report.committed.length === 0) {
    const lines = [
      "apply_patch failed: no changes were committed.",
      `${groups} not applied.`,
      "",
      ...list,
    ];
    const message = `apply_patch failed: ${groups} not applied: ${cause}`;
    return { text: lines.join("\n"), message, isError: true };
  }
  const changes = `${counted(changed.length, "change")} committed`;
  const lines = [
    `apply_patch partially applied: ${changes}, ${groups} not applied: ${failed.map(({ shown }) => shown).join(", ")}`,
    "",
    ...appliedBlock(changed),
    ...notesOf({ ...report, cleaned: new Map() }),
    "",
    ...list,
    "",
    'Changes under "Applied patch" are already on disk; resolve each cause above and resubmit only the failed file groups rebuilt from current file contents.',
  ];
  const message = `apply_patch partially applied: ${changes}, ${groups} not applied: ${cause}`;
  return { text: lines.join("\n"), message, isError: true };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function appliedMessage(count: number): string {
  return count === 0 ? "No net file changes." : `Applied ${counted(count, "change")}.`;
}

function appliedBlock(files: readonly CommittedFile[]): readonly string[] {
  return [
    "Applied patch:",
    ...(files.length === 0 ? ["No net file changes"] : files.map(stateLine).sort()),
  ];
}

const LETTERS = { add: "A", delete: "D", update: "M", move: "R", unchanged: "M" } as const;

function stateLine({ kind, shown, from }: CommittedFile): string {
  return from === undefined ? `${LETTERS[kind]} ${shown}` : `${LETTERS[kind]} ${from} -> ${shown}`;
}

function notApplied({ shown, reasons }: NotApplied): string {
  const said = reasons.map(reasonText);
  return `- ${shown}: ${said.filter((reason, i) => reason !== said[i - 1]).join("; ")}`;
}

function reasonText(reason: Explanation | undefined): string {
  if (reason === undefined) return "";
  if (reason.advice === undefined) return reason.message;
  // Advice on a file is a sentence of its own; here it goes on in the one about its group.
  const advice = reason.advice.replace(/^(?!Did )[A-Z](?=[a-z]+ )/, (first) => first.toLowerCase());
  return `${reason.message}; ${advice.replace(/\.$/, "")}`;
}

/** A tolerance that the model should hear of, with the number of hunks that took it. */
const TOLERANCE_NOTES: Readonly<Record<string, (count: number) => string>> = {
  "look-alike-punctuation": (count) =>
    `used punctuation/whitespace-tolerant matching for ${count} hunk(s); unchanged text was preserved from the current file`,
  "trailing-whitespace": (count) => `ignored trailing whitespace in ${count} hunk(s)`,
  "surrounding-whitespace": (count) =>
    `ignored surrounding whitespace in ${count} hunk(s) (surrounding-whitespace); added lines follow the file's indentation`,
  "context-without-space": (count) =>
    `read context lines without their leading space in ${count} hunk(s)`,
  "blank-last-line": (count) =>
    `left out an empty last context line, which the file does not have, in ${count} hunk(s)`,
  "overlapping-context": (count) =>
    `${count} hunk(s) repeat lines of the hunk before as their context`,
};

function notesOf(report: PatchReport): readonly string[] {
  const counts = new Map<string, number>();
  const choices: string[] = [];
  for (const file of report.committed)
    for (const hunk of file.hunks) {
      for (const name of [hunk.placement.step, ...hunk.placement.tolerances])
        counts.set(name, (counts.get(name) ?? 0) + 1);
      const choice = choiceNote(hunk);
      if (choice !== null) choices.push(`${file.shown}: ${choice}`);
    }
  const notes = Object.entries(TOLERANCE_NOTES).flatMap(([name, say]) => {
    const count = counts.get(name);
    return count === undefined ? [] : [say(count)];
  });
  if (report.cleaned.size > 0) {
    let count = 0;
    for (const times of report.cleaned.values()) count += times;
    notes.push(
      `cleaned ${count} invisible character(s) from the patch text: ${sayRemoved(report.cleaned)} (invisible formatting characters that carry no content; do not include them in tool arguments)`,
    );
  }
  return [...notes, ...choices, ...report.notes].map((note) => `Note: ${note}`);
}

/** A hunk that fitted more than one place: which line was taken and which others there are. */
export function choiceNote(hunk: PlacedHunk): string | null {
  const { otherNumbers } = hunk.placement;
  if (otherNumbers.length === 0) return null;
  return `hunk ${hunk.hunk}/${hunk.of} was applied at line ${hunk.number}, but it fits equally well at line(s) ${someNumbers(otherNumbers)}; check the place, and give more context or an \`@@\` header next time`;
}

/** Whether an operation failed because its text was not found: what the note on repeated failures counts. */
export function isMatchFailure(problem: GroupProblem): boolean {
  return (
    problem.code === "placement" &&
    (problem.problem.code === "hunk-not-found" || problem.problem.code === "look-alike-unsafe")
  );
}

/** The text when a file of the plan changed before the commit: then nothing of the call is written. */
export function changedAfterPlanningText(
  role: "target" | "source" | "move target",
  shown: string,
): PatchText {
  const message = `apply_patch ${role} changed after planning: ${shown}. No files were modified`;
  return {
    text: `${message}\nRead the file again, rebuild the patch from its current content, and send it again.`,
    message,
    isError: true,
  };
}

/** The text when a write failed and what was written before it was put back; `left` names files that were not. */
export function commitFailedText(cause: string, left: readonly string[]): PatchText {
  const message =
    left.length === 0
      ? `apply_patch commit failed: ${cause}; all changes were rolled back`
      : `apply_patch commit failed: ${cause}; rollback also failed: ${left.join(", ")}`;
  const advice =
    left.length === 0
      ? "No files were modified."
      : "Read the named files before anything else: their content is unknown.";
  return { text: `${message}\n${advice}`, message, isError: true };
}
