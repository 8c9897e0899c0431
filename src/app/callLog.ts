import type { CallQuery, CallStore } from "./ports.ts";
import type { CallRecord } from "./record.ts";

/** The calls of this window as they happen, in front of the stored ones. */
export interface CallLog {
  /** Takes the newest record of a call; `onCall` of the ports. */
  tell(call: CallRecord): void;
  get(id: string): Promise<CallRecord | undefined>;
  /** Newest first, running calls too, each call once; with `before`, those that started before that call. */
  recent(page: CallPage): Promise<readonly CallRecord[]>;
  count(): Promise<number>;
  running(): readonly CallRecord[];
  onTell(listener: (call: CallRecord) => void): () => void;
  /** Many calls came into the store at once, and are not told one by one: whoever shows calls reads them anew. */
  storeChanged(): void;
  onStoreChanged(listener: () => void): () => void;
}

export interface CallPage {
  readonly limit: number;
  readonly before?: string;
}

/** Ended calls that stay in memory, so that the panel need not ask the store for what just happened. */
const ENDED_KEPT_MAX = 100;

/** Calls that may have begun in the same millisecond as one that is not stored. */
const SAME_TIME_MAX = 50;

export function createCallLog(store: CallStore): CallLog {
  const live = new Map<string, CallRecord>();
  const listeners = new Set<(call: CallRecord) => void>();
  const readers = new Set<() => void>();
  const ended = (call: CallRecord): boolean =>
    call.phase === "done" || call.phase === "interrupted";
  return {
    tell(call) {
      live.set(call.id, call);
      const done = [...live.values()].filter(ended);
      for (const old of done.slice(0, Math.max(0, done.length - ENDED_KEPT_MAX)))
        live.delete(old.id);
      for (const listener of listeners) listener(call);
    },
    async get(id) {
      return live.get(id) ?? (await store.get(id));
    },
    async recent({ limit, before }) {
      const last =
        before === undefined ? undefined : (live.get(before) ?? (await store.get(before)));
      if (before !== undefined && last === undefined) return [];
      const follows = (call: CallRecord): boolean =>
        last === undefined || newestFirst(last, call) < 0;
      const stored = await store.find(
        last === undefined
          ? { limit }
          : { limit: limit + SAME_TIME_MAX, ...(await beforeCall(store, last)) },
      );
      const calls = new Map(stored.map((call) => [call.id, call]));
      for (const [id, call] of live) calls.set(id, call);
      return [...calls.values()].filter(follows).sort(newestFirst).slice(0, limit);
    },
    count() {
      return store.count();
    },
    running() {
      return [...live.values()].filter((call) => !ended(call));
    },
    onTell(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    storeChanged() {
      for (const reader of readers) reader();
    },
    onStoreChanged(reader) {
      readers.add(reader);
      return () => readers.delete(reader);
    },
  };
}

/**
 * The condition for calls that started before this one. A call that runs may not be stored yet and then has no place
 * in the store's order: its time stands for it, and calls of the same moment come along.
 */
export async function beforeCall(
  store: Pick<CallStore, "get">,
  { id, startedAt }: CallRecord,
): Promise<Pick<CallQuery, "before" | "startedTo">> {
  return (await store.get(id)) === undefined ? { startedTo: startedAt } : { before: id };
}

export function newestFirst(a: CallRecord, b: CallRecord): number {
  return b.startedAt - a.startedAt || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
}
