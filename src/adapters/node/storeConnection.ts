import { statSync } from "node:fs";
import type { Database, OpenDatabase, Statement } from "./storeDatabase.ts";
import { noteClosed, noteOpened } from "./storeFile.ts";
import { identify, migrate, SCHEMA_VERSION } from "./storeSchema.ts";

/** An open store file with our schema in it. Everything throws what SQLite throws. */
export interface Connection {
  /** Prepared once for each text. */
  query(sql: string): Statement;
  /** All of `work` or none of it. Two windows write one after the other; a read never waits. */
  transaction<T>(work: () => T): T;
  /** Bytes of the file that hold something. */
  usedBytes(): number;
  /** Gives up to `pages` free pages back to the file system when many are free. */
  shrink(pages: number): void;
  close(): void;
  /** The file that was opened, so that one which was put in its place is not taken for it. */
  readonly inode: bigint;
}

/** A file that must stay as it is: of a newer version of this extension, or of another program. */
export class NotOurs extends Error {
  override readonly name = "NotOurs";
  readonly newer: boolean;
  constructor(newer: boolean) {
    super(newer ? "a newer version wrote it" : "another program wrote it");
    this.newer = newer;
  }
}

/** Waiting for another window's write blocks this one, so it is short; a write takes a few milliseconds. */
const BUSY_MS_MAX = 2_000;
const CACHE_KIB = 32_000;
/** The write-ahead log is cut to this after a checkpoint. */
const LOG_BYTES_MAX = 8_000_000;
/** Files up to this size are checked whole at each opening, which takes some 20 ms. */
const CHECKED_BYTES_MAX = 8_000_000;

export function connect(file: string, open: OpenDatabase): Connection {
  const database = open(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS_MAX}`);
    const { version, ours } = identify(database);
    if (!ours || version > SCHEMA_VERSION) throw new NotOurs(ours);
    // Only an empty file takes this one; it lets dropped contents shrink the file.
    if (version === 0) database.exec("PRAGMA auto_vacuum = INCREMENTAL");
    // A killed process loses nothing that was put; a power failure may lose the last calls, never the file.
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA synchronous = NORMAL");
    database.exec("PRAGMA foreign_keys = ON");
    database.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    database.exec(`PRAGMA journal_size_limit = ${LOG_BYTES_MAX}`);
    if (version < SCHEMA_VERSION) migrate(database);
    expectSound(database, file);
    noteOpened(file);
    return connection(database, file);
  } catch (error) {
    closeQuietly(database);
    throw error;
  }
}

/** The error SQLite would give, had it looked further. */
class Damaged extends Error {
  override readonly name = "Damaged";
  readonly errcode = 11;
}

/** A large file is not read for this: what is wrong in it is found when it is used, and answered the same way. */
function expectSound(database: Database, file: string): void {
  if (statSync(file).size > CHECKED_BYTES_MAX) return;
  const answer = Object.values(database.prepare("PRAGMA quick_check(1)").get() ?? {})[0];
  if (answer !== "ok") throw new Damaged(String(answer));
}

function connection(database: Database, file: string): Connection {
  const statements = new Map<string, Statement>();
  let open = false;
  let closed = false;
  const query = (sql: string): Statement => {
    let statement = statements.get(sql);
    if (statement === undefined) statements.set(sql, (statement = database.prepare(sql)));
    return statement;
  };
  const number = (name: string): number =>
    Number(Object.values(query(`PRAGMA ${name}`).get() ?? {})[0] ?? 0);
  const rollback = (): void => {
    try {
      database.exec("ROLLBACK");
    } catch {
      // Nothing was open: SQLite ends some failed transactions by itself. If one is still open after all, the
      // next transaction finds out and tries again.
    }
    open = false;
  };
  return {
    inode: statSync(file, { bigint: true }).ino,
    query,
    transaction(work) {
      try {
        database.exec("BEGIN IMMEDIATE");
      } catch (error) {
        if (!String(error).includes("within a transaction")) throw error;
        rollback();
        database.exec("BEGIN IMMEDIATE");
      }
      open = true;
      try {
        const value = work();
        database.exec("COMMIT");
        open = false;
        return value;
      } finally {
        if (open) rollback();
      }
    },
    usedBytes() {
      return (number("page_count") - number("freelist_count")) * number("page_size");
    },
    shrink(pages) {
      if (number("freelist_count") * 4 < number("page_count")) return;
      database.exec(`PRAGMA incremental_vacuum(${pages})`);
    },
    close() {
      statements.clear();
      if (!closed) noteClosed(file);
      closed = true;
      database.close();
    },
  };
}

function closeQuietly(database: Database): void {
  try {
    database.close();
  } catch {
    // It was not open; the error that led here is the one to tell.
  }
}
