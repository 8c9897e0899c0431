import * as vscode from "vscode";

export type SaveMode = "exact" | "withParticipants" | "never";

/** The setting for this file, which may differ by folder and by language. */
export function saveModeOf(scope: vscode.ConfigurationScope): SaveMode {
  const mode = vscode.workspace.getConfiguration("agentEditReview", scope).get<unknown>("save");
  return mode === "withParticipants" || mode === "never" ? mode : "exact";
}

/** The size above which a file is written as bytes. */
export function textWayBytesMaxOf(scope: vscode.ConfigurationScope, fallback: number): number {
  const bytes = vscode.workspace
    .getConfiguration("agentEditReview", scope)
    .get<unknown>("textWayMaxBytes");
  return typeof bytes === "number" && bytes >= 0 ? bytes : fallback;
}

/**
 * Whether the editor's own save actions may turn `text` into another text when the document is saved. Formatters
 * and code actions count whenever they are on, since what they do cannot be told before.
 */
export function wouldChangeOnSave(document: vscode.TextDocument, text: string): boolean {
  const editor = vscode.workspace.getConfiguration("editor", document);
  const files = vscode.workspace.getConfiguration("files", document);
  if (editor.get<unknown>("formatOnSave") === true) return true;
  if (runsCodeActions(editor.get<unknown>("codeActionsOnSave"))) return true;
  const is = (name: string): boolean => files.get<unknown>(name) === true;
  if (is("trimTrailingWhitespace") && /[^\S\r\n](?=[\r\n]|$)/.test(text)) return true;
  if (is("insertFinalNewline") && text !== "" && !/[\r\n]$/.test(text)) return true;
  return is("trimFinalNewlines") && /(\r\n|\r|\n)(\r\n|\r|\n)$/.test(text);
}

/** A list of kinds, or kinds with true, "explicit" or "always"; false and "never" switch one off. */
function runsCodeActions(setting: unknown): boolean {
  if (Array.isArray(setting)) return setting.length > 0;
  if (typeof setting !== "object" || setting === null) return false;
  return Object.values(setting).some((value) => value !== false && value !== "never");
}
