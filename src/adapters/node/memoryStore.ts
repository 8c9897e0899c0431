import { createHash } from "node:crypto";
import { ok } from "../../base/result.ts";
import type { CallRecord } from "../../app/record.ts";
import type { KeptStore, ReviewMark } from "./keptStore.ts";
import { matches, newestFirst } from "./storeQuery.ts";

export interface MemoryOptions {
  /** The sentence for the panel; null where memory is what was asked for. */
  readonly notice: string | null;
  readonly callsMax?: number;
  readonly contentBytesMax?: number;
}

const CALLS_MAX = 5_000;
const CONTENT_BYTES_MAX = 128_000_000;

/** A store in memory for want of a better one; `cause` is the end of a sentence, without a full stop. */
export function memoryInstead(cause: string): KeptStore {
  return memoryStore({
    notice: `Calls are kept in memory and are gone when this window closes: ${cause}.`,
  });
}

/** Calls in maps, gone with the process. Bounded: beyond the limits the oldest go, ended calls first. */
export function memoryStore(options: MemoryOptions): KeptStore {
  const { notice, callsMax = CALLS_MAX, contentBytesMax = CONTENT_BYTES_MAX } = options;
  const calls = new Map<string, CallRecord>();
  // Maps keep the order of insertion; a content that is kept again moves to the end.
  const contents = new Map<string, Uint8Array>();
  const marks = new Map<string, Map<string, ReviewMark>>();
  let contentBytes = 0;

  const dropCalls = (): void => {
    if (calls.size <= callsMax) return;
    const oldestFirst = [...calls.values()].sort((a, b) => newestFirst(b, a));
    const ended = oldestFirst.filter(({ phase }) => phase === "done");
    const others = oldestFirst.filter(({ phase }) => phase !== "done");
    for (const { id } of [...ended, ...others].slice(0, calls.size - callsMax)) {
      calls.delete(id);
      marks.delete(id);
    }
  };
  const dropContents = (): void => {
    for (const [hash, bytes] of contents) {
      if (contentBytes <= contentBytesMax) return;
      contents.delete(hash);
      contentBytes -= bytes.length;
    }
  };
  const chosen = (query: Parameters<KeptStore["find"]>[0]): readonly CallRecord[] => {
    const bound = query.before === undefined ? undefined : calls.get(query.before);
    if (query.before !== undefined && bound === undefined) return [];
    return [...calls.values()].filter(
      (call) => matches(call, query) && (bound === undefined || newestFirst(bound, call) < 0),
    );
  };

  return {
    put(call) {
      calls.set(call.id, call);
      dropCalls();
      return Promise.resolve(ok(undefined));
    },
    get: (id) => Promise.resolve(calls.get(id)),
    find: (query) =>
      Promise.resolve(
        [...chosen(query)]
          .sort(newestFirst)
          .slice(0, query.limit === undefined ? undefined : Math.max(0, query.limit)),
      ),
    count: (query = {}) => Promise.resolve(chosen(query).length),
    keep(bytes) {
      const hash = createHash("sha256").update(bytes).digest("hex");
      const known = contents.get(hash);
      contents.delete(hash);
      contents.set(hash, known ?? bytes.slice());
      if (known === undefined) contentBytes += bytes.length;
      dropContents();
      return Promise.resolve(hash);
    },
    content: (hash) => Promise.resolve(contents.get(hash)?.slice()),
    interrupted: () => Promise.resolve([]),
    mark(mark) {
      const ofCall = marks.get(mark.callId) ?? new Map<string, ReviewMark>();
      if (calls.has(mark.callId)) marks.set(mark.callId, ofCall.set(mark.path, mark));
      return Promise.resolve();
    },
    unmark(callId, path) {
      marks.get(callId)?.delete(path);
      return Promise.resolve();
    },
    marks: (callId) => Promise.resolve([...(marks.get(callId)?.values() ?? [])]),
    notice: () => notice,
    close: () => Promise.resolve(),
  };
}
