import { fail, ok, type Result } from "../base/result.ts";
import {
  changedLines,
  dominantEnding,
  Edit,
  parseUnified,
  SourceText,
  textChange,
} from "../engine/index.ts";
import type { DiffHunk, FileProblem, Splice, TextChange } from "../engine/index.ts";
import { rebase, type Piece } from "./rebase.ts";
import type { FileRecord } from "./record.ts";
import type { LaterCall, UndoProblem } from "./undoProblem.ts";

/** What is at a path now. */
export type Present =
  | { readonly kind: "missing" }
  | {
      readonly kind: "file";
      /** SHA-256 (hex) of the bytes on disk. */
      readonly hash: string;
      /** An open document's unsaved text, else the text on disk. */
      readonly text: Result<string, FileProblem>;
      readonly unsaved: boolean;
    };

/** Everything that undo of one file is decided on. Pure data, gathered by `planUndo` in `undoCall.ts`. */
export interface UndoQuestion {
  readonly file: FileRecord;
  /** What is now at the record's path. */
  readonly present: Present;
  /** For a moved file: what is now where it came from. */
  readonly origin?: Present;
  /** The text the call left, as the call read the file; null when its bytes were dropped or are no text. */
  readonly afterText: string | null;
  /** The bytes that were there before the call, from the store; looked up only where no text can be taken back. */
  readonly beforeBytes: Uint8Array | null;
  /** Index of the one hunk of the file's diff to take back; absent: all of the file. */
  readonly hunk?: number;
  /** Calls that changed the file after this one, to be named in a refusal. */
  readonly later: readonly LaterCall[];
}

/**
 * What taking back means. Each kind holds only if the file is still what `present` said when it is carried out;
 * the ports' own checks see to that. Its record is that of any call, so an undo is undone the same way.
 */
export type UndoPlan =
  /** Only the call's own text is in the edit. `rebased`: the file has changed elsewhere since. */
  | { readonly kind: "update"; readonly change: TextChange; readonly rebased: boolean }
  /** The file the call made, still as it made it. */
  | { readonly kind: "delete" }
  | { readonly kind: "create"; readonly bytes: Uint8Array; readonly mode: number | null }
  /** Bytes that are no text give way to those before; only on the very same bytes that the call left. */
  | { readonly kind: "restore"; readonly bytes: Uint8Array; readonly mode: number | null }
  /** Back to where it came from, after `change` where the call changed the text too. */
  | { readonly kind: "move"; readonly to: string; readonly change: TextChange | null };

type Planned = Result<UndoPlan, UndoProblem>;

/**
 * Decides how to take back what a call did to one file.
 *
 * Law: on the file as the call left it, the plan gives the file as it was before the call. On any later state it
 * gives that state without the call's own lines, or a refusal that names the later change; text that somebody else
 * wrote is in the result, always.
 */
export function planFileUndo(question: UndoQuestion): Planned {
  const { file, present } = question;
  const path = file.shown;
  const status = file.outcome?.status ?? null;
  if (status !== "applied") return fail({ code: "undo-nothing-done", path, status });
  switch (file.operation) {
    case "delete":
      return planRecreate(question);
    case "add":
      // A file that was there before was changed, whatever the tool calls it.
      return file.hashBefore === undefined && question.hunk === undefined
        ? planRemove(question)
        : planText(question);
    case "update":
      return planText(question);
    case "move":
      if (present.kind === "missing") return fail({ code: "undo-file-missing", path });
      return question.hunk === undefined ? planMoveBack(question) : planText(question);
  }
}

function planRecreate({ file, present, beforeBytes }: UndoQuestion): Planned {
  const path = file.shown;
  if (present.kind === "file") {
    const same = present.hash === file.hashBefore && !present.unsaved;
    return fail(same ? { code: "undo-already-done", path } : { code: "undo-place-taken", path });
  }
  if (beforeBytes === null) return fail({ code: "undo-not-kept", path });
  return ok({ kind: "create", bytes: beforeBytes, mode: file.modeBefore ?? null });
}

function planRemove({ file, present, later }: UndoQuestion): Planned {
  const path = file.shown;
  if (present.kind === "missing") return fail({ code: "undo-already-done", path });
  if (file.hashAfter === undefined) return fail({ code: "undo-not-kept", path });
  if (present.unsaved) return fail({ code: "undo-unsaved", path });
  return present.hash === file.hashAfter
    ? ok({ kind: "delete" })
    : fail({ code: "undo-file-differs", path, by: later });
}

function planMoveBack(question: UndoQuestion): Planned {
  const { file, present, origin, later } = question;
  const path = file.shown;
  const to = file.outcome?.movedFrom;
  if (to === undefined || origin === undefined) return fail({ code: "undo-not-kept", path });
  if (origin.kind === "file") return fail({ code: "undo-place-taken", path: to });
  if (present.kind === "file" && present.unsaved) return fail({ code: "undo-unsaved", path });
  if ((file.inverse ?? []).length === 0) {
    // Nothing but the name changed: later changes of the text may travel with the file.
    return ok({ kind: "move", to, change: null });
  }
  const text = planText(question);
  if (text.ok)
    return ok({
      kind: "move",
      to,
      change: text.value.kind === "update" ? text.value.change : null,
    });
  if (text.problem.code === "undo-already-done") return ok({ kind: "move", to, change: null });
  return text.problem.code === "undo-unreadable"
    ? fail({ code: "undo-file-differs", path, by: later })
    : text;
}

