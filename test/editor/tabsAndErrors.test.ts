import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { createDiagnoser, type Diagnoser } from "../../src/adapters/vscode/diagnostics.ts";
import { createQuietTabs, type QuietTabs } from "../../src/adapters/vscode/quietTabs.ts";
import { newSession } from "../harness/extension.ts";
import { editorFiles, until, type EditorFiles } from "../support/editorFiles.ts";

function openTabs(): readonly string[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).map(({ label }) => label);
}

/** Until a tab of that name was opened and closed again. */
function closedTab(label: string): Promise<void> {
  return new Promise((done) => {
    const listener = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      if (!closed.some((tab) => tab.label === label)) return;
      listener.dispose();
      done();
    });
  });
}

describe("quiet tabs", () => {
  let files: EditorFiles;
  let tabs: QuietTabs;
  beforeEach(() => {
    files = editorFiles();
    tabs = createQuietTabs();
    for (const name of ["mine.txt", "a.txt", "b.txt"]) files.write(name, "x\n");
  });
  afterEach(async () => {
    tabs.dispose();
    await files.close();
  });
  const uri = (name: string): vscode.Uri => vscode.Uri.file(files.path(name));
  const behind = { background: true, preview: false };
  const openBehind = async (name: string): Promise<void> => {
    await vscode.commands.executeCommand("vscode.open", uri(name), behind);
    await until(() => openTabs().includes(name), `${name} has a tab`);
  };

  it("closes a tab that the editor opened for a file being saved, and leaves the focus", async () => {
    const editor = await files.show("mine.txt");
    const settle = tabs.expect(uri("a.txt"));
    await openBehind("a.txt");
    settle(true);
    await until(() => !openTabs().includes("a.txt"), "the tab is closed");
    assert.deepEqual(openTabs(), ["mine.txt"]);
    assert.equal(vscode.window.activeTextEditor, editor);
  });

  it("closes one that comes after the save", async () => {
    await files.show("mine.txt");
    await until(() => openTabs().includes("mine.txt"), "mine.txt has a tab");
    const gone = closedTab("a.txt");
    tabs.expect(uri("a.txt"))(true);
    await vscode.commands.executeCommand("vscode.open", uri("a.txt"), behind);
    await gone;
    assert.deepEqual(openTabs(), ["mine.txt"]);
  });

  it("leaves tabs that were there, that the user opened, and of files that stay unsaved", async () => {
    const first = await files.open("mine.txt");
    await vscode.window.showTextDocument(first, { preview: false });
    tabs.expect(uri("mine.txt"))(true);
    tabs.expect(uri("b.txt"))(false);
    await openBehind("b.txt");
    tabs.expect(uri("a.txt"))(true);
    const second = await files.open("a.txt");
    await vscode.window.showTextDocument(second, { preview: false });
    assert.deepEqual([...openTabs()].sort(), ["a.txt", "b.txt", "mine.txt"]);
  });
});

describe("diagnostics", () => {
  let files: EditorFiles;
  let errors: vscode.DiagnosticCollection;
  let diagnoser: Diagnoser;
  const set = async (value: boolean | undefined): Promise<void> =>
    vscode.workspace
      .getConfiguration("agentEditReview")
      .update("diagnostics", value, vscode.ConfigurationTarget.Workspace);
  beforeEach(async () => {
    await set(true);
    diagnoser = createDiagnoser();
    files = editorFiles({ onLook: diagnoser.before });
    errors = vscode.languages.createDiagnosticCollection("test");
    files.write("a.txt", "one\ntwo\n");
  });
  afterEach(async () => {
    errors.dispose();
    await files.close();
    await set(undefined);
  });
  const error = (line: number, message: string, code?: string): vscode.Diagnostic => {
    const found = new vscode.Diagnostic(new vscode.Range(line, 2, line, 3), message);
    found.source = "lint";
    if (code !== undefined) found.code = code;
    return found;
  };
  const collect = async (signal = new AbortController().signal): Promise<readonly string[]> =>
    diagnoser([await files.find("a.txt")], signal);

  it("gives the errors that a change brought, with place and source, and no warnings", async () => {
    const uri = vscode.Uri.file(files.path("a.txt"));
    errors.set(uri, [error(0, "old")]);
    const { file } = await files.look("a.txt");
    const warning = error(1, "warned");
    warning.severity = vscode.DiagnosticSeverity.Warning;
    const collected = collect();
    errors.set(uri, [
      error(1, "old"),
      error(1, "new\n  on two lines", "E7"),
      error(0, "old"),
      warning,
    ]);
    assert.deepEqual(await collected, [
      `${file.shown}:2:3: lint E7: new on two lines`,
      `${file.shown}:1:3: lint: old`,
    ]);
  });

  it("waits for errors that come late, but not for other files", async () => {
    await files.look("a.txt");
    const collected = collect();
    errors.set(vscode.Uri.file(files.path("b.txt")), [error(0, "elsewhere")]);
    setTimeout(() => errors.set(vscode.Uri.file(files.path("a.txt")), [error(0, "late")]), 300);
    assert.match((await collected).join("\n"), /^\S+a\.txt:1:3: lint: late$/);
  });

  it("gives nothing where it is switched off, and does not outlive the call", async () => {
    await files.look("a.txt");
    errors.set(vscode.Uri.file(files.path("a.txt")), [error(0, "new")]);
    const started = performance.now();
    await collect(AbortSignal.abort());
    assert.ok(performance.now() - started < 400);
    await set(false);
    assert.deepEqual(await collect(), []);
  });

  it("tells the model of an error that its call brought", async () => {
    const path = files.path("a.txt");
    const checker = vscode.workspace.onDidSaveTextDocument(({ fileName, uri }) => {
      if (fileName === path) errors.set(uri, [error(1, "new", "E7")]);
    });
    try {
      const { execute } = await newSession();
      const edits = [{ path, old_text: "two", new_text: "zwei" }];
      const { text } = await execute("edit_files", { edits });
      assert.match(text, /a\.txt:2:3: lint E7: new/);
    } finally {
      checker.dispose();
    }
  });
});
