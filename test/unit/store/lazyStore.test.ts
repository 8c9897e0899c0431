import { expect, test } from "vitest";
import type { KeptStore } from "../../../src/adapters/node/keptStore.ts";
import { lazyStore } from "../../../src/adapters/node/lazyStore.ts";
import { memoryStore } from "../../../src/adapters/node/memoryStore.ts";
import { sampleCall } from "./sampleCalls.ts";

test("a store is opened once, at its first use, and closed only when it was opened", async () => {
  let opened = 0;
  let closed = 0;
  const open = (): Promise<KeptStore> => {
    opened++;
    const close = (): Promise<void> => {
      closed++;
      return Promise.resolve();
    };
    return Promise.resolve({ ...memoryStore({ notice: null }), close });
  };
  await lazyStore(open).close();
  expect([opened, closed]).toEqual([0, 0]);
  const store = lazyStore(open);
  expect(store.notice()).toBeNull();
  await Promise.all([store.put(sampleCall(1)), store.count(), store.get("none")]);
  await store.close();
  expect([opened, closed]).toEqual([1, 1]);
});

test("whatever the store has to say is told when it changes, and once", async () => {
  const notices: (string | null)[] = [];
  let notice: string | null = null;
  const store = lazyStore(
    () => Promise.resolve({ ...memoryStore({ notice: null }), notice: () => notice }),
    (said) => notices.push(said),
  );
  await store.count();
  expect(notices).toEqual([]);
  notice = "The store of calls was damaged.";
  await store.put(sampleCall(1));
  await store.find({});
  expect(notices).toEqual([notice]);
  notice = null;
  await store.keep(new Uint8Array(3));
  expect(notices).toEqual(["The store of calls was damaged.", null]);
});

test("a store that opens with something to say says it, also when the first use fails", async () => {
  const notices: (string | null)[] = [];
  const inner = memoryStore({ notice: "Calls are kept in memory." });
  const store = lazyStore(
    () => Promise.resolve({ ...inner, count: () => Promise.reject(new Error("no")) }),
    (said) => notices.push(said),
  );
  await expect(store.count()).rejects.toThrow("no");
  expect(notices).toEqual(["Calls are kept in memory."]);
});
