import type { Database } from "./storeDatabase.ts";

/** Written into the file's header, so that a foreign SQLite file in our place is known as such. "AgEd". */
export const APPLICATION_ID = 0x41674564;

/**
 * The steps from an empty file to the present schema; `user_version` counts the steps taken. A step that was
 * released is never changed: the next change is a new step.
 */
export const MIGRATIONS: readonly string[] = [
  `
  -- One row a call, narrow: everything that is searched, sorted and counted. \`paths\` and \`words\` are folded to
  -- lower case, so that a search needs no function call per row.
  CREATE TABLE calls (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    started REAL NOT NULL,
    ended REAL,
    session TEXT NOT NULL,
    tool TEXT NOT NULL,
    model TEXT,
    status TEXT,
    phase TEXT NOT NULL,
    owner_host TEXT,
    owner_pid INTEGER,
    owner_start TEXT,
    paths TEXT NOT NULL,
    words TEXT NOT NULL
  );
  CREATE INDEX calls_by_start ON calls (started, id);
  CREATE INDEX calls_by_session ON calls (session, started, id);
  CREATE INDEX calls_by_tool ON calls (tool, started, id);
  CREATE INDEX calls_by_model ON calls (model, started, id);
  CREATE INDEX calls_by_status ON calls (status, started, id);
  CREATE INDEX calls_under_way ON calls (owner_pid) WHERE owner_pid IS NOT NULL;

  -- Any three characters of \`paths\` and \`words\` to the calls that have them: a search that finds little is not a
  -- scan. The triggers keep it equal to the table.
  CREATE VIRTUAL TABLE search USING fts5 (
    paths, words, content = '', contentless_delete = 1, detail = full, tokenize = 'trigram case_sensitive 1'
  );
  CREATE TRIGGER calls_put AFTER INSERT ON calls BEGIN
    INSERT INTO search (rowid, paths, words) VALUES (new.seq, new.paths, new.words);
  END;
  CREATE TRIGGER calls_changed AFTER UPDATE OF paths, words ON calls
  WHEN old.paths <> new.paths OR old.words <> new.words BEGIN
    DELETE FROM search WHERE rowid = old.seq;
    INSERT INTO search (rowid, paths, words) VALUES (new.seq, new.paths, new.words);
  END;
  CREATE TRIGGER calls_gone AFTER DELETE ON calls BEGIN
    DELETE FROM search WHERE rowid = old.seq;
  END;

  -- The whole call: JSON as text while it is under way, deflated once it ended.
  CREATE TABLE records (
    seq INTEGER PRIMARY KEY REFERENCES calls ON DELETE CASCADE,
    body NOT NULL
  );

  -- Bytes of files, deflated, once for each hash however many calls use them. \`used\` is the time of the last use.
  CREATE TABLE contents (
    content INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    used REAL NOT NULL,
    data BLOB NOT NULL
  );
  CREATE INDEX contents_by_use ON contents (used);

  -- The files of a call and the contents they use; a content that no row names any more may go with its call.
  CREATE TABLE files (
    seq INTEGER NOT NULL REFERENCES calls ON DELETE CASCADE,
    position INTEGER NOT NULL,
    path TEXT NOT NULL,
    status TEXT,
    before INTEGER REFERENCES contents ON DELETE SET NULL,
    after INTEGER REFERENCES contents ON DELETE SET NULL,
    PRIMARY KEY (seq, position)
  ) WITHOUT ROWID;
  CREATE INDEX files_by_before ON files (before) WHERE before IS NOT NULL;
  CREATE INDEX files_by_after ON files (after) WHERE after IS NOT NULL;

  -- A person's marks, bound to the content they were given for (NULL: the file was gone).
  CREATE TABLE marks (
    seq INTEGER NOT NULL REFERENCES calls ON DELETE CASCADE,
    path TEXT NOT NULL,
    hash TEXT,
    at REAL NOT NULL,
    PRIMARY KEY (seq, path)
  ) WITHOUT ROWID;
  `,
  `
  -- When the row was last written. An imported call may have begun years before it came here, so its age is counted
  -- from this.
  ALTER TABLE calls ADD COLUMN stored REAL;
  UPDATE calls SET stored = max(started, coalesce(ended, started));
  CREATE INDEX calls_by_storing ON calls (stored);
  `,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** Version of an open store and whether it is ours; an empty file is version 0 and anyone's. */
export function identify(database: Database): { version: number; ours: boolean } {
  // One look: another window may be setting the file up between two.
  const row = database
    .prepare(
      `SELECT user_version AS version, application_id AS application,
              (SELECT count(*) FROM sqlite_schema) AS tables
       FROM pragma_user_version, pragma_application_id`,
    )
    .get();
  const [version, application, tables] = ["version", "application", "tables"].map((name) =>
    Number(row?.[name] ?? 0),
  );
  const ours = application === APPLICATION_ID || (application === 0 && tables === 0);
  return { version: version ?? 0, ours };
}

/**
 * Takes the missing steps, all or none. Two windows may come here at once: the version is read again inside the
 * transaction, so the second one finds the work done.
 */
export function migrate(database: Database, steps: readonly string[] = MIGRATIONS): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    for (const step of steps.slice(pragma(database, "user_version"))) database.exec(step);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.exec(`PRAGMA user_version = ${steps.length}`);
    database.exec("COMMIT");
  } catch (error) {
    try {
      database.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back by itself; the first error is the one to tell.
    }
    throw error;
  }
}

export function pragma(database: Database, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0);
}
