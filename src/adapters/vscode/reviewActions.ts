import path from "node:path";
import * as vscode from "vscode";
import { exhausted } from "../../base/assert.ts";
import type { Approvals } from "../../app/approvals.ts";
import { callCard } from "../../app/card.ts";
import type { CallLog } from "../../app/callLog.ts";
import type { CallRecord, FileRecord } from "../../app/record.ts";
import { undoneBy } from "../../app/reviewState.ts";
import type { CallRunner } from "../../app/runCall.ts";
import type { ToHost } from "../../protocol/messages.ts";
import { diffUri, presentUri, uriOf } from "./diffDocuments.ts";
import { isUnavailable } from "./disk.ts";
import type { ReviewMarks } from "./reviewMarks.ts";

export interface ActionsContext {
  readonly log: CallLog;
  readonly runner: CallRunner;
  readonly approvals: Approvals;
  readonly marks: ReviewMarks;
  readonly undo: (call: CallRecord, scope: { file?: number; hunk?: number }) => Promise<void>;
  readonly retry: (call: CallRecord, file: FileRecord) => Promise<void>;
  readonly runSample: () => Promise<void>;
}

/** What a click in the panel does. Only what a person asked for opens a tab or takes the focus. */
export function createReviewActions(context: ActionsContext): (message: ToHost) => Promise<void> {
  const { log, runner, approvals, runSample } = context;
  return async (message) => {
    switch (message.kind) {
      case "ready":
      case "loadOlder":
      case "search":
        return;
      case "runSample":
        return runSample();
      case "cancelCall":
        return runner.cancel(message.callId);
      case "answer": {
        const { callId, fileKey, decision, hash } = message;
        const reply =
          fileKey === undefined
            ? approvals.answerAll(callId, decision, hash)
            : approvals.answer(callId, fileKey, decision, hash);
        if (reply !== "taken") return tellLate();
        if (message.forSession === true && decision === "approve" && fileKey !== undefined) {
          const call = await log.get(callId);
          if (call !== undefined) approvals.allowForSession(call, Number.parseInt(fileKey, 10));
        }
        return;
      }
      case "openFile":
      case "openDiff":
      case "copy":
      case "undo":
      case "keep":
      case "retry": {
        const call = await log.get(message.callId);
        if (call === undefined) return tellGone();
        const file = message.fileKey === undefined ? undefined : fileOf(call, message.fileKey);
        return act(message, call, file, context);
      }
      default:
        return exhausted(message);
    }
  };
}

type FileMessage = Extract<
  ToHost,
  { kind: "openFile" | "openDiff" | "copy" | "undo" | "keep" | "retry" }
>;

async function act(
  message: FileMessage,
  call: CallRecord,
  file: FileRecord | undefined,
  { log, marks, undo, retry }: ActionsContext,
): Promise<void> {
  switch (message.kind) {
    case "copy":
      return copy(message, call);
    case "openFile":
      return file === undefined ? undefined : openFile(file, message.line);
    case "openDiff":
      return file === undefined ? undefined : openDiff(log, call, file);
    case "undo": {
      const { hunk } = message;
      const place = file === undefined ? {} : { file: call.files.indexOf(file) };
      return undo(call, { ...place, ...(hunk === undefined ? {} : { hunk }) });
    }
    case "keep":
      await marks.keep(call, file === undefined ? call.files : [file], message.kept);
      return log.tell(call);
    case "retry":
      return file === undefined ? undefined : retry(call, file);
    default:
      return exhausted(message);
  }
}

/** A key begins with the index of the file in the call. */
function fileOf(call: CallRecord, key: string): FileRecord | undefined {
  return call.files[Number.parseInt(key, 10)];
}

async function copy(
  { fileKey, what }: Extract<ToHost, { kind: "copy" }>,
  call: CallRecord,
): Promise<void> {
  const card = callCard(call);
  const file = card.files.find(({ key }) => key === fileKey);
  const text = {
    path: file?.path,
    resend: file?.resend,
    requested: file?.requested ?? card.requested,
    message: call.result?.text,
  }[what];
  if (text !== undefined) await vscode.env.clipboard.writeText(text);
}

async function openFile(file: FileRecord, line: number | undefined): Promise<void> {
  const uri = uriOf(file);
  if (uri === undefined) return;
  // Asked first: an editor that VS Code has opened on nothing stays in the way of the file later.
  if (await isUnavailable(uri)) return void offerAgain(file, line);
  const place = line === undefined ? undefined : new vscode.Range(line - 1, 0, line - 1, 0);
  const show = async (): Promise<void> => {
    await vscode.window.showTextDocument(uri, {
      preview: true,
      ...(place === undefined ? {} : { selection: place }),
    });
  };
  try {
    // The first try fails also where another editor opens in the same moment.
    await show().catch(show);
  } catch {
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        "{0} cannot be opened: it is not there any more, or it is not text.",
        uri.fsPath,
      ),
    );
  }
}

async function offerAgain(file: FileRecord, line: number | undefined): Promise<void> {
  const again = vscode.l10n.t("Try Again");
  const text = vscode.l10n.t("{0} cannot be opened: its file system is not connected.", file.shown);
  if ((await vscode.window.showWarningMessage(text, again)) === again) await openFile(file, line);
}

/**
 * The change as it was written then. For an undo that was not done, all three states side by side: before the call,
 * as the call left it, and now. Where nobody knows what a call left, what was there before it, and what is there now.
 */
async function openDiff(log: CallLog, call: CallRecord, file: FileRecord): Promise<void> {
  const name = path.posix.basename(file.shown);
  const origin = await undoneCall(log, call, file);
  if (origin !== undefined && file.outcome?.status !== "applied") {
    const { call: undone, index } = origin;
    const [before, after] = [diffUri(undone, index, "before"), diffUri(undone, index, "after")];
    const now = uriOf(file);
    await vscode.commands.executeCommand(
      "vscode.changes",
      vscode.l10n.t("{0}: before the call, after it, and now", name),
      [
        [after.with({ fragment: "call" }), before, after],
        ...(now === undefined ? [] : [[now, after, now]]),
      ],
    );
    return;
  }
  const index = call.files.indexOf(file);
  if (file.outcome?.status === "unknown") {
    await vscode.commands.executeCommand(
      "vscode.diff",
      diffUri(call, index, "before"),
      await presentUri(call, index),
      vscode.l10n.t("{0}: before the call, and now", name),
      { preview: true },
    );
    return;
  }
  await vscode.commands.executeCommand(
    "vscode.diff",
    diffUri(call, index, "before"),
    diffUri(call, index, "after"),
    vscode.l10n.t("{0} (agent edit)", name),
    { preview: true },
  );
}

async function undoneCall(
  log: CallLog,
  undo: CallRecord,
  file: FileRecord,
): Promise<{ call: CallRecord; index: number } | undefined> {
  const id = undoneBy(undo);
  const call = id === undefined ? undefined : await log.get(id);
  const index = call?.files.findIndex(({ absolute, shown }) =>
    file.absolute === undefined ? shown === file.shown : absolute === file.absolute,
  );
  return call === undefined || index === undefined || index < 0 ? undefined : { call, index };
}

function tellGone(): void {
  void vscode.window.showWarningMessage(vscode.l10n.t("This call is not stored any more."));
}

function tellLate(): void {
  void vscode.window.showWarningMessage(
    vscode.l10n.t("This answer came too late: the plan is another one by now, or nobody waits."),
  );
}
