import type { CallCard, FileCard } from "../src/protocol/cards.ts";
import type { ToHost } from "../src/protocol/messages.ts";
import { firstChangedLine } from "./diffLines.ts";
import { rowKey } from "./rows.ts";
import type { Action as StateAction } from "./state.ts";
import type { Word } from "./strings.ts";
import { isRunning } from "./titles.ts";

/** What an action does: asks the host, or changes the view. */
export type Effect =
  | { readonly to: "host"; readonly message: ToHost }
  | { readonly to: "view"; readonly action: StateAction };

/** One thing a person can do with a subject. Adding one is a row in a table below. */
export interface ActionOf<Subject> {
  readonly id: string;
  /** On the button; `menuWord`, if there is one, in the menu, where there is room. */
  readonly word: Word;
  readonly menuWord?: Word;
  readonly icon: string;
  /** The key that does it while the row has the focus. */
  readonly key?: string;
  /** `bar`: a button at the right edge at every width. `wide`: a button only where there is room. */
  readonly shown: "bar" | "wide" | "menu";
  readonly offered: (subject: Subject) => boolean;
  readonly effect: (subject: Subject) => Effect;
}

export interface FileSubject {
  readonly call: CallCard;
  readonly file: FileCard;
  /** The hunk whose row it is, for "open". */
  readonly hunk?: number;
}

/** The order here is the order on the screen, always. */
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
    effect: ({ call, file }) => ask({ kind: "openDiff", callId: call.id, fileKey: file.key }),
  },
  {
    id: "resend",
    word: "action.resend",
    icon: "copy",
    key: "C",
    shown: "bar",
    offered: ({ file }) => file.resend !== undefined,
    effect: (subject) => copy(subject, "resend"),
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
    id: "openFile",
    word: "action.openFile",
    icon: "go-to-file",
    key: "Enter",
    shown: "menu",
    offered: ({ file }) => !isGone(file),
    effect: openFile,
  },
  {
    id: "copyPath",
    word: "action.copyPath",
    icon: "copy",
    key: "P",
    shown: "menu",
    offered: () => true,
    effect: (subject) => copy(subject, "path"),
  },
  {
    id: "copyError",
    word: "action.copyError",
    icon: "copy",
    shown: "menu",
    offered: ({ file }) => file.error !== undefined,
    effect: (subject) => copy(subject, "message"),
  },
  {
    id: "copyRequested",
    word: "action.copyRequested",
    icon: "copy",
    shown: "menu",
    offered: ({ file }) => file.requested !== undefined,
    effect: (subject) => copy(subject, "requested"),
  },
];

export const CALL_ACTIONS: readonly ActionOf<CallCard>[] = [
  {
    id: "stop",
    word: "action.stop",
    icon: "debug-stop",
    key: "S",
    shown: "bar",
    offered: isRunning,
    effect: (call) => ask({ kind: "cancelCall", callId: call.id }),
  },
  {
    id: "foldFiles",
    word: "action.foldFiles",
    icon: "collapse-all",
    shown: "menu",
    offered: ({ files }) => 1 < files.length,
    effect: (call) => foldFiles(call, true),
  },
  {
    id: "unfoldFiles",
    word: "action.unfoldFiles",
    icon: "expand-all",
    shown: "menu",
    offered: ({ files }) => 1 < files.length,
    effect: (call) => foldFiles(call, false),
  },
  {
    id: "copyError",
    word: "action.copyError",
    icon: "copy",
    shown: "menu",
    offered: ({ error }) => error !== undefined,
    effect: (call) => ask({ kind: "copy", callId: call.id, what: "message" }),
  },
  {
    id: "copyRequested",
    word: "action.copyRequested",
    icon: "copy",
    shown: "menu",
    offered: ({ requested }) => requested !== undefined,
    effect: (call) => ask({ kind: "copy", callId: call.id, what: "requested" }),
  },
];

/** What Enter and a click on the path do: the file at its first change, or the diff when the file is gone. */
export function openEffect(subject: FileSubject): Effect | null {
  if (!isGone(subject.file)) return openFile(subject);
  if (!hasHunks(subject.file)) return null;
  return ask({ kind: "openDiff", callId: subject.call.id, fileKey: subject.file.key });
}

function openFile({ call, file, hunk }: FileSubject): Effect {
  const line = firstChangedLine(file.diff, hunk) ?? file.error?.near?.[0]?.number;
  const at = { kind: "openFile", callId: call.id, fileKey: file.key } as const;
  return ask(line === undefined ? at : { ...at, line });
}

function isGone(file: FileCard): boolean {
  return file.operation === "delete" && file.status === "applied";
}

function hasHunks(file: FileCard): boolean {
  return file.diff !== undefined && 0 < file.diff.hunks.length;
}

function copy(
  { call, file }: FileSubject,
  what: "path" | "resend" | "message" | "requested",
): Effect {
  return ask({ kind: "copy", callId: call.id, fileKey: file.key, what });
}

function goTo(callId: string): Effect {
  return { to: "view", action: { kind: "goTo", row: { callId } } };
}

function foldFiles(call: CallCard, folded: boolean): Effect {
  const keys = call.files.map(({ key }) => rowKey({ callId: call.id, fileKey: key }));
  return { to: "view", action: { kind: "fold", keys, folded } };
}

function ask(message: ToHost): Effect {
  return { to: "host", message };
}
