import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../src/adapters/node/memoryStore.ts";
import { createCallLog } from "../../../src/app/callLog.ts";
import type { CallRecord } from "../../../src/app/record.ts";

function call(number: number, more: Partial<CallRecord> = {}): CallRecord {
  const id = `call-${String(number).padStart(4, "0")}`;
  return {
    version: 1,
    id,
    session: "s",
    tool: "edit",
    source: "test",
    startedAt: number,
    phase: "done",
    files: [],
    flags: [],
    ...more,
  };
}

const ids = (calls: readonly CallRecord[]): readonly number[] =>
  calls.map(({ id }) => Number(id.slice(-4)));

/** All pages of a log, as the panel asks for them. */
async function pages(
  log: ReturnType<typeof createCallLog>,
  limit: number,
): Promise<readonly number[]> {
  const all: number[] = [];
  let before: string | undefined;
  for (let page = 0; page < 200; page++) {
    const calls = await log.recent(before === undefined ? { limit } : { limit, before });
    all.push(...ids(calls));
    before = calls.at(-1)?.id;
    if (calls.length < limit) return all;
  }
  throw new Error("the pages do not end");
}

const down = (from: number, to: number): readonly number[] =>
  Array.from({ length: from - to + 1 }, (_, i) => from - i);

describe("the calls of a window in front of the stored ones", () => {
  test("every call comes once, newest first, whether stored, in memory or both", async () => {
    const store = memoryStore({ notice: null });
    const log = createCallLog(store);
    for (let number = 1; number <= 130; number++) {
      const one = call(number);
      await store.put(one);
      if (number > 10) log.tell(one);
    }
    log.tell(call(131, { phase: "planning" }));
    for (const limit of [1, 7, 50, 500]) expect(await pages(log, limit)).toEqual(down(131, 1));
  });

  test("a page may end on a call that is not stored yet", async () => {
    const store = memoryStore({ notice: null });
    const log = createCallLog(store);
    for (let number = 1; number <= 5; number++) await store.put(call(number));
    log.tell(call(6, { phase: "queued" }));
    expect(await pages(log, 1)).toEqual(down(6, 1));
  });

  test("calls of one millisecond keep their order over pages", async () => {
    const store = memoryStore({ notice: null });
    const log = createCallLog(store);
    for (let number = 1; number <= 9; number++) await store.put(call(number, { startedAt: 5 }));
    expect(await pages(log, 2)).toEqual(down(9, 1));
  });

  test("more calls of one moment than a page holds all come, as an import without times brings them", async () => {
    const store = memoryStore({ notice: null });
    const log = createCallLog(store);
    for (let number = 1; number <= 400; number++) await store.put(call(number, { startedAt: 5 }));
    expect(await pages(log, 100)).toEqual(down(400, 1));
  });

  test("what was told last is what is read, also of a running call", async () => {
    const store = memoryStore({ notice: null });
    const log = createCallLog(store);
    await store.put(call(1, { phase: "applying" }));
    log.tell(call(1, { phase: "planning" }));
    expect(log.running()).toHaveLength(1);
    log.tell(call(1));
    expect(log.running()).toEqual([]);
    expect(await log.get("call-0001")).toEqual(call(1));
    expect(await log.recent({ limit: 10 })).toEqual([call(1)]);
    expect(await log.get("call-0002")).toBeUndefined();
    expect(await log.recent({ limit: 10, before: "call-0002" })).toEqual([]);
  });

  test("listeners are told until they stop", () => {
    const log = createCallLog(memoryStore({ notice: null }));
    const told: number[] = [];
    const stop = log.onTell(({ startedAt }) => told.push(startedAt));
    log.tell(call(1));
    stop();
    log.tell(call(2));
    expect(told).toEqual([1]);
  });
});
