import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryStore } from "../../../src/adapters/node/memoryStore.ts";
import { openStore } from "../../../src/adapters/node/sqliteStore.ts";
import type { KeptStore } from "../../../src/adapters/node/keptStore.ts";
import type { CallQuery } from "../../../src/app/ports.ts";
import type { CallRecord } from "../../../src/app/record.ts";
import { sampleCall, sampleFile } from "./sampleCalls.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "store-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** What every store must do; each test runs on both. */
const stores: Record<string, () => Promise<KeptStore>> = {
  sqlite: () => openStore({ folder, budgetBytes: 1e9, retentionDays: 1e6, now: () => 5_000 }),
  memory: () => Promise.resolve(memoryStore({ notice: null })),
};

for (const [name, open] of Object.entries(stores))
  describe(name, () => {
    let store: KeptStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      await store.close();
    });
    const ids = async (query: CallQuery): Promise<readonly string[]> =>
      (await store.find(query)).map(({ id }) => id);

    test("a sound store has nothing to say", () => {
      expect(store.notice()).toBeNull();
    });

    test("a call comes back as it was put, every phase replacing the one before", async () => {
      for (const phase of ["received", "planning", "applying", "done"] as const) {
        const call = sampleCall(1, { phase, args: { text: "ä\u0000\ud800 𝒳 \r\n" } });
        expect(await store.put(call)).toEqual({ ok: true, value: undefined });
        expect(await store.get(call.id)).toEqual(call);
      }
      expect(await store.count()).toBe(1);
    });

    test("large arguments come back whole", async () => {
      const call = sampleCall(1, { args: { content: "line of text\n".repeat(100_000) } });
      await store.put(call);
      expect(await store.get(call.id)).toEqual(call);
    });

    test("an unknown id is undefined, and nothing is before it", async () => {
      await store.put(sampleCall(1));
      expect(await store.get("nobody")).toBeUndefined();
      expect(await store.find({ before: "nobody" })).toEqual([]);
    });

    test("newest first; pages with `before` show every call once, also those of one moment", async () => {
      for (const n of [3, 1, 2]) await store.put(sampleCall(n));
      for (const n of [4, 5, 6]) await store.put(sampleCall(n, { startedAt: 1_002 }));
      const all = await ids({});
      expect(all).toEqual([3, 6, 5, 4, 2, 1].map((n) => sampleCall(n).id));
      const paged: string[] = [];
      for (;;) {
        const last = paged.at(-1);
        const page = await ids({ limit: 2, ...(last === undefined ? {} : { before: last }) });
        if (page.length === 0) break;
        paged.push(...page);
      }
      expect(paged).toEqual(all);
    });

    test("session, tool and model match whole; path and text anywhere, any case", async () => {
      const files = [sampleFile("src/Äpfel/Main.ts"), sampleFile("b.ts")];
      await store.put(sampleCall(1, { tool: "edit", model: "GPT-5", session: "s2", files }));
      await store.put(sampleCall(2, { tool: "edit_files" }));
      const [first, second] = [sampleCall(1).id, sampleCall(2).id];
      expect(await ids({ tool: "edit" })).toEqual([first]);
      expect(await ids({ model: "GPT-5" })).toEqual([first]);
      expect(await ids({ model: "GPT" })).toEqual([]);
      expect(await ids({ session: "s1" })).toEqual([second]);
      expect(await ids({ path: "äPFEL/main" })).toEqual([first]);
      expect(await ids({ path: "gpt-5" })).toEqual([]);
      expect(await ids({ text: "gpt-5" })).toEqual([first]);
      expect(await ids({ text: "EDIT" })).toEqual([second, first]);
      expect(await ids({ text: "%" })).toEqual([]);
      expect(await ids({ words: ["GPT", "main", "edit"] })).toEqual([first]);
      expect(await ids({ words: ["gpt", "nowhere"] })).toEqual([]);
      expect(await ids({ path: "main.ts\nb" })).toEqual([first]);
      expect(await store.count({ text: "edit", session: "s2" })).toBe(1);
    });

    test("a search of as many words as it can have is answered", async () => {
      await store.put(sampleCall(1));
      const letters = [..."src/a.tsedit_files"];
      const words = (length: number): readonly string[] =>
        Array.from({ length }, (_, i) => letters[i % letters.length] ?? "a");
      expect(await ids({ words: words(100) })).toEqual([sampleCall(1).id]);
      expect(await ids({ words: Array.from({ length: 50 }, () => "src") })).toHaveLength(1);
      expect(await store.count({ words: Array.from({ length: 50 }, () => "src") })).toBe(1);
      expect(store.notice()).toBeNull();
    });

    test("a moved file is found under both names", async () => {
      const moved = sampleFile("new.ts", {
        operation: "move",
        outcome: { path: "new.ts", status: "applied", operation: "move", movedFrom: "old.ts" },
      });
      await store.put(sampleCall(1, { files: [moved] }));
      expect(await store.count({ path: "old.ts" })).toBe(1);
      expect(await store.count({ path: "new.ts" })).toBe(1);
    });

    test("contents are kept once, under their SHA-256", async () => {
      const bytes = new TextEncoder().encode("hello\n".repeat(1000));
      const hash = createHash("sha256").update(bytes).digest("hex");
      expect(await store.keep(bytes)).toBe(hash);
      expect(await store.keep(bytes.slice())).toBe(hash);
      expect(await store.content(hash)).toEqual(bytes);
      expect(await store.content("0".repeat(64))).toBeUndefined();
      const none = await store.keep(new Uint8Array());
      expect(await store.content(none)).toEqual(new Uint8Array());
      const large = new Uint8Array(300_000).map((_, i) => (i * i) % 251);
      const back = await store.content(await store.keep(large));
      expect(Buffer.from(large).equals(back ?? new Uint8Array())).toBe(true);
    });

    test("marks belong to a call and a path, and the last one counts", async () => {
      const call = sampleCall(1);
      await store.put(call);
      const mark = { callId: call.id, path: "/w/src/a.ts", hash: "aa", at: 1 };
      await store.mark(mark);
      await store.mark({ ...mark, hash: null, at: 2 });
      await store.mark({ ...mark, path: "/w/b.ts" });
      await store.mark({ ...mark, callId: "nobody" });
      expect(new Set(await store.marks(call.id))).toEqual(
        new Set([
          { ...mark, hash: null, at: 2 },
          { ...mark, path: "/w/b.ts" },
        ]),
      );
      await store.unmark(call.id, "/w/b.ts");
      expect(await store.marks(call.id)).toEqual([{ ...mark, hash: null, at: 2 }]);
      expect(await store.marks("nobody")).toEqual([]);
      await store.put(call);
      expect(await store.marks(call.id)).toHaveLength(1);
    });

    test("law: find is filter, order and cut of what was put", async () => {
      const word = fc.constantFrom("a", "b", "src/a", "SRC/b", "edit", "x");
      const call = fc.record({
        n: fc.nat(30),
        tool: word,
        session: word,
        model: word,
        status: fc.constantFrom("applied" as const, "partial" as const, "error" as const),
        paths: fc.array(word, { maxLength: 3 }),
        at: fc.nat(5),
      });
      const query = fc.record(
        {
          limit: fc.nat(5),
          tool: word,
          session: word,
          model: word,
          path: word,
          text: word,
          words: fc.array(word, { maxLength: 3 }),
          notApplied: fc.boolean(),
          status: fc.constantFrom("applied" as const, "error" as const),
          startedFrom: fc.nat(5),
          startedTo: fc.nat(5),
        },
        { requiredKeys: [] },
      );
      const put = new Map<string, CallRecord>();
      await fc.assert(
        fc.asyncProperty(fc.array(call, { maxLength: 3 }), query, async (calls, asked) => {
          for (const { n, tool, session, model, status, paths, at } of calls) {
            const record = sampleCall(n, {
              tool,
              session,
              model,
              startedAt: at,
              files: paths.map((shown) => sampleFile(shown)),
              result: { status, isError: false, text: "", message: "" },
            });
            put.set(record.id, record);
            await store.put(record);
          }
          const has = (whole: string, part: string): boolean =>
            whole.toLowerCase().includes(part.toLowerCase());
          const inPaths = (record: CallRecord, part: string): boolean =>
            record.files.some(({ shown }) => has(shown, part));
          const expected = [...put.values()]
            .filter(
              (r) =>
                (asked.tool === undefined || r.tool === asked.tool) &&
                (asked.session === undefined || r.session === asked.session) &&
                (asked.model === undefined || r.model === asked.model) &&
                (asked.status === undefined || r.result?.status === asked.status) &&
                (asked.startedFrom === undefined || r.startedAt >= asked.startedFrom) &&
                (asked.startedTo === undefined || r.startedAt <= asked.startedTo) &&
                (asked.path === undefined || inPaths(r, asked.path)) &&
                (asked.notApplied !== true || r.result?.status !== "applied") &&
                [asked.text ?? "", ...(asked.words ?? [])].every(
                  (part) => inPaths(r, part) || has(r.tool, part) || has(r.model ?? "", part),
                ),
            )
            .sort((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1));
          expect(await store.count({ ...asked })).toBe(expected.length);
          expect(await ids(asked)).toEqual(expected.slice(0, asked.limit).map(({ id }) => id));
        }),
        { numRuns: 200 },
      );
    });
  });

test("memory is bounded: the oldest ended calls and the contents longest unused go", async () => {
  const store = memoryStore({ notice: null, callsMax: 2, contentBytesMax: 10 });
  await store.put(sampleCall(1, { phase: "applying" }));
  for (const n of [2, 3, 4]) await store.put(sampleCall(n));
  expect((await store.find({})).map(({ id }) => id)).toEqual([sampleCall(4).id, sampleCall(1).id]);
  const first = await store.keep(new Uint8Array(6).fill(1));
  const second = await store.keep(new Uint8Array(4).fill(2));
  await store.keep(new Uint8Array(6).fill(1));
  await store.keep(new Uint8Array(4).fill(3));
  expect(await store.content(first)).toEqual(new Uint8Array(6).fill(1));
  expect(await store.content(second)).toBeUndefined();
});
