import type { KeptStore } from "./keptStore.ts";

/**
 * A store that is opened at its first use, so that activation loads no database. Opening never fails: the opener
 * falls back to memory and says so in `notice`. `onNotice` is told when what `notice` says has changed.
 */
export function lazyStore(
  open: () => Promise<KeptStore>,
  onNotice: (notice: string | null) => void = () => undefined,
): KeptStore {
  let opening: Promise<KeptStore> | undefined;
  let opened: KeptStore | undefined;
  let told: string | null = null;
  const using = async <T>(work: (store: KeptStore) => Promise<T>): Promise<T> => {
    const store = (opened ??= await (opening ??= open()));
    try {
      return await work(store);
    } finally {
      const notice = store.notice();
      if (notice !== told) onNotice((told = notice));
    }
  };
  return {
    put: (call) => using((store) => store.put(call)),
    get: (id) => using((store) => store.get(id)),
    find: (query) => using((store) => store.find(query)),
    count: (query) => using((store) => store.count(query)),
    keep: (bytes) => using((store) => store.keep(bytes)),
    content: (hash) => using((store) => store.content(hash)),
    interrupted: () => using((store) => store.interrupted()),
    mark: (mark) => using((store) => store.mark(mark)),
    unmark: (callId, path) => using((store) => store.unmark(callId, path)),
    marks: (callId) => using((store) => store.marks(callId)),
    notice: () => opened?.notice() ?? null,
    close: async () => {
      if (opening !== undefined) await (await opening).close();
    },
  };
}
