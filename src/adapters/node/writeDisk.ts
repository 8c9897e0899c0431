import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { chmod, link, mkdir, open, stat, unlink, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fail, ok, type Result } from "../../base/result.ts";
import { modeOf, type DiskFile } from "./diskFile.ts";
import { errorCode } from "./realPath.ts";

/** A write's problem is the system's error code, for example ENOSPC, or that the file is not as it was. */
type Written = Result<void, string>;

/** Somebody else wrote the file since it was read; nothing was written to it here. */
export const MOVED_ON = "moved-on";

/**
 * Gives an existing file new bytes.
 *
 * A crash must leave it wholly old or wholly new, so the bytes go to a new file beside it, which then takes its
 * name in one step, with the old mode and owner. Where that would break something the file is written in place
 * instead: a second hard link would keep the old text, an owner that we may not give away would change, and a
 * folder or a mount point may allow no new name. There a failed write puts the old bytes back, and only a crash
 * within the write itself can leave a part. Rights beyond mode and owner (ACLs, extended attributes) are those of a
 * new file after a swap; Node has no way to read them. `real` has no link in it, so no link is ever replaced by a file.
 *
 * The old bytes are compared once more right before the last step, because making the draft takes time.
 */
export async function replaceBytes(
  real: string,
  old: DiskFile,
  bytes: Uint8Array,
): Promise<Written> {
  if (old.stats.nlink === 1) {
    const swapped = await swap(real, old, bytes);
    if (swapped === "swapped") return ok(undefined);
    if (swapped === MOVED_ON) return fail(MOVED_ON);
  }
  return writeInPlace(real, old.bytes, bytes);
}

/**
 * Makes a file where nothing is, with its parent folders. It appears whole under its name or not at all; EEXIST
 * where something is already. `mode` null: the platform's default.
 */
export async function createBytes(
  real: string,
  bytes: Uint8Array,
  mode: number | null,
): Promise<Written> {
  return inFolder(real, () => createWhole(real, bytes, mode));
}

async function createWhole(real: string, bytes: Uint8Array, mode: number | null): Promise<Written> {
  try {
    const draft = await writeDraft(real, bytes, mode ?? 0o666);
    if (!draft.ok) return draft;
    try {
      if (mode !== null) await chmod(draft.value, mode);
      return ok(await publish(draft.value, real, bytes, mode));
    } finally {
      await unlink(draft.value).catch(() => undefined);
    }
  } catch (error) {
    return fail(errorCode(error));
  }
}

/**
 * Gives a file that holds `bytes` a new name where nothing is; never over something. `unlink` for tests: a folder
 * that lets no name go is none for root.
 */
export async function moveDisk(
  from: string,
  bytes: Uint8Array,
  to: string,
  unlink: (path: string) => void = unlinkSync,
): Promise<Written> {
  return inFolder(to, () => Promise.resolve(moveNow(from, bytes, to, unlink)));
}

function moveNow(
  from: string,
  bytes: Uint8Array,
  to: string,
  unlink: (path: string) => void,
): Written {
  try {
    if (!holdsNow(from, bytes)) return fail(MOVED_ON);
    try {
      linkSync(from, to);
    } catch (error) {
      if (errorCode(error) === "EEXIST" || isThere(to)) return fail("EEXIST");
      // A file system without hard links: nothing was there a moment ago.
      renameSync(from, to);
      return ok(undefined);
    }
    try {
      unlink(from);
    } catch (error) {
      // Its folder lets no name go: then the file must not have two.
      unlinkSync(to);
      throw error;
    }
    return ok(undefined);
  } catch (error) {
    return fail(errorCode(error));
  }
}

/** Deletes a file that holds `bytes`. */
export function removeDisk(real: string, bytes: Uint8Array): Written {
  try {
    if (!holdsNow(real, bytes)) return fail(MOVED_ON);
    unlinkSync(real);
    return ok(undefined);
  } catch (error) {
    return fail(errorCode(error));
  }
}

/**
 * Whether the file is still the one that was looked at. In one go with what is done about it: between two turns of the
 * event loop there is time for others.
 */
