import * as vscode from "vscode";
import type { CallResult } from "../../app/call.ts";

export function toolResult({ text }: CallResult): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}

/**
 * The chat session behind a tool call. The token is opaque in the API, but carries the session in all versions seen;
 * calls without one (other extensions) share a session of their own.
 */
export function sessionOf(token: unknown): string {
  if (typeof token !== "object" || token === null) return "vscode";
  const { sessionId, sessionResource } = token as Record<string, unknown>;
  if (typeof sessionId === "string") return `chat:${sessionId}`;
  if (typeof sessionResource === "object" && sessionResource !== null)
    return `chat:${vscode.Uri.from(sessionResource as vscode.Uri).toString()}`;
  return "chat";
}
