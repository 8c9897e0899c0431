// Used by the tests inside the extension host: the extension as its users have it.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { CallResult } from "../../src/app/call.ts";
import type { CallRecord } from "../../src/app/record.ts";
import type { AgentEditReviewApi } from "../../src/extension.ts";
import { page } from "./page.ts";
import { waitFor } from "./wait.ts";

export function extension(): vscode.Extension<AgentEditReviewApi> {
  const found = vscode.extensions.all.find(({ id }) => id.endsWith(".agent-edit-review"));
  assert.ok(found, "the extension is not loaded");
  return found as vscode.Extension<AgentEditReviewApi>;
}

export async function api(): Promise<AgentEditReviewApi> {
  return extension().activate();
}

let sessions = 0;

/** Calls under one session never seen before, so that the guard knows nothing of it. */
export async function newSession(): Promise<{
  readonly session: string;
  readonly execute: (
    tool: string,
    input: unknown,
    token?: vscode.CancellationToken,
  ) => Promise<CallResult>;
}> {
  const { execute } = await api();
  const session = `test-${Date.now()}-${++sessions}`;
  return {
    session,
    execute: (tool, input, token) => execute({ tool, input, session }, token),
  };
}

/** Resolves with the first record that fits, of those told from now on. */
export async function nextCall(
  what: string,
  fits: (call: CallRecord) => boolean,
): Promise<CallRecord> {
  const { onDidChangeCall } = await api();
  let found: CallRecord | undefined;
  const listener = onDidChangeCall((call) => {
    if (found === undefined && fits(call)) found = call;
  });
  try {
    return await waitFor(what, 30_000, () => found, 20);
  } finally {
    listener.dispose();
  }
}

export async function showReview(): Promise<void> {
  await vscode.commands.executeCommand("agentEditReview.openPanel");
  await page("await review();");
}

/** Hands the host a message as the review's own script would, past its buttons. */
export async function postFromReview(message: unknown): Promise<void> {
  await page(
    `const outer = (await review()).parentFrame();
     await outer.evaluate((message) => window.__vscode_post_message__("onmessage", { message }), arg);`,
    message,
  );
}

/** A setting that only the user or the machine may set. Gives back the way to take it away again. */
export async function setGlobally(name: string, value: unknown): Promise<() => Promise<void>> {
  const write = async (next: unknown): Promise<void> =>
    vscode.workspace.getConfiguration().update(name, next, vscode.ConfigurationTarget.Global);
  await write(value);
  return () => write(undefined);
}

export function openTabs(): readonly string[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).map(({ label }) => label);
}
