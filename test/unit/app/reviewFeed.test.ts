import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../src/adapters/node/memoryStore.ts";
import { createCallLog } from "../../../src/app/callLog.ts";
import { FIND_LIMITS } from "../../../src/app/findCalls.ts";
import { importTranscript } from "../../../src/app/importers/importTranscript.ts";
import type { CallRecord, FileRecord } from "../../../src/app/record.ts";
import { reviewCards } from "../../../src/app/reviewCards.ts";
import { createReviewFeed } from "../../../src/app/reviewFeed.ts";
import type { CallFilter } from "../../../src/protocol/callFilter.ts";
import { ToHost, type SearchMessage, type ToView } from "../../../src/protocol/messages.ts";

const NOTHING: CallFilter = {
  text: "",
  tool: null,
  model: null,
  review: false,
  rejected: false,
  attention: false,
};

function file(shown: string, parts: Partial<FileRecord> = {}): FileRecord {
  const outcome = { path: shown, status: "applied", operation: "update" } as const;
  return { path: `/w/${shown}`, shown, operation: "update", phase: "done", outcome, ...parts };
}

function rejected(shown: string): FileRecord {
  const error = { message: "old_text was not found in the file." };
  const outcome = { path: shown, status: "rejected", operation: "update", error } as const;
  return file(shown, { outcome });
}

function call(n: number, parts: Partial<CallRecord> = {}): CallRecord {
  return {
    version: 1,
    id: `call-${n}`,
    session: n <= 200 ? "old" : "new",
    tool: "edit_files",
    source: "test",
    startedAt: n,
    endedAt: n,
    phase: "done",
    files: [file(`src/file${n}.ts`)],
    result: { status: "applied", isError: false, text: "", message: "" },
    flags: [],
    ...parts,
  };
}

/** A feed over a store of so many calls, and what a view on the other end is sent. */
async function feedOf(calls: readonly CallRecord[], kept: ReadonlySet<string> = new Set()) {
  const store = memoryStore({ notice: null });
  for (const one of calls) await store.put(one);
  const log = createCallLog(store);
  const sent: ToView[] = [];
  const timers: (() => void)[] = [];
  let drawn = 0;
  let pause: () => Promise<void> = () => Promise.resolve();
  const cards = {
    store,
    approvals: { open: () => [] },
    reviewed: ({ id, files }: CallRecord) =>
      Promise.resolve(new Set(kept.has(id) ? files.map(({ path }) => path) : [])),
  };
  const feed = createReviewFeed({
    log,
    store,
    cardsOf(wanted) {
      drawn += wanted.length;
      return reviewCards(cards, wanted);
    },
    post: (message) => void sent.push(message),
    about: () => ({ trusted: true, strings: {} }),
    after(_, then) {
      timers.push(then);
      return () => void timers.splice(timers.indexOf(then), 1);
    },
    pause: () => pause(),
    logBug(error) {
      throw error;
    },
  });
  await feed.ready();
  let count = 0;
  return {
    feed,
    log,
    store,
    sent,
    drawn: () => drawn,
    onPause: (then: () => Promise<void>) => void (pause = then),
    /** Runs what waits for its time, and all that follows from it. */
    async tick() {
      for (const then of timers.splice(0)) then();
      await new Promise((done) => setImmediate(done));
    },
    async search(filter: Partial<CallFilter>, more: Partial<SearchMessage> = {}) {
      const message = { kind: "search", search: ++count, session: null, after: null, ...more };
      const parsed = ToHost.parse({ ...message, filter: { ...NOTHING, ...filter } });
      await feed.search(parsed as SearchMessage);
      return found(sent.at(-1));
    },
  };
}

function found(message: ToView | undefined) {
  if (message?.kind !== "found") throw new Error(`the feed sent ${message?.kind}`);
  const { search, after, left } = message;
  return { search, after, left, ids: message.calls.map(({ id }) => id) };
}

const many = (count: number, of: (n: number) => CallRecord = call): readonly CallRecord[] =>
  Array.from({ length: count }, (_, i) => of(i + 1));

