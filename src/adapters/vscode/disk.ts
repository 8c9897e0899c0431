import * as vscode from "vscode";
import { fail, ok, type Result } from "../../base/result.ts";
import type { FileProblem } from "../../engine/index.ts";
import { sameBytes } from "../../app/evidence.ts";
import type { FileRef } from "../../app/ports.ts";
import { identityOf, modeOf, namesNear, readDisk } from "../node/diskFile.ts";
import { FILE_LIMITS } from "../node/fileLimits.ts";
import { errorCode } from "../node/realPath.ts";
import { similarNames } from "../node/similarNames.ts";
import type { EditorPaths } from "./paths.ts";

export interface FileOnDisk {
  readonly bytes: Uint8Array;
  /** Null where the file system has no permission bits. */
  readonly mode: number | null;
  /** See `FileSnapshot`. */
  readonly identity?: string;
}

/**
 * A file's bytes, or null where nothing is. On the system's own disk they are read directly: the editor's file
 * service gives the same bytes ten times slower, and would wait for a pipe.
 */
export async function readFile(
  paths: EditorPaths,
  file: FileRef,
): Promise<Result<FileOnDisk | null, FileProblem>> {
  if (paths.isDisk()) {
    const disk = await readDisk(file);
    if (!disk.ok || disk.value === null) return disk.ok ? ok(null) : disk;
    const { bytes, stats } = disk.value;
    return ok({ bytes, mode: modeOf(stats), ...identityOf(stats) });
  }
  const path = file.asked;
  const uri = paths.uriOf(file.real);
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.Directory) !== 0) return fail({ code: "file-is-folder", path });
    if ((type & vscode.FileType.File) === 0) return fail({ code: "file-not-regular", path });
    const bytesMax = FILE_LIMITS.fileBytesMax;
    if (size > bytesMax) return fail({ code: "file-too-large", path, bytes: size, bytesMax });
    return ok({ bytes: await vscode.workspace.fs.readFile(uri), mode: null });
  } catch (error) {
    return isMissing(error)
      ? ok(null)
      : fail({ code: "file-unreadable", path, cause: causeOf(error) });
  }
}

/** Names near a missing file's own, from its folder. */
export async function namesBeside(paths: EditorPaths, file: FileRef): Promise<readonly string[]> {
  if (paths.isDisk()) return namesNear(file);
  const uri = paths.uriOf(file.real);
  try {
    const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(uri, ".."));
    return similarNames(
      uri.path.replace(/^.*\//, ""),
      entries.map(([name]) => name),
    );
  } catch {
    // A missing folder has no names to offer, and the file is missing either way.
    return [];
  }
}

/** Whether the file still has the bytes that a plan was made on. */
export async function hasBytes(
  paths: EditorPaths,
  file: FileRef,
  bytes: Uint8Array,
): Promise<boolean> {
  const disk = await readFile(paths, file);
  return disk.ok && disk.value !== null && sameBytes(disk.value.bytes, bytes);
}

/** The name of an error; where the file system gives it none, its words. */
export function causeOf(error: unknown): string {
  const isNameless = error instanceof vscode.FileSystemError && error.code === "Unknown";
  return isNameless ? error.message : errorCode(error);
}

export function isMissing(error: unknown): boolean {
  return error instanceof vscode.FileSystemError && error.code === "FileNotFound";
}

/** Whether nobody is there who could tell of the file: its provider is missing, or has lost its connection. */
export async function isUnavailable(uri: vscode.Uri): Promise<boolean> {
  return Promise.resolve(vscode.workspace.fs.stat(uri)).then(
    () => false,
    (error: unknown) => error instanceof vscode.FileSystemError && error.code === "Unavailable",
  );
}
