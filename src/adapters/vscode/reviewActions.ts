import path from "node:path";
import * as vscode from "vscode";
import { callCard } from "../../app/card.ts";
import type { CallLog } from "../../app/callLog.ts";
import type { CallStore } from "../../app/ports.ts";
import type { CallRecord, FileRecord } from "../../app/record.ts";
import type { CallRunner } from "../../app/runCall.ts";
import type { ReviewActions } from "./reviewPanel.ts";

const DIFF_SCHEME = "agent-edit-review";

export interface ActionsContext {
  readonly log: CallLog;
  readonly store: CallStore;
  readonly runner: CallRunner;
  readonly runSample: () => Promise<void>;
}

/** What a click in the panel does. Only what a person asked for opens a tab or takes the focus. */
export function createReviewActions({ log, runner, runSample }: ActionsContext): ReviewActions {
  const found = async (
    callId: string,
    fileKey: string,
  ): Promise<{ call: CallRecord; file: FileRecord; index: number } | undefined> => {
    const call = await log.get(callId);
    const index = Number.parseInt(fileKey, 10);
    const file = call?.files[index];
    return call === undefined || file === undefined ? undefined : { call, file, index };
  };
  return {
    async openFile(callId, fileKey, line) {
      const hit = await found(callId, fileKey);
      const uri = hit === undefined ? undefined : uriOf(hit.file);
      if (uri === undefined) return;
      const place = line === undefined ? undefined : new vscode.Range(line - 1, 0, line - 1, 0);
      try {
        await vscode.window.showTextDocument(uri, {
          preview: true,
          ...(place === undefined ? {} : { selection: place }),
        });
      } catch {
        void vscode.window.showWarningMessage(
          vscode.l10n.t("{0} cannot be opened: it is not there any more, or it is not text.", uri.fsPath),
        );
      }
    },
    async openDiff(callId, fileKey) {
      const hit = await found(callId, fileKey);
      if (hit === undefined) return;
      const { file } = hit;
      const side = (name: "before" | "after"): vscode.Uri => diffUri(callId, hit.index, file, name);
      const title = vscode.l10n.t("{0} (agent edit)", path.posix.basename(file.shown));
      await vscode.commands.executeCommand("vscode.diff", side("before"), side("after"), title, {
        preview: true,
      });
    },
    async copy({ callId, fileKey, what }) {
      const call = await log.get(callId);
      if (call === undefined) return;
      const card = callCard(call);
      const file = card.files.find(({ key }) => key === fileKey);
      const text = {
        path: file?.path,
        resend: file?.resend,
        requested: file?.requested ?? card.requested,
        message: call.result?.text,
      }[what];
      if (text !== undefined) await vscode.env.clipboard.writeText(text);
    },
    cancelCall: (callId) => runner.cancel(callId),
    runSample,
  };
}

function uriOf(file: FileRecord): vscode.Uri | undefined {
  if (file.absolute === undefined) return undefined;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return folder === undefined || folder.scheme === "file"
    ? vscode.Uri.file(file.absolute)
    : folder.with({ path: file.absolute.startsWith("/") ? file.absolute : `/${file.absolute}` });
}

function diffUri(
  callId: string,
  index: number,
  file: FileRecord,
  side: "before" | "after",
): vscode.Uri {
  return vscode.Uri.from({
    scheme: DIFF_SCHEME,
    path: `/${path.posix.basename(file.shown)}`,
    query: JSON.stringify({ callId, index, side }),
  });
}

/** Serves both sides of a stored change, so that the diff shows what was written then, not what is there now. */
export function registerDiffDocuments(log: CallLog, store: CallStore): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(DIFF_SCHEME, {
    async provideTextDocumentContent(uri) {
      const asked = parseQuery(uri.query);
      const file = asked === undefined ? undefined : (await log.get(asked.callId))?.files[asked.index];
      const hash = asked?.side === "before" ? file?.hashBefore : file?.hashAfter;
      if (file === undefined || asked === undefined)
        return vscode.l10n.t("This call is not stored any more.");
      if (hash === undefined) return "";
      const bytes = await store.content(hash);
      if (bytes === undefined) return vscode.l10n.t("The contents of this call are not stored any more.");
      return vscode.workspace.decode(bytes, { encoding: file.outcome?.encoding ?? "utf8" });
    },
  });
}

function parseQuery(
  query: string,
): { callId: string; index: number; side: "before" | "after" } | undefined {
  try {
    const { callId, index, side } = JSON.parse(query) as Record<string, unknown>;
    if (typeof callId !== "string" || typeof index !== "number") return undefined;
    return side === "before" || side === "after" ? { callId, index, side } : undefined;
  } catch {
    return undefined;
  }
}
