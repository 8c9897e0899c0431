import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { KeptStore } from "../../../src/adapters/node/keptStore.ts";
import {
  openStore,
  openStoreOn,
  STORE_FILE,
  type StoreOptions,
} from "../../../src/adapters/node/sqliteStore.ts";
import { sqliteOpener } from "../../../src/adapters/node/storeDatabase.ts";
import {
  nodeProcesses,
  type Owner,
  type Processes,
} from "../../../src/adapters/node/storeOwner.ts";
import { migrate, MIGRATIONS, SCHEMA_VERSION } from "../../../src/adapters/node/storeSchema.ts";
import { exportCalls } from "../../../src/app/exporter.ts";
import type { CallRecord } from "../../../src/app/record.ts";
import { runningCall, sampleCall, sampleFile } from "./sampleCalls.ts";

const CHILD = path.join(import.meta.dirname, "child.ts");
const DAY = 86_400_000;

let folder = "";
let opened: KeptStore[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "store-"));
  opened = [];
});
afterEach(async () => {
  for (const store of opened) await store.close();
  chmodSync(folder, 0o755);
  rmSync(folder, { recursive: true });
});

function optionsOf(extra: Partial<StoreOptions> = {}): StoreOptions {
  return { folder, budgetBytes: 1e9, retentionDays: 1e6, now: () => 10_000, ...extra };
}

async function reopen(extra: Partial<StoreOptions> = {}): Promise<KeptStore> {
  for (const store of opened.splice(0)) await store.close();
  return another(extra);
}

async function another(extra: Partial<StoreOptions> = {}): Promise<KeptStore> {
  const store = await openStore(optionsOf(extra));
  opened.push(store);
  return store;
}

const file = (): string => path.join(folder, STORE_FILE);
const ids = (calls: readonly CallRecord[]): readonly string[] => calls.map(({ id }) => id);

describe("reopening", () => {
  test("calls, contents and marks are there again", async () => {
    const store = await reopen();
    await store.put(sampleCall(1));
    const hash = await store.keep(new TextEncoder().encode("text"));
    await store.mark({ callId: sampleCall(1).id, path: "a", hash: "h", at: 1 });
    const again = await reopen();
    expect(again.notice()).toBeNull();
    expect(await again.find({})).toEqual([sampleCall(1)]);
    expect(await again.content(hash)).toEqual(new TextEncoder().encode("text"));
    expect(await again.marks(sampleCall(1).id)).toHaveLength(1);
  });

  test("two windows see each other's calls at once, and write in turn", async () => {
    const [one, two] = [await another(), await another()];
    for (let n = 0; n < 50; n++) await (n % 2 === 0 ? one : two).put(sampleCall(n));
    expect(await one.count()).toBe(50);
    expect(await one.find({})).toEqual(await two.find({}));
    expect([one.notice(), two.notice()]).toEqual([null, null]);
  });

  test("a record of a shape this version does not know is left out, and that is said", async () => {
    const store = await reopen();
    await store.put(sampleCall(1));
    await store.put(sampleCall(2));
    const database = new DatabaseSync(file());
    database.exec(`UPDATE records SET body = '{"version":2,"id":"x","files":[]}' WHERE seq = 1`);
    database.close();
    expect(ids(await store.find({}))).toEqual([sampleCall(2).id]);
    expect(store.notice()).toContain("1 stored call cannot be read");
  });

  test("records that cannot be read take no place from those that can, so no page ends early", async () => {
    const store = await reopen();
    for (let n = 0; n < 250; n++) await store.put(sampleCall(n));
    const database = new DatabaseSync(file());
    database.exec("UPDATE records SET body = '{' WHERE seq IN (3, 100, 210, 211)");
    database.close();
    const lines: string[] = [];
    for await (const line of exportCalls(store)) lines.push(line);
    expect(lines.length).toBe(246);
    expect((await store.find({ limit: 45 })).length).toBe(45);
    expect(store.notice()).toContain("cannot be read");
  });

  test("a content whose bytes do not fit its hash is never given out", async () => {
    const store = await reopen();
    const hash = await store.keep(new TextEncoder().encode("one"));
    const other = await store.keep(new TextEncoder().encode("two"));
    const database = new DatabaseSync(file());
    database.exec(
      `UPDATE contents SET data = (SELECT data FROM contents WHERE hash = '${other}') WHERE hash = '${hash}'`,
    );
    database.exec(`UPDATE contents SET data = x'ffff' WHERE hash = '${other}'`);
    database.close();
    expect(await store.content(hash)).toBeUndefined();
    expect(await store.content(other)).toBeUndefined();
    expect(store.notice()).toContain("could not be");
  });
});

