import fc from "fast-check";
import { expect, test } from "vitest";
import { at } from "../../../src/base/assert.ts";
import type { CallRecord } from "../../../src/app/record.ts";
import { memoryStore } from "../../../src/adapters/node/memoryStore.ts";
import type { CallStore } from "../../../src/app/ports.ts";
import type { Splice } from "../../../src/engine/index.ts";
import { createUndoWorld, type UndoWorld } from "./undoWorld.ts";

/**
 * Random calls, user edits, undos and restarts over two files. Every line is written once in its life, so it is
 * always known whose line it is, and what must be there after an undo can be told from the lines alone.
 */
interface Model {
  readonly world: UndoWorld;
  readonly calls: Done[];
  serial: number;
}

interface Done {
  readonly record: CallRecord;
  /** For each file: the lines the call took out and the lines it put in, in order. */
  readonly removed: Record<string, readonly string[]>;
  readonly inserted: Record<string, readonly string[]>;
}

const FILES = ["a.txt", "b.txt"];

function linesOf(world: UndoWorld, path: string): readonly string[] {
  return (world.workspace.text(path) ?? "").match(/.*\n/g) ?? [];
}

interface Cut {
  readonly from: number;
  readonly count: number;
  readonly insert: number;
}

/** Disjoint cuts, apart from each other by a line, as splices; remembers what goes and what comes. */
function cutting(model: Model, cuts: readonly Cut[], removed: string[], inserted: string[]) {
  return (text: string): readonly Splice[] => {
    const lines = text.match(/.*\n/g) ?? [];
    const splices: Splice[] = [];
    let free = 0;
    for (const cut of [...cuts].sort((a, b) => a.from - b.from)) {
      const from = Math.max(free, cut.from % (lines.length + 1));
      if (from > lines.length) break;
      const to = Math.min(lines.length, from + cut.count);
      const fresh = Array.from({ length: cut.insert }, () => `w${++model.serial}\n`);
      if (from === to && fresh.length === 0) continue;
      removed.push(...lines.slice(from, to));
      inserted.push(...fresh);
      const start = lines.slice(0, from).join("").length;
      const end = start + lines.slice(from, to).join("").length;
      splices.push({ from: start, to: end, insert: fresh.join("") });
      free = to + 1;
    }
    return splices;
  };
}

const cut = fc.record({ from: fc.nat(40), count: fc.nat(3), insert: fc.nat(3) });
const cuts = fc.array(cut, { minLength: 1, maxLength: 3 });

type Command =
  | {
      readonly kind: "call";
      readonly files: readonly { readonly file: number; readonly cuts: readonly Cut[] }[];
    }
  | { readonly kind: "user"; readonly file: number; readonly cuts: readonly Cut[] }
  | { readonly kind: "undo"; readonly which: number }
  | { readonly kind: "restart" };

const file = fc.nat(FILES.length - 1);
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    kind: fc.constant("call" as const),
    files: fc.uniqueArray(fc.record({ file, cuts }), {
      minLength: 1,
      maxLength: 2,
      selector: (f) => f.file,
    }),
  }),
  fc.record({ kind: fc.constant("user" as const), file, cuts }),
  fc.record({ kind: fc.constant("undo" as const), which: fc.nat(20) }),
  fc.constant({ kind: "restart" as const }),
);

async function run(model: Model, next: Command): Promise<void> {
  const { world, calls } = model;
  switch (next.kind) {
    case "user": {
      const path = at(FILES, next.file);
      const text = world.workspace.text(path) ?? "";
      let shift = 0;
      let edited = text;
      for (const { from, to, insert } of cutting(model, next.cuts, [], [])(text)) {
        edited = edited.slice(0, from + shift) + insert + edited.slice(to + shift);
        shift += insert.length - (to - from);
      }
      world.workspace.put(path, edited);
      return;
    }
    case "call": {
      const removed: Record<string, string[]> = {};
      const inserted: Record<string, string[]> = {};
      const steps = next.files.map(({ file: index, cuts: own }) => {
        const path = at(FILES, index);
        const splices = cutting(model, own, (removed[path] = []), (inserted[path] = []));
        return [path, { kind: "edit", splices }] as const;
      });
      calls.push({ record: await world.call(Object.fromEntries(steps)), removed, inserted });
      return;
    }
    case "restart":
      world.store = await reopened(world.store);
      return;
    case "undo":
      if (calls.length > 0) await undo(model, at(calls, next.which % calls.length));
      return;
  }
}

/** A new store with what the old one would give after a restart: plain JSON and contents by hash. */
async function reopened(old: CallStore): Promise<CallStore> {
  const store = memoryStore({ notice: null });
  for (const call of await old.find({})) {
    await store.put(JSON.parse(JSON.stringify(call)) as CallRecord);
    for (const { hashBefore, hashAfter } of call.files)
      for (const hash of [hashBefore, hashAfter]) {
        const bytes = hash === undefined ? undefined : await old.content(hash);
        if (bytes !== undefined) await store.keep(bytes);
      }
  }
  return store;
}

async function undo(model: Model, call: Done): Promise<void> {
  const { world } = model;
  const before = Object.fromEntries(FILES.map((path) => [path, linesOf(world, path)]));
  const stored = await world.store.get(call.record.id);
  if (stored === undefined) throw new Error("the call is gone");
  const undone = await world.undo(stored);
  const touched = new Set<string>();
  for (const { shown, outcome } of undone.files) {
    const was = before[shown] ?? [];
    const now = linesOf(world, shown);
    if (outcome?.status !== "applied") {
      expect(now).toEqual(was);
      continue;
    }
    touched.add(shown);
    const own = new Set(call.inserted[shown]);
    const back = new Set(call.removed[shown]);
    // Nothing of the call is left, everything it took is back once, everybody else's lines are there in order.
    expect(now.filter((line) => own.has(line))).toEqual([]);
    expect(now.filter((line) => back.has(line))).toEqual(call.removed[shown]);
    expect(now.filter((line) => !back.has(line))).toEqual(
      was.filter((line) => !own.has(line) && !back.has(line)),
    );
  }
  for (const path of FILES)
    if (!touched.has(path)) expect(linesOf(world, path)).toEqual(before[path]);
  if (touched.size === 0) return;
  // Undoing the undo at once gives what was there before it.
  const redone = await world.undo(undone);
  expect(redone.result?.status).toBe(
    undone.result?.status === "partial" ? "applied" : undone.result?.status,
  );
  for (const path of FILES) expect(linesOf(world, path)).toEqual(before[path]);
}

test("law L11: undo after anything gives back the call's own lines and nobody else's, or refuses", async () => {
  let applied = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 20, size: "max" }), async (commands) => {
      const text = Array.from({ length: 20 }, (_, i) => `o${i}\n`).join("");
      const world = createUndoWorld({ "a.txt": text, "b.txt": text });
      const model: Model = { world, calls: [], serial: 0 };
      for (const next of commands) await run(model, next);
      for (const { files } of await world.store.find({ tool: "undo" }))
        for (const { outcome } of files) {
          if (outcome?.status === "applied") applied++;
          else refused++;
        }
    }),
    { numRuns: 300 },
  );
  // Both ends of the law were reached, many times.
  expect(applied).toBeGreaterThan(100);
  expect(refused).toBeGreaterThan(20);
});
