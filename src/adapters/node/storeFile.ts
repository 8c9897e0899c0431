import { closeSync, existsSync, openSync, readSync, renameSync, statSync } from "node:fs";
import { APPLICATION_ID, SCHEMA_VERSION } from "./storeSchema.ts";

/** What the first bytes of a store file say, read without SQLite, so that a file that is not ours stays untouched. */
export interface Header {
  readonly kind: "none" | "usable" | "newer" | "foreign" | "damaged";
  /** Which file was looked at; null when there is none. */
  readonly inode: bigint | null;
}

const MAGIC = "SQLite format 3\0";
const HEADER_BYTES = 100;

/**
 * Stores that this process has open. POSIX drops all locks that a process has on a file as soon as it closes any
 * handle of it, so such a file must not be opened and closed beside SQLite.
 */
const openHere = new Map<string, number>();

export function noteOpened(file: string): void {
  openHere.set(file, (openHere.get(file) ?? 0) + 1);
}

export function noteClosed(file: string): void {
  const left = (openHere.get(file) ?? 1) - 1;
  if (left > 0) openHere.set(file, left);
  else openHere.delete(file);
}

export function readHeader(file: string): Header {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return { kind: "none", inode: null };
  const { ino: inode } = stat;
  // An empty file is what SQLite itself leaves before the first write.
  if (stat.size === 0n) return { kind: "none", inode };
  if (openHere.has(file)) return { kind: "usable", inode };
  const bytes = headOf(file);
  if (bytes.length < HEADER_BYTES || bytes.toString("latin1", 0, MAGIC.length) !== MAGIC)
    return { kind: "damaged", inode };
  const application = bytes.readInt32BE(68);
  if (application !== APPLICATION_ID && application !== 0) return { kind: "foreign", inode };
  if (application === APPLICATION_ID && bytes.readInt32BE(60) > SCHEMA_VERSION)
    return { kind: "newer", inode };
  return { kind: isShort(file, bytes) ? "damaged" : "usable", inode };
}

function headOf(file: string): Buffer {
  const handle = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(HEADER_BYTES);
    return bytes.subarray(0, readSync(handle, bytes, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(handle);
  }
}

/**
 * Whether the file has fewer pages than its header says. That is only known while nobody works on it: with a log
 * beside it the newest pages may be there, and another window may be writing between two of our looks.
 */
function isShort(file: string, head: Buffer): boolean {
  const quiet = (): boolean =>
    ["-wal", "-journal"].every(
      (suffix) => (statSync(file + suffix, { throwIfNoEntry: false })?.size ?? 0) === 0,
    );
  const saysItsSize = head.readInt32BE(24) === head.readInt32BE(92);
  if (!saysItsSize || !quiet()) return false;
  const size = statSync(file).size;
  const pageBytes = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
  if (head.readUInt32BE(28) * pageBytes <= size) return false;
  return quiet() && headOf(file).equals(head) && statSync(file).size === size;
}

/**
 * Renames a damaged store and the files that belong to it; returns the new path, or null when another window has
 * done so already. Nothing is ever overwritten. Throws what the file system throws.
 *
 * The log goes first: a log left beside a new, empty store could be taken for that store's own.
 */
export function setAside(file: string, inode: bigint, now: number): string | null {
  if (!existsSync(file) || statSync(file, { bigint: true }).ino !== inode) return null;
  const time = new Date(now).toISOString().replaceAll(/[:.]/g, "-");
  let target = `${file}.damaged-${time}`;
  for (let n = 2; existsSync(target); n++) target = `${file}.damaged-${time}-${n}`;
  for (const suffix of ["-wal", "-shm"])
    if (existsSync(file + suffix)) renameSync(file + suffix, target + suffix);
  renameSync(file, target);
  return target;
}