describe("files that are not as they should be", () => {
  const garbage = new TextEncoder().encode("this is no database\n".repeat(500));

  test("a damaged file is set aside with its bytes, and a new store begun", async () => {
    writeFileSync(file(), garbage);
    const store = await reopen({ now: () => Date.parse("2026-03-04T05:06:07.008Z") });
    expect(store.notice()).toContain("was damaged");
    const aside = readdirSync(folder).find((name) => name.includes("damaged"));
    expect(aside).toBe(`${STORE_FILE}.damaged-2026-03-04T05-06-07-008Z`);
    expect(store.notice()).toContain(path.join(folder, aside ?? "?"));
    expect(new Uint8Array(readFileSync(path.join(folder, aside ?? "?")))).toEqual(garbage);
    expect((await store.put(sampleCall(1))).ok).toBe(true);
    expect((await reopen()).notice()).toBeNull();
  });

  test("two damaged files of one moment are both kept", async () => {
    for (const text of ["first ".repeat(50), "second ".repeat(50)]) {
      for (const store of opened.splice(0)) await store.close();
      writeFileSync(file(), text);
      await another();
    }
    const kept = readdirSync(folder).filter((name) => name.includes("damaged"));
    expect(
      kept.map((name) => readFileSync(path.join(folder, name), "utf8").slice(0, 5)).sort(),
    ).toEqual(["first", "secon"]);
  });

  test("a file cut short at any place is set aside or still whole, never taken for another", async () => {
    const store = await reopen();
    for (let n = 0; n < 200; n++) await store.put(sampleCall(n));
    for (const one of opened.splice(0)) await one.close();
    const whole = readFileSync(file());
    for (const length of [
      1,
      50,
      100,
      4_096,
      5_000,
      Math.floor(whole.length / 2),
      whole.length - 1,
    ]) {
      for (const one of opened.splice(0)) await one.close();
      writeFileSync(file(), whole);
      truncateSync(file(), length);
      const cut = await reopen();
      expect(cut.notice()).toContain("damaged");
      expect(await cut.count()).toBe(0);
      expect((await cut.put(sampleCall(1))).ok).toBe(true);
    }
    await reopen();
    const sizes = readdirSync(folder).filter((name) => /damaged-[^w]*$/.test(name));
    expect(sizes.length).toBe(7);
  });

  test("damage that is found in use: the file is set aside then, and the call goes into a new one", async () => {
    const store = await reopen();
    for (let n = 0; n < 600; n++)
      await store.put(sampleCall(n, { args: { text: `${n}`.repeat(300) } }));
    for (const one of opened.splice(0)) await one.close();
    const bytes = readFileSync(file());
    // Pages in the middle hold rows and indexes; the head, which opening looks at, stays.
    for (let at = 3 * 4_096; at < bytes.length - 4_096; at += 4_096) bytes.fill(0xff, at, at + 64);
    const large = Buffer.concat([bytes, Buffer.alloc(Math.max(0, 9_000_000 - bytes.length))]);
    writeFileSync(file(), large);
    const damaged = await reopen();
    await damaged.find({});
    await damaged.count({ text: "src" });
    expect((await damaged.put(sampleCall(1))).ok).toBe(true);
    expect(await damaged.find({})).toEqual([sampleCall(1)]);
    expect(damaged.notice()).toContain("was damaged");
    expect(readdirSync(folder).some((name) => name.includes("damaged"))).toBe(true);
  });

  test("a file that is removed while it is open is begun anew, and that is said", async () => {
    for (const remove of [() => rmSync(file()), () => rmSync(folder, { recursive: true })]) {
      const store = await reopen();
      await store.put(sampleCall(1));
      remove();
      expect((await store.put(sampleCall(2))).ok).toBe(true);
      expect(store.notice()).toContain("was removed while it was in use");
      const again = await reopen();
      expect(ids(await again.find({}))).toEqual([sampleCall(2).id]);
      expect(again.notice()).toBeNull();
    }
  });

  test("a window goes on in the file that another one has put in the place of a damaged one", async () => {
    const [one, other] = [await another(), await another()];
    await one.put(sampleCall(1));
    renameSync(file(), `${file()}.damaged-by-another-window`);
    for (const suffix of ["-wal", "-shm"]) renameSync(file() + suffix, `${file()}.was${suffix}`);
    await other.put(sampleCall(2));
    await one.put(sampleCall(3));
    const third = await another();
    expect(ids(await third.find({}))).toEqual([3, 2].map((n) => sampleCall(n).id));
    expect(ids(await one.find({}))).toEqual([3, 2].map((n) => sampleCall(n).id));
  });

  test("a store of a newer version stays as it is, and calls live in memory", async () => {
    await reopen();
    for (const store of opened.splice(0)) await store.close();
    const database = new DatabaseSync(file());
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    database.close();
    const before = readFileSync(file());
    const store = await reopen();
    expect(store.notice()).toContain("newer version");
    expect(store.notice()).toContain("memory");
    await store.put(sampleCall(1));
    expect(await store.count()).toBe(1);
    expect(await store.interrupted()).toEqual([]);
    expect(readFileSync(file()).equals(before)).toBe(true);
    expect(readdirSync(folder)).toEqual([STORE_FILE]);
  });

  test("another program's database stays as it is", async () => {
    const database = new DatabaseSync(file());
    database.exec("CREATE TABLE theirs (a)");
    database.close();
    const before = readFileSync(file());
    const store = await reopen();
    expect(store.notice()).toContain("another program");
    expect(readFileSync(file()).equals(before)).toBe(true);
  });

  test("without SQLite calls live in memory", async () => {
    const store = await openStoreOn(optionsOf(), { open: null, processes: nodeProcesses() });
    expect(store.notice()).toContain("no SQLite");
    await store.put(sampleCall(1));
    expect(await store.count()).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("a folder that cannot be made", async () => {
    writeFileSync(path.join(folder, "in-the-way"), "");
    const store = await another({ folder: path.join(folder, "in-the-way", "store") });
    expect(store.notice()).toContain("memory");
    expect((await store.put(sampleCall(1))).ok).toBe(true);
  });

  test("a folder that cannot be written: kept in memory, said so, and nothing else is printed", () => {
    const locked = path.join(folder, "locked");
    mkdirSync(locked);
    chmodSync(folder, 0o755);
    chmodSync(locked, 0o555);
    // Root may write everywhere, so the child is somebody else.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const child = spawnSync(process.execPath, [CHILD, "report", locked], {
      encoding: "utf8",
      ...user,
    });
    expect(child.stderr).toBe("");
    const report = JSON.parse(child.stdout) as { notice: string; put: boolean; found: number };
    expect(report).toMatchObject({ put: true, found: 1 });
    expect(report.notice).toContain("memory");
    expect(readdirSync(locked)).toEqual([]);
  });
});

