import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  statSync,
} from "node:fs";
import { APPLICATION_ID, SCHEMA_VERSION } from "./storeSchema.ts";

/** What the first bytes of a store file say, read without SQLite, so that a file that is not ours stays untouched. */
export interface Header {
  readonly kind: "none" | "usable" | "newer" | "foreign" | "damaged";
  /** Which file was looked at; null when there is none. */
  readonly inode: bigint | null;
}

const MAGIC = "SQLite format 3\0";
const HEADER_BYTES = 100;

export function readHeader(file: string): Header {
  let handle;
  try {
    handle = openSync(file, "r");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return { kind: "none", inode: null };
    throw error;
  }
  try {
    const { size, ino: inode } = fstatSync(handle, { bigint: true });
    // An empty file is what SQLite itself leaves before the first write.
    if (size === 0n) return { kind: "none", inode };
    const bytes = Buffer.alloc(HEADER_BYTES);
    const read = readSync(handle, bytes, 0, HEADER_BYTES, 0);
    if (read < HEADER_BYTES || bytes.toString("latin1", 0, MAGIC.length) !== MAGIC)
      return { kind: "damaged", inode };
    const application = bytes.readInt32BE(68);
    if (application === APPLICATION_ID)
      return { kind: bytes.readInt32BE(60) > SCHEMA_VERSION ? "newer" : "usable", inode };
    return { kind: application === 0 ? "usable" : "foreign", inode };
  } finally {
    closeSync(handle);
  }
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
