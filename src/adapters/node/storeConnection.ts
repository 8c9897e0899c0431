import { statSync } from "node:fs";
import type { Database, OpenDatabase, Statement } from "./storeDatabase.ts";
import { identify, migrate, pragma, SCHEMA_VERSION } from "./storeSchema.ts";

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
    expectWhole(database, file);
    return connection(database, statSync(file, { bigint: true }).ino);
  } catch (error) {
    closeQuietly(database);
    throw error;
  }
}

/** The error SQLite would give, had it looked: a file that lost its end is only found when the end is read. */
class Truncated extends Error {
  override readonly name = "Truncated";
  readonly errcode = 11;
}

function expectWhole(database: Database, file: string): void {
  const log = database.prepare("PRAGMA wal_checkpoint(PASSIVE)").get();
  const bytes = statSync(file).size;
  const pages = pragma(database, "page_count");
  // While another window writes, the newest pages may be in its log only; then the length tells nothing.
  if (log?.["log"] === log?.["checkpointed"] && bytes < pages * pragma(database, "page_size"))
    throw new Truncated("the file is shorter than its own header says");
  if (bytes > CHECKED_BYTES_MAX) return;
  const answer = Object.values(database.prepare("PRAGMA quick_check(1)").get() ?? {})[0];
  if (answer !== "ok") throw new Truncated(String(answer));
}

function connection(database: Database, inode: bigint): Connection {
  const statements = new Map<string, Statement>();
  let open = false;
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
    inode,
    query(sql) {
      let statement = statements.get(sql);
      if (statement === undefined) statements.set(sql, (statement = database.prepare(sql)));
      return statement;
    },
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
      const pages = pragma(database, "page_count") - pragma(database, "freelist_count");
      return pages * pragma(database, "page_size");
    },
    shrink(pages) {
      if (pragma(database, "freelist_count") * 4 < pragma(database, "page_count")) return;
      database.exec(`PRAGMA incremental_vacuum(${pages})`);
    },
    close() {
      statements.clear();
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
