import { cp, mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import type { CallRunner } from "../../app/runCall.ts";

const MARKER = "edit-review-sample.json";

/**
 * Shows all three kinds of card within a minute: a first call, then a batch of which one file is already applied,
 * one is ambiguous, and the others (CRLF, mixed endings, BOM, GBK) are edited. It works only in the sample
 * workspace, so that it can never touch a person's own files.
 */
export async function runSampleCall(runner: CallRunner, extensionUri: vscode.Uri): Promise<void> {
  const folder = await sampleFolder();
  if (folder === undefined) return offerSample(extensionUri);
  const session = `sample-${Date.now()}`;
  const execute = async (edits: readonly SampleEdit[]): Promise<void> => {
    await runner.execute({
      tool: "edit_files",
      input: { edits },
      session,
      source: "sample",
      model: "sample",
    });
  };
  const config = await counted(folder, "src/config.ts", /release: (\d+)/);
  await execute([config]);
  await execute([
    config,
    {
      path: vscode.Uri.joinPath(folder, "src/limits.ts").fsPath,
      old_text: "retries: 2,",
      new_text: "retries: 5,",
    },
    await counted(folder, "src/legacy.js", /revision = (\d+)/),
    await counted(folder, "scripts/deploy.ps1", /\$stage = (\d+)/),
    await counted(folder, "docs/notes-zh.txt", /版本: (\d+)/),
  ]);
}

interface SampleEdit {
  readonly path: string;
  readonly old_text: string;
  readonly new_text: string;
}

async function sampleFolder(): Promise<vscode.Uri | undefined> {
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    try {
      await vscode.workspace.fs.stat(vscode.Uri.joinPath(uri, MARKER));
      return uri;
    } catch {
      // Not this one: only a folder with the marker is ours to edit.
    }
  }
  return undefined;
}

/** An edit that counts a number up, so that the sample can be run as often as one likes. */
async function counted(folder: vscode.Uri, name: string, pattern: RegExp): Promise<SampleEdit> {
  const uri = vscode.Uri.joinPath(folder, name);
  const bytes = await vscode.workspace.fs.readFile(uri);
  const encoding = name.endsWith("-zh.txt") ? "gbk" : "utf8";
  const found = pattern.exec(await vscode.workspace.decode(bytes, { encoding }));
  const text = found?.[0] ?? "0";
  const number = found?.[1] ?? "0";
  return {
    path: uri.fsPath,
    old_text: text,
    new_text: text.slice(0, text.length - number.length) + String(Number(number) + 1),
  };
}

async function offerSample(extensionUri: vscode.Uri): Promise<void> {
  const open = vscode.l10n.t("Open Sample Workspace");
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      "The sample call edits files, so it runs only in the sample workspace. Open a copy of it in a new window?",
    ),
    open,
  );
  if (answer !== open) return;
  const folder = await mkdtemp(path.join(os.tmpdir(), "edit-review-sample-"));
  await cp(vscode.Uri.joinPath(extensionUri, "test/sample").fsPath, folder, { recursive: true });
  await vscode.commands.executeCommand("vscode.openFolder", vscode.Uri.file(folder), {
    forceNewWindow: true,
  });
}
