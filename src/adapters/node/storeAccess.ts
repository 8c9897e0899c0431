import type { Result } from "../../base/result.ts";
import type { KeptStore } from "./keptStore.ts";
import type { Connection } from "./storeConnection.ts";
import type { DatabaseTrouble } from "./storeDatabase.ts";
import type { StoreNotices } from "./storeNotices.ts";

/** What the parts of the store work with: the file, or from the moment it cannot be used, memory. */
export interface StoreAccess {
  readonly told: StoreNotices;
  readonly now: () => number;
  /** The store in memory, once no file can be had. */
  readonly spare: () => KeptStore | null;
  /** A damaged file is set aside on the way, and a new one begun; the attempt itself still tells its trouble. */
  readonly attempt: <T>(work: (connection: Connection) => T) => Result<T, DatabaseTrouble>;
  /** `nothing` where reading fails; the notice then says why. */
  readonly read: <T>(nothing: T, work: (connection: Connection) => T) => T;
  /** All of `work` or none; once more on a new file where the old one turned out damaged. */
  readonly write: (work: (connection: Connection) => void) => Result<void, DatabaseTrouble>;
}
