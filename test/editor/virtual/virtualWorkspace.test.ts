import { strict as assert } from "node:assert";
import iconv from "iconv-lite";
import * as vscode from "vscode";
import { fileKey } from "../../../src/app/approvals.ts";
import type { CallResult } from "../../../src/app/call.ts";
import type { CallRecord } from "../../../src/app/record.ts";
import { createVsCodeWorkspace } from "../../../src/adapters/vscode/documents.ts";
import { newSession, nextCall, postFromReview, showReview } from "../../harness/extension.ts";
import { countInReview, page } from "../../harness/page.ts";
import { waitFor } from "../../harness/wait.ts";
import { MemoryFiles, type Operation } from "../../support/memoryFiles.ts";
import { changeText, showDocument, typeInto, until, valueOf } from "../../support/editorFiles.ts";

const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
assert.ok(folder);
/** Each test has names of its own: the editor keeps the text of a file for a while after its tab is closed. */
let tests = 0;
beforeEach(() => void tests++);
const shown = (name: string): string => `test${tests}/${name}`;
const pathOf = (name: string): string => `${folder.path}/${shown(name)}`;
const uriOf = (name: string): vscode.Uri => folder.with({ path: pathOf(name) });

/** The open folder, of which the editor knows nothing but what this tells. */
const files = new MemoryFiles(folder.path);

interface Ended {
  readonly result: CallResult;
  readonly call: CallRecord;
}

async function run(tool: string, input: unknown): Promise<Ended> {
  const { session, execute } = await newSession();
  const ended = nextCall("the call to end", (c) => c.session === session && c.phase === "done");
  const result = await execute(tool, input);
  return { result, call: await ended };
}

const change = (name: string, from = "two", to = "zwei"): object => ({
  path: pathOf(name),
  old_text: from,
  new_text: to,
});
const patch = (...lines: readonly string[]): object => ({
  patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n"),
});
const statuses = ({ result }: Ended): readonly string[] =>
  result.structured.files.map(({ status }) => status);

async function undo({ id }: CallRecord): Promise<CallRecord> {
  await showReview();
  const ended = nextCall("the undo to end", ({ tool, phase, args }) => {
    const of = (args as { call?: unknown } | undefined)?.call;
    return tool === "undo" && phase === "done" && of === id;
  });
  await postFromReview({ kind: "undo", callId: id });
  return ended;
}

/** Waits for a notification. Tests run in a quiet window, whose notifications go to the list only. */
async function notice(text: string, press: string | null = null): Promise<void> {
  await vscode.commands.executeCommand("notifications.showList");
  await page(
    `const item = page.locator(".notifications-center .notification-list-item", { hasText: arg.text });
     await item.first().waitFor({ timeout: 20_000 });
     if (arg.press !== null)
       await item.first().getByRole("button", { name: arg.press }).click({ timeout: 20_000 });`,
    { text, press },
  );
  await vscode.commands.executeCommand("notifications.hideList");
}

async function closeAll(): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty) continue;
    await showDocument(document);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  }
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  await vscode.commands.executeCommand("notifications.clearAll");
}

