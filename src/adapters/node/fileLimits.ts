import { LIMITS } from "../../app/limits.ts";

/** Every bound of the file adapters, in one place. Units are in the names. */
export const FILE_LIMITS = {
  /** The editor does not synchronise documents above this with its extensions, so nobody could review them. */
  fileBytesMax: LIMITS.fileBytesMax,
  /** Above this a file is written as bytes and not through a document: opening one takes seconds. */
  textWayBytesMax: 10 * 1024 * 1024,
  /** Names of a folder compared with a missing one, and names given back. */
  folderNamesMax: 5_000,
  similarNamesMax: 3,
  /** More than eight documents opened at once make the editor fail at random. */
  opensAtOnceMax: 8,
  /** A clean open document has this long to show what is on disk. */
  followBeforeMsMax: 500,
  /** An open document has this long to show bytes that were written under it. */
  followAfterMsMax: 2_000,
  /** A save that takes longer is told as an outcome: a formatter may hang without limit. */
  saveMsMax: 10_000,
  /** Diagnostics are taken once they are quiet for the first time span, and at the end of the second in any case. */
  diagnosticsSettleMs: 500,
  diagnosticsMsMax: 2_000,
  diagnosticsMax: 50,
} as const;
