import * as vscode from "vscode";

/** One file that a person picks; undefined when they pick none. */
export async function pickFile(openLabel: string): Promise<vscode.Uri | undefined> {
  const picked = await vscode.window.showOpenDialog({ canSelectMany: false, openLabel });
  return picked?.[0];
}

export function tell(sentence: string): void {
  void vscode.window.showInformationMessage(sentence);
}

/** Shows work that takes a while; `report` adds per cent, and the signal is a person's wish to stop. */
export async function withProgress<T>(
  title: string,
  work: (report: (percent: number, message?: string) => void, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    const stop = new AbortController();
    const listening = token.onCancellationRequested(() => stop.abort());
    try {
      return await work(
        (increment, message) =>
          progress.report({ increment, ...(message === undefined ? {} : { message }) }),
        stop.signal,
      );
    } finally {
      listening.dispose();
    }
  });
}
