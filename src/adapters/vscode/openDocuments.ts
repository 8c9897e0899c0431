import * as vscode from "vscode";
import type { FileRef } from "../../app/ports.ts";
import { FILE_LIMITS } from "../node/fileLimits.ts";
import type { EditorPaths } from "./paths.ts";

/**
 * The open document of a file, under whatever name it was opened. `undecided`: two names of the file have unsaved
 * changes of their own, and saving either would drop the other's.
 */
export async function findDocument(
  paths: EditorPaths,
  file: FileRef,
): Promise<vscode.TextDocument | "undecided" | undefined> {
  const found: vscode.TextDocument[] = [];
  for (const document of vscode.workspace.textDocuments) {
    if (document.isClosed) continue;
    const path = paths.pathOf(document.uri);
    if (path === null) continue;
    if (path === file.real || path === file.absolute) found.push(document);
    else if ((await realOf(paths, document, path)) === file.real) found.push(document);
  }
  const dirty = found.filter((document) => document.isDirty);
  if (dirty.length > 1) return "undecided";
  return dirty[0] ?? found.find(({ uri }) => paths.pathOf(uri) === file.absolute) ?? found[0];
}

const realPaths = new WeakMap<vscode.TextDocument, string>();

/** Asked anew only where unsaved work depends on it: hundreds of documents may linger after a large call. */
async function realOf(
  paths: EditorPaths,
  document: vscode.TextDocument,
  path: string,
): Promise<string> {
  const known = realPaths.get(document);
  if (known !== undefined && !document.isDirty) return known;
  const real = await paths.real(path);
  realPaths.set(document, real);
  return real;
}

/** Whether the file is open as a notebook, whose cells would not follow a change of its text. */
export function isNotebook(paths: EditorPaths, file: FileRef): boolean {
  return vscode.workspace.notebookDocuments.some(({ uri }) => {
    const path = paths.pathOf(uri);
    return path === file.real || path === file.absolute;
  });
}

let opening = 0;
const waiting: (() => void)[] = [];

/**
 * Opens a document without showing it. The editor fails at random when more than a few open at once, and a second
 * try then works. Undefined: it cannot be a document (binary, too large, gone).
 */
export async function openDocument(
  uri: vscode.Uri,
  encoding: string | undefined,
): Promise<vscode.TextDocument | undefined> {
  if (opening >= FILE_LIMITS.opensAtOnceMax) await new Promise<void>((go) => waiting.push(go));
  opening++;
  try {
    return await openOnce(uri, encoding).catch(() => openOnce(uri, encoding));
  } catch {
    // What the bytes are was found out before; that no document can hold them only changes the way of writing.
    return undefined;
  } finally {
    opening--;
    waiting.shift()?.();
  }
}

async function openOnce(
  uri: vscode.Uri,
  encoding: string | undefined,
): Promise<vscode.TextDocument> {
  return encoding === undefined
    ? vscode.workspace.openTextDocument(uri)
    : vscode.workspace.openTextDocument(uri, { encoding });
}

/** The text as a document with this line ending holds it: one kind of ending, no leading mark. */
export function inDocument(text: string, eol: vscode.EndOfLine): string {
  const ending = eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
  const body = text.startsWith("\ufeff") ? text.slice(1) : text;
  return body.replace(/\r\n|\r|\n/g, ending);
}

/** Waits, by the editor's events and not longer than `ms`, until the document is as wanted. Says whether it is. */
export function whenDocument(
  document: vscode.TextDocument,
  isWanted: () => boolean,
  ms: number,
): Promise<boolean> {
  if (isWanted()) return Promise.resolve(true);
  return new Promise((done) => {
    const listeners: vscode.Disposable[] = [];
    const end = (wanted: boolean): void => {
      clearTimeout(timer);
      for (const listener of listeners) listener.dispose();
      done(wanted);
    };
    const timer = setTimeout(() => end(isWanted()), ms);
    const check = (changed: vscode.TextDocument): void => {
      if (changed === document && (document.isClosed || isWanted())) end(isWanted());
    };
    listeners.push(
      vscode.workspace.onDidChangeTextDocument((event) => check(event.document)),
      vscode.workspace.onDidSaveTextDocument(check),
      vscode.workspace.onDidCloseTextDocument(check),
    );
  });
}