describe("a search from the panel", () => {
  test("finds calls that were not sent, newest first, and none that was", async () => {
    const { search, sent } = await feedOf(many(300));
    expect(sent[0]).toMatchObject({ kind: "snapshot", olderCount: 200 });
    expect(await search({ text: "SRC/file2" })).toEqual({
      search: 1,
      ids: ["call-200", ...[9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((n) => `call-2${n}`), "call-2"],
      after: null,
      left: 0,
    });
    expect((await search({ text: "file25" })).ids).toEqual(["call-25"]);
    expect((await search({ text: "no such file" })).ids).toEqual([]);
  });

  test("asks for every word, wherever it is", async () => {
    const { search } = await feedOf(
      many(200, (n) => call(n, { tool: n % 2 === 0 ? "edit" : "write", model: `m${n % 3}` })),
    );
    expect((await search({ text: "  File12  WRITE m0 " })).ids).toEqual([]);
    expect((await search({ text: "file12 edit m0" })).ids).toEqual(["call-12"]);
    expect((await search({ text: "file1 ts", tool: "write", model: "m0" })).ids).toEqual([
      "call-15",
    ]);
  });

  test("keeps to the session that is asked for", async () => {
    const { search } = await feedOf(many(400));
    expect((await search({ text: "file29" }, { session: "new" })).ids).toEqual([
      ...[9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((n) => `call-29${n}`),
    ]);
    expect((await search({ text: "file299" }, { session: "old" })).ids).toEqual([]);
  });

  test("comes in pages that show every call once, also of one moment", async () => {
    const { search } = await feedOf(many(700, (n) => call(n, { startedAt: n < 500 ? 1 : n })));
    const pages = [await search({ text: "file" })];
    for (let after = pages[0]?.after ?? null; after !== null;) {
      const page = await search({ text: "file" }, { after });
      pages.push(page);
      ({ after } = page);
    }
    expect(pages.map(({ ids, left }) => [ids.length, left])).toEqual(
      [500, 400, 300, 200, 100, 0].map((left) => [100, left]),
    );
    const ids = pages.flatMap((page) => page.ids);
    expect(new Set(ids).size).toBe(600);
    expect(ids[0]).toBe("call-600");
  });

  test("filters by what only a card shows", async () => {
    const odd = (n: number): CallRecord => {
      if (n === 10) return call(n, { files: [rejected("a.ts")], result: failed() });
      if (n === 20) return call(n, { files: [file("b.ts", { hashAfter: "1" })] });
      if (n === 30) return call(n, { files: [file("c.ts", { hashAfter: "1" })] });
      return call(n);
    };
    const failed = () => ({ status: "error", isError: true, text: "", message: "" }) as const;
    const { search, drawn } = await feedOf(many(300, odd), new Set(["call-30"]));
    const before = drawn();
    expect((await search({ rejected: true })).ids).toEqual(["call-10"]);
    expect((await search({ attention: true })).ids).toEqual(["call-10"]);
    expect((await search({ review: true })).ids).toEqual(["call-20"]);
    expect(drawn() - before).toBeLessThan(10);
  });

  test("ends after a bound, and goes on from there", async () => {
    const { lookedMax } = FIND_LIMITS;
    const calls = many(lookedMax + 150, (n) =>
      n === 1 ? call(n, { phase: "interrupted" }) : call(n),
    );
    const { search } = await feedOf(calls);
    const first = await search({ attention: true });
    expect(first).toEqual({ search: 1, ids: [], after: "call-51", left: 50 });
    const second = await search({ attention: true }, { after: first.after });
    expect(second).toEqual({ search: 2, ids: ["call-1"], after: null, left: 0 });
  });

  test("is given up for the next one, and for a new page", async () => {
    const world = await feedOf(many(500));
    for (const interrupt of [
      async () => void (await world.search({ text: "file7" })),
      () => world.feed.ready(),
    ]) {
      world.onPause(interrupt);
      const from = world.sent.length;
      const filter = { ...NOTHING, attention: true };
      world.onPause(async () => {
        world.onPause(() => Promise.resolve());
        await interrupt();
      });
      await world.feed.search({ kind: "search", search: 99, filter, session: null, after: null });
      const answers = world.sent.slice(from);
      expect(answers.filter((one) => one.kind === "found" && one.search === 99)).toEqual([]);
      expect(answers).toHaveLength(1);
    }
  });

  test("sends a call again that took a step while it was looked for", async () => {
    const world = await feedOf(
      many(500, (n) => (n === 390 ? call(n, { phase: "interrupted" }) : call(n))),
    );
    world.onPause(async () => {
      world.onPause(() => Promise.resolve());
      world.log.tell(call(390));
      await world.tick();
    });
    expect((await world.search({ attention: true })).ids).toEqual(["call-390"]);
    await world.tick();
    const told = world.sent.flatMap((one) => {
      if (one.kind === "call") return [one.call.phase];
      return one.kind === "found" ? one.calls.map(({ phase }) => phase) : [];
    });
    expect(told).toEqual(["done", "interrupted", "done"]);
  });
});

test("the panel can ask about an imported call, however long its ids are", async () => {
  const long = "x".repeat(5_000);
  const line = JSON.stringify({
    tool: "edit_files",
    session: long,
    call_id: long,
    input: { edits: [{ path: "a.ts", old_text: "a", new_text: "b" }] },
  });
  const ids: string[] = [];
  await importTranscript(lines(`${line}\n`), { name: "calls.jsonl", time: 1 }, ({ id }) => {
    ids.push(id);
    return Promise.resolve();
  });
  expect(ids).toHaveLength(1);
  for (const id of ids) {
    expect(id.length).toBeGreaterThan(200);
    expect(ToHost.safeParse({ kind: "undo", callId: id }).success).toBe(true);
  }
});

async function* lines(text: string): AsyncGenerator<string> {
  yield await Promise.resolve(text);
}

describe("what a view is sent", () => {
  test("counts the older calls that are left, page by page", async () => {
    const { feed, sent } = await feedOf(many(350));
    for (const left of [150, 50, 0]) {
      await feed.loadOlder();
      expect(sent.at(-1)).toMatchObject({ kind: "older", olderCount: left });
    }
  });

  test("counts a call again that comes in from before the oldest one", async () => {
    const { log, store, sent, tick } = await feedOf(many(150));
    const imported = call(3, { id: "imported" });
    await store.put(imported);
    log.tell(imported);
    await tick();
    expect(sent.slice(1).map(({ kind }) => kind)).toEqual(["call", "older"]);
    expect(sent.at(-1)).toMatchObject({ calls: [], olderCount: 51 });
    log.tell({ ...imported, flags: ["imported"] });
    await tick();
    expect(sent.slice(3).map(({ kind }) => kind)).toEqual(["call"]);
  });

  test("is sent whole again when calls come into the store in bulk", async () => {
    const { log, store, sent, tick } = await feedOf(many(150));
    for (const n of [151, 152]) await store.put(call(n));
    log.storeChanged();
    await tick();
    expect(sent.map(({ kind }) => kind)).toEqual(["snapshot", "snapshot"]);
    expect(sent[1]).toMatchObject({ olderCount: 52 });
  });

  test("shows a kept file anew when a later call has touched it", async () => {
    const kept = new Set(["call-7"]);
    const hashAfter = { hashAfter: "1" };
    const calls = many(150, (n) => call(n, { files: [file(`src/file${n}.ts`, hashAfter)] }));
    const { log, search, sent, tick } = await feedOf(calls, kept);
    expect((await search({ text: "file7.ts" })).ids).toEqual(["call-7"]);
    kept.delete("call-7");
    log.tell(call(300, { files: [file("src/file7.ts", hashAfter)] }));
    await tick();
    await tick();
    const last = sent.findLast((one) => one.kind === "call" && one.call.id === "call-7");
    expect(last).toMatchObject({ call: { files: [{ undoable: true }] } });
    expect(last).not.toMatchObject({ call: { files: [{ reviewed: true }] } });
  });

  test("numbers its deltas without a gap", async () => {
    const { feed, log, sent, tick } = await feedOf(many(150));
    log.tell(call(200));
    await tick();
    feed.notice("kept in memory");
    await feed.loadOlder();
    expect(sent.map((one) => ("seq" in one ? one.seq : null))).toEqual([0, 1, 2, 3]);
    feed.dispose();
    log.tell(call(201));
    await tick();
    expect(sent).toHaveLength(4);
  });
});
