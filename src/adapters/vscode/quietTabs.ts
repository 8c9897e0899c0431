import * as vscode from "vscode";

/**
 * Keeps files that are edited while closed from getting a tab. The editor looks now and then for unsaved documents
 * without one and opens it; a file that is about to be saved can be caught in the few milliseconds between edit and
 * save. Such a tab is closed again, without touching the focus.
 */
export interface QuietTabs extends vscode.Disposable {
  /** Call before the edit; the answer after it, saying whether the file is saved and its tab thus not wanted. */
  expect(uri: vscode.Uri): (saved: boolean) => void;
}

/** The editor opens a tab in several steps, so it may come up to this much after the save. */
const LATE_TAB_MS_MAX = 1_500;

interface Expected {
  saved: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export function createQuietTabs(): QuietTabs {
  const expected = new Map<string, Expected>();
  // The editor tells of a tab several times while it comes and goes.
  const closing = new WeakSet<vscode.Tab>();
  const close = (tabs: readonly vscode.Tab[]): void => {
    const unwanted = tabs.filter((tab) => !closing.has(tab) && isUnwanted(expected, tab));
    if (unwanted.length === 0) return;
    for (const tab of unwanted) closing.add(tab);
    // Closing only tidies up: a tab that is gone by now, or was made dirty by its user, stays as it is.
    void Promise.resolve(vscode.window.tabGroups.close(unwanted, true)).catch(() => undefined);
  };
  const listeners = vscode.Disposable.from(
    vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) =>
      close([...opened, ...changed]),
    ),
    // Whoever changes the file after our save has its tab open on purpose.
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      const key = document.uri.toString();
      if (document.isDirty && expected.get(key)?.saved === true) expected.delete(key);
    }),
  );
  return {
    expect(uri) {
      const key = uri.toString();
      if (allTabs().some((tab) => keyOf(tab) === key)) return () => undefined;
      const entry: Expected = { saved: false, timer: undefined };
      clearTimeout(expected.get(key)?.timer);
      expected.set(key, entry);
      return (saved) => {
        entry.saved = saved;
        if (saved) close(allTabs());
        entry.timer = setTimeout(
          () => {
            if (expected.get(key) === entry) expected.delete(key);
          },
          saved ? LATE_TAB_MS_MAX : 0,
        );
      };
    },
    dispose() {
      listeners.dispose();
      for (const { timer } of expected.values()) clearTimeout(timer);
      expected.clear();
    },
  };
}

/** A tab in front of others, or a preview, was opened by someone; the editor's own stay behind and are no previews. */
function isUnwanted(expected: ReadonlyMap<string, Expected>, tab: vscode.Tab): boolean {
  const isOurs = expected.get(keyOf(tab) ?? "")?.saved === true;
  return isOurs && !tab.isDirty && !tab.isPreview && (!tab.isActive || tab.group.tabs.length === 1);
}

function keyOf({ input }: vscode.Tab): string | undefined {
  return input instanceof vscode.TabInputText ? input.uri.toString() : undefined;
}

function allTabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
}
