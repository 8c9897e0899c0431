import path from "node:path";
import type { FileRef } from "../../../src/app/ports.ts";
import type { WorkspaceRoot } from "../../../src/app/pathSpellings.ts";

export const ROOTS: readonly WorkspaceRoot[] = [{ path: "/w", real: "/w" }];

/** A file named as asked, found without links, as POSIX finds it. */
export function fileAt(asked: string): FileRef {
  const absolute = path.posix.resolve("/w", asked);
  const relative = path.posix.relative("/w", absolute);
  return {
    asked,
    absolute,
    real: absolute,
    shown: relative.startsWith("..") ? absolute : relative,
  };
}