describe("a workspace whose file system is not connected", () => {
  let provider: vscode.Disposable | undefined;
  const connect = (): void => {
    provider = vscode.workspace.registerFileSystemProvider(folder.scheme, files);
  };
  const disconnect = (): void => provider?.dispose();
  afterEach(async () => {
    await closeAll();
    disconnect();
    files.clear();
  });

  it("gives calls a sentence that says so, and takes them once it is", async () => {
    files.put(pathOf("a.txt"), "one\ntwo\n");
    const lost = await run("edit_files", { edits: [change("a.txt")] });
    assert.equal(lost.result.isError, true);
    assert.match(
      lost.result.text,
      /file could not be read: its file system is not connected\. Ask the user to connect it again/,
    );
    connect();
    const found = await run("edit_files", { edits: [change("a.txt")] });
    assert.deepEqual(statuses(found), ["applied"], found.result.text);
    assert.equal(files.text(pathOf("a.txt")), "one\nzwei\n");
  });

  it("keeps cards, diffs and marks; the file itself opens on a second try", async () => {
    connect();
    files.put(pathOf("a.txt"), "one\ntwo\n");
    const { call } = await run("edit_files", { edits: [change("a.txt")] });
    const key = { callId: call.id, fileKey: fileKey(call, 0) };
    const card = `[data-testid="call-card"]:has([data-row*="${call.id}"])`;
    const kept = ':has(.pill:text-is("kept"))';
    await showReview();
    await postFromReview({ kind: "keep", ...key, kept: true });
    await countInReview(card + kept);
    await closeAll();
    disconnect();

    await vscode.commands.executeCommand("workbench.action.webview.reloadWebviewAction");
    // Nobody can tell whether the file is what was kept.
    await countInReview(`${card}:not(${kept})`);
    await postFromReview({ kind: "keep", ...key, kept: true });
    await notice("a.txt is not marked as kept: it cannot be read at present.");

    await postFromReview({ kind: "openDiff", ...key });
    const input = await waitFor("the diff to open", 20_000, () => {
      const opened = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return opened instanceof vscode.TabInputTextDiff ? opened : undefined;
    });
    const sides = await Promise.all(
      [input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri)),
    );
    assert.deepEqual(
      sides.map((side) => side.getText()),
      ["one\ntwo\n", "one\nzwei\n"],
    );

    await postFromReview({ kind: "openFile", ...key, line: 2 });
    const lost = "a.txt cannot be opened: its file system is not connected.";
    await notice(lost);
    connect();
    await notice(lost, "Try Again");
    await waitFor("the file to open", 20_000, () =>
      vscode.window.activeTextEditor?.document.uri.toString() === uriOf("a.txt").toString()
        ? true
        : undefined,
    );
    await vscode.commands.executeCommand("workbench.action.webview.reloadWebviewAction");
    await countInReview(card + kept);
  });
});

