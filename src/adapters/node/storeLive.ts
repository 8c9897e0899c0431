import { mkdirSync, statSync } from "node:fs";
import { fail, ok, type Result } from "../../base/result.ts";
import type { CallRecord } from "../../app/record.ts";
import type { KeptStore } from "./keptStore.ts";
import { memoryInstead } from "./memoryStore.ts";
import { connect, type Connection } from "./storeConnection.ts";
import { troubleOf, type DatabaseTrouble, type OpenDatabase } from "./storeDatabase.ts";
import { setAside } from "./storeFile.ts";
import type { StoreAccess } from "./storeAccess.ts";
import { contentMethods } from "./storeContents.ts";
import { markMethods } from "./storeMarks.ts";
import { storeNotices, type StoreNotices } from "./storeNotices.ts";
import type { Owner, Processes } from "./storeOwner.ts";
import {
  claimedCalls,
  claimInterrupted,
  countCalls,
  findCalls,
  oneCall,
  writeCall,
} from "./storeRows.ts";
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

/** Limits are looked at after this many ended calls, or when the last look is this long ago. */
const SWEEP_CALLS = 16;
const SWEEP_MS = 60_000;
const DAY_MS = 86_400_000;

/** The store over an open file. */
export function liveStore(parts: LiveParts): KeptStore {
  const told = storeNotices(parts.aside);
  const file = replaceable(parts, told);
  const access = accessOf(parts, told, file);
  const { processes } = parts;
  const tidy = sweeper(parts, access);
  access.read(undefined, (c) =>
    claimInterrupted(c, processes.self, (other) => processes.isAlive(other), parts.now()),
  );
  tidy();
  return {
    ...callMethods(access, processes.self, tidy),
    ...contentMethods(access),
    ...markMethods(access),
    notice: () => [told.text(), file.spare()?.notice()].filter(Boolean).join(" ") || null,
    close() {
      file.close();
      return Promise.resolve();
    },
  };
}

function accessOf({ now }: LiveParts, told: StoreNotices, file: Replaceable): StoreAccess {
  return {
    told,
    now,
    spare: () => file.spare(),
    attempt: (work) => file.attempt(work),
    read(nothing, work) {
      const done = file.attempt(work);
      told.read(done.ok ? null : done.problem.cause);
      return done.ok ? done.value : nothing;
    },
    write(work) {
      const once = (): Result<void, DatabaseTrouble> =>
        file.attempt((c) => c.transaction(() => work(c)));
      const done = once();
      return !done.ok && done.problem.kind === "damaged" ? once() : done;
    },
  };
}

/** Keeps the limits, a little at a time. */
function sweeper(
  { now, budgetBytes, retentionDays }: LiveParts,
  { told, attempt }: StoreAccess,
): () => void {
  let ended = 0;
  let sweptAt = -Infinity;
  return () => {
    const time = now();
    if (++ended < SWEEP_CALLS && time - sweptAt < SWEEP_MS) return;
    ended = 0;
    sweptAt = time;
    const keptFrom = time - retentionDays * DAY_MS;
    const done = attempt((c) => sweep(c, { budgetBytes, keptFrom }));
    told.swept(done.ok ? null : done.problem.cause);
  };
}

function callMethods(
  { told, now, spare, read, write }: StoreAccess,
  owner: Owner,
  tidy: () => void,
): Pick<KeptStore, "put" | "get" | "find" | "count" | "interrupted"> {
  const readCalls = (work: (connection: Connection) => FoundCalls): readonly CallRecord[] => {
    const found = read({ calls: [], unreadable: 0 }, work);
    if (found.unreadable > 0) told.unreadable(found.unreadable);
    return found.calls;
  };
  return {
    async put(call) {
      const done = spare() === null ? write((c) => writeCall(c, call, owner, now())) : null;
      const other = spare();
      if (other !== null || done === null) return other?.put(call) ?? ok(undefined);
      told.wrote(call.id, done.ok ? null : done.problem.cause);
      if (!done.ok) return fail(`The call could not be stored (${done.problem.cause}).`);
      if (call.phase === "done") tidy();
      return ok(undefined);
    },
    async get(id) {
      return spare()?.get(id) ?? readCalls((c) => oneCall(c, id))[0];
    },
    async find(query) {
      return spare()?.find(query) ?? readCalls((c) => findCalls(c, query));
    },
    async count(query = {}) {
      return spare()?.count(query) ?? read(0, (c) => countCalls(c, query));
    },
    async interrupted() {
      return spare()?.interrupted() ?? readCalls((c) => claimedCalls(c, owner));
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

function replaceable(parts: LiveParts, told: StoreNotices): Replaceable {
  let { connection } = parts;
  let spare: KeptStore | null = null;
  const close = (): void => {
    try {
      connection.close();
    } catch {
      // It was closed before, or its statements are in a state that only the end of the process clears.
    }
  };
  const replace = (prepare: () => void): void => {
    close();
    try {
      prepare();
      connection = connect(parts.file, parts.open);
    } catch (error) {
      spare = memoryInstead(troubleOf(error).cause);
    }
  };
  const putAside = (): void => {
    const aside = setAside(parts.file, connection.inode, parts.now());
    if (aside !== null) told.setAside(aside);
  };
  // What is written into a file without a name is gone when the window closes, and SQLite does not say so.
  const follow = (): void => {
    const now = inodeAt(parts.file);
    if (now === connection.inode || now === "unknown") return;
    replace(() => {
      if (now === "none") told.removed();
      mkdirSync(parts.folder, { recursive: true });
    });
  };
  return {
    attempt(work) {
      if (spare === null) follow();
      try {
        return ok(work(connection));
      } catch (error) {
        const trouble = troubleOf(error);
        if (trouble.kind === "damaged") replace(putAside);
        return fail(trouble);
      }
    },
    spare: () => spare,
    close,
  };
}

function inodeAt(file: string): bigint | "none" | "unknown" {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? "none";
  } catch {
    // A folder that cannot be looked into for a moment says nothing about the file in it.
    return "unknown";
  }
}