describe("migrations", () => {
  test("only the missing steps are taken, and all or none", () => {
    const open = sqliteOpener();
    if (open === null) throw new Error("no SQLite");
    const database = open(path.join(folder, "m.sqlite"));
    const version = (): unknown => database.prepare("PRAGMA user_version").get()?.["user_version"];
    migrate(database, ["CREATE TABLE a (x)"]);
    database.exec("INSERT INTO a VALUES (1)");
    expect(version()).toBe(1);
    expect(() => migrate(database, ["not run", "CREATE TABLE b (x)", "nonsense"])).toThrow();
    expect(version()).toBe(1);
    expect(database.prepare("SELECT count(*) AS n FROM sqlite_schema").get()?.["n"]).toBe(1);
    migrate(database, ["not run", "CREATE TABLE b (x)", "ALTER TABLE a ADD y"]);
    expect(version()).toBe(3);
    expect({ ...database.prepare("SELECT * FROM a").get() }).toEqual({ x: 1, y: null });
    database.close();
  });
});

test("a store of the first version is read on, and its calls are as old as they are", async () => {
  const open = sqliteOpener();
  if (open === null) throw new Error("no SQLite");
  const database = open(file());
  migrate(database, MIGRATIONS.slice(0, 1));
  for (const [seq, started] of [0, 40 * DAY].entries()) {
    const call = sampleCall(seq, { startedAt: started, endedAt: started });
    database
      .prepare(
        `INSERT INTO calls (seq, id, started, ended, session, tool, phase, paths, words)
         VALUES (?, ?, ?, ?, 's1', 'edit_files', 'done', 'a.ts', 'edit_files')`,
      )
      .run(seq, call.id, started, started);
    database.prepare("INSERT INTO records VALUES (?, ?)").run(seq, JSON.stringify(call));
  }
  database.close();
  const all = await reopen({ now: () => 50 * DAY });
  expect(ids(await all.find({ path: "a.ts" }))).toEqual([1, 0].map((n) => sampleCall(n).id));
  const recent = await reopen({ now: () => 50 * DAY, retentionDays: 30 });
  expect(ids(await recent.find({}))).toEqual([sampleCall(1).id]);
});

