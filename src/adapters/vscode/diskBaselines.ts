import * as vscode from "vscode";

/**
 * What the disk held when each document last agreed with it. VS Code does not tell an extension whether a document
 * with unsaved changes was loaded from the present disk copy, so the text is remembered, as a fingerprint, whenever
 * the document is known to agree: opened clean, saved, reloaded, undone to the saved state.
 */
export interface DiskBaselines extends vscode.Disposable {
  /**
   * Whether the disk copy is another than the one the document's unsaved changes started from. A document that was
   * dirty before we came has no history; its first look counts as the start.
   */
  isNewer(document: vscode.TextDocument, diskText: string): boolean;
}

interface Baseline {
  /** Fingerprint of the disk text; undefined when never seen clean. */
  agreed: string | undefined;
  /** Text of a change that said "clean". The first key typed says so too, an instant before the dirty event. */
  pending: string | undefined;
}

export function createDiskBaselines(): DiskBaselines {
  const known = new WeakMap<vscode.TextDocument, Baseline>();
  const of = (document: vscode.TextDocument): Baseline => {
    const baseline = known.get(document) ?? { agreed: undefined, pending: undefined };
    known.set(document, baseline);
    return baseline;
  };
  const agree = (document: vscode.TextDocument): void => {
    known.set(document, { agreed: fingerprint(document.getText()), pending: undefined });
  };
  const changed = (event: vscode.TextDocumentChangeEvent): void => {
    const { document, contentChanges } = event;
    if (!isFile(document)) return;
    const baseline = of(document);
    if (document.isDirty) {
      baseline.pending = undefined;
    } else if (contentChanges.length === 0) {
      agree(document);
    } else {
      // A clean change that no dirty event took back was a reload; the next one then starts from it.
      baseline.agreed = baseline.pending ?? baseline.agreed;
      baseline.pending = fingerprint(document.getText());
    }
  };
  const opened = (document: vscode.TextDocument): void => {
    if (isFile(document) && !document.isDirty) agree(document);
  };
  // Not at once: the window's start should not wait until every open text is read.
  const start = setTimeout(() => vscode.workspace.textDocuments.forEach(opened), 0);
  const listeners = vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(opened),
    vscode.workspace.onDidChangeTextDocument(changed),
    vscode.workspace.onDidSaveTextDocument((document) => {
      if (isFile(document)) agree(document);
    }),
  );
  return {
    isNewer(document, diskText) {
      const baseline = of(document);
      const now = fingerprint(diskText);
      baseline.agreed ??= now;
      return baseline.agreed !== now;
    },
    dispose() {
      clearTimeout(start);
      listeners.dispose();
    },
  };
}

function isFile({ uri }: vscode.TextDocument): boolean {
  return uri.scheme !== "untitled" && uri.scheme !== "output" && uri.scheme !== "git";
}

/** Two 32-bit FNV-1a lanes and the length, over the text with its line ends made one. */
function fingerprint(text: string): string {
  const body = (text.startsWith("\ufeff") ? text.slice(1) : text).replace(/\r\n?/g, "\n");
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (let i = 0; i < body.length; i++) {
    const unit = body.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ (unit + i), 0x85ebca6b);
  }
  return `${body.length}:${a >>> 0}:${b >>> 0}`;
}
