import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { createVsCodeWorkspace } from "./adapters/vscode/documents.ts";
import { createDiagnoser } from "./adapters/vscode/diagnostics.ts";
import { registerLanguageModelTools } from "./adapters/vscode/languageModelTools.ts";
import { createReviewActions, registerDiffDocuments } from "./adapters/vscode/reviewActions.ts";
import { registerReviewPanel, VIEW_ID } from "./adapters/vscode/reviewPanel.ts";
import { runSampleCall } from "./adapters/vscode/sampleCall.ts";
import type { Call, CallResult } from "./app/call.ts";
import { createCallLog } from "./app/callLog.ts";
import { HANDLERS } from "./app/handlers/all.ts";
import { lazyStore } from "./app/lazyStore.ts";
import type { Ports } from "./app/ports.ts";
import type { CallRecord } from "./app/record.ts";
import { createCallRunner } from "./app/runCall.ts";

/** What `vscode.extensions.getExtension("agent-edit-review.agent-edit-review").activate()` gives. */
export interface AgentEditReviewApi {
  /** Grows when something here changes its meaning; additions keep it. */
  readonly version: 1;
  /** Applies a call. Never rejects: whatever happens is in the result. */
  execute(
    call: Omit<Call, "dryRun" | "replay">,
    token?: vscode.CancellationToken,
  ): Promise<CallResult>;
  /** Says what the call would do now; writes nothing. */
  plan(
    call: Omit<Call, "dryRun" | "replay">,
    token?: vscode.CancellationToken,
  ): Promise<CallResult>;
  /** Fires at each step of each call of this window. */
  readonly onDidChangeCall: vscode.Event<CallRecord>;
}

const STORE_LIMITS = { budgetBytes: 500_000_000, retentionDays: 90 };

export function activate(context: vscode.ExtensionContext): AgentEditReviewApi {
  const output = vscode.window.createOutputChannel("Agent Edit Review", { log: true });
  const logBug = (error: unknown): void =>
    output.error(error instanceof Error ? error : String(error));
  const workspace = createVsCodeWorkspace();
  const store = lazyStore(async () => {
    const { openStore } = await import("./adapters/node/sqliteStore.ts");
    const folder = context.storageUri ?? context.globalStorageUri;
    return openStore({ folder: folder.fsPath, ...STORE_LIMITS, now: Date.now });
  });
  const log = createCallLog(store);
  const changed = new vscode.EventEmitter<CallRecord>();
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
    diagnose: createDiagnoser(),
  };
  const runner = createCallRunner(ports, HANDLERS);
  const runSample = (): Promise<void> => runSampleCall(runner, context.extensionUri);
  const actions = createReviewActions({ log, store, runner, runSample });
  const panel = registerReviewPanel({
    extensionUri: context.extensionUri,
    log,
    store,
    actions,
    logBug,
  });
  const command = (name: string, run: () => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(`agentEditReview.${name}`, run);
  context.subscriptions.push(
    output,
    workspace,
    changed,
    panel,
    registerDiffDocuments(log, store),
    registerLanguageModelTools(
      runner,
      HANDLERS.map(({ tool }) => tool.name),
    ),
    command("openPanel", () => vscode.commands.executeCommand(`${VIEW_ID}.focus`)),
    command("openInEditor", () => panel.openInEditor()),
    command("runSampleCall", async () => {
      await vscode.commands.executeCommand(`${VIEW_ID}.focus`);
      await runSample();
    }),
    command("cancelRunningCalls", () => {
      for (const { id } of log.running()) runner.cancel(id);
    }),
    { dispose: () => void store.close().catch(logBug) },
  );

  const handOver =
    (dryRun: boolean) =>
    async (call: Call, token?: vscode.CancellationToken): Promise<CallResult> => {
      const stop = new AbortController();
      const listening = token?.onCancellationRequested(() => stop.abort());
      try {
        return await runner.execute({ ...call, dryRun }, stop.signal);
      } finally {
        listening?.dispose();
      }
    };
  return {
    version: 1,
    execute: handOver(false),
    plan: handOver(true),
    onDidChangeCall: changed.event,
  };
}