describe("calls that were cut short", () => {
  const processes = (pid: number, alive: readonly number[]): Processes => ({
    self: { host: "h", pid, start: `s${pid}` },
    isAlive: ({ pid: other }) => alive.includes(other),
  });
  const openAs = async (pid: number, alive: readonly number[]): Promise<KeptStore> => {
    const store = await openStoreOn(optionsOf(), {
      open: sqliteOpener(),
      processes: processes(pid, alive),
    });
    opened.push(store);
    return store;
  };

  test("only calls of processes that are gone are interrupted, and only one window gets them", async () => {
    const [first, second] = [await openAs(1, [1]), await openAs(2, [1, 2])];
    await first.put(runningCall(1));
    await first.put(sampleCall(2));
    await second.put(runningCall(3));
    const third = await openAs(3, [2, 3]);
    const fourth = await openAs(4, [2, 3, 4]);
    expect(await third.interrupted()).toEqual([{ ...runningCall(1), phase: "interrupted" }]);
    expect(await third.get(runningCall(1).id)).toEqual({ ...runningCall(1), phase: "interrupted" });
    expect(await fourth.interrupted()).toEqual([]);
    expect(await second.get(runningCall(3).id)).toEqual(runningCall(3));
  });

  test("a call that was looked at leaves the list; one that was not goes to the next window", async () => {
    const first = await openAs(1, [1]);
    await first.put(runningCall(1));
    await first.put(runningCall(2));
    const second = await openAs(2, [2]);
    expect(ids(await second.interrupted())).toEqual([runningCall(2).id, runningCall(1).id]);
    await second.put({ ...runningCall(1), phase: "interrupted", endedAt: 5 });
    expect(ids(await second.interrupted())).toEqual([runningCall(2).id]);
    const third = await openAs(3, [3]);
    expect(ids(await third.interrupted())).toEqual([runningCall(2).id]);
    expect(await third.get(runningCall(1).id)).toMatchObject({ phase: "interrupted", endedAt: 5 });
  });

  test("this process is alive, and one with its id that started at another time is not", () => {
    const processes = nodeProcesses();
    const { self } = processes;
    const isAlive = (owner: Owner): boolean => processes.isAlive(owner);
    expect(isAlive(self)).toBe(true);
    expect(isAlive({ ...self, start: "proc:boot:1" })).toBe(false);
    expect(isAlive({ ...self, host: "elsewhere", pid: 1 })).toBe(true);
    const child = spawnSync(process.execPath, ["-e", ""]);
    expect(isAlive({ ...self, pid: child.pid })).toBe(false);
  });
});

/** Bytes that no compression makes smaller, other ones for each seed. */
function noise(seed: number, length: number): Uint8Array {
  let state = seed + 1;
  return Uint8Array.from({ length }, () => (state = (state * 48_271) % 2_147_483_647) >>> 8);
}

