import fc from "fast-check";
import { expect, test } from "vitest";
import { memoryStore } from "../../../src/adapters/node/memoryStore.ts";
import { ExportedCall, exportCalls, exportedCall } from "../../../src/app/exporter.ts";
import {
  importTranscript,
  type ImportedCall,
} from "../../../src/app/importers/importTranscript.ts";
import type { CallRecord } from "../../../src/app/record.ts";
import { sampleCall, sampleFile, without } from "../store/sampleCalls.ts";

const DIFF = "--- a\n+++ a\n@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n";

async function exported(calls: readonly CallRecord[]): Promise<readonly string[]> {
  const store = memoryStore({ notice: null });
  for (const call of calls) await store.put(call);
  const lines: string[] = [];
  for await (const line of exportCalls(store)) lines.push(line);
  return lines;
}

async function imported(lines: readonly string[]): Promise<readonly ImportedCall[]> {
  const calls: ImportedCall[] = [];
  await importTranscript(lines, { name: "n", time: 1 }, (call) => void calls.push(call));
  return calls;
}

test("a call as flat columns", () => {
  const call = sampleCall(1, {
    model: "m",
    startedAt: Date.parse("2026-03-04T05:06:07.008Z"),
    endedAt: Date.parse("2026-03-04T05:06:08Z"),
    args: { edits: [] },
    files: [
      sampleFile("a.ts", {
        outcome: {
          path: "a.ts",
          status: "applied",
          operation: "update",
          diff: DIFF,
          tolerance: ["trailing", "indent"],
        },
      }),
      sampleFile("b.ts", {
        outcome: {
          path: "b.ts",
          status: "rejected",
          operation: "update",
          error: { message: "no match" },
        },
      }),
    ],
    result: { status: "partial", isError: false, text: "{…}", message: "Edited 1 of 2 files" },
  });
  expect(exportedCall(call)).toEqual({
    schema: 1,
    id: call.id,
    session: "s1",
    tool: "edit_files",
    source: "api",
    model: "m",
    provider: null,
    started_at: "2026-03-04T05:06:07.008Z",
    ended_at: "2026-03-04T05:06:08.000Z",
    duration_ms: 992,
    phase: "done",
    status: "partial",
    is_error: false,
    flags: [],
    folder: null,
    input_json: '{"edits":[]}',
    raw: null,
    input_units: 12,
    message: "Edited 1 of 2 files",
    error: null,
    output: "{…}",
    files_total: 2,
    files_applied: 1,
    files_rejected: 1,
    files_already_applied: 0,
    files_unknown: 0,
    lines_added: 2,
    lines_removed: 1,
    file_paths: ["/w/a.ts", "/w/b.ts"],
    file_operations: ["update", "update"],
    file_statuses: ["applied", "rejected"],
    file_errors: [null, "no match"],
    file_tolerances: ["trailing,indent", ""],
    file_lines_added: [2, 0],
    file_lines_removed: [1, 0],
  });
});

const tool = fc.constantFrom("edit_files", "apply_patch", "edit", "write", "delete");
const anyCall = fc.record({
  tool,
  args: fc.oneof(
    fc.record({ path: fc.string(), content: fc.string({ unit: "binary" }) }),
    fc.record({
      edits: fc.array(
        fc.record({ path: fc.string(), old_text: fc.string(), new_text: fc.string() }),
      ),
    }),
    fc.record({ patch: fc.string({ unit: fc.constantFrom("*", " ", "\n", "a", "\r", "\ud83d") }) }),
  ),
  model: fc.option(fc.string({ minLength: 1, maxLength: 50 }), { nil: undefined }),
  session: fc.string({ minLength: 1, maxLength: 50 }),
  startedAt: fc.integer({ min: 1e11, max: 4e12 }),
  raw: fc.option(fc.constantFrom("{", '{"edits":[', "not json", "\u0000"), { nil: undefined }),
});

test("law: every line fits the schema, is flat, and reads back as the same call", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyCall, { maxLength: 5 }), async (shapes) => {
      const calls: readonly CallRecord[] = shapes.map(({ raw, args, model, ...rest }, n) => {
        const call = without(sampleCall(n, { ...rest, files: [] }), "args");
        return {
          ...call,
          ...(model === undefined ? {} : { model }),
          ...(raw === undefined ? { args } : { argsRaw: raw }),
        };
      });
      const lines = await exported(calls);
      expect(lines).toHaveLength(calls.length);
      for (const line of lines) {
        const columns: object = ExportedCall.parse(JSON.parse(line));
        for (const value of Object.values(columns).flat())
          expect(typeof value === "object" && value !== null).toBe(false);
      }
      const back = new Map(
        (await imported(lines)).map((call) => [call.id.split(":").at(-1), call]),
      );
      for (const call of calls) {
        const one = back.get(call.id);
        expect(one).toMatchObject({
          tool: call.tool,
          session: `import:${call.session}`,
          startedAt: call.startedAt,
        });
        expect([one?.args, one?.argsRaw, one?.model]).toEqual([
          call.args,
          call.argsRaw,
          call.model,
        ]);
        expect(one?.imported.status).toBe("applied");
      }
    }),
    { numRuns: 100 },
  );
});

