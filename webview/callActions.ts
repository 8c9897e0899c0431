import type { CallCard } from "../src/protocol/cards.ts";
import { filesToReview } from "../src/protocol/callFilter.ts";
import { ask, type ActionOf, type Effect } from "./actions.ts";
import { filesUndoable, filesUnanswered } from "./review.ts";
import { rowKey } from "./rows.ts";
import { isRunning } from "./titles.ts";

/** What can be done with a call. The order here is the order on the screen, always. */
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
    id: "goToUndone",
    word: "action.goToCall",
    icon: "arrow-right",
    key: "G",
    shown: "bar",
    offered: ({ undoOf }) => undoOf !== undefined,
    effect: ({ undoOf = "" }) => ({
      to: "view",
      action: { kind: "goTo", row: { callId: undoOf } },
    }),
  },
  {
    id: "denyAll",
    word: "action.denyAll",
    icon: "close-all",
    shown: "bar",
    offered: isAsked,
    effect: (call) => answer(call, "deny"),
  },
  {
    id: "approveAll",
    word: "action.approveAll",
    icon: "check-all",
    shown: "main",
    offered: isAsked,
    effect: (call) => answer(call, "approve"),
  },
  {
    id: "undo",
    word: "action.undoCall",
    icon: "discard",
    key: "U",
    shown: "menu",
    offered: (call) => !isRunning(call) && 0 < filesUndoable(call).length,
    effect: (call) => ask({ kind: "undo", callId: call.id }),
  },
  {
    id: "keep",
    word: "action.keepCall",
    icon: "check-all",
    key: "K",
    shown: "menu",
    offered: (call) => !isRunning(call) && 0 < filesToReview(call).length,
    effect: keepCall,
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

/** Keeps all files of a call, and folds those that were still to review. */
export function keepCall(call: CallCard): Effect {
  const keys = filesToReview(call).map(({ key }) => rowKey({ callId: call.id, fileKey: key }));
  return ask({ kind: "keep", callId: call.id, kept: true }, { kind: "fold", keys, folded: true });
}

function isAsked(call: CallCard): boolean {
  return 0 < filesUnanswered(call).length;
}

function answer(call: CallCard, decision: "approve" | "deny"): Effect {
  return ask({ kind: "answer", callId: call.id, decision, hash: call.approval?.hash ?? "" });
}

function foldFiles(call: CallCard, folded: boolean): Effect {
  const keys = call.files.map(({ key }) => rowKey({ callId: call.id, fileKey: key }));
  return { to: "view", action: { kind: "fold", keys, folded } };
}
