import { DatabaseSync } from "node:sqlite";
import { unpackRecord } from "../../src/adapters/node/storeBody.ts";
import type { CallRecord } from "../../src/app/record.ts";

/** What is wrong in a store's file, a sentence each; nothing for a sound one. Other processes may have it open. */
export function flawsOf(file: string): readonly string[] {
  const database = new DatabaseSync(file);
  try {
    const number = (sql: string): number => Number(database.prepare(sql).get()?.["n"]);
    const integrity = database
      .prepare("PRAGMA integrity_check")
      .all()
      .map((row) => String(Object.values(row)[0]))
      .filter((line) => line !== "ok");
    const orphans = database.prepare("PRAGMA foreign_key_check").all().length;
    const bodiless = number(
      "SELECT count(*) AS n FROM calls LEFT JOIN records USING (seq) WHERE body IS NULL",
    );
    const calls = number("SELECT count(*) AS n FROM calls");
    const indexed = number("SELECT count(*) AS n FROM search_docsize");
    return [
      ...integrity,
      ...(orphans > 0 ? [`${orphans} rows name what is not there`] : []),
      ...(bodiless > 0 ? [`${bodiless} calls have no record`] : []),
      ...(indexed === calls ? [] : [`${calls} calls, ${indexed} of them in the search index`]),
    ];
  } finally {
    database.close();
  }
}

/** Every call of a store's file as it is kept, by id. */
export function storedCalls(file: string): ReadonlyMap<string, CallRecord> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database.prepare("SELECT body FROM calls JOIN records USING (seq)").all();
    const calls = rows.map(({ body }) => {
      const call = unpackRecord(body);
      if (call === null) throw new Error("a stored record cannot be read");
      return call;
    });
    return new Map(calls.map((call) => [call.id, call]));
  } finally {
    database.close();
  }
}
