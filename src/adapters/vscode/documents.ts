import * as vscode from "vscode";
import { fail, ok, type Result } from "../../base/result.ts";
import type { FileProblem } from "../../engine/index.ts";
import type {
  FileChange,
  FileRef,
  FileSnapshot,
  FileUse,
  ReadBack,
  Workspace,
  WriteReply,
} from "../../app/ports.ts";
import { FILE_LIMITS } from "../node/fileLimits.ts";
import { writeBytes } from "./byteWay.ts";
import { hasBytes, readFile } from "./disk.ts";
import { createDiskBaselines } from "./diskBaselines.ts";
import { createFile, removeFile, renameFile } from "./fileOperations.ts";
import { lookAtFile } from "./look.ts";
import { findDocument, isNotebook, openDocument } from "./openDocuments.ts";
import { createEditorPaths, type EditorPaths } from "./paths.ts";
import { whyReadOnly } from "./readOnly.ts";
import { saveModeOf, textWayBytesMaxOf, wouldChangeOnSave } from "./saveRules.ts";
import { applyToDocument, saveDocument, whyNotThroughDocument } from "./textWay.ts";

export interface VsCodeWorkspaceOptions {
  /** Whether files outside every workspace folder may be touched; rules on paths then have to decide. */
  readonly outside?: "allow" | "refuse";
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
  const paths = createEditorPaths();
  const baselines = createDiskBaselines();
  return {
    trusted: () => vscode.workspace.isTrusted,
    locate: (path, use, relative) =>
      locate(paths, path, use, relative, options.outside ?? "refuse"),
    look: (file) => {
      options.onLook?.(file);
      return lookAtFile(paths, baselines, file);
    },
    update: (base, change, signal) => update(paths, base, change, signal),
    create: (file, bytes, mode, label) => createFile(paths, file, bytes, mode, label),
    remove: (base, label) => removeFile(paths, base, label),
    rename: (base, target, label) => renameFile(paths, base, target, label),
    readBack: (file) => readBack(paths, file),
    dispose: () => void baselines.dispose(),
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
  if (use === "delete" && (await paths.isLink(file.value)))
    // Neither half is what was asked for: the name would go and the text stay, or the other way round.
    return fail({ code: "file-not-regular", path: file.value.asked });
  const readOnly = await whyReadOnly(paths, file.value);
  return readOnly === null ? file : fail(readOnly);
}

async function update(
  paths: EditorPaths,
  base: FileSnapshot,
  change: FileChange,
  signal: AbortSignal,
): Promise<WriteReply> {
  const path = base.file.asked;
  if (signal.aborted) return failed({ code: "interrupted", path });
  if (isNotebook(paths, base.file)) return failed({ code: "notebook-open", path });
  const readOnly = await whyReadOnly(paths, base.file);
  if (readOnly !== null) return failed(readOnly);
  const document = await findDocument(paths, base.file);
  if (document === "undecided" || !base.body.ok) return { kind: "moved-on" };
  if (document?.isDirty === true) return updateDirty(paths, document, base, change);
  if (base.body.value.source === "document") return { kind: "moved-on" };
  if (document !== undefined && document.version !== base.body.value.version)
    return { kind: "moved-on" };
  return updateClean(paths, document, base, change);
}

/** The user's unsaved text is the base and stays unsaved, unless files are to be saved as the user would. */
async function updateDirty(
  paths: EditorPaths,
  document: vscode.TextDocument,
  base: FileSnapshot,
  change: FileChange,
): Promise<WriteReply> {
  const path = base.file.asked;
  const version = base.body.ok ? base.body.value.version : null;
  if (version === null || version !== document.version) return { kind: "moved-on" };
  const bytesMax = textWayBytesMaxOf(document, FILE_LIMITS.textWayBytesMax);
  const why = whyNotThroughDocument(document, base, change, bytesMax);
  if (why !== null) return failed({ code: "dirty-needs-bytes", path, why });
  const stopped = await applyToDocument(document, version, change, path);
  if (stopped !== null) return stopped;
  return saveModeOf(document) === "withParticipants"
    ? saveDocument(paths, document, base)
    : { kind: "done", saved: false };
}

async function updateClean(
  paths: EditorPaths,
  open: vscode.TextDocument | undefined,
  base: FileSnapshot,
  change: FileChange,
): Promise<WriteReply> {
  const uri = open?.uri ?? (await paths.place(base.file));
  if (uri === null) return { kind: "moved-on" };
  const document = open ?? (await openQuietly(uri, base, change));
  if (document === undefined) return writeBytes(paths, uri, undefined, base, change);
  const { version } = document;
  const bytesMax = textWayBytesMaxOf(document, FILE_LIMITS.textWayBytesMax);
  const mode = saveModeOf(document);
  const isExactBySave = mode !== "exact" || !wouldChangeOnSave(document, change.after);
  if (!isExactBySave || whyNotThroughDocument(document, base, change, bytesMax) !== null)
    return writeBytes(paths, uri, document, base, change);
  if (!(await hasBytes(paths, base.file, base.bytes))) return { kind: "moved-on" };
  const stopped = await applyToDocument(document, version, change, base.file.asked);
  if (stopped !== null) return stopped;
  return mode === "never" ? { kind: "done", saved: false } : saveDocument(paths, document, base);
}

/** A document for a closed file, or undefined where bytes are the way in any case. */
async function openQuietly(
  uri: vscode.Uri,
  base: FileSnapshot,
  change: FileChange,
): Promise<vscode.TextDocument | undefined> {
  if (!base.body.ok) return undefined;
  const bytesMax = textWayBytesMaxOf(uri, FILE_LIMITS.textWayBytesMax);
  if (Math.max(base.bytes.length, change.afterBytes.length) > bytesMax) return undefined;
  const { encoding } = base.body.value;
  // Unicode is told by its bytes. A regional encoding has to be named, or the document would show another text.
  return openDocument(uri, encoding.startsWith("utf") ? undefined : encoding);
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

function failed(problem: FileProblem): WriteReply {
  return { kind: "failed", problem };
}
