import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { createApprovals } from "../../app/approvals.ts";
import type { Call, CallResult } from "../../app/call.ts";
import { createCallLog, type CallLog } from "../../app/callLog.ts";
import { HANDLERS } from "../../app/handlers/all.ts";
import { hookRuns } from "../../app/hookSettings.ts";
import { settleInterrupted } from "../../app/interruptedCalls.ts";
import { onHiddenQuestion } from "../../app/hiddenQuestions.ts";
import { createPermissions } from "../../app/permissions.ts";
import type { Ports } from "../../app/ports.ts";
import type { CallRecord, FileRecord } from "../../app/record.ts";
import { reviewCards } from "../../app/reviewCards.ts";
import { undoneBy } from "../../app/reviewState.ts";
import { createCallRunner } from "../../app/runCall.ts";
import { UNDO_TOOL, runUndo } from "../../app/runUndo.ts";
import { lazyStore } from "../node/lazyStore.ts";
import { hooksOf, readSettings } from "./callSettings.ts";
import { createDiagnoser } from "./diagnostics.ts";
import { diffDocument, uriOf } from "./diffDocuments.ts";
import { createVsCodeWorkspace } from "./documents.ts";
import { shownText } from "./encodings.ts";
import type { HostCommand } from "./hostCommands.ts";
import { createToolConfirmations } from "./toolConfirmations.ts";
import { createReviewActions } from "./reviewActions.ts";
import { createReviewMarks } from "./reviewMarks.ts";
import { noticeOf, type ReviewPlace } from "./questionNotice.ts";
import { serveReview } from "./reviewSession.ts";
import { runSampleCall } from "./sampleCall.ts";
import { sessionOf, toolResult } from "./toolCalls.ts";
import { workspaceRoots } from "./workspaceRoots.ts";

const STORE_LIMITS = { budgetBytes: 500_000_000, retentionDays: 90 };
const UNDOS_READ_MAX = 200;

