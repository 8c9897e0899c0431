import { fitsFilter, wordsOfSearch, type CallFilter } from "../protocol/callFilter.ts";
import type { CallCard } from "../protocol/cards.ts";
import { callCard } from "./card.ts";
import { beforeCall, type CallLog } from "./callLog.ts";
import type { CallQuery, CallStore } from "./ports.ts";
import type { CallRecord } from "./record.ts";
import { UNDO_TOOL } from "./runUndo.ts";

export interface FindParts {
  readonly log: Pick<CallLog, "get">;
  readonly store: Pick<CallStore, "find" | "count" | "get">;
  readonly cardsOf: (calls: readonly CallRecord[]) => Promise<readonly CallCard[]>;
  /** Lets others have their turn: a search that finds little reads a lot. */
  readonly pause: () => Promise<void>;
}

export interface FindQuestion {
  readonly filter: CallFilter;
  readonly session: string | null;
  /** Id of the call from which on older ones are looked at. */
  readonly after: string;
}

export interface FoundPage {
  readonly cards: readonly CallCard[];
  readonly after: string | null;
  /** Calls of the scope behind `after`, which costs less to tell than those of them that may fit. */
  readonly left: number;
}

export const FIND_LIMITS = {
  /** Calls that are read at once. */
  readMax: 100,
  /** An answer ends with the read that brings it to so many calls that fit … */
  fitMax: 100,
  /** … or once so many were read. */
  lookedMax: 2_000,
} as const;

/**
 * Stored calls that fit, newest first, a page at a time. The store is asked for what it can tell; what only a card
 * shows (something to review, to attend to) is asked of the cards, with the rule that the panel itself uses. Null
 * when nobody wants the answer any more.
 */
export async function findCalls(
  parts: FindParts,
  question: FindQuestion,
  isWanted: () => boolean,
): Promise<FoundPage | null> {
  const { store, log, pause } = parts;
  const { readMax, fitMax, lookedMax } = FIND_LIMITS;
  const { session, filter } = question;
  const ofSession: CallQuery = session === null ? {} : { session };
  const where: CallQuery = { ...ofSession, ...queryOf(filter) };
  const cards: CallCard[] = [];
  let last = await log.get(question.after);
  for (let looked = 0; last !== undefined; looked += readMax) {
    const before = await beforeCall(store, last);
    if (fitMax <= cards.length || lookedMax <= looked)
      return { cards, after: last.id, left: await store.count({ ...ofSession, ...before }) };
    if (0 < looked) await pause();
    if (!isWanted()) return null;
    const read = await store.find({ ...where, ...before, limit: readMax + 1 });
    const calls = read.slice(0, readMax);
    const fitting = await parts.cardsOf(calls.filter((call) => mayFit(call, filter)));
    cards.push(...fitting.filter((card) => fitsFilter(card, filter)));
    last = calls.length < read.length ? calls.at(-1) : undefined;
  }
  return isWanted() ? { cards, after: null, left: 0 } : null;
}

/** What the store can tell: no less than the calls that fit. */
function queryOf({ text, tool, model, rejected }: CallFilter): CallQuery {
  return {
    words: wordsOfSearch(text),
    ...(tool === null ? {} : { tool }),
    ...(model === null ? {} : { model }),
    ...(rejected ? { notApplied: true } : {}),
  };
}

/** What the record alone can tell, so that marks and files are looked at for few. */
function mayFit(call: CallRecord, filter: CallFilter): boolean {
  if (filter.review && !mayBeUndone(call)) return false;
  if (!filter.rejected && !filter.attention) return true;
  const isPlain =
    call.phase === "done" &&
    call.result?.status === "applied" &&
    call.files.every(({ outcome }) => outcome?.unsaved !== true);
  return !isPlain && fitsFilter(callCard(call), { ...filter, review: false });
}

function mayBeUndone({ tool, files }: CallRecord): boolean {
  return (
    tool !== UNDO_TOOL &&
    files.some(({ outcome, hashBefore, hashAfter }) => {
      return outcome?.status === "applied" && (hashBefore ?? hashAfter) !== undefined;
    })
  );
}
