// An extension of its own, loaded beside ours: another agent, which calls our tools by VS Code's API outside of any
// chat. It does what the requests in its folder say, one after another; `../confirmations.ts` writes them.
import { existsSync } from "node:fs";
import * as vscode from "vscode";
import {
  answerFile,
  hand,
  requestFile,
  take,
  type ToolAnswer,
  type ToolRequest,
} from "./requests.ts";

const IDLE_MS_MAX = 10 * 60_000;

export function activate(): void {
  const folder = process.env["CALLER_FOLDER"];
  if (folder === undefined) throw new Error("CALLER_FOLDER is not set");
  void serve(folder);
}

async function serve(folder: string): Promise<never> {
  for (let n = 1; ; n++) {
    // A window that was loaded again starts from the first; what is answered stays so.
    if (existsSync(answerFile(folder, n))) continue;
    const request = await take<ToolRequest>(requestFile(folder, n), IDLE_MS_MAX);
    hand(answerFile(folder, n), await answerTo(request));
  }
}

async function answerTo({ tool, input, settings }: ToolRequest): Promise<ToolAnswer> {
  try {
    const target = vscode.ConfigurationTarget.Global;
    for (const [name, value] of Object.entries(settings))
      await vscode.workspace.getConfiguration().update(name, value, target);
    const options = { input, toolInvocationToken: undefined };
    const { content } = await vscode.lm.invokeTool(tool, options);
    const texts = content.map((p) => (p instanceof vscode.LanguageModelTextPart ? p.value : "?"));
    return { kind: "result", text: texts.join("") };
  } catch (error) {
    const { name, message } = error as Error;
    return { kind: "error", name, message };
  }
}
