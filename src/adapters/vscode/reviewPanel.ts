import * as vscode from "vscode";
import { callCard } from "../../app/card.ts";
import type { CallLog } from "../../app/callLog.ts";
import type { CallStore } from "../../app/ports.ts";
import type { CallRecord } from "../../app/record.ts";
import { PROTOCOL_VERSION } from "../../protocol/cards.ts";
import { ToHost, type ToView } from "../../protocol/messages.ts";
import { reviewHtml } from "./reviewHtml.ts";

export const VIEW_ID = "agentEditReview.review";
const PANEL_TYPE = "agentEditReview.panel";

/** Calls sent at first and with each "load older". */
const PAGE_CALLS = 100;
/** A call that takes steps faster than this (ms) is sent once for several of them. */
const DELTA_MS_MIN = 40;

/** What the panel asks of the extension beyond drawing. */
export interface ReviewActions {
  openFile(callId: string, fileKey: string, line: number | undefined): Promise<void>;
  openDiff(callId: string, fileKey: string): Promise<void>;
  copy(message: Extract<ToHost, { kind: "copy" }>): Promise<void>;
  cancelCall(callId: string): void;
  runSample(): Promise<void>;
}

export interface ReviewContext {
  readonly extensionUri: vscode.Uri;
  readonly log: CallLog;
  readonly store: CallStore;
  readonly actions: ReviewActions;
  readonly logBug: (error: unknown) => void;
}

/** The review in its own view container and, on command, as an editor tab. Both show the same calls. */
export function registerReviewPanel(
  context: ReviewContext,
): vscode.Disposable & { openInEditor(): void } {
  const { extensionUri } = context;
  const options: vscode.WebviewOptions = {
    enableScripts: true,
    enableCommandUris: false,
    localResourceRoots: [vscode.Uri.joinPath(extensionUri, "dist/webview")],
  };
  const show = (webview: vscode.Webview): vscode.Disposable => {
    webview.options = options;
    const session = serveView(webview, context);
    webview.html = reviewHtml(webview, extensionUri);
    return session;
  };
  let panel: vscode.WebviewPanel | undefined;
  const adopt = (next: vscode.WebviewPanel): void => {
    panel = next;
    next.iconPath = vscode.Uri.joinPath(extensionUri, "media/view.svg");
    const session = show(next.webview);
    next.onDidDispose(() => {
      session.dispose();
      if (panel === next) panel = undefined;
    });
  };
  const disposables = vscode.Disposable.from(
    vscode.window.registerWebviewViewProvider(VIEW_ID, {
      resolveWebviewView(view) {
        const session = show(view.webview);
        view.onDidDispose(() => session.dispose());
      },
    }),
    vscode.window.registerWebviewPanelSerializer(PANEL_TYPE, {
      deserializeWebviewPanel(restored) {
        adopt(restored);
        return Promise.resolve();
      },
    }),
    { dispose: () => panel?.dispose() },
  );
  return {
    dispose: () => disposables.dispose(),
    openInEditor() {
      if (panel !== undefined) return panel.reveal();
      adopt(
        vscode.window.createWebviewPanel(
          PANEL_TYPE,
          vscode.l10n.t("Edit Review"),
          vscode.ViewColumn.Active,
          options,
        ),
      );
    },
  };
}

/** One view's end of the channel: a snapshot whenever the view says it is ready, numbered deltas after that. */
function serveView(webview: vscode.Webview, context: ReviewContext): vscode.Disposable {
  const { log, store, logBug } = context;
  let seq = 0;
  let ready = false;
  let oldest: string | undefined;
  const pending = new Map<string, CallRecord>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const post = (message: ToView): void => {
    void webview.postMessage(message);
  };
  const flush = (): void => {
    timer = undefined;
    const calls = [...pending.values()];
    pending.clear();
    for (const call of calls) post({ kind: "call", seq: ++seq, call: callCard(call) });
  };
  const forget = log.onTell((call) => {
    if (!ready) return;
    pending.set(call.id, call);
    timer ??= setTimeout(flush, DELTA_MS_MIN);
  });
  const sendSnapshot = async (): Promise<void> => {
    ready = false;
    pending.clear();
    const [calls, stored] = await Promise.all([log.recent({ limit: PAGE_CALLS }), store.count()]);
    oldest = calls.at(-1)?.id;
    const notice = store.notice();
    post({
      kind: "snapshot",
      version: PROTOCOL_VERSION,
      seq,
      calls: calls.map(callCard),
      olderCount: Math.max(0, stored - calls.length),
      trusted: vscode.workspace.isTrusted,
      session: calls[0]?.session ?? null,
      ...(notice === null ? {} : { storeNotice: notice }),
      strings: stringsOf(),
    });
    ready = true;
    // What happened while the store was asked is sent again: a call card replaces the older one.
    for (const call of log.running()) pending.set(call.id, call);
    if (pending.size > 0) timer ??= setTimeout(flush, DELTA_MS_MIN);
  };
  const sendOlder = async (): Promise<void> => {
    if (oldest === undefined) return;
    const calls = await log.recent({ limit: PAGE_CALLS, before: oldest });
    oldest = calls.at(-1)?.id ?? oldest;
    const left = calls.length < PAGE_CALLS ? 0 : await store.count();
    post({ kind: "older", seq: ++seq, calls: calls.map(callCard), olderCount: left });
  };
  const listening = webview.onDidReceiveMessage((raw: unknown) => {
    const message = ToHost.safeParse(raw);
    if (!message.success) return logBug(new Error(`unknown message from the view: ${message.error.message}`));
    answer(message.data, context, { sendSnapshot, sendOlder }).catch(logBug);
  });
  const trust = vscode.workspace.onDidGrantWorkspaceTrust(() => void sendSnapshot().catch(logBug));
  return vscode.Disposable.from(listening, trust, {
    dispose() {
      forget();
      clearTimeout(timer);
    },
  });
}

async function answer(
  message: ToHost,
  { actions }: ReviewContext,
  send: { sendSnapshot(): Promise<void>; sendOlder(): Promise<void> },
): Promise<void> {
  switch (message.kind) {
    case "ready":
      return send.sendSnapshot();
    case "loadOlder":
      return send.sendOlder();
    case "openFile":
      return actions.openFile(message.callId, message.fileKey, message.line);
    case "openDiff":
      return actions.openDiff(message.callId, message.fileKey);
    case "copy":
      return actions.copy(message);
    case "cancelCall":
      return actions.cancelCall(message.callId);
    case "runSample":
      return actions.runSample();
  }
}

/** Translations of the view's words, keyed by their English text. */
function stringsOf(): Record<string, string> {
  const bundle: Readonly<Record<string, unknown>> = vscode.l10n.bundle ?? {};
  return Object.fromEntries(
    Object.entries(bundle).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
