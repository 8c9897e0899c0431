import { createReadStream, createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import * as vscode from "vscode";
import { exportCalls } from "../../app/exporter.ts";
import type { CallLog } from "../../app/callLog.ts";
import { importTranscript, type ImportSummary } from "../../app/importers/importTranscript.ts";
import type { CallStore } from "../../app/ports.ts";
import type { CallRecord } from "../../app/record.ts";
import { pickFile, tell, withProgress } from "./dialogs.ts";

export interface TranscriptContext {
  readonly log: CallLog;
  readonly store: CallStore;
  readonly showPanel: () => Promise<void>;
  readonly now: () => number;
}

/** Shows what a transcript holds, and stores its calls (unapplied) when a person says so. */
export async function importCalls(context: TranscriptContext): Promise<void> {
  const uri = await pickFile(vscode.l10n.t("Import"));
  if (uri === undefined) return;
  const file = uri.fsPath;
  const name = path.basename(file);
  const { size } = await stat(file);
  const read = (title: string, take?: TakeCall): Promise<ImportSummary | undefined> =>
    withProgress(title, async (report, signal) => {
      async function* chunks(): AsyncGenerator<string> {
        for await (const chunk of createReadStream(file, "utf8")) {
          const text = String(chunk);
          report((text.length / Math.max(1, size)) * 100);
          yield text;
        }
      }
      const options = { name, time: context.now(), signal };
      const summary = await importTranscript(chunks(), options, take);
      return signal.aborted ? undefined : summary;
    });
  const preview = await read(vscode.l10n.t("Reading {0}", name));
  if (preview === undefined) return;
  if (preview.calls === 0)
    return tell(vscode.l10n.t("{0} holds no edit calls. {1}", name, sayLeftOut(preview)));
  const go = vscode.l10n.t("Import");
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t("Import {0} calls from {1}?", preview.calls, name),
    { modal: true, detail: sayFound(preview) },
    go,
  );
  if (answer !== go) return;
  let [stored, lost] = [0, 0];
  await read(vscode.l10n.t("Importing {0}", name), async (call) => {
    const put = await context.store.put(call);
    if (put.ok) stored++;
    else lost++;
  });
  // Not one by one: a panel that was sent a card for each of 100,000 calls would hold them all.
  context.log.storeChanged();
  await context.showPanel();
  tell(
    lost === 0
      ? vscode.l10n.t("Imported {0} calls from {1}.", stored, name)
      : vscode.l10n.t("Imported {0} calls from {1}; {2} could not be stored.", stored, name, lost),
  );
}

type TakeCall = (call: CallRecord) => Promise<void>;

function sayFound(summary: ImportSummary): string {
  const rows = summary.found
    .slice(0, 10)
    .map(({ tool, model, count }) => `${count} × ${tool}${model === null ? "" : ` (${model})`}`);
  const left = sayLeftOut(summary);
  return [
    ...rows,
    ...(left === "" ? [] : ["", left]),
    "",
    vscode.l10n.t("They are stored as not applied; no file changes."),
  ].join("\n");
}

function sayLeftOut({ broken, oversized, unknown, otherTools }: ImportSummary): string {
  const parts = [
    broken.count > 0
      ? vscode.l10n.t("{0} broken lines ({1})", broken.count, broken.lines.slice(0, 5).join(", "))
      : "",
    oversized.count > 0 ? vscode.l10n.t("{0} lines that are too long", oversized.count) : "",
    unknown.count > 0 ? vscode.l10n.t("{0} unknown items", unknown.count) : "",
    otherTools.count > 0 ? vscode.l10n.t("{0} calls of other tools", otherTools.count) : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : vscode.l10n.t("Left out: {0}.", parts.join(", "));
}

/** Writes all stored calls as JSON lines that can be imported again. */
export async function exportStoredCalls({ store, now }: TranscriptContext): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const day = new Date(now()).toISOString().slice(0, 10);
  const name = `edit-calls-${day}.jsonl`;
  const target = await vscode.window.showSaveDialog({
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
    filters: { [vscode.l10n.t("JSON lines")]: ["jsonl"] },
    title: vscode.l10n.t("Export Calls"),
  });
  if (target === undefined) return;
  const count = await withProgress(vscode.l10n.t("Exporting calls"), (_, signal) =>
    exportTo(target, exportCalls(store), signal),
  );
  const base = path.basename(target.fsPath);
  if (count === null) return tell(vscode.l10n.t("The export to {0} was stopped.", base));
  tell(vscode.l10n.t("Exported {0} calls to {1}.", count, base));
}

/** Null when it was stopped; then nothing is left behind. A whole store does not fit into memory, so lines go out one by one. */
async function exportTo(
  target: vscode.Uri,
  lines: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<number | null> {
  // Written beside and moved over: an export that fails takes nothing away.
  const part = target.with({ path: `${target.path}.part` });
  let count = 0;
  async function* counted(): AsyncGenerator<string> {
    for await (const line of lines) {
      if (signal.aborted) return;
      count++;
      yield line;
    }
  }
  try {
    await pipeline(counted(), createWriteStream(part.fsPath));
    if (signal.aborted) return null;
    await vscode.workspace.fs.rename(part, target, { overwrite: true });
    return count;
  } finally {
    await rm(part.fsPath, { force: true });
  }
}