/** The call's own text in the present text, wherever it stands by now. */
function planText(question: UndoQuestion): Planned {
  const { file, present, hunk } = question;
  const path = file.shown;
  if (present.kind === "missing") return fail({ code: "undo-file-missing", path });
  if (file.inverse === undefined && question.beforeBytes !== null)
    return planRestore(question, present, question.beforeBytes);
  if (!present.text.ok)
    return fail({ code: "undo-unreadable", path, problem: present.text.problem });
  const text = present.text.value;
  const { afterText } = question;
  const untouched = text === afterText;
  if (afterText === null || file.inverse === undefined)
    return fail({ code: "undo-not-kept", path });
  const inverse = editOf(afterText.length, file.inverse);
  if (inverse === null) return fail({ code: "undo-not-kept", path });
  if (untouched && hunk === undefined)
    return ok({ kind: "update", change: changeOf(SourceText.of(text), inverse), rebased: false });

  const after = SourceText.of(afterText);
  const pieces = piecesOf(after, inverse);
  const chosen = hunk === undefined ? pieces : piecesOfHunk(pieces, file.outcome?.diff ?? "", hunk);
  if (chosen.length === 0)
    return hunk === undefined
      ? fail({ code: "undo-already-done", path })
      : fail({ code: "undo-no-such-hunk", path, hunk });
  const source = untouched ? after : SourceText.of(text);
  const { base, wanted } = inEndingsOf(source, after, chosen);
  const rebased = rebase(base, wanted, source);
  if (!rebased.ok) {
    const { from, to } = rebased.problem;
    const place = { number: from + 1, count: to - from };
    return fail({ code: "undo-changed-since", path, ...place, by: question.later });
  }
  if (rebased.value.alreadyThere === wanted.length)
    return fail({ code: "undo-already-done", path });
  const change = changeOf(source, rebased.value.edit);
  return ok({ kind: "update", change, rebased: !untouched });
}

/** Where the call put other bytes in the place of those before, nothing less than all of them goes back. */
function planRestore(
  { file, later, hunk }: UndoQuestion,
  present: Extract<Present, { kind: "file" }>,
  bytes: Uint8Array,
): Planned {
  const path = file.shown;
  if (hunk !== undefined) return fail({ code: "undo-only-whole", path });
  if (present.unsaved) return fail({ code: "undo-unsaved", path });
  if (present.hash === file.hashBefore) return fail({ code: "undo-already-done", path });
  if (present.hash !== file.hashAfter) return fail({ code: "undo-file-differs", path, by: later });
  return ok({ kind: "restore", bytes, mode: file.modeBefore ?? null });
}

function changeOf(before: SourceText, edit: Edit): TextChange {
  return textChange(before, edit, []);
}

/** Null for splices that do not fit the text: a damaged record. */
function editOf(length: number, splices: readonly Splice[]): Edit | null {
  try {
    return Edit.of(length, splices);
  } catch {
    return null;
  }
}

/**
 * The inverse in whole lines, and only lines that differ: a tool that replaced a whole file with one splice has
 * still only changed some of its lines.
 */
function piecesOf(after: SourceText, inverse: Edit): readonly Piece[] {
  const before = SourceText.of(inverse.apply(after.text));
  const { runs } = changedLines(before, inverse.invert(after.text));
  return runs.map(({ oldFrom, oldTo, newFrom, newTo }) => ({
    from: newFrom,
    to: newTo,
    insert: before.text.slice(before.start(oldFrom), before.start(oldTo)),
  }));
}

interface ToRebase {
  readonly base: SourceText;
  readonly wanted: readonly Piece[];
}

/**
 * Where somebody changed the endings of all lines since, every line differs and nothing could go back. So the call's
 * text is taken as one with those endings: they stay, and what the call did beside them goes back.
 */
function inEndingsOf(present: SourceText, after: SourceText, pieces: readonly Piece[]): ToRebase {
  const kinds = [present.style.kind, after.style.kind];
  if (kinds[0] === kinds[1] || kinds.includes("mixed") || kinds.includes("none"))
    return { base: after, wanted: pieces };
  const ending = dominantEnding(present.style);
  const converted = (text: string): string => text.replaceAll(/\r\n|\r|\n/g, ending);
  const base = SourceText.of(converted(after.text));
  const wanted = pieces
    .map(({ from, to, insert }) => ({ from, to, insert: converted(insert) }))
    .filter(({ from, to, insert }) => base.text.slice(base.start(from), base.start(to)) !== insert);
  return { base, wanted };
}

/** The pieces a hunk shows; none for a hunk that the diff does not have. */
function piecesOfHunk(pieces: readonly Piece[], diff: string, hunk: number): readonly Piece[] {
  const shown = parseUnified(diff).hunks[hunk];
  if (shown === undefined) return [];
  const { from, to } = newLinesOf(shown);
  return pieces.filter((piece) => from <= piece.from && piece.to <= to);
}

function newLinesOf({ newNumber, newCount }: DiffHunk): { from: number; to: number } {
  // On a side without lines the number is that of the line before.
  const from = newCount === 0 ? newNumber : newNumber - 1;
  return { from, to: from + newCount };
}
