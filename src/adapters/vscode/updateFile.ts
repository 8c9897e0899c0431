import type * as vscode from "vscode";
import type { FileProblem } from "../../engine/index.ts";
import type { FileChange, FileSnapshot, WriteReply } from "../../app/ports.ts";
import { FILE_LIMITS } from "../node/fileLimits.ts";
import { writeBytes } from "./byteWay.ts";
import { hasBytes } from "./disk.ts";
import { findDocument, isNotebook, openDocument } from "./openDocuments.ts";
import type { EditorPaths } from "./paths.ts";
import type { QuietTabs } from "./quietTabs.ts";
import { whyReadOnly } from "./readOnly.ts";
import { saveModeOf, textWayBytesMaxOf, wouldChangeOnSave } from "./saveRules.ts";
import { applyToDocument, saveDocument, whyNotThroughDocument } from "./textWay.ts";

export interface UpdateContext {
  readonly paths: EditorPaths;
  readonly tabs: QuietTabs;
  readonly saveMsMax: number;
}

/**
 * Brings one planned change to one file, or nothing of it. Which way it takes:
 *
 * - a document with unsaved changes carries it, and stays unsaved unless files are saved as a person saves them;
 * - a clean or closed file goes through its document and is saved, where that gives exactly the planned bytes;
 * - else the bytes are written, also where files should stay unsaved: no document could hold those bytes.
 */
export async function updateFile(
  context: UpdateContext,
  base: FileSnapshot,
  change: FileChange,
  signal: AbortSignal,
): Promise<WriteReply> {
  const { paths } = context;
  const path = base.file.asked;
  if (signal.aborted) return failed({ code: "interrupted", path });
  if (isNotebook(paths, base.file)) return failed({ code: "notebook-open", path });
  const readOnly = await whyReadOnly(paths, base.file);
  if (readOnly !== null) return failed(readOnly);
  const document = await findDocument(paths, base.file);
  if (document === "undecided" || !base.body.ok) return MOVED_ON;
  const { source, version } = base.body.value;
  if (document !== undefined && document.isDirty !== (source === "document")) return MOVED_ON;
  if (document !== undefined && document.version !== version) return MOVED_ON;
  if (source === "disk") return updateClean(context, document, base, change);
  return document === undefined ? MOVED_ON : updateDirty(context, document, base, change);
}

const MOVED_ON: WriteReply = { kind: "moved-on" };

async function updateDirty(
  { paths, saveMsMax }: UpdateContext,
  document: vscode.TextDocument,
  base: FileSnapshot,
  change: FileChange,
): Promise<WriteReply> {
  const path = base.file.asked;
  const { version } = document;
  const bytesMax = textWayBytesMaxOf(document, FILE_LIMITS.textWayBytesMax);
  const why = whyNotThroughDocument(document, base, change, bytesMax);
  if (why !== null) return failed({ code: "dirty-needs-bytes", path, why });
  if (!(await hasBytes(paths, base.file, base.bytes))) return MOVED_ON;
  const stopped = await applyToDocument(document, version, change, path);
  if (stopped !== null) return stopped;
  return saveModeOf(document) === "withParticipants"
    ? saveDocument(document, path, saveMsMax)
    : { kind: "done", saved: false };
}

async function updateClean(
  context: UpdateContext,
  open: vscode.TextDocument | undefined,
  base: FileSnapshot,
  change: FileChange,
): Promise<WriteReply> {
  const { paths, tabs, saveMsMax } = context;
  const path = base.file.asked;
  const uri = open?.uri ?? (await paths.place(base.file));
  if (uri === null) return MOVED_ON;
  const document = open ?? (await openQuietly(uri, base, change));
  if (document === undefined) return writeBytes(context, uri, undefined, base, change);
  const { version } = document;
  const bytesMax = textWayBytesMaxOf(document, FILE_LIMITS.textWayBytesMax);
  const mode = saveModeOf(document);
  const isExactBySave = mode !== "exact" || !wouldChangeOnSave(document, change.after);
  if (!isExactBySave || whyNotThroughDocument(document, base, change, bytesMax) !== null)
    return writeBytes(context, uri, document, base, change);
  // The editor compares only time and size before it saves, so it would write over another text of the same length.
  if (!(await hasBytes(paths, base.file, base.bytes))) return MOVED_ON;
  if (mode === "never")
    return (
      (await applyToDocument(document, version, change, path)) ?? { kind: "done", saved: false }
    );
  const settleTab = tabs.expect(uri);
  const stopped = await applyToDocument(document, version, change, path);
  const reply = stopped ?? (await saveDocument(document, path, saveMsMax));
  settleTab(reply.kind === "done");
  return reply;
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

function failed(problem: FileProblem): WriteReply {
  return { kind: "failed", problem };
}
