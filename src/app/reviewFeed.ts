import { PROTOCOL_VERSION, type CallCard } from "../protocol/cards.ts";
import type { SearchMessage, ToView } from "../protocol/messages.ts";
import { newestFirst, type CallLog } from "./callLog.ts";
import { findCalls, type FindParts } from "./findCalls.ts";
import type { CallStore } from "./ports.ts";
import type { CallRecord } from "./record.ts";
import { createStaleCards } from "./staleCards.ts";

/** Calls sent at first and with each "load older". */
const PAGE_CALLS = 100;
/** A call that takes steps faster than this (ms) is sent once for several of them. */
const DELTA_MS_MIN = 40;

type Snapshot = Extract<ToView, { kind: "snapshot" }>;

export interface FeedParts extends Omit<FindParts, "log" | "store"> {
  readonly log: CallLog;
  readonly store: Pick<CallStore, "find" | "count" | "get">;
  readonly post: (message: ToView) => void;
  /** What a snapshot says besides its calls. */
  readonly about: () => Pick<Snapshot, "trusted" | "storeNotice" | "strings">;
  /** Runs `then` after `ms`; gives back the way to call it off. */
  readonly after: (ms: number, then: () => void) => () => void;
  readonly logBug: (error: unknown) => void;
}

/** What one view is sent: a snapshot whenever it is ready, numbered deltas after that, answers to its searches. */
export interface ReviewFeed {
  ready(): Promise<void>;
  loadOlder(): Promise<void>;
  search(message: SearchMessage): Promise<void>;
  notice(storeNotice: string | null): void;
  dispose(): void;
}

export function createReviewFeed(parts: FeedParts): ReviewFeed {
  const { log, store, post, logBug } = parts;
  const stale = createStaleCards();
  let seq = 0;
  let isReady = false;
  /** The view has every call down to this one, and those below it are counted. */
  let oldest: CallRecord | undefined;
  let olderCount = 0;
  /** The search that is wanted; one before it need not go on. */
  let wanted: object | null = null;
  const pending = new Map<string, CallRecord>();
  /** One map for each answer that is being made: the calls that took a step meanwhile. */
  const meanwhile = new Set<Map<string, CallRecord>>();
  let stopTimer: (() => void) | undefined;

  const cardsOf = async (calls: readonly CallRecord[]): Promise<readonly CallCard[]> => {
    const cards = await parts.cardsOf(calls);
    for (const [i, card] of cards.entries()) {
      const call = calls[i];
      if (call !== undefined) stale.sent(call, card);
    }
    return cards;
  };
  const flush = async (): Promise<void> => {
    const calls = [...pending.values()];
    pending.clear();
    try {
      const older = calls.filter(isBelow);
      for (const call of calls)
        if (!older.includes(call) && (oldest === undefined || newestFirst(oldest, call) < 0))
          oldest = call;
      for (const call of await cardsOf(calls)) post({ kind: "call", seq: ++seq, call });
      if (0 < older.length && (await countOlder()) !== olderCount) await tellOlder([]);
    } finally {
      // Also after a failure: one card that cannot be drawn must not stop all that come after it.
      stopTimer = undefined;
      if (pending.size > 0) schedule();
    }
  };
  const isBelow = (call: CallRecord): boolean =>
    0 < olderCount && oldest !== undefined && newestFirst(oldest, call) < 0;
  const schedule = (): void => {
    stopTimer ??= parts.after(DELTA_MS_MIN, () => void flush().catch(logBug));
  };
  const countOlder = async (): Promise<number> => {
    if (oldest === undefined) return 0;
    const { id } = oldest;
    const [stored, next] = [
      await store.count({ before: id }),
      log.recent({ limit: 1, before: id }),
    ];
    return Math.max(stored, (await next).length);
  };
  const tellOlder = async (calls: readonly CallCard[]): Promise<void> => {
    olderCount = await countOlder();
    post({ kind: "older", seq: ++seq, calls, olderCount });
  };
  const forget = log.onTell((call) => {
    pending.set(call.id, call);
    for (const calls of meanwhile) calls.set(call.id, call);
    if (isReady) schedule();
    void sendAgain(stale.after(call)).catch(logBug);
  });
  const sendAgain = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) {
      const call = await log.get(id);
      if (call !== undefined && !pending.has(id)) pending.set(id, call);
    }
    if (isReady && pending.size > 0) schedule();
  };
  /** An answer that is sent after a step of one of its calls may be from before it: the step is sent again. */
  const answering = async (answer: () => Promise<readonly CallCard[]>): Promise<void> => {
    const told = new Map<string, CallRecord>();
    meanwhile.add(told);
    try {
      for (const { id } of await answer()) {
        const call = told.get(id);
        if (call !== undefined && !pending.has(id)) pending.set(id, call);
      }
      if (isReady && pending.size > 0) schedule();
    } finally {
      meanwhile.delete(told);
    }
  };

  const ready = async (): Promise<void> => {
    isReady = false;
    wanted = null;
    const calls = await log.recent({ limit: PAGE_CALLS });
    const cards = await cardsOf(calls);
    oldest = calls.at(-1);
    olderCount = await countOlder();
    post({
      kind: "snapshot",
      version: PROTOCOL_VERSION,
      seq,
      calls: cards,
      olderCount,
      session: calls[0]?.session ?? null,
      ...parts.about(),
    });
    isReady = true;
    // What happened while the store was asked is in `pending`: a call card replaces the older one.
    if (pending.size > 0) schedule();
  };
  const forgetStore = log.onStoreChanged(() => {
    if (isReady) void ready().catch(logBug);
  });

  return {
    ready,
    loadOlder: () =>
      answering(async () => {
        if (oldest === undefined) return [];
        const calls = await log.recent({ limit: PAGE_CALLS, before: oldest.id });
        const cards = await cardsOf(calls);
        oldest = calls.at(-1) ?? oldest;
        await tellOlder(cards);
        return cards;
      }),
    search: ({ search, filter, session, after }) =>
      answering(async () => {
        const mine = (wanted = {});
        const from = after ?? oldest?.id;
        const page =
          from === undefined
            ? { cards: [], after: null, left: 0 }
            : await findCalls(
                { ...parts, cardsOf },
                { filter, session, after: from },
                () => wanted === mine,
              );
        if (page === null) return [];
        post({ kind: "found", search, calls: page.cards, after: page.after, left: page.left });
        return page.cards;
      }),
    notice(storeNotice) {
      if (isReady) post({ kind: "notice", seq: ++seq, storeNotice });
    },
    dispose() {
      forget();
      forgetStore();
      wanted = null;
      stopTimer?.();
    },
  };
}
