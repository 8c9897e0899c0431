import type { KeptStore } from "./keptStore.ts";

/**
 * A store that is opened at its first use, so that activation loads no database. Opening never fails: the opener
 * falls back to memory and says so in `notice`.
 */
export function lazyStore(open: () => Promise<KeptStore>): KeptStore {
  let opening: Promise<KeptStore> | undefined;
  let opened: KeptStore | undefined;
  const store = async (): Promise<KeptStore> => (opened ??= await (opening ??= open()));
  return {
    put: async (call) => (await store()).put(call),
    get: async (id) => (await store()).get(id),
    find: async (query) => (await store()).find(query),
    count: async (query) => (await store()).count(query),
    keep: async (bytes) => (await store()).keep(bytes),
    content: async (hash) => (await store()).content(hash),
    interrupted: async () => (await store()).interrupted(),
    mark: async (mark) => (await store()).mark(mark),
    unmark: async (callId, path) => (await store()).unmark(callId, path),
    marks: async (callId) => (await store()).marks(callId),
    notice: () => opened?.notice() ?? null,
    close: async () => {
      if (opening !== undefined) await (await opening).close();
    },
  };
}
