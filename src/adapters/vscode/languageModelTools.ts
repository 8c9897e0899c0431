import * as vscode from "vscode";
import type { CallRunner } from "../../app/runCall.ts";

/**
 * Offers the tools to every agent in the editor. VS Code does not validate the input and any extension may call a
 * tool without a confirmation, so decoding, validation and permissions all happen inside `invoke`.
 */
export function registerLanguageModelTools(
  runner: CallRunner,
  names: readonly string[],
): vscode.Disposable {
  return vscode.Disposable.from(
    ...names.map((name) =>
      vscode.lm.registerTool<unknown>(name, {
        async invoke({ input, toolInvocationToken }, token) {
          const stop = new AbortController();
          const listening = token.onCancellationRequested(() => stop.abort());
          try {
            const { text } = await runner.execute(
              { tool: name, input, session: sessionOf(toolInvocationToken), source: "lm-tool" },
              stop.signal,
            );
            return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
          } finally {
            listening.dispose();
          }
        },
        prepareInvocation: () => ({ invocationMessage: vscode.l10n.t("Applying edits") }),
      }),
    ),
  );
}

/**
 * The chat session behind a tool call. The token is opaque in the API, but carries the session in all versions seen;
 * calls without one (other extensions) share a session of their own.
 */
function sessionOf(token: unknown): string {
  if (typeof token !== "object" || token === null) return "vscode";
  const { sessionId, sessionResource } = token as Record<string, unknown>;
  if (typeof sessionId === "string") return `chat:${sessionId}`;
  if (typeof sessionResource === "object" && sessionResource !== null)
    return `chat:${vscode.Uri.from(sessionResource as vscode.Uri).toString()}`;
  return "chat";
}
