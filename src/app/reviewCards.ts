import type { CallCard } from "../protocol/cards.ts";
import type { Approvals } from "./approvals.ts";
import { callCard } from "./card.ts";
import type { CallStore } from "./ports.ts";
import type { CallRecord } from "./record.ts";
import { withReviewState, type CardState } from "./reviewState.ts";
import { UNDO_TOOL } from "./runUndo.ts";

const UNDOS_READ_MAX = 200;

export interface CardParts {
  readonly store: Pick<CallStore, "find">;
  readonly approvals: Pick<Approvals, "open">;
  /** Paths of the call's file records whose mark still fits what is in the file now. */
  readonly reviewed: (call: CallRecord) => Promise<ReadonlySet<string>>;
}

/** The cards of calls, in their order, with what was reviewed and taken back since. */
export async function reviewCards(
  { store, approvals, reviewed }: CardParts,
  calls: readonly CallRecord[],
): Promise<readonly CallCard[]> {
  // A page has many calls of few sessions.
  const asked = new Map<string, Promise<readonly CallRecord[]>>();
  const undosOf = (session: string): Promise<readonly CallRecord[]> => {
    const known = asked.get(session);
    if (known !== undefined) return known;
    const undos = store.find({ session, tool: UNDO_TOOL, limit: UNDOS_READ_MAX });
    asked.set(session, undos);
    return undos;
  };
  return Promise.all(
    calls.map(async (call) => {
      const question = questionOf(approvals, call.id);
      return withReviewState(callCard(call), call, {
        undos: await undosOf(call.session),
        reviewed: await reviewed(call),
        questionOpen: approvals.open().length > 0,
        ...(question === undefined ? {} : { approval: question }),
      });
    }),
  );
}

/** The open question of a call, with what was answered of it already. */
function questionOf(approvals: CardParts["approvals"], callId: string): CardState["approval"] {
  const question = approvals.open().find((one) => one.callId === callId);
  if (question === undefined) return undefined;
  const answers: Record<string, "approved" | "denied"> = {};
  for (const { key, answer } of question.files) if (answer !== "unanswered") answers[key] = answer;
  return { hash: question.hash, answers };
}
