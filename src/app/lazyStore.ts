import type { CallStore } from "./ports.ts";

/**
 * A store that is opened at its first use, so that activation loads no database. Opening never fails: the opener
 * falls back to memory and says so in `notice`.
 */
export function lazyStore(open: () => Promise<CallStore>): CallStore {
  let opening: Promise<CallStore> | undefined;
  let opened: CallStore | undefined;
  const store = async (): Promise<CallStore> => (opened ??= await (opening ??= open()));
  return {
    put: async (call) => (await store()).put(call),
    get: async (id) => (await store()).get(id),
    find: async (query) => (await store()).find(query),
    count: async (query) => (await store()).count(query),
    keep: async (bytes) => (await store()).keep(bytes),
    content: async (hash) => (await store()).content(hash),
    notice: () => opened?.notice() ?? null,
    close: async () => {
      if (opening !== undefined) await (await opening).close();
    },
  };
}
