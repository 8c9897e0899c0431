import * as vscode from "vscode";
import { canonicalEncoding } from "../../engine/index.ts";
import { openDocument } from "./openDocuments.ts";

/**
 * The encodings that the editor holds a file to be in, most certain first, where it has more than a default: an
 * open document's own, and an explicit `files.encoding` for the resource or its language. A document that was
 * opened before the setting may show the file wrongly, so both are given.
 */
export async function preferredEncodings(
  uri: vscode.Uri,
  document: vscode.TextDocument | undefined,
): Promise<readonly string[]> {
  const setting = vscode.workspace.getConfiguration("files", document ?? uri);
  const encoding = setting.get<string>("encoding", "utf8");
  const named = canonicalEncoding(encoding) === "utf8" ? [] : [encoding];
  if (document !== undefined) return [document.encoding, ...named];
  // Only a document knows a file's language, and opening one costs, so it is asked only where it can matter.
  if ((setting.inspect("encoding")?.languageIds ?? []).length > 0) {
    const opened = await openDocument(uri, undefined);
    if (opened !== undefined) return [opened.encoding, ...named];
  }
  return named;
}

/**
 * The text as a document in this encoding shows it, which may be lossy. Null where it cannot be told.
 */
export async function shownText(bytes: Uint8Array, encoding: string): Promise<string | null> {
  try {
    return await vscode.workspace.decode(bytes, { encoding });
  } catch {
    // The editor refuses to decode what it takes for binary; then no document shows these bytes either.
    return null;
  }
}
