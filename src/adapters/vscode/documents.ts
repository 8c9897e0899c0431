import * as vscode from "vscode";
import { fail, ok, type Result } from "../../base/result.ts";
import type { FileProblem } from "../../engine/index.ts";
import type { FileRef, FileUse, ReadBack, Workspace } from "../../app/ports.ts";
import { FILE_LIMITS } from "../node/fileLimits.ts";
import { readFile } from "./disk.ts";
import { createDiskBaselines } from "./diskBaselines.ts";
import { createFile, removeFile, renameFile } from "./fileOperations.ts";
import { lookAtFile } from "./look.ts";
import { findDocument } from "./openDocuments.ts";
import { createEditorPaths, type EditorPaths } from "./paths.ts";
import { createQuietTabs } from "./quietTabs.ts";
import { whyReadOnly } from "./readOnly.ts";
import { updateFile } from "./updateFile.ts";

export interface VsCodeWorkspaceOptions {
  /** Whether files outside every workspace folder may be touched; rules on paths then have to decide. */
  readonly outside?: "allow" | "refuse";
  /** The workspace's folders; those of the window when left out. */
  readonly folders?: () => readonly vscode.WorkspaceFolder[];
  /** How long a save may take before it is told as an outcome of its own. */
  readonly saveMsMax?: number;
  /** Told of each file as it is looked at, before anything of the call is written to it. */
  readonly onLook?: (file: FileRef) => void;
}

/**
 * The files of the open editor window. Documents carry edits wherever they can do so to the byte; bytes are written
 * directly where they cannot. Takes no focus and opens no tab.
 */
export function createVsCodeWorkspace(
  options: VsCodeWorkspaceOptions = {},
): Workspace & vscode.Disposable {
  const paths = createEditorPaths(options.folders);
  const baselines = createDiskBaselines();
  const tabs = createQuietTabs();
  const saveMsMax = options.saveMsMax ?? FILE_LIMITS.saveMsMax;
  return {
    trusted: () => vscode.workspace.isTrusted,
    locate: (path, use, relative) =>
      locate(paths, path, use, relative, options.outside ?? "refuse"),
    look: (file) => {
      options.onLook?.(file);
      return lookAtFile(paths, baselines, file);
    },
    update: (base, change, signal) => updateFile({ paths, tabs, saveMsMax }, base, change, signal),
    create: (file, bytes, mode, label) => createFile(paths, file, bytes, mode, label),
    remove: (base, label) => removeFile(paths, base, label),
    rename: (base, target, label) => renameFile(paths, base, target, label),
    readBack: (file) => readBack(paths, file),
    dispose() {
      baselines.dispose();
      tabs.dispose();
    },
  };
}

async function locate(
  paths: EditorPaths,
  path: string,
  use: FileUse | "read",
  relative: boolean,
  outside: "allow" | "refuse",
): Promise<Result<FileRef, FileProblem>> {
  const file = await paths.locate(path, relative, outside);
  if (!file.ok || use === "read") return file;
  if (use === "delete" && file.value.linkTo !== undefined)
    // Neither half is what was asked for: the name would go and the text stay, or the other way round.
    return fail({ code: "file-not-regular", path: file.value.asked });
  const readOnly = await whyReadOnly(paths, file.value);
  return readOnly === null ? file : fail(readOnly);
}

async function readBack(paths: EditorPaths, file: FileRef): Promise<Result<ReadBack, FileProblem>> {
  const disk = await readFile(paths, file);
  if (!disk.ok) {
    const cause = disk.problem.code === "file-unreadable" ? disk.problem.cause : disk.problem.code;
    return fail({ code: "read-back-failed", path: file.asked, cause });
  }
  const document = await findDocument(paths, file);
  if (document === "undecided")
    return fail({
      code: "read-back-failed",
      path: file.asked,
      cause: "it is open with unsaved changes under two names",
    });
  return ok({
    disk: disk.value?.bytes ?? null,
    mode: disk.value?.mode ?? null,
    document: document === undefined ? null : { text: document.getText(), dirty: document.isDirty },
  });
}