describe("limits", () => {
  test("calls and contents beyond the retention go, calls under way stay", async () => {
    let time = 0;
    const store = await reopen({ retentionDays: 30, now: () => time });
    const old = await store.keep(new TextEncoder().encode("old"));
    await store.put(
      sampleCall(1, { startedAt: 0, files: [sampleFile("a.ts", { hashAfter: old })] }),
    );
    await store.put({ ...runningCall(2), startedAt: 0 });
    time = 20 * DAY;
    const both = await store.keep(new TextEncoder().encode("used again"));
    await store.put(sampleCall(3, { startedAt: time }));
    expect(await store.count()).toBe(3);
    time = 31 * DAY;
    await store.put(sampleCall(4, { startedAt: time }));
    expect(new Set(ids(await store.find({})))).toEqual(
      new Set([2, 3, 4].map((n) => sampleCall(n).id)),
    );
    expect(await store.count({ path: "a.ts" })).toBe(3);
    expect(await store.content(old)).toBeUndefined();
    expect(await store.content(both)).toBeDefined();
  });

  test("a call that began long ago, as an imported one, stays as long as any other", async () => {
    let time = 1_000 * DAY;
    const store = await reopen({ retentionDays: 30, now: () => time });
    for (let n = 0; n < 40; n++) await store.put(sampleCall(n, { startedAt: n }));
    expect(await store.count()).toBe(40);
    time += 29 * DAY;
    expect(await (await reopen({ retentionDays: 30, now: () => time })).count()).toBe(40);
    time += 2 * DAY;
    expect(await (await reopen({ retentionDays: 30, now: () => time })).count()).toBe(0);
  });

  test("the file stays within its budget: old contents go first, then old calls, and the newest stay", async () => {
    const budgetBytes = 3_000_000;
    let time = 0;
    const store = await reopen({ budgetBytes, now: () => ++time });
    const hashes: string[] = [];
    for (let n = 0; n < 400; n++) {
      const bytes = noise(n, 20_000);
      const hash = await store.keep(bytes);
      hashes.push(hash);
      await store.put(sampleCall(n, { files: [sampleFile("a.ts", { hashAfter: hash })] }));
    }
    expect(await store.count()).toBe(400);
    expect(await store.content(hashes[0] ?? "")).toBeUndefined();
    expect(await store.content(hashes[399] ?? "")).toBeDefined();
    for (let n = 400; n < 1_000; n++) {
      const text = Buffer.from(noise(n, 3_000)).toString("base64");
      await store.put(sampleCall(n, { args: { text } }));
    }
    const left = ids(await store.find({}));
    expect(left[0]).toBe(sampleCall(999).id);
    expect(left.length).toBeLessThan(1_000);
    expect(left).toEqual(left.map((_, i) => sampleCall(999 - i).id));
    expect(store.notice()).toBeNull();
    for (const one of opened.splice(0)) await one.close();
    expect(readFileSync(file()).length).toBeLessThan(budgetBytes * 1.4);
  }, 60_000);

  test("a content that another call still uses outlives the call it came with", async () => {
    let time = 0;
    const store = await reopen({ retentionDays: 30, now: () => time });
    const shared = await store.keep(new TextEncoder().encode("shared"));
    const file1 = sampleFile("a.ts", { hashAfter: shared });
    await store.put(sampleCall(1, { startedAt: 0, files: [file1] }));
    time = 20 * DAY;
    await store.put(sampleCall(2, { startedAt: time, files: [file1] }));
    time = 40 * DAY;
    await store.put(sampleCall(3, { startedAt: time, files: [] }));
    expect(await store.get(sampleCall(1).id)).toBeUndefined();
    expect(await store.content(shared)).toBeDefined();
  });
});

test("every query that the panel asks is answered over an index, in order", async () => {
  await reopen();
  const { findCalls } = await import("../../../src/adapters/node/storeRows.ts");
  const { connect } = await import("../../../src/adapters/node/storeConnection.ts");
  const open = sqliteOpener();
  if (open === null) throw new Error("no SQLite");
  const connection = connect(file(), open);
  const plans: string[] = [];
  const watched: typeof connection = {
    ...connection,
    query(sql) {
      const plan = connection.query(`EXPLAIN QUERY PLAN ${sql}`);
      const own = connection.query(sql);
      return {
        ...own,
        all: (...values) => {
          plans.push(
            plan
              .all(...values)
              .map(({ detail }) => String(detail))
              .join("; "),
          );
          return own.all(...values);
        },
        get: (...values) => own.get(...values),
      };
    },
  };
  for (const query of [
    {},
    { tool: "edit" },
    { model: "m" },
    { status: "error" as const },
    { session: "s" },
    { session: "s", tool: "edit" },
    { startedFrom: 1, startedTo: 2 },
    { text: "ab" },
  ])
    findCalls(watched, { ...query, limit: 100 });
  connection.close();
  expect(plans).toHaveLength(8);
  for (const plan of plans) {
    expect(plan).toMatch(/(SEARCH|SCAN) calls USING (COVERING )?INDEX/);
    // The rows found are at most the limit; sorting all calls to find them would show a second such step.
    expect(plan.split("USE TEMP B-TREE FOR ORDER BY").length - 1).toBeLessThanOrEqual(1);
  }
});