describe("a virtual workspace", () => {
  const provider: vscode.Disposable[] = [];
  before(() => {
    provider.push(vscode.workspace.registerFileSystemProvider(folder.scheme, files));
  });
  after(() => vscode.Disposable.from(...provider).dispose());
  afterEach(async () => {
    files.failure = () => undefined;
    await closeAll();
    files.clear();
  });

  const texts: readonly (readonly [string, Buffer, Buffer])[] = [
    ["LF", Buffer.from("one\ntwo\n"), Buffer.from("one\nzwei\n")],
    ["CRLF", Buffer.from("one\r\ntwo"), Buffer.from("one\r\nzwei")],
    ["mixed endings", Buffer.from("one\r\ntwo\nx\r"), Buffer.from("one\r\nzwei\nx\r")],
    ["UTF-8 with a mark", Buffer.from("\ufeffone\ntwo\n"), Buffer.from("\ufeffone\nzwei\n")],
    [
      "UTF-16LE",
      iconv.encode("\ufeffone\ntwo\n", "utf16le"),
      iconv.encode("\ufeffone\nzwei\n", "utf16le"),
    ],
    [
      "a detected encoding",
      iconv.encode("这是测试文本，用来保存编码。\ntwo\n端口为后来的默认值\n", "gb18030"),
      iconv.encode("这是测试文本，用来保存编码。\nzwei\n端口为后来的默认值\n", "gb18030"),
    ],
  ];
  for (const [what, before, after] of texts)
    it(`keeps every other byte of a file: ${what}`, async () => {
      for (const name of ["closed.txt", "open.txt"]) files.put(pathOf(name), before);
      const document = await vscode.workspace.openTextDocument(uriOf("open.txt"));
      await showDocument(document);
      const edits = ["closed.txt", "open.txt"].map((name) => change(name));
      const ended = await run("edit_files", { edits });
      assert.deepEqual(statuses(ended), ["applied", "applied"], ended.result.text);
      for (const name of ["closed.txt", "open.txt"])
        assert.deepEqual(files.get(pathOf(name)), after, name);
      await until(() => document.getText().includes("zwei"), "the editor follows");
      assert.equal(document.isDirty, false);
    });

  it("has unsaved work as the base, and leaves it unsaved", async () => {
    files.put(pathOf("a.txt"), "one\ntwo\n");
    const document = await vscode.workspace.openTextDocument(uriOf("a.txt"));
    await typeInto(document, "mine\n");
    const ended = await run("edit_files", { edits: [change("a.txt")] });
    assert.deepEqual(statuses(ended), ["applied"], ended.result.text);
    assert.equal(document.getText(), "mine\none\nzwei\n");
    assert.equal(files.text(pathOf("a.txt")), "one\ntwo\n");
  });

  it("takes a patch that adds, changes, moves and deletes, and its undo", async () => {
    const before = { "a.txt": "one\ntwo\n", "old.txt": "one\ntwo\n", "gone.txt": "gone\n" };
    const state = (): Record<string, string | undefined> =>
      Object.fromEntries(
        ["a.txt", "old.txt", "gone.txt", "new/name.txt", "deep/er/b.txt"].map((name) => [
          name,
          files.text(pathOf(name)),
        ]),
      );
    for (const [name, text] of Object.entries(before)) files.put(pathOf(name), text);
    const had = state();
    const ended = await run(
      "apply_patch",
      patch(
        ...[`*** Update File: ${shown("a.txt")}`, "@@", "-two", "+zwei"],
        ...[`*** Add File: ${shown("deep/er/b.txt")}`, "+new"],
        `*** Delete File: ${shown("gone.txt")}`,
        ...[
          `*** Update File: ${shown("old.txt")}`,
          `*** Move to: ${shown("new/name.txt")}`,
          "@@",
          "-one",
          "+eins",
        ],
      ),
    );
    assert.equal(ended.result.isError, false, ended.result.text);
    assert.deepEqual(state(), {
      "a.txt": "one\nzwei\n",
      "old.txt": undefined,
      "gone.txt": undefined,
      "new/name.txt": "eins\ntwo\n",
      "deep/er/b.txt": "new\n",
    });
    const back = await undo(ended.call);
    assert.deepEqual(
      back.files.map(({ outcome }) => outcome?.status),
      ended.call.files.map(() => "applied"),
    );
    assert.deepEqual(state(), had);
  });

  it("is named by its URIs as well, and no other file system is", async () => {
    files.put(pathOf("a.txt"), "one\ntwo\n");
    const at = (path: string): object => ({ path, old_text: "two", new_text: "zwei" });
    const own = await run("edit_files", { edits: [at(uriOf("a.txt").toString())] });
    assert.deepEqual(statuses(own), ["applied"], own.result.text);
    const other = await run("edit_files", {
      edits: [at(vscode.Uri.file(pathOf("a.txt")).toString())],
    });
    assert.match(other.result.text, /path has scheme "file", which is not the workspace's/);
  });

  it("has the rules on paths hold in it, and asks about paths outside", async () => {
    const settings = vscode.workspace.getConfiguration("agentEditReview");
    const set = (rules: unknown): Thenable<void> =>
      settings.update("permission", rules, vscode.ConfigurationTarget.Global);
    files.put(pathOf("src/a.txt"), "one\ntwo\n");
    await set({ edit_files: { "test*/src/**": "deny" } });
    try {
      const denied = await run("edit_files", { edits: [change("src/a.txt")] });
      assert.match(denied.result.text, /denied by a permission rule/);
      assert.equal(files.text(pathOf("src/a.txt")), "one\ntwo\n");
    } finally {
      await set(undefined);
    }
    files.put("/elsewhere/a.txt", "one\ntwo\n");
    const { session, execute } = await newSession();
    const waits = nextCall("a question", (c) => c.session === session && c.phase === "approval");
    const stop = new vscode.CancellationTokenSource();
    const edits = [{ path: "/elsewhere/a.txt", old_text: "two", new_text: "zwei" }];
    const result = execute("edit_files", { edits }, stop.token);
    await waits;
    stop.cancel();
    assert.equal((await result).isError, true);
    assert.equal(files.text("/elsewhere/a.txt"), "one\ntwo\n");
  });

  it("refuses a file that its provider calls read-only", async () => {
    files.put(pathOf("a.txt"), "one\ntwo\n");
    files.readOnly.add(pathOf("a.txt"));
    const ended = await run("edit_files", { edits: [change("a.txt")] });
    assert.match(ended.result.text, /file is read-only/);
    assert.equal(files.text(pathOf("a.txt")), "one\ntwo\n");
  });

  const failures: readonly (readonly [string, (path: string) => Error, RegExp])[] = [
    ["Unavailable", vscode.FileSystemError.Unavailable, /its file system is not connected/],
    ["NoPermissions", vscode.FileSystemError.NoPermissions, /its file system does not permit it/],
    ["an error without a name", (path) => new Error(`no luck with ${path}`), /no luck with/],
  ];
  const both = { "lf.txt": "one\ntwo\n", "mixed.txt": "one\r\ntwo\n" } as const;
  /** Two files, of which one goes through a document and one as bytes, while an operation on them fails. */
  const editBoth = async (operation: Operation, make: (path: string) => Error): Promise<Ended> => {
    const paths = Object.keys(both).map(pathOf);
    for (const [name, text] of Object.entries(both)) files.put(pathOf(name), text);
    files.failure = (tried, path) =>
      tried === operation && paths.includes(path) ? make(path) : undefined;
    const ended = await run("edit_files", { edits: Object.keys(both).map((name) => change(name)) });
    files.failure = () => undefined;
    for (const [name, text] of Object.entries(both)) assert.equal(files.text(pathOf(name)), text);
    return ended;
  };

  for (const [what, make, says] of failures) {
    for (const operation of ["stat", "readFile"] as const)
      it(`tells a file that cannot be read (${operation}: ${what})`, async () => {
        const { result } = await editBoth(operation, make);
        assert.equal(result.structured.status, "error");
        for (const { error } of result.structured.files) assert.match(error ?? "", says);
      });

    it(`calls nothing written that was not (${what})`, async () => {
      const { result } = await editBoth("writeFile", make);
      const told = Object.fromEntries(
        result.structured.files.map((file) => [file.path.replace(/^.*\//, ""), file]),
      );
      assert.equal(told["mixed.txt"]?.status, "rejected");
      assert.match(told["mixed.txt"].error ?? "", says);
      // The document has the change, as if a person had typed it and could not save.
      assert.match(told["lf.txt"]?.note ?? "", /could not be saved \(unsaved\)/);
      const document = await vscode.workspace.openTextDocument(uriOf("lf.txt"));
      assert.deepEqual([document.getText(), document.isDirty], ["one\nzwei\n", true]);
    });
  }

  it("does not wait for a write that never ends", async () => {
    const workspace = createVsCodeWorkspace({ saveMsMax: 300 });
    try {
      files.put(pathOf("mixed.txt"), "one\r\ntwo\n");
      files.hangs = ({ path }) => path === pathOf("mixed.txt");
      const file = valueOf(await workspace.locate(pathOf("mixed.txt"), "edit", false));
      const base = valueOf(await workspace.look(file));
      assert.ok(base.kind === "file");
      assert.deepEqual(await changeText(workspace, base, "two", "zwei"), {
        kind: "failed",
        problem: { code: "save-timed-out", path: pathOf("mixed.txt"), afterMs: 300 },
      });
    } finally {
      workspace.dispose();
    }
  });
});
