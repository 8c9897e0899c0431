import { strict as assert } from "node:assert";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { waitFor } from "../harness/wait.ts";
import type { Result } from "../../src/base/result.ts";
import { Edit } from "../../src/engine/index.ts";
import type { FileRef, FileSnapshot, Workspace, WriteReply } from "../../src/app/ports.ts";
import {
  createVsCodeWorkspace,
  type VsCodeWorkspaceOptions,
} from "../../src/adapters/vscode/documents.ts";

/** Written and saved, by whichever way. */
export function assertDone(reply: WriteReply): void {
  assert.deepEqual(
    { ...reply, asBytes: undefined },
    { kind: "done", saved: true, asBytes: undefined },
  );
}

export type FileUse = "edit" | "create" | "delete" | "read";

/** A folder of its own in the open workspace, with the port under test on it. Gone, with all settings, at the end. */
export interface EditorFiles {
  readonly root: string;
  readonly workspace: Workspace & vscode.Disposable;
  /** Writes to the disk behind the editor's back. */
  write(name: string, content: string | Uint8Array): string;
  /** The same for a file that the editor knows; waits until it has followed, for which a call has half a second only. */
  rewrite(name: string, text: string): Promise<void>;
  read(name: string): Buffer;
  readonly path: (name: string) => string;
  find(name: string, use?: FileUse): Promise<FileRef>;
  look(name: string): Promise<FileSnapshot>;
  /** Replaces `from` in the snapshot's text and writes it; the first occurrence counts. */
  change(base: FileSnapshot, from: string, to: string): Promise<WriteReply>;
  open(name: string): Promise<vscode.TextDocument>;
  show(name: string): Promise<vscode.TextEditor>;
  set(name: string, value: unknown, language?: string): Promise<void>;
  close(): Promise<void>;
}

export function editorFiles(options: VsCodeWorkspaceOptions = {}): EditorFiles {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder);
  const root = realpathSync(mkdtempSync(join(folder.uri.fsPath, "files-")));
  const workspace = createVsCodeWorkspace(options);
  const undo: (() => Thenable<void>)[] = [];
  const path = (name: string): string => join(root, name);
  const find: EditorFiles["find"] = async (name, use = "edit") =>
    valueOf(await workspace.locate(path(name), use, false));
  const open = async (name: string): Promise<vscode.TextDocument> =>
    vscode.workspace.openTextDocument(vscode.Uri.file(path(name)));
  return {
    root,
    workspace,
    path,
    find,
    open,
    write(name, content) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), content);
      return path(name);
    },
    async rewrite(name, text) {
      writeFileSync(path(name), text);
      const document = await open(name);
      await until(() => document.getText() === text, `the editor follows ${name}`);
    },
    read: (name) => readFileSync(path(name)),
    async look(name) {
      const snapshot = valueOf(await workspace.look(await find(name)));
      assert.ok(snapshot.kind === "file", `${name} is missing`);
      return snapshot;
    },
    change: (base, from, to) => changeText(workspace, base, from, to),
    show: async (name) => showDocument(await open(name)),
    async set(name, value, language) {
      const scope = language === undefined ? folder : { uri: folder.uri, languageId: language };
      const target = vscode.ConfigurationTarget.WorkspaceFolder;
      const write = (next: unknown): Thenable<void> =>
        vscode.workspace
          .getConfiguration(undefined, scope)
          .update(name, next, target, language !== undefined);
      await write(value);
      undo.push(() => write(undefined));
    },
    async close() {
      for (const document of vscode.workspace.textDocuments) {
        if (!document.isDirty) continue;
        await showDocument(document);
        await vscode.commands.executeCommand("workbench.action.files.revert");
      }
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
      for (const reset of undo.reverse()) await reset();
      workspace.dispose();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** VS Code does not open an editor when it opens, or closes, another one of its own in the same moment. */
export function showDocument(document: vscode.TextDocument): Promise<vscode.TextEditor> {
  return waitFor(`the editor of ${document.fileName} to open`, 10_000, async () => {
    try {
      return await vscode.window.showTextDocument(document);
    } catch (error) {
      if (error instanceof Error && /^Could NOT open editor/.test(error.message)) return undefined;
      throw error;
    }
  });
}

/** A folder outside the workspace. */
export function outsideFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "outside-")));
}

export function valueOf<T>(result: Result<T, unknown>): T {
  assert.ok(result.ok, result.ok ? "" : JSON.stringify(result.problem));
  return result.value;
}

export function changeText(
  workspace: Workspace,
  base: FileSnapshot,
  from: string,
  to: string,
  signal = new AbortController().signal,
): Promise<WriteReply> {
  const { text, encode } = valueOf(base.body);
  const at = text.indexOf(from);
  assert.ok(at >= 0, `no ${from} in ${text}`);
  const edit = Edit.of(text.length, [{ from: at, to: at + from.length, insert: to }]);
  const after = edit.apply(text);
  const change = { edit, after, afterBytes: valueOf(encode(after)), label: "Agent edit: test" };
  return workspace.update(base, change, signal);
}

/** Waits, by events, for something the editor does on its own. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  if (holds()) return;
  await new Promise<void>((done, failed) => {
    const listeners: vscode.Disposable[] = [];
    const end = (): void => {
      clearTimeout(timer);
      for (const listener of listeners) listener.dispose();
    };
    const timer = setTimeout(() => {
      end();
      failed(new Error(`waited too long until ${what}`));
    }, 10_000);
    const check = (): void => {
      if (!holds()) return;
      end();
      done();
    };
    listeners.push(
      vscode.workspace.onDidChangeTextDocument(check),
      vscode.workspace.onDidSaveTextDocument(check),
      vscode.workspace.onDidCloseTextDocument(check),
      vscode.window.tabGroups.onDidChangeTabs(check),
    );
  });
}

/** Types into a document as an extension would, so that it is dirty. */
export async function typeInto(
  document: vscode.TextDocument,
  text: string,
  offset = 0,
): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, document.positionAt(offset), text);
  assert.equal(await vscode.workspace.applyEdit(edit), true);
}
