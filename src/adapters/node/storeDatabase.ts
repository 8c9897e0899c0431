import type * as Sqlite from "node:sqlite";

/**
 * The little of node:sqlite that the store uses. It is loaded at the first use and may be missing (Node before
 * 22.5, some editors built on older ones), so nothing imports the module by name.
 */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export type Value = string | number | bigint | null | Uint8Array;
export type Row = Readonly<Record<string, Value>>;

export interface Statement {
  run(...values: Value[]): void;
  get(...values: Value[]): Row | undefined;
  all(...values: Value[]): readonly Row[];
}

/** Opens or creates. Throws what SQLite throws. */
export type OpenDatabase = (file: string) => Database;

/** Null where this Node has no SQLite. */
export function sqliteOpener(): OpenDatabase | null {
  const sqlite = loadQuietly();
  if (sqlite === undefined) return null;
  return (file) => {
    const database = new sqlite.DatabaseSync(file);
    return {
      exec: (sql) => database.exec(sql),
      prepare: (sql) => {
        const statement = database.prepare(sql);
        return {
          run: (...values) => void statement.run(...values),
          get: (...values) => statement.get(...values),
          all: (...values) => statement.all(...values),
        };
      },
      close: () => database.close(),
    };
  };
}

/**
 * Loading node:sqlite prints an ExperimentalWarning, which would be in the log of every window and on the standard
 * error of every command. Only that one warning is held back, and only while the module loads.
 */
function loadQuietly(): typeof Sqlite | undefined {
  const emit: unknown = Reflect.get(process, "emitWarning");
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    if (String(warning).includes("SQLite is an experimental feature")) return;
    if (typeof emit === "function") Reflect.apply(emit, process, [warning, ...rest]);
  };
  try {
    return process.getBuiltinModule("node:sqlite");
  } catch {
    return undefined;
  } finally {
    Reflect.set(process, "emitWarning", emit);
  }
}

/** What went wrong, in the four ways that the store answers differently. */
export interface DatabaseTrouble {
  readonly kind: "damaged" | "busy" | "read-only" | "other";
  /** SQLite's own words, for the end of a sentence. */
  readonly cause: string;
}

export function troubleOf(error: unknown): DatabaseTrouble {
  const cause = error instanceof Error ? error.message : String(error);
  const code: unknown = error instanceof Error && "errcode" in error ? error.errcode : undefined;
  // Extended codes carry the primary one in their low byte.
  switch (typeof code === "number" ? code & 0xff : -1) {
    case 11: // SQLITE_CORRUPT
    case 26: // SQLITE_NOTADB
      return { kind: "damaged", cause };
    case 5: // SQLITE_BUSY
    case 6: // SQLITE_LOCKED
      return { kind: "busy", cause };
    case 8: // SQLITE_READONLY
    case 14: // SQLITE_CANTOPEN
      return { kind: "read-only", cause };
    default:
      return { kind: "other", cause };
  }
}
