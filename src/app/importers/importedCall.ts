import { LIMITS } from "../limits.ts";
import type { CallRecord, FileRecord } from "../record.ts";
import { boundedKey } from "./boundedKey.ts";
import { namedFiles } from "./callPaths.ts";
import type { FoundCall, TranscriptFormat } from "./items.ts";

/** A call that came from elsewhere: stored, never applied here. */
export interface ImportedCall extends CallRecord {
  readonly imported: ImportedFrom;
}

export interface ImportedFrom {
  readonly format: TranscriptFormat;
  /** Line of the transcript, from 1. */
  readonly line: number;
  /** Folder that the transcript's relative paths were taken from; it need not exist here. */
  readonly folder?: string;
  /** What the transcript's own tool answered, cut to a bound, and whether it says that it failed. */
  readonly output?: string;
  readonly failed?: boolean;
  /** Status in an export of ours: what the call came to where it ran. */
  readonly status?: string;
}

const OUTPUT_UNITS_MAX = 20_000;
const ID_UNITS_MAX = 200;
/** Of an id that has both names in it. */
const IDS_UNITS_MAX = 500;

/** Begins the ids and sessions of imported calls, so that none of them can hit a call that was made here. */
const IMPORTED = "import:";

/**
 * The record of a found call. Its id comes from the transcript, so importing the same one again replaces its calls
 * instead of doubling them. A call that was imported before it was exported keeps the id it has, for the same reason.
 */
export function importedCall(
  found: FoundCall,
  from: {
    readonly format: TranscriptFormat;
    readonly line: number;
    readonly name: string;
    readonly time: number;
  },
): ImportedCall {
  const { format, line } = from;
  const session = found.session ?? from.name;
  const startedAt = found.time ?? from.time;
  const key = found.callId ?? `line-${line}`;
  const known = key.startsWith(IMPORTED) && session.startsWith(IMPORTED);
  const [inSession, inId] = [session, key].map((name) => boundedKey(name, ID_UNITS_MAX));
  return {
    version: 1,
    id: known ? boundedKey(key, IDS_UNITS_MAX) : `${IMPORTED}${format}:${inSession}:${inId}`,
    session: known ? boundedKey(session, IDS_UNITS_MAX) : `${IMPORTED}${inSession}`,
    tool: found.tool,
    source: "import",
    ...(found.model === undefined ? {} : { model: found.model }),
    ...(found.provider === undefined ? {} : { provider: found.provider }),
    startedAt,
    endedAt: startedAt,
    phase: "done",
    ...(found.raw === undefined
      ? { args: found.args }
      : { argsRaw: found.raw.slice(0, LIMITS.argsRawUnitsMax) }),
    files: filesOf(found),
    flags: ["imported"],
    imported: {
      format,
      line,
      ...(found.folder === undefined ? {} : { folder: found.folder }),
      ...(found.output === undefined ? {} : { output: found.output.slice(0, OUTPUT_UNITS_MAX) }),
      ...(found.failed === undefined ? {} : { failed: found.failed }),
      ...(found.status === undefined ? {} : { status: found.status }),
    },
  };
}

/** Files without an outcome: nothing happened to them here. */
function filesOf({ tool, args, folder }: FoundCall): readonly FileRecord[] {
  return namedFiles(tool, args).map(({ path, operation }) => ({
    path,
    shown: shownIn(path, folder),
    operation,
    phase: "waiting",
  }));
}

function shownIn(path: string, folder: string | undefined): string {
  const slashed = path.replaceAll("\\", "/").replace(/^(\.\/)+/, "");
  if (folder === undefined) return slashed;
  const base = `${folder.replaceAll("\\", "/").replace(/\/+$/, "")}/`;
  return slashed.startsWith(base) ? slashed.slice(base.length) : slashed;
}
