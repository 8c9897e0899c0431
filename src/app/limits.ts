import { TEXT_UNITS_MAX } from "../engine/index.ts";

/** Every bound of the life of a call, in one place. Units are in the names. */
export const LIMITS = {
  /** The largest honest call in real use touched a few dozen files; far above it a model repeats itself. */
  filesPerCallMax: 1_000,
  /** Files above this are not edited, and none is made: what is written could not be read back. */
  fileBytesMax: TEXT_UNITS_MAX,
  /** Arguments above this are refused before they are parsed. */
  argumentUnitsMax: 50_000_000,
  /** Nesting of arguments; the schemas need three levels. */
  argumentDepthMax: 200,
  /** Raw invalid input kept for analysis. */
  argsRawUnitsMax: 262_144,
  /** Text kept for "Requested, not applied" in one file card. */
  requestedUnitsMax: 20_000,
  /** A plan whose base keeps moving is given up after this many tries. */
  planTriesMax: 3,
  /** Calls that may wait behind the one being executed; the next one is refused. */
  queuedCallsMax: 1_000,
  /** Earlier calls of a session that the guard looks through for the previous one. */
  guardCallsMax: 50,
  /** Rows of one diff that are sent to the panel. */
  diffRowsMax: 20_000,
  /** Word marks are computed for changed blocks up to this many rows. */
  markedRowsMax: 2_000,
  /** Lines of planned diffs, their length, and files in one confirmation of VS Code; the panel shows all. */
  confirmationRowsMax: 200,
  confirmationRowUnitsMax: 500,
  confirmationFilesMax: 20,
  /** Plans that VS Code has shown and whose calls have not come. */
  confirmationsKeptMax: 50,
  /** Diagnostics appended to one result. */
  diagnosticsMax: 20,
} as const;
