import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { KeptStore } from "../../src/adapters/node/keptStore.ts";
import {
  openStore,
  openStoreOn,
  STORE_FILE,
  type StoreOptions,
} from "../../src/adapters/node/sqliteStore.ts";
import { sqliteOpener, type OpenDatabase } from "../../src/adapters/node/storeDatabase.ts";
import { nodeProcesses } from "../../src/adapters/node/storeOwner.ts";
import { flawsOf } from "../support/storeFile.ts";
import { runningCall, sampleCall, sampleFile } from "../unit/store/sampleCalls.ts";

// Hundreds of stores are made here, and none of these tests is about a power failure.
const scratch = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(scratch, "store-faults-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const options = (): StoreOptions => ({
  folder,
  budgetBytes: 1e9,
  retentionDays: 1e6,
  now: () => 10_000,
});

/** SQLite's codes for what a disk may do at any step. */
const FAULTS: Readonly<Record<string, number>> = {
  "disk I/O error": 10,
  "database is locked": 5,
  "database or disk is full": 13,
  malformed: 11,
};

/** Fails database step `number` (from 1) once, before it is done. `steps` counts them. */
function failing(
  number: number,
  errcode: number,
): { open: OpenDatabase; steps: () => number; disarm: () => void } {
  const open = sqliteOpener();
  if (open === null) throw new Error("no SQLite");
  let steps = 0;
  let armed = true;
  const step = <T>(work: () => T): T => {
    if (armed && ++steps === number)
      throw Object.assign(new Error(`planted ${errcode}`), { errcode });
    return work();
  };
  return {
    steps: () => steps,
    disarm: () => void (armed = false),
    open: (file) => {
      const database = step(() => open(file));
      return {
        exec: (sql) => step(() => database.exec(sql)),
        prepare: (sql) => {
          const statement = step(() => database.prepare(sql));
          return {
            run: (...values) => step(() => statement.run(...values)),
            get: (...values) => step(() => statement.get(...values)),
            all: (...values) => step(() => statement.all(...values)),
          };
        },
        close: () => database.close(),
      };
    },
  };
}

const CONTENT = new TextEncoder().encode("content\n");

interface Told {
  readonly kept: readonly string[];
  readonly lost: readonly string[];
}

/** A short life of a store. What `put` says of each call is what must be true afterwards. */
async function live(store: KeptStore): Promise<Told> {
  const kept: string[] = [];
  const lost: string[] = [];
  for (const n of [1, 2]) {
    const hash = await store.keep(CONTENT);
    await store.put(runningCall(n));
    const call = sampleCall(n, { files: [sampleFile("a.ts", { hashAfter: hash })] });
    const done = await store.put(call);
    if (done.ok) kept.push(call.id);
    else lost.push(call.id);
    await store.find({ text: "src", limit: 10 });
    await store.count({ path: "a.ts" });
    await store.get(call.id);
    await store.content(hash);
    await store.mark({ callId: call.id, path: "a", hash, at: 1 });
    await store.marks(call.id);
    await store.interrupted();
  }
  return { kept, lost };
}

for (const [name, errcode] of Object.entries(FAULTS))
  test(`any one database step fails once: ${name}`, async () => {
    let faults = 0;
    for (let number = 1; ; number++) {
      rmSync(folder, { recursive: true });
      const { open, steps, disarm } = failing(number, errcode);
      const store = await openStoreOn(options(), { open, processes: nodeProcesses() });
      const { kept, lost } = await live(store);
      disarm();
      // The store goes on: what it took can be read, and it takes more.
      const there = new Set((await store.find({})).map(({ id }) => id));
      const aside = (): boolean => readdirSync(folder).some((file) => file.includes("damaged"));
      if (!aside()) for (const id of kept) expect(there).toContain(id);
      expect((await store.put(sampleCall(9))).ok).toBe(true);
      expect(await store.get(sampleCall(9).id)).toEqual(sampleCall(9));
      // What it did not take, it said, and still says.
      if (lost.length > 0 || aside()) expect(store.notice()).not.toBeNull();
      const inFile = store.notice()?.includes("memory") !== true;
      await store.close();
      if (inFile) {
        const again = await openStore(options());
        const stored = new Set((await again.find({})).map(({ id }) => id));
        expect(stored).toContain(sampleCall(9).id);
        if (!aside()) for (const id of kept) expect(stored).toContain(id);
        await again.close();
        expect(flawsOf(path.join(folder, STORE_FILE))).toEqual([]);
      }
      if (steps() < number) break;
      faults++;
    }
    // Opening alone takes more than ten steps, the life above many more.
    expect(faults).toBeGreaterThan(50);
  }, 120_000);

test("a process that is killed while it writes loses nothing that it was told is stored", async () => {
  const child = path.join(import.meta.dirname, "../unit/store/child.ts");
  const done = new Map<string, string>();
  const began = new Set<string>();
  const rounds = 4;
  for (let round = 0; round < rounds; round++) {
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const writer = spawn(process.execPath, [
      child,
      "write",
      folder,
      String(round * 10_000),
      "10000",
    ]);
    writer.on("close", () => resolve());
    let text = "";
    let errors = "";
    // Killed after some lines, other ones in each round, in the middle of whatever it is doing then.
    const linesMax = 20 + round * 37;
    writer.stderr.on("data", (chunk: Buffer) => void (errors += chunk.toString()));
    writer.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.split("\n").length > linesMax) writer.kill("SIGKILL");
    });
    await gone;
    expect(errors).toBe("");
    for (const line of text.split("\n").slice(0, -1)) {
      const [word, id = "", hash = ""] = line.split(" ");
      if (word === "began") began.add(id);
      if (word === "done") done.set(id, hash);
    }
  }
  expect(done.size).toBeGreaterThan(rounds * 5);

  const store = await openStore(options());
  expect(store.notice()).toBeNull();
  for (const [id, hash] of done) {
    expect(await store.get(id)).toMatchObject({ id, phase: "done" });
    expect(await store.content(hash)).toBeDefined();
  }
  const interrupted = await store.interrupted();
  expect(interrupted.every(({ phase }) => phase === "interrupted")).toBe(true);
  expect(interrupted.length).toBeLessThanOrEqual(rounds);
  // Nothing is left that looks as if it still ran, and what began is there as ended or as interrupted.
  for (const { phase } of await store.find({})) expect(["done", "interrupted"]).toContain(phase);
  for (const id of began) expect(await store.get(id)).toBeDefined();
  await store.close();
  expect(flawsOf(path.join(folder, STORE_FILE))).toEqual([]);
}, 60_000);

test("two processes write into one store at the same time", async () => {
  const child = path.join(import.meta.dirname, "../unit/store/child.ts");
  const writers = [0, 1].map(async (n) => {
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const writer = spawn(process.execPath, [child, "write", folder, String(n * 1_000), "60"]);
    let text = "";
    writer.stdout.on("data", (chunk: Buffer) => void (text += chunk.toString()));
    writer.on("close", () => resolve());
    await gone;
    return text;
  });
  for (const text of await Promise.all(writers)) {
    expect(text).not.toContain("failed");
    expect(text.split("\n").filter((line) => line.startsWith("done"))).toHaveLength(60);
  }
  const store = await openStore(options());
  expect(await store.count()).toBe(120);
  expect(await store.interrupted()).toEqual([]);
  await store.close();
  expect(flawsOf(path.join(folder, STORE_FILE))).toEqual([]);
}, 60_000);
