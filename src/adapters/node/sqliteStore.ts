import { mkdirSync } from "node:fs";
import path from "node:path";
import { fail, ok, type Result } from "../../base/result.ts";
import type { KeptStore } from "./keptStore.ts";
import { memoryInstead } from "./memoryStore.ts";
import { connect, NotOurs, type Connection } from "./storeConnection.ts";
import { sqliteOpener, troubleOf, type OpenDatabase } from "./storeDatabase.ts";
import { readHeader, setAside } from "./storeFile.ts";
import { nodeProcesses, type Processes } from "./storeOwner.ts";
import { liveStore, type StoreOptions } from "./storeLive.ts";

/** What the store needs from the machine. */
export interface StoreMachine {
  /** Null: this Node has no SQLite. */
  readonly open: OpenDatabase | null;
  readonly processes: Processes;
}

export const STORE_FILE = "calls.sqlite";

const CONNECT_TRIES_MAX = 5;
const CONNECT_WAIT_MS = 100;

/**
 * Opens the workspace's store of calls. Never fails: what cannot be opened is replaced by a store in memory, and
 * `notice()` says so. A damaged file is renamed, one of a newer version or of another program is left untouched.
 *
 * No method rejects or throws for what a disk does: `put` tells a failure, reading gives nothing and `notice()`
 * says why, `keep` gives the hash all the same.
 */
export async function openStore(options: StoreOptions): Promise<KeptStore> {
  return openStoreOn(options, { open: sqliteOpener(), processes: nodeProcesses() });
}

export type { StoreOptions };

/** The same on a given machine. */
export async function openStoreOn(
  options: StoreOptions,
  machine: StoreMachine,
): Promise<KeptStore> {
  const { open } = machine;
  if (open === null) return memoryInstead("this version of Node has no SQLite");
  const file = path.join(options.folder, STORE_FILE);
  try {
    mkdirSync(options.folder, { recursive: true });
  } catch (error) {
    return memoryInstead(troubleOf(error).cause);
  }
  const opening = await openFile(file, open, options.now);
  if (!opening.ok) return memoryInstead(opening.problem);
  const { connection, aside } = opening.value;
  return liveStore({ ...options, file, open, processes: machine.processes, connection, aside });
}

interface Opened {
  readonly connection: Connection;
  /** Where a damaged file went, when one was found. */
  readonly aside: string | null;
}

/** Waits for a window that is just setting the file up; sets a damaged one aside, once. */
async function openFile(
  file: string,
  open: OpenDatabase,
  now: () => number,
): Promise<Result<Opened, string>> {
  let aside: string | null = null;
  for (let tries = 1; ; tries++) {
    const one = tryOpen(file, open);
    if (one.kind === "open") return ok({ connection: one.connection, aside });
    if (one.kind === "refused") return fail(one.cause);
    if (tries === CONNECT_TRIES_MAX) return fail(one.cause);
    if (one.kind === "damaged") {
      try {
        aside = setAside(file, one.inode, now()) ?? aside;
      } catch (error) {
        return fail(
          `the store of calls is damaged and could not be renamed (${troubleOf(error).cause})`,
        );
      }
    } else await new Promise((resolve) => setTimeout(resolve, CONNECT_WAIT_MS * tries));
  }
}

type Tried =
  | { readonly kind: "open"; readonly connection: Connection }
  | { readonly kind: "damaged"; readonly inode: bigint; readonly cause: string }
  | { readonly kind: "busy" | "refused"; readonly cause: string };

function tryOpen(file: string, open: OpenDatabase): Tried {
  const newer =
    "the store of calls was written by a newer version of this extension and is left as it is";
  const foreign = `${file} was written by another program and is left as it is`;
  let inode: bigint | null = null;
  try {
    const header = readHeader(file);
    ({ inode } = header);
    if (header.kind === "newer") return { kind: "refused", cause: newer };
    if (header.kind === "foreign") return { kind: "refused", cause: foreign };
    if (header.kind !== "damaged" || inode === null)
      return { kind: "open", connection: connect(file, open) };
    return { kind: "damaged", inode, cause: "it is no SQLite file" };
  } catch (error) {
    if (error instanceof NotOurs) return { kind: "refused", cause: error.newer ? newer : foreign };
    const { kind, cause } = troubleOf(error);
    if (kind === "busy") return { kind, cause: `the store of calls is in use (${cause})` };
    if (kind === "damaged" && inode !== null) return { kind, inode, cause };
    return { kind: "refused", cause: `the store of calls cannot be opened (${cause})` };
  }
}
