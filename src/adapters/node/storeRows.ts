import type { CallQuery } from "../../app/ports.ts";
import type { CallRecord } from "../../app/record.ts";
import { packRecord, unpackRecord } from "./storeBody.ts";
import type { Connection } from "./storeConnection.ts";
import type { Value } from "./storeDatabase.ts";
import type { Owner } from "./storeOwner.ts";
import { conditionsOf, searchKeys, whereOf, type Condition } from "./storeQuery.ts";

/** A call whose process must live on: not ended, or found interrupted and not yet looked at. */
function isUnderWay(call: CallRecord): boolean {
  return call.phase === "interrupted" ? call.endedAt === undefined : call.phase !== "done";
}

const UPSERT = `
  INSERT INTO calls (id, started, ended, session, tool, model, status, phase,
                     owner_host, owner_pid, owner_start, paths, words, stored)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET
    started = excluded.started, ended = excluded.ended, session = excluded.session, tool = excluded.tool,
    model = excluded.model, status = excluded.status, phase = excluded.phase,
    owner_host = excluded.owner_host, owner_pid = excluded.owner_pid, owner_start = excluded.owner_start,
    paths = excluded.paths, words = excluded.words, stored = excluded.stored
  RETURNING seq`;

/** Inserts or replaces the call. Its files are written only when it ends: until then nothing asks for them. */
export function writeCall(
  connection: Connection,
  call: CallRecord,
  owner: Owner,
  at: number,
): void {
  const underWay = isUnderWay(call);
  const { paths, words } = searchKeys(call);
  const row = connection
    .query(UPSERT)
    .get(
      call.id,
      call.startedAt,
      call.endedAt ?? null,
      call.session,
      call.tool,
      call.model ?? null,
      call.result?.status ?? null,
      call.phase,
      underWay ? owner.host : null,
      underWay ? owner.pid : null,
      underWay ? owner.start : null,
      paths,
      words,
      at,
    );
  const seq = Number(row?.["seq"]);
  connection
    .query(
      "INSERT INTO records (seq, body) VALUES (?, ?) ON CONFLICT (seq) DO UPDATE SET body = excluded.body",
    )
    .run(seq, packRecord(call));
  if (!underWay) writeFiles(connection, seq, call);
}

function writeFiles(connection: Connection, seq: number, call: CallRecord): void {
  connection.query("DELETE FROM files WHERE seq = ?").run(seq);
  const insert = connection.query(
    "INSERT INTO files (seq, position, path, status, before, after) VALUES (?, ?, ?, ?, ?, ?)",
  );
  for (const [position, file] of call.files.entries())
    insert.run(
      seq,
      position,
      file.shown,
      file.outcome?.status ?? null,
      useContent(connection, file.hashBefore, call.startedAt),
      useContent(connection, file.hashAfter, call.startedAt),
    );
}

function useContent(connection: Connection, hash: string | undefined, at: number): Value {
  if (hash === undefined) return null;
  const row = connection
    .query("UPDATE contents SET used = max(used, ?) WHERE hash = ? RETURNING content")
    .get(at, hash);
  return row?.["content"] ?? null;
}

export interface FoundCalls {
  readonly calls: readonly CallRecord[];
  /** Records that are there and could not be read. */
  readonly unreadable: number;
}

export function oneCall(connection: Connection, id: string): FoundCalls {
  const rows = connection
    .query("SELECT body FROM calls JOIN records USING (seq) WHERE id = ?")
    .all(id);
  return readable(rows.map(({ body }) => unpackRecord(body)));
}