test("more calls than a page come out once each, newest first; a limit counts over pages", async () => {
  const store = memoryStore({ notice: null });
  for (let n = 0; n < 250; n++) await store.put(sampleCall(n));
  const ids = async (limit?: number): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const line of exportCalls(store, limit === undefined ? {} : { limit }))
      found.push(ExportedCall.parse(JSON.parse(line)).id);
    return found;
  };
  const all = Array.from({ length: 250 }, (_, n) => sampleCall(249 - n).id);
  expect(await ids()).toEqual(all);
  expect(await ids(130)).toEqual(all.slice(0, 130));
  expect(await ids(100)).toEqual(all.slice(0, 100));
});

test("an imported call goes out and comes in again", async () => {
  const line = JSON.stringify({
    tool: "delete",
    id: "1",
    session: "s",
    input: { path: "a" },
    folder: "/x",
    output: "ok",
  });
  const [first] = await imported([`${line}\n`]);
  const [again] = await imported(await exported(first === undefined ? [] : [first]));
  expect(again).toMatchObject({
    tool: "delete",
    args: { path: "a" },
    imported: { folder: "/x", output: "ok" },
  });
});

/** A store of calls of each kind: applied, partly rejected, malformed, imported, and one undo. */
async function variedStore(): Promise<ReturnType<typeof memoryStore>> {
  const store = memoryStore({ notice: null });
  const tools = ["edit_files", "apply_patch", "edit", "write", "delete"];
  for (let n = 0; n < 240; n++) {
    const tool = tools[n % tools.length] ?? "edit";
    const path = `src/f${n % 7}.ts`;
    const args =
      tool === "apply_patch"
        ? { patch: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch` }
        : { path, content: `text ${n} \u2028 \ud83d ${"é".repeat(n % 50)}\r\n` };
    const call = sampleCall(n, { tool, session: `s${n % 9}`, files: [], args });
    await store.put(n % 20 === 3 ? { ...without(call, "args"), argsRaw: `{"path": ${n}` } : call);
  }
  const undo = { tool: "undo", source: "undo", args: { call: "call-000001" } };
  await store.put(sampleCall(999, { ...undo, files: [] }));
  const lines = Array.from({ length: 30 }, (_, n) =>
    JSON.stringify({ tool: "write", session: "elsewhere", input: { path: `p${n}`, content: "" } }),
  );
  for (const call of await imported([lines.join("\n")])) await store.put(call);
  return store;
}

type Store = ReturnType<typeof memoryStore>;

async function linesOf(store: Store): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of exportCalls(store)) lines.push(line);
  return lines;
}

const inputOf = ({ tool, args, argsRaw }: CallRecord): string =>
  JSON.stringify([tool, args, argsRaw]);

test("a whole export comes in again with every call and its arguments, however often", async () => {
  const store = await variedStore();
  const lines = await linesOf(store);
  expect(lines).toHaveLength(271);
  const calls = (await store.find({})).filter(({ tool: name }) => name !== "undo");

  const elsewhere = memoryStore({ notice: null });
  for (let times = 0; times < 2; times++) {
    const summary = await importTranscript(lines, { name: "n", time: 1 }, async (call) => {
      await elsewhere.put(call);
    });
    expect(summary).toMatchObject({ calls: 270, malformed: 12, repeated: 0 });
    expect(summary.broken.count).toBe(0);
    expect(summary.otherTools).toEqual({ count: 1, names: [{ name: "undo", count: 1 }] });
    const there = await elsewhere.find({});
    expect(there.map(inputOf).toSorted()).toEqual(calls.map(inputOf).toSorted());
    expect(there.every(({ flags, result }) => flags.includes("imported") && !result)).toBe(true);
  }
  // What was imported goes out and comes in as the same calls, not as further ones.
  for (let times = 0; times < 4; times++)
    for (const call of await imported(await linesOf(elsewhere))) await elsewhere.put(call);
  expect((await elsewhere.find({})).map(inputOf).toSorted()).toEqual(calls.map(inputOf).toSorted());

  // At home the calls that were made here stay what they are.
  for (const call of await imported(lines)) await store.put(call);
  for (const call of calls)
    if (!call.flags.includes("imported")) expect(await store.get(call.id)).toEqual(call);
});

test("calls whose long names differ only far behind stay two calls", async () => {
  const far = "x".repeat(10_000);
  const line = (session: string, id: string): string =>
    `${JSON.stringify({ tool: "delete", session, id, input: { path: `${session.at(-1)}${id.at(-1)}` } })}\n`;
  const lines = [line(`${far}1`, "a"), line(`${far}2`, "a"), line("s", `${far}3`), line("s", far)];
  const calls = await imported(lines);
  expect(calls).toHaveLength(4);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(4);
  expect(new Set(calls.map(({ session }) => session)).size).toBe(3);
  for (const { id, session } of calls) expect(id.length + session.length).toBeLessThan(1_000);
  expect((await imported(lines)).map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
});
