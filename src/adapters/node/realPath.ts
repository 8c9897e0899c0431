import { lstat, readlink, realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fail, ok, type Result } from "../../base/result.ts";

/** Links followed by hand where the target does not exist; the kernel's own bound is 40. */
const LINK_HOPS_MAX = 40;

/**
 * Where a path leads with every link followed. Of a file that is not there: the real path of its deepest existing
 * parent, and the rest by its letters; a link to nowhere counts as what it names, so that it cannot hide a target
 * outside. The problem is the system's error code, for example ELOOP or EACCES.
 */
export async function realPath(
  path: string,
  hops = LINK_HOPS_MAX,
): Promise<Result<string, string>> {
  const found = await attempt(realpath(path));
  if (found.ok) return found;
  if (found.problem !== "ENOENT" && found.problem !== "ENOTDIR") return found;
  const parent = dirname(path);
  if (parent === path) return ok(path);
  const isLink = await lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
  if (isLink) {
    if (hops === 0) return fail("ELOOP");
    const target = await attempt(readlink(path));
    if (!target.ok) return target;
    return realPath(resolve(parent, target.value), hops - 1);
  }
  const above = await realPath(parent, hops);
  return above.ok ? ok(join(above.value, path.slice(parent.length).replace(/^[\\/]/, ""))) : above;
}

async function attempt<T>(work: Promise<T>): Promise<Result<T, string>> {
  try {
    return ok(await work);
  } catch (error) {
    return fail(errorCode(error));
  }
}

/** The short name of a system error; the message of any other. */
export function errorCode(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string")
    return error.code;
  return error instanceof Error ? error.message : String(error);
}
