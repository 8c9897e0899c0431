import type { CallQuery, CallStore } from "./ports.ts";
import type { CallRecord } from "./record.ts";

/** The calls of this window as they happen, in front of the stored ones. */
export interface CallLog {
  /** Takes the newest record of a call; `onCall` of the ports. */
  tell(call: CallRecord): void;
  get(id: string): Promise<CallRecord | undefined>;
  /** Newest first: running calls too, each call once. */
  recent(query: CallQuery & { readonly limit: number }): Promise<readonly CallRecord[]>;
  count(): Promise<number>;
  running(): readonly CallRecord[];
  onTell(listener: (call: CallRecord) => void): () => void;
}

/** Ended calls that stay in memory, so that the panel need not ask the store for what just happened. */
const ENDED_KEPT_MAX = 100;

export function createCallLog(store: CallStore): CallLog {
  const live = new Map<string, CallRecord>();
  const listeners = new Set<(call: CallRecord) => void>();
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
    async recent(query) {
      const stored = await store.find(query);
      if (query.before !== undefined) return stored.filter(({ id }) => !live.has(id));
      const calls = new Map(stored.map((call) => [call.id, call]));
      for (const [id, call] of live) calls.set(id, call);
      return [...calls.values()]
        .sort((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1))
        .slice(0, query.limit);
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
  };
}
