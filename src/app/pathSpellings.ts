import type { FileRef } from "./ports.ts";

/** A workspace folder: as it is named, and with every link followed. */
export interface WorkspaceRoot {
  readonly path: string;
  readonly real: string;
}

/**
 * One way to read a path that a call named. `absolute` is cleaned, with `/`; `relative` is its rest below a
 * workspace folder, null outside.
 */
export interface Spelling {
  readonly absolute: string;
  readonly relative: string | null;
  /** A shortened Windows name hides what it stands for. */
  readonly shortened: boolean;
}

/** Percent signs may be encoded again and again; what needs more rounds than this is nobody's file. */
const DECODE_ROUNDS_MAX = 4;

// Symbols only: letters that resemble a stroke or a dot are real letters in somebody's file names.
const SLASH = /[\u2044\u2215\u2571\u29f8\u2cc6]/g;
const BACKSLASH = /[\u2216\u29f5\u29f9\u2572]/g;
const DOT = /[\u2024\u3002\uff61\ufe12]/g;
const COLON = /[\u02f8\u2236\ua789]/g;
/** Characters that draw nothing; some file systems drop them, so `.g<joiner>it` opens `.git`. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;

/**
 * Every reading under which a rule may hold for a file: its real target, the name as asked, and both once more with
 * the disguises taken off (encoded, look-alike or invisible characters, `\`, drives, `\\?\`, streams, trailing dots
 * and spaces). The strictest verdict over all of them counts, so a disguise can only make it stricter.
 */
export function spellingsOf(file: FileRef, roots: readonly WorkspaceRoot[]): readonly Spelling[] {
  const seen = new Map<string, Spelling>();
  const add = (path: string): void => {
    for (const spelling of placed(path, roots))
      seen.set(`${spelling.absolute}\n${spelling.relative ?? "\n"}`, spelling);
  };
  for (const written of [file.real, file.absolute, file.asked])
    for (const plain of undisguised(written))
      for (const path of absoluteForms(plain, roots)) add(path);
  return [...seen.values()];
}

/** Names that differ only in case, look-alikes or invisible characters fold to the same text. */
export function foldName(text: string): string {
  return (
    plainCharacters(text)
      .normalize("NFKC")
      // Upper first: it joins the letters that have one capital, as the dotless and the dotted i.
      .toUpperCase()
      .toLowerCase()
      .normalize("NFC")
  );
}

function plainCharacters(text: string): string {
  return text
    .replace(UNSEEN, "")
    .replace(SLASH, "/")
    .replace(BACKSLASH, "\\")
    .replace(DOT, ".")
    .replace(COLON, ":");
}

function undisguised(written: string): readonly string[] {
  const forms = [written];
  let text = written;
  for (let round = 0; round < DECODE_ROUNDS_MAX; round++) {
    const decoded = text.replace(/(%[0-9a-f]{2})+/gi, decodeRun);
    if (decoded === text) break;
    text = decoded;
  }
  const plain = plainCharacters(text.normalize("NFKC")).replaceAll("\\", "/");
  const uri =
    /^[a-z][a-z0-9+.-]+:\/\/[^/]*(\/.*)$/i.exec(plain)?.[1] ?? /^file:(.*)$/i.exec(plain)?.[1];
  const bare = withoutDevicePrefix(uri ?? plain);
  forms.push(tidySegments(bare));
  // `/c:/x` is how a URI writes a drive, `c:x` is below the drive's own folder.
  const drive = /^\/?([a-z]):(.*)$/i.exec(bare);
  if (drive?.[1] !== undefined && drive[2] !== undefined) {
    forms.push(tidySegments(`${drive[1]}:/${drive[2]}`), tidySegments(drive[2]));
  }
  return forms;
}

function decodeRun(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    // Not UTF-8: taken byte by byte, so that an encoded dot or slash beside a broken byte still shows.
    const bytes = run.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(parseInt(hex, 16)),
    );
    // The two-byte forms that old decoders took for a plain character, as C0 AF for a slash.
    return bytes.replace(/[\u00c0\u00c1][\u0080-\u00bf]/g, ([lead = "", tail = ""]) =>
      String.fromCharCode(((lead.charCodeAt(0) & 0x1f) << 6) | (tail.charCodeAt(0) & 0x3f)),
    );
  }
}

/** `//?/C:/x`, `//./C:/x`, `//?/UNC/host/C$/x` and `//host/C$/x` are all names of `C:/x`. */
function withoutDevicePrefix(path: string): string {
  const bare = path.replace(/^\/\/[?.]\/(?:GLOBALROOT\/)?/i, "").replace(/^UNC\//i, "//");
  return bare.replace(/^\/\/[^/]+\/([a-z])\$(?=\/|$)/i, "$1:");
}

/** Windows drops trailing dots and spaces of a name and reads `name:stream` as a part of `name`. */
function tidySegments(path: string): string {
  return path
    .split("/")
    .map((segment, index) => {
      if (segment === "." || segment === ".." || (index === 0 && /^[a-z]:$/i.test(segment)))
        return segment;
      const name = segment.replace(/(?<=.):.*$/s, "");
      // Dots and spaces alone climb on some systems: read as the way up, which is the stricter reading.
      if (/^[. ]{2,}$/.test(name)) return "..";
      return name.replace(/[. ]+$/, "");
    })
    .join("/");
}

function absoluteForms(path: string, roots: readonly WorkspaceRoot[]): readonly string[] {
  const slashed = isDrive(path) || path.startsWith("\\\\") ? path.replaceAll("\\", "/") : path;
  if (slashed.startsWith("/") || isDrive(slashed)) return [slashed];
  if (/^~[^/]*(\/|$)/.test(slashed) && !/^~\$/.test(slashed)) return [`/${slashed}`];
  return roots.map((root) => `${root.path.replaceAll("\\", "/")}/${slashed}`);
}

function isDrive(path: string): boolean {
  return /^[a-z]:([\\/]|$)/i.test(path);
}

function placed(path: string, roots: readonly WorkspaceRoot[]): readonly Spelling[] {
  const absolute = cleaned(path);
  const shortened = /(^|\/)[^/.~]{1,6}~\d{1,4}(\.[^/.]{0,3})?(\/|$)/.test(absolute);
  const below = (same: (a: string, b: string) => boolean): string | null => {
    for (const root of roots)
      for (const folder of [root.path, root.real]) {
        const rest = restBelow(cleaned(folder.replaceAll("\\", "/")), absolute, same);
        if (rest !== null) return rest;
      }
    return null;
  };
  const relative = below((a, b) => a === b);
  const first = { absolute, relative, shortened };
  if (relative !== null) return [first];
  // Another case of the folder's name is outside on one system and inside on another: both readings count.
  const folded = below((a, b) => foldName(a) === foldName(b));
  return folded === null ? [first] : [first, { absolute, relative: folded, shortened }];
}

/** Without `.`, `..`, doubled and final slashes. A drive letter is written small, as it makes no difference. */
function cleaned(path: string): string {
  const out: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === "..") out.pop();
    else out.push(out.length === 0 && /^[a-z]:$/i.test(segment) ? segment.toLowerCase() : segment);
  }
  return isDrive(out[0] ?? "") ? out.join("/") : `/${out.join("/")}`;
}

function restBelow(
  folder: string,
  path: string,
  same: (a: string, b: string) => boolean,
): string | null {
  const names = folder.split("/").filter((name) => name !== "");
  const parts = path.split("/").filter((name) => name !== "");
  if (parts.length < names.length) return null;
  if (!names.every((name, i) => same(name, parts[i] ?? ""))) return null;
  return parts.slice(names.length).join("/");
}
