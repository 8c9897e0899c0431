import * as vscode from "vscode";
import { confirmationOf } from "../../app/confirmWords.ts";
import { LIMITS } from "../../app/limits.ts";
import type { CallRunner } from "../../app/runCall.ts";

/**
 * What VS Code's own confirmation of a tool counts for. It does not tell an extension whether a person answered or
 * one of its auto-approvals did, so only a user who wants that can let it stand for the panel's question.
 */
export type NativeConfirmation = "first" | "approves" | "off";

export interface ToolConfirmations {
  /** Plans the call, writes nothing, and asks where a rule says so. Never throws: the call itself will say why. */
  prepare(
    tool: string,
    input: unknown,
    token: vscode.CancellationToken,
  ): Promise<vscode.PreparedToolInvocation>;
  /** The hash of the plan that was confirmed for this very input, once; undefined where it counts for nothing. */
  take(tool: string, input: unknown): string | undefined;
}

export interface ConfirmationContext {
  readonly runner: Pick<CallRunner, "preview">;
  readonly counts: () => NativeConfirmation;
  /** A hook may rewrite or refuse the call, so nobody knows its plan before. */
  readonly hooked: (tool: string) => boolean;
  readonly logBug: (error: unknown) => void;
}

export function createToolConfirmations({
  runner,
  counts,
  hooked,
  logBug,
}: ConfirmationContext): ToolConfirmations {
  const shown = new Map<string, string>();
  const say = (text: string, ...values: (string | number)[]): string =>
    vscode.l10n.t(text, ...values);
  return {
    async prepare(tool, input, token) {
      const plain = { invocationMessage: say("Applying edits") };
      const key = keyOf(tool, input);
      if (key === null) return plain;
      shown.delete(key);
      if (counts() === "off" || hooked(tool)) return plain;
      const stop = new AbortController();
      const listening = token.onCancellationRequested(() => stop.abort());
      try {
        const call = { tool, input, session: "preview", source: "lm-tool" };
        const preview = await runner.preview(call, stop.signal);
        if (preview === null || stop.signal.aborted) return plain;
        const { title, message } = confirmationOf(tool, preview, counts() === "first", say);
        shown.set(key, preview.hash);
        const [oldest] = shown.keys();
        if (shown.size > LIMITS.confirmationsKeptMax && oldest !== undefined) shown.delete(oldest);
        const body = new vscode.MarkdownString(message);
        return { ...plain, confirmationMessages: { title, message: body } };
      } catch (error) {
        logBug(error);
        return plain;
      } finally {
        listening.dispose();
      }
    },
    take(tool, input) {
      const key = keyOf(tool, input);
      if (key === null) return undefined;
      const hash = shown.get(key);
      shown.delete(key);
      return counts() === "approves" ? hash : undefined;
    },
  };
}

function keyOf(tool: string, input: unknown): string | null {
  try {
    return JSON.stringify([tool, input]);
  } catch {
    return null;
  }
}
