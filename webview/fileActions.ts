import { isToReview } from "../src/protocol/callFilter.ts";
import type { FileCard } from "../src/protocol/cards.ts";
import { ask, placeOf } from "./actions.ts";
import type { ActionOf, Effect, FileSubject, HunkSubject } from "./actions.ts";
import { firstChangedLine } from "./diffLines.ts";
import { rowKey } from "./rows.ts";
import type { Action as StateAction } from "./state.ts";

/** What can be done with a file. The order here is the order on the screen, always. */
export const FILE_ACTIONS: readonly ActionOf<FileSubject>[] = [
  {
    id: "diff",
    word: "action.diff",
    menuWord: "action.diffLong",
    icon: "diff",
    key: "D",
    shown: "bar",
    offered: ({ file }) =>
      (file.phase === "proposed" || file.status === "applied") && hasHunks(file),
    effect: (subject) => ask({ kind: "openDiff", ...placeOf(subject) }),
  },
  {
    id: "compare",
    word: "action.compare",
    icon: "diff-multiple",
    key: "D",
    shown: "bar",
    offered: ({ call, file }) =>
      file.comparable === true || (call.undoOf !== undefined && file.status === "rejected"),
    effect: (subject) => ask({ kind: "openDiff", ...placeOf(subject) }),
  },
  {
    id: "retry",
    word: "action.retry",
    icon: "refresh",
    key: "R",
    shown: "bar",
    offered: ({ call, file }) =>
      file.status === "rejected" && call.undoOf === undefined && file.resend !== undefined,
    effect: (subject) => ask({ kind: "retry", ...placeOf(subject) }),
  },
  {
    id: "resend",
    word: "action.resend",
    icon: "copy",
    key: "C",
    shown: "bar",
    offered: ({ file }) => file.resend !== undefined,
    effect: (subject) => ask({ kind: "copy", ...placeOf(subject), what: "resend" }),
  },
  {
    id: "goToCall",
    word: "action.goToCall",
    icon: "arrow-right",
    key: "G",
    shown: "bar",
    offered: ({ file }) => file.appliedBy !== undefined,
    effect: ({ file }) => goTo(file.appliedBy ?? ""),
  },
  {
    id: "undo",
    word: "action.undo",
    menuWord: "action.undoLong",
    icon: "discard",
    key: "U",
    shown: "bar",
    offered: ({ file }) => file.undoable === true,
    effect: (subject) => ask({ kind: "undo", ...placeOf(subject) }),
  },
  {
    id: "keep",
    word: "action.keep",
    icon: "check",
    key: "K",
    shown: "bar",
    offered: ({ call, file }) => isToReview(call, file),
    effect: (subject) =>
      ask({ kind: "keep", ...placeOf(subject), kept: true }, fold(subject, true)),
  },
  {
    id: "unkeep",
    word: "action.unkeep",
    icon: "circle-slash",
    shown: "menu",
    offered: ({ file }) => file.reviewed === true,
    effect: (subject) =>
      ask({ kind: "keep", ...placeOf(subject), kept: false }, fold(subject, false)),
  },
  {
    id: "deny",
    word: "action.deny",
    icon: "close",
    shown: "bar",
    offered: isAsked,
    effect: (subject) => answer(subject, "deny"),
  },
  {
    id: "approve",
    word: "action.approve",
    icon: "check",
    shown: "bar",
    offered: isAsked,
    effect: (subject) => answer(subject, "approve"),
  },
  {
    id: "approveForSession",
    word: "action.approveForSession",
    icon: "check-all",
    shown: "menu",
    offered: (subject) => isAsked(subject) && subject.file.operation === "update",
    effect: (subject) => answer(subject, "approve", { forSession: true }),
  },
  {
    id: "openFile",
    word: "action.openFile",
    icon: "go-to-file",
    key: "Enter",
    shown: "menu",
    offered: ({ file }) => !isGone(file),
    effect: (subject) => openFile(subject),
  },
  {
    id: "copyPath",
    word: "action.copyPath",
    icon: "copy",
    key: "P",
    shown: "menu",
    offered: () => true,
    effect: (subject) => ask({ kind: "copy", ...placeOf(subject), what: "path" }),
  },
  {
    id: "copyError",
    word: "action.copyError",
    icon: "copy",
    shown: "menu",
    offered: ({ file }) => file.error !== undefined,
    effect: (subject) => ask({ kind: "copy", ...placeOf(subject), what: "message" }),
  },
  {
    id: "copyRequested",
    word: "action.copyRequested",
    icon: "copy",
    shown: "menu",
    offered: ({ file }) => file.requested !== undefined,
    effect: (subject) => ask({ kind: "copy", ...placeOf(subject), what: "requested" }),
  },
];

/** What can be done with a hunk, beside all that can be done with its file. */
export const HUNK_ACTIONS: readonly ActionOf<HunkSubject>[] = [
  {
    id: "undoHunk",
    word: "action.undoHunk",
    icon: "discard",
    key: "U",
    shown: "bar",
    offered: ({ file, hunk }) => {
      const hunks = file.diff?.hunks ?? [];
      // The only hunk of a file is the file's change, which has an undo of its own.
      return file.undoable === true && 1 < hunks.length && hunks[hunk]?.undone !== true;
    },
    effect: (subject) => ask({ kind: "undo", ...placeOf(subject), hunk: subject.hunk }),
  },
];

/** What Enter and a click on the path do: the file at its first change, or the diff when the file is gone. */
export function openEffect(subject: FileSubject, hunk?: number): Effect | null {
  if (!isGone(subject.file)) return openFile(subject, hunk);
  return hasHunks(subject.file) ? ask({ kind: "openDiff", ...placeOf(subject) }) : null;
}

function openFile(subject: FileSubject, hunk?: number): Effect {
  const { diff, error } = subject.file;
  const line = firstChangedLine(diff, hunk) ?? error?.near?.[0]?.number;
  const at = { kind: "openFile", ...placeOf(subject) } as const;
  return ask(line === undefined ? at : { ...at, line });
}

function isGone(file: FileCard): boolean {
  return file.operation === "delete" && file.status === "applied" && file.undone !== "all";
}

function hasHunks(file: FileCard): boolean {
  return file.diff !== undefined && 0 < file.diff.hunks.length;
}

function isAsked({ call, file }: FileSubject): boolean {
  if (call.approval === undefined || file.phase !== "proposed") return false;
  return call.approval.answers?.[file.key] === undefined;
}

function answer(
  subject: FileSubject,
  decision: "approve" | "deny",
  more: { readonly forSession?: true } = {},
): Effect {
  const hash = subject.call.approval?.hash ?? "";
  return ask({ kind: "answer", ...placeOf(subject), decision, hash, ...more });
}

function fold(subject: FileSubject, folded: boolean): StateAction {
  return { kind: "fold", keys: [rowKey(placeOf(subject))], folded };
}

function goTo(callId: string): Effect {
  return { to: "view", action: { kind: "goTo", row: { callId } } };
}
