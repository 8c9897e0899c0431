import { basename, resolve } from "node:path";
import { platform } from "node:process";
import { fail, ok, type Result } from "../../base/result.ts";
import type { FileProblem } from "../../engine/index.ts";
import type {
  FileChange,
  FileRef,
  FileSnapshot,
  FileUse,
  ReadBack,
  Snapshot,
  Workspace,
  WriteReply,
} from "../../app/ports.ts";
import {
  checkWritable,
  exists,
  identityOf,
  isBelowFile,
  isLink,
  modeOf,
  namesNear,
  readDisk,
  type DiskFile,
} from "./diskFile.ts";
import { withFileLock } from "./fileLock.ts";
import { locateFile } from "./locate.ts";
import type { PathRules } from "./paths.ts";
import { realPath } from "./realPath.ts";
import { decodeFile } from "./textBody.ts";
import { createBytes, moveDisk, MOVED_ON, removeDisk, replaceBytes } from "./writeDisk.ts";

export interface NodeWorkspaceOptions {
  /** Absolute or relative to the working directory; the first takes relative paths. */
  readonly folders: readonly string[];
  /** Whether files outside every folder may be touched. */
  readonly outside?: "allow" | "refuse";
  /** Encodings to try before UTF-8, as a `files.encoding` setting would name one. */
  readonly encodings?: readonly string[];
}

/** The workspace of the command line: plain files, no editor. */
export function createNodeWorkspace(options: NodeWorkspaceOptions): Workspace {
  const rules: PathRules = {
    platform: platform === "win32" ? "win32" : "posix",
    folders: options.folders.map((folder) => {
      const path = resolve(folder);
      return { name: basename(path), path };
    }),
    scheme: "file",
    authority: "",
  };
  return {
    trusted: () => true,
    locate: (path, use, relative) =>
      locate(path, use, relative, rules, options.outside ?? "refuse"),
    look: (file) => look(file, options.encodings ?? []),
    update,
    create,
    remove,
    rename,
    readBack,
  };
}

async function locate(
  path: string,
  use: FileUse | "read",
  relative: boolean,
  rules: PathRules,
  outside: "allow" | "refuse",
): Promise<Result<FileRef, FileProblem>> {
  const file = await locateFile(path, relative, rules, outside, { realPath, exists, isLink });
  if (!file.ok || use === "read") return file;
  if (use === "delete" && file.value.linkTo !== undefined)
    // Neither half is what was asked for: the name would go and the text stay, or the other way round.
    return fail({ code: "file-not-regular", path: file.value.asked });
  const readOnly = await checkWritable(file.value);
  return readOnly === null ? file : fail(readOnly);
}

async function look(
  file: FileRef,
  encodings: readonly string[],
): Promise<Result<Snapshot, FileProblem>> {
  const disk = await readDisk(file);
  if (!disk.ok) return disk;
  if (disk.value === null) {
    // Nothing can be made there, which is better known before anything of a call is written.
    if (await isBelowFile(file))
      return fail({ code: "file-unreadable", path: file.asked, cause: "ENOTDIR" });
    return ok({ kind: "missing", file, similar: await namesNear(file) });
  }
  const { bytes, stats } = disk.value;
  const text = await decodeFile(file.asked, bytes, encodings);
  const body = text.ok ? ok({ ...text.value, source: "disk" as const, version: null }) : text;
  return ok({ kind: "file", file, bytes, mode: modeOf(stats), ...identityOf(stats), body });
}

async function update(
  base: FileSnapshot,
  change: FileChange,
  signal: AbortSignal,
): Promise<WriteReply> {
  const { file } = base;
  return alone(base, async (disk) => {
    if (signal.aborted) return failed({ code: "interrupted", path: file.asked });
    const readOnly = await checkWritable(file);
    if (readOnly !== null) return failed(readOnly);
    const reply = replyOf(file, await replaceBytes(file.real, disk, change.afterBytes));
    if (reply.kind !== "done") return reply;
    const seen = await readBack(file);
    return seen.ok ? { ...reply, seen: seen.value } : reply;
  });
}

async function create(file: FileRef, bytes: Uint8Array, mode: number | null): Promise<WriteReply> {
  if (!(await isSamePlace(file))) return { kind: "moved-on" };
  return replyOf(file, await createBytes(file.real, bytes, mode));
}

async function remove(base: FileSnapshot): Promise<WriteReply> {
  return alone(base, (disk) =>
    Promise.resolve(replyOf(base.file, removeDisk(base.file.real, disk.bytes))),
  );
}

async function rename(base: FileSnapshot, target: FileRef): Promise<WriteReply> {
  return alone(base, async (disk) => {
    if (!(await isSamePlace(target))) return { kind: "moved-on" };
    return replyOf(target, await moveDisk(base.file.real, disk.bytes, target.real));
  });
}

async function readBack(file: FileRef): Promise<Result<ReadBack, FileProblem>> {
  const disk = await readDisk(file);
  if (!disk.ok) {
    const cause = disk.problem.code === "file-unreadable" ? disk.problem.cause : disk.problem.code;
    return fail({ code: "read-back-failed", path: file.asked, cause });
  }
  const { value } = disk;
  const mode = value === null ? null : modeOf(value.stats);
  return ok({ disk: value?.bytes ?? null, mode, document: null });
}

/** Does the work if the file is still the one that the plan was made on, and while no other process of ours has it. */
async function alone(
  base: FileSnapshot,
  work: (disk: DiskFile) => Promise<WriteReply>,
): Promise<WriteReply> {
  const { real, asked } = base.file;
  const done = await withFileLock(real, async () => {
    const present = await unmoved(base);
    return present.kind === "same" ? work(present.disk) : present.reply;
  });
  if (done.ok) return done.value;
  return failed({
    code: "write-failed",
    path: asked,
    cause: "another process is writing this file",
  });
}

type Present =
  | { readonly kind: "same"; readonly disk: DiskFile }
  | { readonly kind: "other"; readonly reply: WriteReply };

/** Whether the file is still the one the plan was made on: same place, same bytes. */
async function unmoved(base: FileSnapshot): Promise<Present> {
  const disk = await readDisk(base.file);
  if (!disk.ok) return { kind: "other", reply: failed(disk.problem) };
  const isSame =
    disk.value !== null &&
    Buffer.compare(disk.value.bytes, base.bytes) === 0 &&
    (await isSamePlace(base.file));
  return isSame && disk.value !== null
    ? { kind: "same", disk: disk.value }
    : { kind: "other", reply: { kind: "moved-on" } };
}

/** A folder on the way that became a link since would lead the write elsewhere, perhaps outside. */
async function isSamePlace(file: FileRef): Promise<boolean> {
  const now = await realPath(file.real);
  return now.ok && now.value === file.real;
}

function replyOf(file: FileRef, written: Result<void, string>): WriteReply {
  if (written.ok) return { kind: "done", saved: true, asBytes: true };
  if (written.problem === MOVED_ON) return { kind: "moved-on" };
  const path = file.asked;
  return failed(
    written.problem === "EEXIST"
      ? { code: "file-exists", path }
      : { code: "write-failed", path, cause: written.problem },
  );
}

function failed(problem: FileProblem): WriteReply {
  return { kind: "failed", problem };
}
