import type { CallCard, FileCard } from "../src/protocol/cards.ts";
import type { Word, Words } from "./strings.ts";

/** The sign of a file's row: a letter or mark, its colour (a class), and the word that says the same. */
export interface Sign {
  readonly text: string;
  readonly look: "added" | "modified" | "deleted" | "moved" | "wrong" | "doubt" | "info" | "dim";
  readonly word: Word;
}

const OPERATIONS: Readonly<Record<FileCard["operation"], Sign>> = {
  add: { text: "A", look: "added", word: "sign.add" },
  update: { text: "M", look: "modified", word: "sign.update" },
  delete: { text: "D", look: "deleted", word: "sign.delete" },
  move: { text: "R", look: "moved", word: "sign.move" },
};

export function signOf({ badges }: CallCard, { phase, status, operation }: FileCard): Sign {
  if (phase === "waiting" && badges.includes("imported"))
    return { text: "–", look: "dim", word: "sign.notRun" };
  if (phase === "waiting") return { text: "…", look: "dim", word: "sign.waiting" };
  if (phase === "running") return { text: "…", look: "info", word: "sign.running" };
  if (phase === "proposed") return OPERATIONS[operation];
  switch (status) {
    case "rejected":
      return { text: "✕", look: "wrong", word: "sign.rejected" };
    case "already_applied":
      return { text: "✓✓", look: "info", word: "sign.already" };
    case "applied":
      return OPERATIONS[operation];
    case "unknown":
    case undefined:
      return { text: "?", look: "doubt", word: "sign.unknown" };
  }
}

/** What a person decided about a file, or has to; null when there is nothing to say. */
export interface FilePill {
  readonly word: Word;
  readonly look: "info" | "dim" | "wrong" | "added";
}

export function pillOfFile({ approval, phase, badges }: CallCard, file: FileCard): FilePill | null {
  // A replay that waits is a dry run: nothing of it was written yet.
  const isDryRun = phase === "approval" && badges.includes("replay");
  if (isDryRun && file.status === "rejected") return { word: "file.wouldReject", look: "wrong" };
  if (file.phase === "proposed") {
    const answer = approval?.answers?.[file.key];
    if (answer === undefined)
      return { word: isDryRun ? "file.wouldApply" : "file.proposed", look: "info" };
    return answer === "approved"
      ? { word: "file.approved", look: "added" }
      : { word: "file.denied", look: "wrong" };
  }
  if (file.undone === "all") return { word: "file.undone", look: "dim" };
  if (file.undone === "part") return { word: "file.undonePart", look: "dim" };
  return file.reviewed === true ? { word: "file.kept", look: "dim" } : null;
}

/** The edits that a file which did not change speaks of, as the model counts them: "edits[3], edits[4]". */
export function editsLine({ status, edits }: FileCard, words: Words): string | null {
  if (status === undefined || status === "applied" || edits === undefined || edits.length === 0)
    return null;
  return edits.map((edit) => words.say("file.edits", { list: String(edit) })).join(", ");
}

/** Plain sentences below a file's row, most important first. */
export function notesOf(file: FileCard, words: Words): readonly string[] {
  const notes: string[] = [];
  const { status, error, diff, movedFrom } = file;
  if (status === "unknown" && error === undefined) notes.push(words.say("file.unknown"));
  if (status === "rejected" && error === undefined) notes.push(words.say("file.rejected"));
  if (file.note !== undefined && file.note !== "") notes.push(file.note);
  if (file.unsaved === true) notes.push(words.say("file.unsaved"));
  if (movedFrom !== undefined) notes.push(words.say("file.movedFrom", { path: movedFrom }));
  if (file.tolerance !== undefined && 0 < file.tolerance.length)
    notes.push(words.say("file.matched", { what: listOf(file.tolerance, words) }));
  if (file.encoding !== undefined) notes.push(words.say("file.encoding", { name: file.encoding }));
  if (status === "applied" && diff === undefined) notes.push(words.say("file.noDiff"));
  if (status === "applied" && diff?.hunks.length === 0 && movedFrom === undefined)
    notes.push(words.say("file.noChanges"));
  return notes;
}

function listOf(tolerances: readonly string[], words: Words): string {
  return tolerances.map((name) => words.name("tolerance", name)).join(", ");
}
