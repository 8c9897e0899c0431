import { fail, ok, type Result } from "../../base/result.ts";
import type { FileProblem } from "../../engine/index.ts";
import type { FileRef } from "../../app/ports.ts";
import { cleanPath, isInside, shownPath, type PathRules } from "./paths.ts";

/** What finding a file asks of a disk. */
export interface PathDisk {
  /** See `realPath`. A file system without links gives the path itself. */
  realPath(path: string): Promise<Result<string, string>>;
  exists(path: string): Promise<boolean>;
  /** Whether the name itself is a link. */
  isLink(path: string): Promise<boolean>;
}

/**
 * The file behind a path: cleaned, settled to one folder, links followed, and inside the real path of a workspace
 * folder unless `outside` allows otherwise. Nothing of the file itself is read.
 */
export async function locateFile(
  sent: string,
  relative: boolean,
  rules: PathRules,
  outside: "allow" | "refuse",
  disk: PathDisk,
): Promise<Result<FileRef, FileProblem>> {
  const clean = cleanPath(sent, relative, rules);
  if (!clean.ok) return clean;
  const { asked } = clean.value;
  const absolute = await settle(clean.value.candidates, disk);
  // Two folders have such a file: which one is meant only an absolute path can tell.
  if (absolute === null) return fail({ code: "path-not-absolute", path: asked });
  const real = await disk.realPath(absolute);
  if (!real.ok) return fail({ code: "file-unreadable", path: asked, cause: real.problem });
  if (outside === "refuse" && !(await isInWorkspace(real.value, rules, disk)))
    return fail({ code: "path-outside", path: asked, real: real.value });
  const shown = shownPath(absolute, real.value, rules);
  const file: FileRef = { asked, absolute, real: real.value, shown };
  const isLink = absolute !== real.value && (await disk.isLink(absolute));
  return ok(isLink ? { ...file, linkTo: shownPath(real.value, real.value, rules) } : file);
}

async function settle(
  candidates: readonly [string, ...string[]],
  disk: PathDisk,
): Promise<string | null> {
  const [first] = candidates;
  if (candidates.length === 1) return first;
  const there: string[] = [];
  for (const candidate of candidates) if (await disk.exists(candidate)) there.push(candidate);
  const [only = first] = there;
  return there.length > 1 ? null : only;
}

async function isInWorkspace(real: string, rules: PathRules, disk: PathDisk): Promise<boolean> {
  for (const folder of rules.folders) {
    const root = await disk.realPath(folder.path);
    if (root.ok && isInside(real, root.value, rules)) return true;
  }
  return false;
}