export function findCalls(connection: Connection, query: CallQuery): FoundCalls {
  const { sql, values } = whereOf(cheapest(connection, query));
  const limit = query.limit === undefined ? -1 : Math.max(0, Math.floor(query.limit));
  const statement = connection.query(
    `SELECT body FROM (SELECT seq, started, id FROM calls${sql} ORDER BY started DESC, id DESC LIMIT ? OFFSET ?) AS found
     JOIN records USING (seq) ORDER BY found.started DESC, found.id DESC`,
  );
  const calls: CallRecord[] = [];
  // Fewer calls than asked for mean that there are no more: those that cannot be read are made up for.
  for (let looked = 0; ;) {
    const wanted = limit < 0 ? limit : limit - calls.length;
    const rows = statement.all(...values, wanted, looked);
    looked += rows.length;
    calls.push(...readable(rows.map(({ body }) => unpackRecord(body))).calls);
    if (calls.length === limit || rows.length !== wanted)
      return { calls, unreadable: looked - calls.length };
  }
}

/** Fewer matches than this are looked up one by one; of more, enough are found soon on the way from the newest. */
const FEW_MATCHES = 2_000;

function cheapest(connection: Connection, query: CallQuery): readonly Condition[] {
  const { plain, scans, match, unmatched } = conditionsOf(query);
  if (match === null) return [...plain, ...scans];
  const row = connection
    .query("SELECT count(*) AS n FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT ?)")
    .get(match, FEW_MATCHES);
  if (Number(row?.["n"]) === FEW_MATCHES) return [...plain, ...scans];
  return [...plain, ...unmatched, matching(match)];
}

function matching(match: string): Condition {
  return { sql: "seq IN (SELECT rowid FROM search WHERE search MATCH ?)", values: [match] };
}

export function countCalls(connection: Connection, query: CallQuery): number {
  const { plain, match, unmatched } = conditionsOf(query);
  const rest = [...plain, ...unmatched];
  if (match !== null && rest.length === 0)
    return numberOf(connection, "SELECT count(*) AS n FROM search WHERE search MATCH ?", [match]);
  const { sql, values } = whereOf(match === null ? rest : [...rest, matching(match)]);
  return numberOf(connection, `SELECT count(*) AS n FROM calls${sql}`, values);
}

function numberOf(connection: Connection, sql: string, values: readonly Value[]): number {
  return Number(connection.query(sql).get(...values)?.["n"] ?? 0);
}

/** Calls under way whose process is gone become this owner's, as interrupted. At most `callsMax` at once. */
export function claimInterrupted(
  connection: Connection,
  owner: Owner,
  isAlive: (owner: Owner) => boolean,
  at: number,
  callsMax = 1_000,
): void {
  const owners = connection
    .query(
      "SELECT DISTINCT owner_host, owner_pid, owner_start FROM calls WHERE owner_pid IS NOT NULL",
    )
    .all()
    .map((row) => ({
      host: String(row["owner_host"]),
      pid: Number(row["owner_pid"]),
      start: String(row["owner_start"]),
    }))
    .filter((other) => !isAlive(other));
  for (const gone of owners)
    connection.transaction(() => {
      const rows = connection
        .query(
          `SELECT body FROM calls JOIN records USING (seq)
           WHERE owner_host = ? AND owner_pid = ? AND owner_start = ? AND owner_pid IS NOT NULL LIMIT ?`,
        )
        .all(gone.host, gone.pid, gone.start, callsMax);
      for (const { body } of rows) {
        const call = unpackRecord(body);
        if (call !== null) writeCall(connection, { ...call, phase: "interrupted" }, owner, at);
      }
    });
}

export function claimedCalls(connection: Connection, owner: Owner): FoundCalls {
  const rows = connection
    .query(
      `SELECT body FROM calls JOIN records USING (seq)
       WHERE phase = 'interrupted' AND owner_host = ? AND owner_pid = ? AND owner_start = ?
       ORDER BY started DESC, id DESC`,
    )
    .all(owner.host, owner.pid, owner.start);
  return readable(rows.map(({ body }) => unpackRecord(body)));
}

function readable(calls: readonly (CallRecord | null)[]): FoundCalls {
  const read = calls.filter((call) => call !== null);
  return { calls: read, unreadable: calls.length - read.length };
}