function holdsNow(real: string, bytes: Uint8Array): boolean {
  let file;
  try {
    file = openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size !== bytes.length) return false;
    return Buffer.compare(readFileSync(file), bytes) === 0;
  } finally {
    closeSync(file);
  }
}

/** Makes the file's folders for `work`, and takes away again those that it made and that stayed empty. */
async function inFolder(real: string, work: () => Promise<Written>): Promise<Written> {
  let made: string | undefined;
  try {
    made = await mkdir(dirname(real), { recursive: true });
  } catch (error) {
    const cause = errorCode(error);
    // The system's EEXIST means a file where a folder should be, not the file we are about to make.
    return fail(cause === "EEXIST" ? "ENOTDIR" : cause);
  }
  const done = await work();
  if (!done.ok && made !== undefined) removeEmpty(dirname(real), made);
  return done;
}

function removeEmpty(deepest: string, first: string): void {
  try {
    for (let folder = deepest; ; folder = dirname(folder)) {
      rmdirSync(folder);
      if (folder === first) return;
    }
  } catch {
    // Somebody put something in.
  }
}

/** Null: not possible here, and nothing was changed. */
async function swap(
  real: string,
  { stats, bytes: old }: DiskFile,
  bytes: Uint8Array,
): Promise<"swapped" | typeof MOVED_ON | null> {
  const draft = await writeDraft(real, bytes, 0o600);
  if (!draft.ok) return null;
  try {
    const made = await stat(draft.value);
    if (made.uid !== stats.uid || made.gid !== stats.gid) {
      const handle = await open(draft.value, "r+");
      try {
        await handle.chown(stats.uid, stats.gid);
      } finally {
        await handle.close();
      }
    }
    // After the owner: giving a file away clears its set-id bits.
    await chmod(draft.value, modeOf(stats));
    if (!holdsNow(real, old)) {
      await unlink(draft.value);
      return MOVED_ON;
    }
    renameSync(draft.value, real);
    await syncFolder(dirname(real));
    return "swapped";
  } catch {
    await unlink(draft.value).catch(() => undefined);
    return null;
  }
}

/** The bytes under a name of their own in the same folder, so that renaming stays within one file system. */
async function writeDraft(
  real: string,
  bytes: Uint8Array,
  mode: number,
): Promise<Result<string, string>> {
  // A name may fill all the bytes that a disk has for one; of this one only so much is a hint for people.
  const hint = basename(real).slice(0, 20).toWellFormed();
  const name = `.${hint}.${randomBytes(6).toString("hex")}.tmp`;
  const draft = join(dirname(real), name);
  let handle: FileHandle | undefined;
  try {
    handle = await open(draft, "wx", mode);
    await handle.writeFile(bytes);
    await handle.sync();
    return ok(draft);
  } catch (error) {
    if (handle !== undefined) await unlink(draft).catch(() => undefined);
    return fail(errorCode(error));
  } finally {
    await handle?.close();
  }
}

/** `link` fails where something has the name, in one step; without links the exclusive open does. */
async function publish(
  draft: string,
  real: string,
  bytes: Uint8Array,
  mode: number | null,
): Promise<void> {
  try {
    await link(draft, real);
    await syncFolder(dirname(real));
    return;
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw error;
  }
  const handle = await open(real, "wx", mode ?? 0o666);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } catch (error) {
    await unlink(real).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
}

async function writeInPlace(real: string, old: Uint8Array, bytes: Uint8Array): Promise<Written> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(real, "r+");
    if (!holdsNow(real, old)) return fail(MOVED_ON);
    await overwrite(handle, bytes);
    return ok(undefined);
  } catch (error) {
    const cause = errorCode(error);
    // The read-back tells whether this helped; a second failure has nothing to add to the first.
    if (handle !== undefined) await overwrite(handle, old).catch(() => undefined);
    return fail(cause);
  } finally {
    await handle?.close();
  }
}

async function overwrite(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, done);
    done += bytesWritten;
  }
  await handle.truncate(bytes.length);
  await handle.sync();
}

/** Makes the new name durable. Not every system opens folders; the file itself is safe by then. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => null);
  if (handle === null) return;
  await handle.sync().catch(() => undefined);
  await handle.close();
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