/** Everything behind the registrations of `extension.ts`. Made once, at the first use of anything. */
export interface Host extends vscode.Disposable {
  execute(call: Call, token?: vscode.CancellationToken): Promise<CallResult>;
  prepareTool(
    name: string,
    options: vscode.LanguageModelToolInvocationPrepareOptions<unknown>,
    token: vscode.CancellationToken,
  ): Promise<vscode.PreparedToolInvocation>;
  invokeTool(
    name: string,
    options: vscode.LanguageModelToolInvocationOptions<unknown>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult>;
  serveView(webview: vscode.Webview, place: ReviewPlace): vscode.Disposable;
  diffDocument(uri: vscode.Uri): Promise<string>;
  run(command: HostCommand): Promise<void>;
}

export function createHost(
  context: vscode.ExtensionContext,
  output: vscode.LogOutputChannel,
  changed: vscode.EventEmitter<CallRecord>,
): Host {
  const logBug = (error: unknown): void =>
    output.error(error instanceof Error ? error : String(error));
  const settings = readSettings();
  const diagnose = createDiagnoser();
  const workspace = createVsCodeWorkspace({ onLook: diagnose.before, outside: "allow" });
  const noticed = new Set<() => void>();
  const store = lazyStore(
    async () => {
      const { openStore } = await import("../node/sqliteStore.ts");
      const folder = context.storageUri ?? context.globalStorageUri;
      return openStore({ folder: folder.fsPath, ...STORE_LIMITS, now: Date.now });
    },
    () => {
      for (const listener of noticed) listener();
    },
  );
  const log = createCallLog(store);
  const approvals = createApprovals({
    waitMsMax: null,
    after(ms, then) {
      const timer = setTimeout(then, ms);
      return () => clearTimeout(timer);
    },
  });
  const ports: Ports = {
    workspace,
    store,
    clock: { now: Date.now },
    newId: randomUUID,
    logBug,
    onCall(call) {
      log.tell(call);
      changed.fire(call);
    },
    settings: settings.call,
    hooks: hooksOf(settings, randomUUID, logBug),
    permissions: createPermissions({ rules: settings.rules, roots: workspaceRoots, approvals }),
    diagnose,
  };
  const runner = createCallRunner(ports, HANDLERS);
  const marks = createReviewMarks(store, uriOf);
  const stopTelling = approvals.onChange(() => {
    for (const call of log.running()) log.tell(call);
  });

  // Calls that a crash cut short are looked at once, by the window that found them.
  void (async () => {
    for (const call of await store.interrupted()) log.tell(await settleInterrupted(ports, call));
  })().catch(logBug);

  const cards = { store, approvals, reviewed: (call: CallRecord) => marks.reviewed(call) };
  const undo = async (call: CallRecord, scope: { file?: number; hunk?: number }): Promise<void> => {
    const decode = shownText;
    const { signal } = new AbortController();
    await runner.exclusive(() => runUndo({ ...ports, decode }, call, scope, signal));
    // Where an undo was taken back, the call that it was about stands again.
    for (let told: CallRecord | undefined = call; told !== undefined;) {
      log.tell(told);
      const of = undoneBy(told);
      told = of === undefined ? undefined : await log.get(of);
    }
  };
  const retry = async (call: CallRecord, file: FileRecord): Promise<void> => {
    if (file.resend === undefined) return;
    const { session, tool } = call;
    const raw = file.resend;
    await runner.execute({ tool, raw, session, source: "retry", replay: true, confirm: true });
  };
  const runSample = (): Promise<void> => runSampleCall(runner, context.extensionUri);
  const showPanel = async (): Promise<void> => {
    await vscode.commands.executeCommand("agentEditReview.review.focus");
  };
  const places = new Set<ReviewPlace>();
  const isVisible = (): boolean => [...places].some(({ visible }) => visible);
  const stopNotices = onHiddenQuestion(
    approvals,
    isVisible,
    (question) => void noticeOf(question, showPanel).catch(logBug),
  );
  const replaying = { runner, log, store, newId: randomUUID, showPanel, now: Date.now };
  const act = createReviewActions({ log, runner, approvals, marks, undo, retry, runSample });

  const confirmations = createToolConfirmations({
    runner,
    counts: settings.nativeConfirmation,
    hooked: (tool) => settings.hooks().some((hook) => hookRuns(hook, "pre_tool_use", tool)),
    logBug,
  });
  const execute = async (
    call: Call,
    token?: vscode.CancellationToken,
    approvedPlan?: string,
  ): Promise<CallResult> => {
    const stop = new AbortController();
    const listening = token?.onCancellationRequested(() => stop.abort());
    if (token?.isCancellationRequested === true) stop.abort();
    try {
      return await runner.execute(call, stop.signal, approvedPlan);
    } finally {
      listening?.dispose();
    }
  };
  return {
    execute: (call, token) => execute(call, token),
    prepareTool: (name, { input }, token) => confirmations.prepare(name, input, token),
    async invokeTool(name, { input, toolInvocationToken }, token) {
      const session = sessionOf(toolInvocationToken);
      const call = { tool: name, input, session, source: "lm-tool" };
      return toolResult(await execute(call, token, confirmations.take(name, input)));
    },
    serveView(webview, place) {
      places.add(place);
      const session = serveReview(webview, {
        log,
        store,
        cardsOf: (calls) => reviewCards(cards, calls),
        act,
        problems: settings.problems,
        onSettings: settings.onChange,
        onNotice(listener) {
          noticed.add(listener);
          return () => noticed.delete(listener);
        },
        logBug,
      });
      return vscode.Disposable.from(session, { dispose: () => void places.delete(place) });
    },
    diffDocument: (uri) => diffDocument(uri, log, store),
    async run(command) {
      switch (command) {
        case "runSampleCall":
          await showPanel();
          return runSample();
        case "cancelRunningCalls":
          for (const { id } of log.running()) runner.cancel(id);
          return;
        case "undoLastCall":
          return undoLast(log, undo);
        case "replayStoredCall":
          return (await import("./replayCommands.ts")).replayStoredCall(replaying);
        case "replayFromClipboard":
          return (await import("./replayCommands.ts")).replayFromClipboard(replaying);
        case "replayFromFile":
          return (await import("./replayCommands.ts")).replayFromFile(replaying);
        case "importTranscript":
          return (await import("./transcriptCommands.ts")).importCalls(replaying);
        case "exportCalls":
          return (await import("./transcriptCommands.ts")).exportStoredCalls(replaying);
      }
    },
    dispose() {
      stopTelling();
      stopNotices();
      approvals.dispose();
      settings.dispose();
      workspace.dispose();
      void store.close().catch(logBug);
    },
  };
}

/** Takes back the newest call that changed something, after a person confirmed which one that is. */
async function undoLast(
  log: CallLog,
  undo: (call: CallRecord, scope: object) => Promise<void>,
): Promise<void> {
  const calls = await log.recent({ limit: UNDOS_READ_MAX });
  const last = calls.find(
    ({ tool, files }) =>
      tool !== UNDO_TOOL && files.some(({ outcome }) => outcome?.status === "applied"),
  );
  if (last === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t("There is no call to undo."));
    return;
  }
  const names = last.files.flatMap(({ shown, outcome }) =>
    outcome?.status === "applied" ? [shown] : [],
  );
  const go = vscode.l10n.t("Undo");
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t("Undo the last call in {0} files?", names.length),
    { modal: true, detail: names.slice(0, 10).join("\n") },
    go,
  );
  if (answer === go) await undo(last, {});
}
