import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { exportCalls } from "../../app/exporter.ts";
import type { CallLog } from "../../app/callLog.ts";
import { importTranscript, type ImportSummary } from "../../app/importers/importTranscript.ts";
import type { CallStore } from "../../app/ports.ts";
import type { CallRecord } from "../../app/record.ts";
import { readReplay, replayOf, type ReplayCall } from "../../app/replayInput.ts";
import type { CallRunner } from "../../app/runCall.ts";
import { UNDO_TOOL } from "../../app/runUndo.ts";

export interface ReplayContext {
  readonly runner: CallRunner;
  readonly log: CallLog;
  readonly store: CallStore;
  readonly newId: () => string;
  readonly showPanel: () => Promise<void>;
  readonly now: () => number;
}

/** Stored calls offered for a replay, newest first. */
const OFFERED_MAX = 500;
/** A file to replay from is read whole. */
const REPLAY_BYTES_MAX = 50_000_000;

/** Lets a person pick a stored call by path, tool, status or model, and runs it again as a call of its own. */
export async function replayStoredCall(context: ReplayContext): Promise<void> {
  const calls = await context.log.recent({ limit: OFFERED_MAX });
  const items = calls
    .filter((call) => call.tool !== UNDO_TOOL && replayOf(call) !== null)
    .map(itemOf);
  if (items.length === 0)
    return tell(vscode.l10n.t("There is no stored call yet that could be replayed."));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Replay Stored Call"),
    placeHolder: vscode.l10n.t("Search by path, tool, status or model"),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  const call = picked === undefined ? null : replayOf(picked.call);
  if (call !== null) await replay([call], context);
}

interface CallItem extends vscode.QuickPickItem {
  readonly call: CallRecord;
}

function itemOf(call: CallRecord): CallItem {
  const names = call.files.map(({ shown }) => shown);
  const status = call.result?.status ?? call.phase;
  const time = new Date(call.startedAt).toLocaleString();
  return {
    label: `${call.tool}  ${status}`,
    description: [call.model, time].filter((one) => one !== undefined).join(" · "),
    detail: names.length > 0 ? names.join(", ") : (call.result?.message ?? ""),
    call,
  };
}

export async function replayFromClipboard(context: ReplayContext): Promise<void> {
  await replayText(await vscode.env.clipboard.readText(), context);
}

export async function replayFromFile(context: ReplayContext): Promise<void> {
  const uri = await pickFile(vscode.l10n.t("Replay"));
  if (uri === undefined) return;
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > REPLAY_BYTES_MAX)
    return tell(
      vscode.l10n.t("{0} is too large to replay: {1} bytes.", path.basename(uri.fsPath), size),
    );
  const bytes = await vscode.workspace.fs.readFile(uri);
  await replayText(new TextDecoder().decode(bytes), context);
}

async function replayText(text: string, context: ReplayContext): Promise<void> {
  const calls = readReplay(text);
  if (!calls.ok) return tell(calls.problem);
  await replay(calls.value, context);
}

/**
 * Runs calls one after another in a session of their own. Each file's plan is shown in the panel and is written only
 * when a person approves it there: what is written is what was shown.
 */
async function replay(
  calls: readonly ReplayCall[],
  { runner, newId, showPanel }: ReplayContext,
): Promise<void> {
  await showPanel();
  const session = `replay-${newId()}`;
  for (const call of calls)
    await runner.execute({ ...call, session, source: "replay", replay: true, confirm: true });
}

/** Shows what a transcript holds, and stores its calls (unapplied) when a person says so. */
export async function importCalls(context: ReplayContext): Promise<void> {
  const uri = await pickFile(vscode.l10n.t("Import"));
  if (uri === undefined) return;
  const file = uri.fsPath;
  const name = path.basename(file);
  const { size } = await stat(file);
  const read = (
    title: string,
    take?: (call: CallRecord) => Promise<void>,
  ): Thenable<ImportSummary | undefined> =>
    vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      async (progress, token) => {
        const stop = new AbortController();
        token.onCancellationRequested(() => stop.abort());
        async function* chunks(): AsyncGenerator<string> {
          for await (const chunk of createReadStream(file, "utf8")) {
            const text = String(chunk);
            progress.report({ increment: (text.length / Math.max(1, size)) * 100 });
            yield text;
          }
        }
        const options = { name, time: context.now(), signal: stop.signal };
        const summary = await importTranscript(chunks(), options, take);
        return stop.signal.aborted ? undefined : summary;
      },
    );
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
  await read(vscode.l10n.t("Importing {0}", name), async (call) => {
    const put = await context.store.put(call);
    if (put.ok) context.log.tell(call);
  });
  await context.showPanel();
}

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
export async function exportStoredCalls({ store, now }: ReplayContext): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const day = new Date(now()).toISOString().slice(0, 10);
  const name = `edit-calls-${day}.jsonl`;
  const target = await vscode.window.showSaveDialog({
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
    filters: { [vscode.l10n.t("JSON lines")]: ["jsonl"] },
    title: vscode.l10n.t("Export Calls"),
  });
  if (target === undefined) return;
  const lines: string[] = [];
  for await (const line of exportCalls(store)) lines.push(line);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(lines.join("")));
  tell(vscode.l10n.t("Exported {0} calls to {1}.", lines.length, path.basename(target.fsPath)));
}

async function pickFile(openLabel: string): Promise<vscode.Uri | undefined> {
  const picked = await vscode.window.showOpenDialog({ canSelectMany: false, openLabel });
  return picked?.[0];
}

function tell(sentence: string): void {
  void vscode.window.showInformationMessage(sentence);
}
