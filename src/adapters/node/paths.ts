import { posix, win32 } from "node:path";
import { fail, ok, type Result } from "../../base/result.ts";
import { loneSurrogate, type FileProblem } from "../../engine/index.ts";
import { pathOfUri } from "./pathUri.ts";

/** The lexical half of finding a file: what a path as sent means, before any disk is asked. */
export interface PathRules {
  readonly platform: "posix" | "win32";
  /** Workspace folders in their order, absolute and clean. */
  readonly folders: readonly PathFolder[];
  /** Scheme and authority of the workspace's own URIs; such URIs are paths too. */
  readonly scheme: string;
  readonly authority: string;
}

export interface PathFolder {
  readonly name: string;
  readonly path: string;
}

export interface CleanPath {
  /** Trimmed, as results name it. */
  readonly asked: string;
  /**
   * Absolute and clean. More than one: a relative path in a workspace of several folders, to be settled by what
   * exists; the first is the one to take where nothing does.
   */
  readonly candidates: readonly [string, ...string[]];
}

/** A path is trimmed, checked and made absolute. `..` is cleaned by its letters; links are followed only later. */
export function cleanPath(
  sent: string,
  relative: boolean,
  rules: PathRules,
): Result<CleanPath, FileProblem> {
  const asked = sent.trim();
  if (asked === "") return fail({ code: "path-empty" });
  const uri = pathOfUri(asked, rules);
  if (!uri.ok) return uri;
  const path = uri.value;
  const control = firstControl(path);
  if (control !== null)
    return fail({ code: "path-control-character", path: asked, codePoint: control });
  const half = loneSurrogate(path);
  if (half !== null) return fail({ code: "path-half-character", path: asked, codePoint: half });
  if (/^[\\/]{2}[.?][\\/]/.test(path)) return fail({ code: "path-device", path: asked });
  const syntax = rules.platform === "win32" ? win32 : posix;
  // A drive letter alone ("C:x") means the folder some other process last stood in.
  const isDriveRelative = rules.platform === "win32" && /^[a-z]:(?![\\/])/i.test(path);
  const isRootRelative = rules.platform === "win32" && /^[\\/](?![\\/])/.test(path);
  const isHome = /^~($|[\\/]|[a-z_][\w-]*[\\/])/i.test(path);
  const isAbsolute = syntax.isAbsolute(path) && !isRootRelative;
  if (isDriveRelative || isHome || (!isAbsolute && (!relative || isRootRelative)))
    return fail({ code: "path-not-absolute", path: asked });
  const candidates = isAbsolute ? [syntax.resolve(path)] : fromFolders(path, rules.folders, syntax);
  const [first, ...others] = candidates;
  if (first === undefined) return fail({ code: "path-not-absolute", path: asked });
  for (const candidate of candidates) {
    if (isDevice(candidate, rules)) return fail({ code: "path-device", path: asked });
    // Asking for the real path of a network name would already send the user's credentials there.
    if (
      isNetwork(candidate, rules) &&
      !rules.folders.some(({ path: f }) => isInside(candidate, f, rules))
    )
      return fail({ code: "path-outside", path: asked, real: null });
  }
  // Cleaned by its letters the path has lost what says that it means a folder.
  if ((syntax === win32 ? /[\\/]\.?$/ : /\/\.?$/).test(path))
    return fail({ code: "file-is-folder", path: asked });
  return ok({ asked, candidates: [first, ...others] });
}

/** Whether `path` is the folder or lies below it, by letters; both absolute and clean. */
export function isInside(
  path: string,
  folder: string,
  { platform }: Pick<PathRules, "platform">,
): boolean {
  const syntax = platform === "win32" ? win32 : posix;
  const rest = syntax.relative(folder, path);
  return rest === "" || (!/^\.\.([\\/]|$)/.test(rest) && !syntax.isAbsolute(rest));
}

/** With `/`, relative to the folder that holds it; absolute where none does. */
export function shownPath(absolute: string, real: string, rules: PathRules): string {
  const syntax = rules.platform === "win32" ? win32 : posix;
  for (const path of [absolute, real])
    for (const folder of rules.folders)
      if (path !== folder.path && isInside(path, folder.path, rules))
        return syntax.relative(folder.path, path).split(syntax.sep).join("/");
  return absolute;
}

/** With several folders `name/rest` is the folder of that name; else each folder is a candidate. */
function fromFolders(
  path: string,
  folders: readonly PathFolder[],
  syntax: typeof posix,
): readonly string[] {
  const plain = folders.map((folder) => syntax.resolve(folder.path, path));
  if (folders.length < 2) return plain;
  const [head, ...rest] = path.split(/[\\/]/);
  const named = folders
    .filter(({ name }) => name === head && rest.length > 0)
    .map((folder) => syntax.resolve(folder.path, rest.join("/")));
  return [...new Set([...named, ...plain])];
}

function firstControl(path: string): number | null {
  for (const point of path) {
    const code = point.codePointAt(0) ?? 0;
    if (code < 0x20 || (0x7f <= code && code <= 0x9f)) return code;
  }
  return null;
}

/** Files that are no files: writing to them does something, and reading them may never end. */
function isDevice(path: string, { platform }: PathRules): boolean {
  if (platform === "posix") return /^\/(dev|proc|sys)(\/|$)/.test(path);
  const segments = path.slice(win32.parse(path).root.length).split("\\");
  return segments.some(
    (segment) =>
      /^(con|prn|aux|nul|conin\$|conout\$|clock\$|(com|lpt)[0-9¹²³])\s*($|[.:])/i.test(segment) ||
      segment.includes(":") || // another stream of a file
      /[. ]$/.test(segment), // names that Windows shortens to another file's
  );
}

function isNetwork(path: string, { platform }: PathRules): boolean {
  return platform === "win32" && path.startsWith("\\\\");
}
