import * as vscode from "vscode";
import { canonicalEncoding } from "../../engine/index.ts";
import { openDocument } from "./openDocuments.ts";

/**
 * The encoding that the editor holds a file to be in, where it is more than a default: an open document's own, or
 * an explicit `files.encoding` for the resource or its language. Empty when nobody said anything.
 */
export async function preferredEncodings(
  uri: vscode.Uri,
  document: vscode.TextDocument | undefined,
): Promise<readonly string[]> {
  if (document !== undefined) return [document.encoding];
  const setting = vscode.workspace.getConfiguration("files", uri);
  // Only a document knows a file's language, and opening one costs, so it is asked only where it can matter.
  if ((setting.inspect("encoding")?.languageIds ?? []).length > 0) {
    const opened = await openDocument(uri, undefined);
    if (opened !== undefined) return [opened.encoding];
  }
  const encoding = setting.get<string>("encoding", "utf8");
  return canonicalEncoding(encoding) === "utf8" ? [] : [encoding];
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
