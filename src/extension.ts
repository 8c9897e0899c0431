import * as vscode from "vscode";
import type { Host } from "./adapters/vscode/host.ts";
import { HOST_COMMANDS } from "./adapters/vscode/hostCommands.ts";
import { reviewHtml, reviewOptions } from "./adapters/vscode/reviewHtml.ts";
import type { Call, CallResult } from "./app/call.ts";
import type { CallRecord } from "./app/record.ts";

/** What `vscode.extensions.getExtension("agent-edit-review.agent-edit-review").activate()` gives. */
export interface AgentEditReviewApi {
  /** Grows when something here changes its meaning; additions keep it. */
  readonly version: 1;
  /** Applies a call. Never rejects: whatever happens is in the result. */
  readonly execute: (call: ApiCall, token?: vscode.CancellationToken) => Promise<CallResult>;
  /** Says what the call would do now; writes nothing. */
  readonly plan: (call: ApiCall, token?: vscode.CancellationToken) => Promise<CallResult>;
  /** Fires at each step of each call of this window. */
  readonly onDidChangeCall: vscode.Event<CallRecord>;
}

/** `source` is "api" unless the caller names itself. */
export type ApiCall = Omit<Call, "dryRun" | "replay" | "source"> & { readonly source?: string };

const VIEW_ID = "agentEditReview.review";
const PANEL_TYPE = "agentEditReview.panel";

/**
 * Registers what the manifest promises and does nothing else: the engine, the store and all other work come with
 * `dist/host.cjs`, when a view is shown, a tool is called or a command is run for the first time.
 */
export function activate(context: vscode.ExtensionContext): AgentEditReviewApi {
  const output = vscode.window.createOutputChannel("Agent Edit Review", { log: true });
  const changed = new vscode.EventEmitter<CallRecord>();
  let loading: Promise<Host> | undefined;
  const host = (): Promise<Host> => (loading ??= load(context, output, changed));

  const views = registerViews(context.extensionUri, host);
  context.subscriptions.push(
    output,
    changed,
    ...views.disposables,
    ...registerTools(context, host),
    vscode.workspace.registerTextDocumentContentProvider("agent-edit-review", {
      provideTextDocumentContent: async (uri) => (await host()).diffDocument(uri),
    }),
    command("openPanel", () => vscode.commands.executeCommand(`${VIEW_ID}.focus`)),
    command("openInEditor", () => views.openInEditor()),
    ...HOST_COMMANDS.map((name) => command(name, async () => (await host()).run(name))),
    {
      dispose() {
        void loading?.then(
          (loaded) => void loaded.dispose(),
          () => undefined,
        );
      },
    },
  );

  const handOver =
    (dryRun: boolean) =>
    async (call: ApiCall, token?: vscode.CancellationToken): Promise<CallResult> =>
      (await host()).execute({ source: "api", ...call, dryRun }, token);
  const api: AgentEditReviewApi = {
    version: 1,
    execute: handOver(false),
    plan: handOver(true),
    onDidChangeCall: changed.event,
  };
  return api;
}

function command(name: string, run: () => unknown): vscode.Disposable {
  return vscode.commands.registerCommand(`agentEditReview.${name}`, run);
}

async function load(
  context: vscode.ExtensionContext,
  output: vscode.LogOutputChannel,
  changed: vscode.EventEmitter<CallRecord>,
): Promise<Host> {
  try {
    const { createHost } = await import("./adapters/vscode/host.ts");
    return createHost(context, output, changed);
  } catch (error) {
    output.error(error instanceof Error ? error : String(error));
    void vscode.window.showErrorMessage(
      vscode.l10n.t(
        "Agent Edit Review could not be loaded. Reload the window; if it fails again, install the extension anew.",
      ),
    );
    throw error;
  }
}

/** Every agent in the editor may call these; decoding, validation and permissions all happen in the host. */
function registerTools(
  context: vscode.ExtensionContext,
  host: () => Promise<Host>,
): vscode.Disposable[] {
  const manifest = context.extension.packageJSON as {
    contributes: { languageModelTools: readonly { name: string }[] };
  };
  return manifest.contributes.languageModelTools.map(({ name }) =>
    vscode.lm.registerTool<unknown>(name, {
      invoke: async (options, token) => (await host()).invokeTool(name, options, token),
      prepareInvocation: async (options, token) => (await host()).prepareTool(name, options, token),
    }),
  );
}

/** The review in its own view container and, on command, as an editor tab. Both show the same calls. */
function registerViews(
  extensionUri: vscode.Uri,
  host: () => Promise<Host>,
): { readonly disposables: readonly vscode.Disposable[]; openInEditor(): void } {
  const show = async (
    place: vscode.WebviewView | vscode.WebviewPanel,
    onDispose: vscode.Event<void>,
  ): Promise<void> => {
    const { webview } = place;
    webview.options = reviewOptions(extensionUri);
    const session = (await host()).serveView(webview, place);
    onDispose(() => void session.dispose());
    webview.html = reviewHtml(webview, extensionUri);
  };
  let panel: vscode.WebviewPanel | undefined;
  const adopt = (next: vscode.WebviewPanel): Promise<void> => {
    panel = next;
    next.iconPath = vscode.Uri.joinPath(extensionUri, "media/view.svg");
    next.onDidDispose(() => {
      if (panel === next) panel = undefined;
    });
    return show(next, next.onDidDispose);
  };
  return {
    disposables: [
      vscode.window.registerWebviewViewProvider(VIEW_ID, {
        resolveWebviewView: (view) => show(view, view.onDidDispose),
      }),
      vscode.window.registerWebviewPanelSerializer(PANEL_TYPE, {
        deserializeWebviewPanel: adopt,
      }),
      { dispose: () => void panel?.dispose() },
    ],
    openInEditor() {
      if (panel !== undefined) return panel.reveal();
      const title = vscode.l10n.t("Edit Review");
      const options = reviewOptions(extensionUri);
      void adopt(
        vscode.window.createWebviewPanel(PANEL_TYPE, title, vscode.ViewColumn.Active, options),
      );
    },
  };
}
