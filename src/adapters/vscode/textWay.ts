import * as vscode from "vscode";
import { canonicalEncoding } from "../../engine/index.ts";
import type { FileChange, FileSnapshot, WriteReply } from "../../app/ports.ts";
import { inDocument } from "./openDocuments.ts";
import { withTimeLimit } from "./timeLimit.ts";

/** Why a document cannot carry a change to the byte, or null when it can. */
export function whyNotThroughDocument(
  document: vscode.TextDocument,
  base: FileSnapshot,
  change: FileChange,
  bytesMax: number,
): "mixed-endings" | "encoding" | "size" | null {
  if (!base.body.ok) return "encoding";
  const { text, encoding } = base.body.value;
  if (Math.max(base.bytes.length, change.afterBytes.length) > bytesMax) return "size";
  if (canonicalEncoding(document.encoding) !== encoding) return "encoding";
  if (inDocument(text, document.eol) !== text) return "mixed-endings";
  if (inDocument(change.after, document.eol) !== change.after) return "mixed-endings";
  return document.getText() === text ? null : "encoding";
}

/**
 * Puts the change into the document with one edit of its own, so that one undo step takes it back, and touches
 * nothing but the changed ranges. `version` is the one at which the document held the base of the plan; between
 * its comparison and the edit nothing waits.
 */
export async function applyToDocument(
  document: vscode.TextDocument,
  version: number,
  change: FileChange,
  path: string,
): Promise<WriteReply | null> {
  if (document.isClosed || document.version !== version) return { kind: "moved-on" };
  const metadata = { label: change.label, needsConfirmation: false };
  const edits = change.edit.splices.map(({ from, to, insert }): TextEdits => {
    const range = new vscode.Range(document.positionAt(from), document.positionAt(to));
    return [new vscode.TextEdit(range, insert), metadata];
  });
  const edit = new vscode.WorkspaceEdit();
  edit.set(document.uri, edits);
  if (await vscode.workspace.applyEdit(edit)) return null;
  // False never says why. A version that moved means that the user was faster; nothing was applied then.
  if (document.isClosed || document.version !== version) return { kind: "moved-on" };
  const cause = "the editor did not accept the edit";
  return { kind: "failed", problem: { code: "write-failed", path, cause } };
}

type TextEdits = [vscode.TextEdit, vscode.WorkspaceEditEntryMetadata];

/**
 * Saves a document that holds the change. A save may hang in someone's formatter without limit, so it is raced
 * against a time-out; what became of the file is then told by the read-back.
 */
export async function saveDocument(
  document: Pick<vscode.TextDocument, "save" | "isDirty">,
  path: string,
  msMax: number,
): Promise<WriteReply> {
  const saving = Promise.resolve(document.save()).catch((error: unknown) => ({
    message: error instanceof Error ? error.message : String(error),
  }));
  const saved = await withTimeLimit(saving, msMax);
  if (saved === "late")
    return {
      kind: "failed",
      problem: { code: "save-timed-out", path, afterMs: msMax },
    };
  // Auto save may be quicker; what it wrote is told by the read-back, as always.
  if (saved === true || (saved === false && !document.isDirty))
    return { kind: "done", saved: true };
  const cause = saved === false ? "the editor did not save the file" : saved.message;
  return { kind: "failed", problem: { code: "save-failed", path, cause } };
}
