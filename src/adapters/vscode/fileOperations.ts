import * as vscode from "vscode";
import type { FileProblem } from "../../engine/index.ts";
import type { FileRef, FileSnapshot, WriteReply } from "../../app/ports.ts";
import { errorCode } from "../node/realPath.ts";
import { hasBytes, readFile } from "./disk.ts";
import { findDocument } from "./openDocuments.ts";
import type { EditorPaths } from "./paths.ts";

/**
 * New, moved and deleted files, as file operations of a WorkspaceEdit: they can be undone, and extensions that
 * follow moves hear of them.
 */

/** Only where nothing is: an overwriting create would, when undone, delete the file that was there before. */
export async function createFile(
  paths: EditorPaths,
  file: FileRef,
  bytes: Uint8Array,
  mode: number | null,
  label: string,
): Promise<WriteReply> {
  if (await isTaken(paths, file)) return failed({ code: "file-exists", path: file.asked });
  const lost = await wouldLose(paths, file);
  if (lost !== null) return failed(lost);
  // The editor creates nothing through a link to nowhere, so there the target itself is named.
  const uri = (await paths.isLink(file)) ? paths.uriOf(file.real) : await paths.place(file);
  if (uri === null) return { kind: "moved-on" };
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { contents: bytes, overwrite: false, ignoreIfExists: false }, word(label));
  if (!(await vscode.workspace.applyEdit(edit)))
    return (await isTaken(paths, file))
      ? failed({ code: "file-exists", path: file.asked })
      : refused(file, "the editor could not create the file");
  return mode === null || !paths.isDisk() ? DONE : setMode(file, mode);
}

export async function removeFile(
  paths: EditorPaths,
  base: FileSnapshot,
  label: string,
): Promise<WriteReply> {
  const { file } = base;
  const uri = await paths.place(file);
  if (uri === null || !(await hasBytes(paths, file, base.bytes))) return { kind: "moved-on" };
  const lost = await wouldLose(paths, file);
  if (lost !== null) return failed(lost);
  const edit = new vscode.WorkspaceEdit();
  const options = { recursive: false, ignoreIfNotExists: false };
  edit.deleteFile(uri, options, word(label));
  return (await vscode.workspace.applyEdit(edit))
    ? DONE
    : refused(file, "the editor could not delete the file");
}

export async function renameFile(
  paths: EditorPaths,
  base: FileSnapshot,
  target: FileRef,
  label: string,
): Promise<WriteReply> {
  const { file } = base;
  const from = await paths.place(file);
  const to = await paths.place(target);
  if (from === null || to === null) return { kind: "moved-on" };
  if (!(await hasBytes(paths, file, base.bytes))) return { kind: "moved-on" };
  if (await isTaken(paths, target)) return failed({ code: "file-exists", path: target.asked });
  const lost = (await wouldLose(paths, target)) ?? (await wouldLose(paths, file));
  if (lost !== null) return failed(lost);
  const edit = new vscode.WorkspaceEdit();
  const options = { overwrite: false, ignoreIfExists: false };
  edit.renameFile(from, to, options, word(label));
  return (await vscode.workspace.applyEdit(edit))
    ? DONE
    : refused(target, "the editor could not move the file");
}

const DONE: WriteReply = { kind: "done", saved: true };

function word(label: string): vscode.WorkspaceEditEntryMetadata {
  return { label, needsConfirmation: false };
}

/** Anything under the name counts, readable or not. */
async function isTaken(paths: EditorPaths, file: FileRef): Promise<boolean> {
  const disk = await readFile(paths, file);
  return !disk.ok || disk.value !== null;
}

/** The editor closes a document whose file goes, and drops its unsaved changes without asking. */
async function wouldLose(paths: EditorPaths, file: FileRef): Promise<FileProblem | null> {
  const document = await findDocument(paths, file);
  return document === "undecided" || document?.isDirty === true
    ? { code: "dirty-would-be-lost", path: file.asked }
    : null;
}

async function setMode(file: FileRef, mode: number): Promise<WriteReply> {
  try {
    const { chmod } = await import("node:fs/promises");
    await chmod(file.real, mode);
    return DONE;
  } catch (error) {
    return refused(file, errorCode(error));
  }
}

function refused(file: FileRef, cause: string): WriteReply {
  return failed({ code: "write-failed", path: file.asked, cause });
}

function failed(problem: FileProblem): WriteReply {
  return { kind: "failed", problem };
}
