import { constants, type Stats } from "node:fs";
import { access, lstat, open, readdir, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { fail, ok, type Result } from "../../base/result.ts";
import type { FileProblem } from "../../engine/index.ts";
import type { FileRef } from "../../app/ports.ts";
import { FILE_LIMITS } from "./fileLimits.ts";
import { errorCode } from "./realPath.ts";
import { similarNames } from "./similarNames.ts";

export interface DiskFile {
  readonly bytes: Uint8Array;
  readonly stats: Stats;
}

/**
 * The bytes of a regular file, or null where nothing is. Opened without waiting and asked through the handle, so a
 * pipe that takes a file's place in between is refused instead of waited for.
 */
export async function readDisk(file: FileRef): Promise<Result<DiskFile | null, FileProblem>> {
  const path = file.asked;
  let handle;
  try {
    handle = await open(file.real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const cause = errorCode(error);
    if (cause === "ENOENT" || cause === "ENOTDIR") return ok(null);
    if (cause === "EISDIR") return fail({ code: "file-is-folder", path });
    // Sockets, and devices without a driver, cannot even be opened.
    if (cause === "ENXIO" || cause === "ENODEV") return fail({ code: "file-not-regular", path });
    return fail({ code: "file-unreadable", path, cause });
  }
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) return fail({ code: "file-is-folder", path });
    if (!stats.isFile()) return fail({ code: "file-not-regular", path });
    const bytesMax = FILE_LIMITS.fileBytesMax;
    if (stats.size > bytesMax)
      return fail({ code: "file-too-large", path, bytes: stats.size, bytesMax });
    return ok({ bytes: new Uint8Array(await handle.readFile()), stats });
  } catch (error) {
    return fail({ code: "file-unreadable", path, cause: errorCode(error) });
  } finally {
    await handle.close();
  }
}

/** Permission bits, as `chmod` takes them. */
export function modeOf(stats: Stats): number {
  return stats.mode & 0o7777;
}

/** What all hard links of a file share; nothing for a file of one name. */
export function identityOf({ nlink, dev, ino }: Stats): { readonly identity?: string } {
  return nlink > 1 && ino !== 0 ? { identity: `${dev}:${ino}` } : {};
}

/**
 * Refuses a file that no one may write. The bits count, not only what the system would let us do: whoever took
 * them away meant it, also where we run as root.
 */
export async function checkWritable(file: FileRef): Promise<FileProblem | null> {
  const readOnly: FileProblem = { code: "file-read-only", path: file.asked, by: "permissions" };
  const stats = await stat(file.real).catch(() => null);
  if (stats === null || !stats.isFile()) return null;
  if ((stats.mode & 0o222) === 0) return readOnly;
  return access(file.real, constants.W_OK).then(
    () => null,
    () => readOnly,
  );
}

/** Whether a folder of the path is a file. */
export async function isBelowFile(file: FileRef): Promise<boolean> {
  return stat(file.real).then(
    () => false,
    (error: unknown) => errorCode(error) === "ENOTDIR",
  );
}

/** Names near a missing file's own, from its folder. */
export async function namesNear(file: FileRef): Promise<readonly string[]> {
  const names = await readdir(dirname(file.real)).catch(() => []);
  return similarNames(basename(file.real), names);
}

/** Whether the name itself is a link, not only a folder on its way. */
export async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
