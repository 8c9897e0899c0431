import { ok } from "../base/result.ts";
import type { FileOutcome, FileStatus } from "../engine/index.ts";
import type { Call } from "./call.ts";
import type { Ports } from "./ports.ts";
import type { CallRecord, FileRecord } from "./record.ts";

/**
 * Holds the one record of a running call and tells the panel of each step. Records are replaced, never changed, so
 * whoever was told of one may keep it.
 */
export interface Keeper {
  readonly record: CallRecord;
  update(change: Partial<Omit<CallRecord, "id" | "version">>): void;
  updateFile(index: number, change: Partial<FileRecord>): void;
  finishFile(index: number, outcome: FileOutcome, extra?: Partial<FileRecord>): void;
  /** Writes the present record to the store. A store that fails must not fail the call: it says so itself. */
  save(): Promise<void>;
}

const SAVES_MAX = 2;

export function createKeeper(
  ports: Pick<Ports, "onCall" | "store" | "logBug">,
  first: CallRecord,
): Keeper {
  let record = first;
  const tell = (): void => {
    try {
      ports.onCall(record);
    } catch (error) {
      ports.logBug(error);
    }
  };
  const keeper: Keeper = {
    get record() {
      return record;
    },
    update(change) {
      record = { ...record, ...change };
      tell();
    },
    updateFile(index, change) {
      keeper.update({
        files: record.files.map((file, i) => (i === index ? { ...file, ...change } : file)),
      });
    },
    finishFile(index, outcome, extra) {
      keeper.update({
        files: record.files.map((file, i) => {
          if (i !== index) return file;
          const known = ended(file, outcome.status);
          return { ...known, ...extra, phase: "done", outcome, operation: outcome.operation };
        }),
      });
    },
    async save() {
      // A record that is not stored as done would be taken for a call that was cut short.
      for (let tries = 1; tries <= SAVES_MAX; tries++) {
        try {
          await ports.store.put(record);
          return;
        } catch (error) {
          ports.logBug(error);
        }
      }
    },
  };
  tell();
  return keeper;
}

/**
 * What was planned is told by the outcome now, unless nobody knows it; a file that was not written has no text after
 * the call.
 */
function ended(file: FileRecord, status: FileStatus): FileRecord {
  const known: { -readonly [Key in keyof FileRecord]: FileRecord[Key] } = { ...file };
  if (status !== "unknown") delete known.planned;
  delete known.proposed;
  if (status === "rejected") {
    delete known.hashAfter;
    delete known.inverse;
  }
  return known;
}

/** A dry run changes nothing, so it is no call that a card could show, a guard remember or a person undo. */
export function unheard(ports: Ports): Pick<Ports, "onCall" | "store" | "logBug"> {
  const { store, logBug } = ports;
  return {
    onCall: () => undefined,
    store: { ...store, put: () => Promise.resolve(ok(undefined)) },
    logBug,
  };
}

/** The record of a call that has just come in. */
export function received(call: Call, ports: Ports): CallRecord {
  return {
    version: 1,
    id: ports.newId(),
    session: call.session,
    tool: call.tool,
    source: call.source,
    ...(call.model === undefined ? {} : { model: call.model }),
    ...(call.provider === undefined ? {} : { provider: call.provider }),
    startedAt: ports.clock.now(),
    phase: "received",
    files: [],
    flags: call.replay === true ? ["replay"] : [],
  };
}
