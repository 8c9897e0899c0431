import { createHash } from "node:crypto";
import { fail, ok, type Result } from "../../base/result.ts";
import type { CallRecord } from "../../app/record.ts";
import type { KeptStore } from "./keptStore.ts";
import { memoryInstead } from "./memoryStore.ts";
import { packContent, unpackContent, unpackRecord } from "./storeBody.ts";
import { connect, type Connection } from "./storeConnection.ts";
import { troubleOf, type DatabaseTrouble, type OpenDatabase } from "./storeDatabase.ts";
import { setAside } from "./storeFile.ts";
import { storeNotices } from "./storeNotices.ts";
import type { Processes } from "./storeOwner.ts";
import { claimedCalls, claimInterrupted, countCalls, findCalls, writeCall } from "./storeRows.ts";
import type { FoundCalls } from "./storeRows.ts";
import { sweep } from "./storeSweep.ts";

export interface StoreOptions {
  /** Made when missing. The store is one file in it, with SQLite's own two beside. */
  readonly folder: string;
  /** Calls and contents together; beyond it the oldest contents go first, then the oldest calls. */
  readonly budgetBytes: number;
  readonly retentionDays: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface LiveParts extends StoreOptions {
  readonly file: string;
  readonly open: OpenDatabase;
  readonly processes: Processes;
  readonly connection: Connection;
  /** Where a damaged file went when this one was opened. */
  readonly aside: string | null;
}

/** Contents above this are not kept: one of them would push hundreds of others out. */
const CONTENT_BYTES_MAX = 64_000_000;
/** A content that is kept again is noted as used at most this often. */
const USED_STEP_MS = 60_000;
/** Limits are looked at after this many ended calls, or when the last look is this long ago. */
const SWEEP_CALLS = 16;
const SWEEP_MS = 60_000;
const DAY_MS = 86_400_000;

/** The store over an open file, and over memory from the moment the file cannot be used any more. */
export function liveStore(parts: LiveParts): KeptStore {
  const { now, processes } = parts;
  const owner = processes.self;
  const told = storeNotices(parts.aside);
  const file = replaceable(parts, (target) => told.setAside(target));
  const attempt = <T>(work: (connection: Connection) => T): Result<T, DatabaseTrouble> =>
    file.attempt(work);

  const read = <T>(nothing: T, work: (connection: Connection) => T): T => {
    const done = attempt(work);
    told.read(done.ok ? null : done.problem.cause);
    return done.ok ? done.value : nothing;
  };
  const readCalls = (work: (connection: Connection) => FoundCalls): readonly CallRecord[] => {
    const found = read({ calls: [], unreadable: 0 }, work);
    if (found.unreadable > 0) told.unreadable(found.unreadable);
    return found.calls;
  };
  let ended = 0;
  let sweptAt = -Infinity;
  const tidy = (): void => {
    const time = now();
    if (++ended < SWEEP_CALLS && time - sweptAt < SWEEP_MS) return;
    ended = 0;
    sweptAt = time;
    const keptFrom = time - parts.retentionDays * DAY_MS;
    const done = attempt((c) => sweep(c, { budgetBytes: parts.budgetBytes, keptFrom }));
    told.swept(done.ok ? null : done.problem.cause);
  };
  const write = (work: (connection: Connection) => void): Result<void, DatabaseTrouble> => {
    const once = (): Result<void, DatabaseTrouble> => attempt((c) => c.transaction(() => work(c)));
    const done = once();
    // The damaged file gave way to a new one, which takes the call.
    return !done.ok && done.problem.kind === "damaged" ? once() : done;
  };

  read(undefined, (c) => claimInterrupted(c, owner, (other) => processes.isAlive(other)));
  tidy();

  return {
    async put(call) {
      const done = write((c) => writeCall(c, call, owner));
      const spare = file.spare();
      if (spare !== null) return spare.put(call);
      told.wrote(call.id, done.ok ? null : done.problem.cause);
      if (!done.ok) return fail(`The call could not be stored (${done.problem.cause}).`);
      if (call.phase === "done") tidy();
      return ok(undefined);
    },
    async get(id) {
      const spare = file.spare();
      if (spare !== null) return spare.get(id);
      const [call] = readCalls((c) => {
        const row = c.query("SELECT body FROM calls JOIN records USING (seq) WHERE id = ?").get(id);
        const record = row === undefined ? null : unpackRecord(row["body"]);
        return record === null
          ? { calls: [], unreadable: row === undefined ? 0 : 1 }
          : { calls: [record], unreadable: 0 };
      });
      return call;
    },
    async find(query) {
      return file.spare()?.find(query) ?? readCalls((c) => findCalls(c, query));
    },
    async count(query = {}) {
      return file.spare()?.count(query) ?? read(0, (c) => countCalls(c, query));
    },
    async keep(bytes) {
      const spare = file.spare();
      if (spare !== null) return spare.keep(bytes);
      const hash = createHash("sha256").update(bytes).digest("hex");
      const at = now();
      const known = attempt((c) => touch(c, hash, at));
      if (known.ok && known.value) return hash;
      if (bytes.length > CONTENT_BYTES_MAX) {
        told.kept(hash, `a file of ${bytes.length} bytes is too large`);
        return hash;
      }
      const data = await packContent(bytes);
      const done = write((c) => insertContent(c, { hash, size: bytes.length, at, data }));
      told.kept(hash, done.ok ? null : done.problem.cause);
      return hash;
    },
    async content(hash) {
      const spare = file.spare();
      if (spare !== null) return spare.content(hash);
      const bytes = read(undefined, (c) => readContent(c, hash));
      // An undo must never bring back what the disk made of it.
      if (bytes === undefined || sha256(bytes) === hash) return bytes;
      told.kept(hash, "its stored bytes are damaged");
      return undefined;
    },
    async interrupted() {
      return file.spare()?.interrupted() ?? readCalls((c) => claimedCalls(c, owner));
    },
    async mark(mark) {
      const spare = file.spare();
      if (spare !== null) return spare.mark(mark);
      const done = write((c) =>
        c
          .query(
            `INSERT INTO marks (seq, path, hash, at) SELECT seq, ?, ?, ? FROM calls WHERE id = ?
             ON CONFLICT (seq, path) DO UPDATE SET hash = excluded.hash, at = excluded.at`,
          )
          .run(mark.path, mark.hash, mark.at, mark.callId),
      );
      told.wrote(`mark of ${mark.callId}`, done.ok ? null : done.problem.cause);
    },
    async unmark(callId, path) {
      const spare = file.spare();
      if (spare !== null) return spare.unmark(callId, path);
      const done = write((c) =>
        c
          .query("DELETE FROM marks WHERE path = ? AND seq = (SELECT seq FROM calls WHERE id = ?)")
          .run(path, callId),
      );
      told.wrote(`mark of ${callId}`, done.ok ? null : done.problem.cause);
    },
    async marks(callId) {
      const spare = file.spare();
      if (spare !== null) return spare.marks(callId);
      const rows = read([], (c) =>
        c
          .query(
            "SELECT path, hash, at FROM marks WHERE seq = (SELECT seq FROM calls WHERE id = ?)",
          )
          .all(callId),
      );
      return rows.map(({ path, hash, at }) => ({
        callId,
        path: String(path),
        hash: hash === null || hash === undefined ? null : String(hash),
        at: Number(at),
      }));
    },
    notice: () => [told.text(), file.spare()?.notice()].filter(Boolean).join(" ") || null,
    close() {
      file.close();
      return Promise.resolve();
    },
  };
}

interface Replaceable {
  /** A damaged file is set aside on the way, and a new one begun; the attempt itself still tells its trouble. */
  attempt<T>(work: (connection: Connection) => T): Result<T, DatabaseTrouble>;
  /** The store in memory, once no file can be had. */
  spare(): KeptStore | null;
  close(): void;
}

function replaceable(parts: LiveParts, onAside: (target: string) => void): Replaceable {
  let { connection } = parts;
  let spare: KeptStore | null = null;
  const close = (): void => {
    try {
      connection.close();
    } catch {
      // It was closed before, or its statements are in a state that only the end of the process clears.
    }
  };
  const replace = (): void => {
    close();
    try {
      const aside = setAside(parts.file, connection.inode, parts.now());
      if (aside !== null) onAside(aside);
      connection = connect(parts.file, parts.open);
    } catch (error) {
      spare = memoryInstead(troubleOf(error).cause);
    }
  };
  return {
    attempt(work) {
      try {
        return ok(work(connection));
      } catch (error) {
        const trouble = troubleOf(error);
        if (trouble.kind === "damaged") replace();
        return fail(trouble);
      }
    },
    spare: () => spare,
    close,
  };
}

/** True when the content is there already. */
function touch(connection: Connection, hash: string, at: number): boolean {
  const row = connection.query("SELECT used FROM contents WHERE hash = ?").get(hash);
  if (row === undefined) return false;
  if (Number(row["used"]) < at - USED_STEP_MS)
    connection.query("UPDATE contents SET used = max(used, ?) WHERE hash = ?").run(at, hash);
  return true;
}

interface PackedContent {
  readonly hash: string;
  readonly size: number;
  readonly at: number;
  readonly data: Uint8Array;
}

function insertContent(connection: Connection, { hash, size, at, data }: PackedContent): void {
  connection
    .query(
      "INSERT INTO contents (hash, size, used, data) VALUES (?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING",
    )
    .run(hash, size, at, data);
}

/** Throws for damaged data, like SQLite itself does. */
function readContent(connection: Connection, hash: string): Uint8Array | undefined {
  const row = connection.query("SELECT size, data FROM contents WHERE hash = ?").get(hash);
  const data = row?.["data"];
  return data instanceof Uint8Array ? unpackContent(data, Number(row?.["size"])) : undefined;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
