import type { Connection } from "./storeConnection.ts";

export interface SweepLimits {
  /** The most that calls and contents together may take in the file. */
  readonly budgetBytes: number;
  /** Calls that were stored before, and contents not used since, go: milliseconds since 1970. */
  readonly keptFrom: number;
}

/** Bounds of one sweep: it runs behind every ended call, so that no single one has much to do. */
const CALLS_MAX = 200;
const CONTENTS_MAX = 100;
const ROUNDS_MAX = 20;
const PAGES_MAX = 500;
/** Over budget, room is made down to this part of it, so that not every further call sweeps again. */
const ROOM = 0.95;

const ENDED = "owner_pid IS NULL";

/**
 * Keeps age and size within the limits, oldest first; of what is over the budget, contents go before records: a
 * call without its contents can still be read, searched and analysed. Calls under way stay. Returns false when
 * there is more to do than one sweep may.
 */
export function sweep(connection: Connection, limits: SweepLimits): boolean {
  let done = dropOld(connection, limits.keptFrom);
  if (connection.usedBytes() > limits.budgetBytes)
    done = makeRoom(connection, limits.budgetBytes * ROOM) && done;
  connection.shrink(PAGES_MAX);
  return done;
}

function dropOld(connection: Connection, keptFrom: number): boolean {
  const calls = connection
    .query(`SELECT seq FROM calls WHERE stored < ? AND ${ENDED} ORDER BY stored LIMIT ?`)
    .all(keptFrom, CALLS_MAX);
  const contents = connection
    .query("SELECT content FROM contents WHERE used < ? ORDER BY used LIMIT ?")
    .all(keptFrom, CONTENTS_MAX);
  if (calls.length === 0 && contents.length === 0) return true;
  connection.transaction(() => {
    for (const { content } of contents) dropContent(connection, Number(content));
    for (const { seq } of calls) dropCall(connection, Number(seq));
  });
  return calls.length < CALLS_MAX && contents.length < CONTENTS_MAX;
}

function makeRoom(connection: Connection, bytes: number): boolean {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    let over = connection.usedBytes() - bytes;
    if (over <= 0) return true;
    const dropped = connection.transaction(() => {
      const contents = connection
        .query("SELECT content, length(data) AS bytes FROM contents ORDER BY used LIMIT ?")
        .all(CONTENTS_MAX);
      for (const { content, bytes: size } of contents) {
        if (over <= 0) break;
        dropContent(connection, Number(content));
        over -= Number(size);
      }
      if (contents.length > 0) return contents.length;
      const calls = connection
        .query(
          `SELECT seq, length(body) AS bytes FROM calls JOIN records USING (seq)
           WHERE ${ENDED} ORDER BY started LIMIT ?`,
        )
        .all(CALLS_MAX);
      for (const { seq, bytes: size } of calls) {
        if (over <= 0) break;
        dropCall(connection, Number(seq));
        over -= Number(size);
      }
      return calls.length;
    });
    // Only calls under way are left: they may exceed the budget until they end.
    if (dropped === 0) return true;
  }
  return false;
}

function dropContent(connection: Connection, content: number): void {
  connection.query("DELETE FROM contents WHERE content = ?").run(content);
}

/** Takes the call and the contents that no other call uses. */
function dropCall(connection: Connection, seq: number): void {
  const used = connection
    .query(
      `SELECT before AS content FROM files WHERE seq = ?1 AND before IS NOT NULL
       UNION SELECT after FROM files WHERE seq = ?1 AND after IS NOT NULL`,
    )
    .all(seq);
  connection.query("DELETE FROM calls WHERE seq = ?").run(seq);
  for (const { content } of used)
    connection
      .query(
        `DELETE FROM contents WHERE content = ?1
         AND NOT EXISTS (SELECT 1 FROM files WHERE before = ?1)
         AND NOT EXISTS (SELECT 1 FROM files WHERE after = ?1)`,
      )
      .run(Number(content));
}
