import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { waitFor } from "./wait.ts";

const WAIT_MS = 15 * 60_000;

/** Runs `work` while no other process holds the lock file. The lock is SQLite's, so the system
 *  drops it when its process dies, and nobody has to guess whether a lock is stale. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  try {
    let told = false;
    await waitFor(`the lock ${file}, held by another process`, WAIT_MS, () => {
      if (tryLock(database)) return true;
      if (!told) process.stderr.write("Another process is installing the editor; waiting.\n");
      told = true;
      return undefined;
    });
    return await work();
  } finally {
    database.close();
  }
}

function tryLock(database: DatabaseSync): boolean {
  try {
    database.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    const busy = 5; // SQLITE_BUSY
    if ((error as { errcode?: number }).errcode === busy) return false;
    throw error;
  }
}
