import * as vscode from "vscode";
import type { Question } from "../../app/approvals.ts";

/** Something that shows the review: its view, or the editor tab. */
export interface ReviewPlace {
  readonly visible: boolean;
}

/** A notification that leads to the question. It takes no focus and answers nothing. */
export async function noticeOf(
  { tool, files }: Question,
  showPanel: () => Promise<void>,
): Promise<void> {
  const show = vscode.l10n.t("Show");
  const text =
    files.length === 1
      ? vscode.l10n.t("{0} waits for your approval of a file.", tool)
      : vscode.l10n.t("{0} waits for your approval of {1} files.", tool, files.length);
  if ((await vscode.window.showInformationMessage(text, show)) === show) await showPanel();
}
