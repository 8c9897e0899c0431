import path from "node:path";
import * as vscode from "vscode";
import type { CallLog } from "../../app/callLog.ts";
import type { CallStore } from "../../app/ports.ts";
import type { CallRecord } from "../../app/record.ts";
import { readReplay, replayOf, type ReplayCall } from "../../app/replayInput.ts";
import type { CallRunner } from "../../app/runCall.ts";
import { UNDO_TOOL } from "../../app/runUndo.ts";
import { pickFile, tell, withProgress } from "./dialogs.ts";

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
  if (call !== null) await replay([call], context, picked?.call.id);
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
 * Runs calls one after another in a session of their own, which all replays of the stored call `of` share. Each file's plan is shown in the panel and is written only
 * when a person approves it there: what is written is what was shown.
 */
async function replay(
  calls: readonly ReplayCall[],
  { runner, newId, showPanel }: ReplayContext,
  of?: string,
): Promise<void> {
  await showPanel();
  const session = `replay-${of ?? newId()}`;
  const run = async (call: ReplayCall, signal?: AbortSignal): Promise<void> => {
    const stored = of === undefined ? {} : { replayOf: of };
    const asked = { session, source: "replay", replay: true, confirm: true, ...stored };
    await runner.execute({ ...call, ...asked }, signal);
  };
  const [only] = calls;
  // The card of a single call tells how far it is and can be stopped there.
  if (calls.length === 1 && only !== undefined) return run(only);
  await withProgress(vscode.l10n.t("Replaying"), async (report, signal) => {
    for (const [index, call] of calls.entries()) {
      if (signal.aborted) return;
      report(100 / calls.length, vscode.l10n.t("call {0} of {1}", index + 1, calls.length));
      await run(call, signal);
    }
  });
}
