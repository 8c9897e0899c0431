import { createHash, randomBytes } from "node:crypto";
import { lstat, mkdir, readlink, rename, symlink, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail, ok, type Result } from "../../base/result.ts";
import { errorCode } from "./realPath.ts";

/** Someone else's write takes milliseconds; who holds a lock for longer than this is not waited for. */
const WAIT_MS_MAX = 10_000;
const POLL_MS = 4;
/** A lock of this age was left behind, even where its process id belongs to somebody again. */
const AGE_MS_MAX = 60_000;

export interface LockOptions {
  /** Where locks lie; one folder for a user, so that nobody else's are in the way. */
  readonly folder?: string;
  readonly waitMsMax?: number;
}

/**
 * Does `work` while no other process of this user that locks the file too does the same. Two servers that work on one
 * folder may plan on the same text; without the lock each would write its own, and the later one undo the other's.
 *
 * The lock lies outside of the workspace: a symbolic link, made in one step, that says whose it is. One whose holder is
 * gone is taken over. Where no lock can be made, as on most Windows systems, the work is done without: it looks at the
 * file again right before it writes in any case. Fails, with the work not begun, when the lock is held for too long.
 */
export async function withFileLock<T>(
  real: string,
  work: () => Promise<T>,
  { folder = lockFolder(), waitMsMax = WAIT_MS_MAX }: LockOptions = {},
): Promise<Result<T, "busy">> {
  const name = createHash("sha256").update(real).digest("hex").slice(0, 32);
  const path = join(folder, name);
  const taken = await take(folder, path, waitMsMax);
  if (taken === "busy") return fail("busy");
  try {
    return ok(await work());
  } finally {
    if (taken === "held") await unlink(path).catch(() => undefined);
  }
}

function lockFolder(): string {
  return join(tmpdir(), `agent-edit-review-${process.getuid?.() ?? "locks"}`);
}

async function take(
  folder: string,
  path: string,
  waitMsMax: number,
): Promise<"held" | "none" | "busy"> {
  const end = performance.now() + waitMsMax;
  for (let made = await make(path); ; made = await make(path)) {
    if (made === null) return "held";
    if (made === "ENOENT") {
      const isMade = await mkdir(folder, { recursive: true, mode: 0o700 }).then(
        () => true,
        () => false,
      );
      if (!isMade) return "none";
    } else if (made !== "EEXIST") return "none";
    else if (await isLeft(path)) await moveAway(path);
    else {
      if (end < performance.now()) return "busy";
      // Not all waiters at once, or they would meet again and again.
      await new Promise((resolve) => setTimeout(resolve, POLL_MS * (1 + Math.random())));
    }
  }
}

/** Null when the lock is ours now, else the system's error code. */
function make(path: string): Promise<string | null> {
  return symlink(String(process.pid), path).then(() => null, errorCode);
}

async function isLeft(path: string): Promise<boolean> {
  try {
    const holder = Number(await readlink(path));
    return !isRunning(holder) || Date.now() - (await lstat(path)).mtimeMs > AGE_MS_MAX;
  } catch {
    // Given back a moment ago.
    return false;
  }
}

/** Two may see the same lock left behind: only one of them moves it, and the other finds it gone. */
async function moveAway(path: string): Promise<void> {
  const aside = `${path}.${randomBytes(4).toString("hex")}`;
  await rename(path, aside).then(
    () => unlink(aside),
    () => undefined,
  );
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== "ESRCH";
  }
}
