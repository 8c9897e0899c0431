import { strict as assert } from "node:assert";
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as vscode from "vscode";
import { openStore, STORE_FILE } from "../../src/adapters/node/sqliteStore.ts";
import type { KeptStore } from "../../src/adapters/node/keptStore.ts";
import type { CallRecord } from "../../src/app/record.ts";
import { newSession, openTabs, showReview } from "../harness/extension.ts";
import {
  clickInReview,
  consoleLines,
  countInReview,
  inReview,
  page,
  press,
  screenshot,
  type,
} from "../harness/page.ts";
import { waitFor } from "../harness/wait.ts";
import { editorFiles, until, type EditorFiles } from "../support/editorFiles.ts";

/** The card of a call, found by the folder that only this test's files are in. */
function call(files: EditorFiles, phase?: string): string {
  const state = phase === undefined ? "" : `[data-phase="${phase}"]`;
  return `[data-testid="call-card"]${state}:has-text("${basename(files.root)}")`;
}

function file(files: EditorFiles, name: string, state?: string): string {
  const wanted = state === undefined ? "" : `[data-state="${state}"]`;
  return `${call(files)} [data-testid="file-card"]${wanted}:has(button[aria-label$="${basename(files.root)}/${name}"])`;
}

const THEMES = [
  ["Dark Modern", "vscode-dark"],
  ["Light Modern", "vscode-light"],
  ["Default High Contrast", "vscode-high-contrast"],
  ["Default High Contrast Light", "vscode-high-contrast-light"],
] as const;

describe("review panel", () => {
  let files: EditorFiles;
  beforeEach(async () => {
    files = editorFiles();
    await showReview();
  });
  afterEach(() => files.close());

  /** One call with a file of each outcome that a plain call can have. */
  const mixedCall = async (): Promise<void> => {
    const a = files.write("applied.ts", "const a = 1;\nconst b = 2;\n");
    const b = files.write("rejected.ts", "x();\nx();\n");
    const c = files.write("again.ts", "const c = 1;\n");
    const { execute } = await newSession();
    const again = { path: c, old_text: "c = 1", new_text: "c = 3" };
    await execute("edit_files", { edits: [again] });
    const result = await execute("edit_files", {
      edits: [
        { path: a, old_text: "b = 2", new_text: "b = 3" },
        { path: b, old_text: "x();", new_text: "y();" },
        again,
      ],
    });
    assert.equal(result.structured.status, "partial", result.text);
  };

  it("shows each outcome of a call, with the diff of what was written and of nothing else", async () => {
    await mixedCall();
    for (const [name, state] of [
      ["applied.ts", "applied"],
      ["rejected.ts", "rejected"],
      ["again.ts", "already_applied"],
    ] as const)
      await countInReview(file(files, name, state));
    const diffs = await inReview<string[]>(
      `return [...document.querySelectorAll('[data-testid="file-card"]')]
         .filter((card) => card.innerHTML.includes(arg))
         .map((card) => card.dataset.state + ":" +
           card.querySelectorAll('[data-testid="edit-file-diff"]').length);`,
      basename(files.root),
    );
    assert.deepEqual(diffs.sort(), ["already_applied:0", "applied:1", "applied:1", "rejected:0"]);
    await screenshot("panel-outcomes");
  });

  it("shows a call while it runs, and then its end", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((done) => (release = done));
    const formatter = vscode.languages.registerDocumentFormattingEditProvider("plaintext", {
      provideDocumentFormattingEdits: () => held.then(() => []),
    });
    try {
      await files.set("editor.formatOnSave", true);
      await files.set("agentEditReview.save", "withParticipants");
      const path = files.write("slow.txt", "one\n");
      const { execute } = await newSession();
      const edits = [{ path, old_text: "one", new_text: "1" }];
      const running = execute("edit_files", { edits });
      await countInReview(call(files, "applying"));
      await countInReview(`${call(files, "applying")} [role="progressbar"]`);
      await countInReview(file(files, "slow.txt", "running"));
      await screenshot("panel-running");
      release();
      const { structured } = await running;
      assert.equal(structured.files[0]?.status, "applied");
      await countInReview(call(files, "done"));
      await countInReview(file(files, "slow.txt", "applied"));
    } finally {
      release();
      formatter.dispose();
    }
  });

  it("comes back after its page was built anew, and goes on", async () => {
    await mixedCall();
    await countInReview(file(files, "rejected.ts", "rejected"));
    await inReview("document.body.dataset.old = 'yes';");
    await vscode.commands.executeCommand("workbench.action.webview.reloadWebviewAction");
    await waitFor("a new page", 20_000, async () =>
      (await inReview<string | null>("return document.body.dataset.old ?? null;")) === null
        ? true
        : undefined,
    );
    await countInReview(file(files, "rejected.ts", "rejected"));
    const { execute } = await newSession();
    const path = files.write("after.ts", "one\n");
    await execute("edit_files", { edits: [{ path, old_text: "one", new_text: "1" }] });
    await countInReview(file(files, "after.ts", "applied"));
  });

  it("shows the same calls in an editor tab", async () => {
    await mixedCall();
    await vscode.commands.executeCommand("workbench.action.closeSidebar");
    try {
      await vscode.commands.executeCommand("agentEditReview.openInEditor");
      await countInReview(file(files, "rejected.ts", "rejected"));
      assert.deepEqual(openTabs(), ["Edit Review"]);
    } finally {
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
      await showReview();
    }
  });

  it("takes no focus and opens no tab while a call is applied", async () => {
    files.write("mine.ts", "let mine = 1;\nlet more = 2;\n");
    const other = files.write("other.ts", "let other = 1;\n");
    const editor = await files.show("mine.ts");
    editor.selection = new vscode.Selection(1, 4, 1, 8);
    await until(() => openTabs().includes("mine.ts"), "mine.ts has a tab");
    const focus = (): Promise<string> =>
      page<string>(
        "return page.evaluate(() => document.activeElement?.closest('.editor-instance, iframe')?.className ?? '');",
      );
    assert.match(await focus(), /editor-instance/);
    const { execute } = await newSession();
    await execute("edit_files", {
      edits: [
        { path: other, old_text: "1", new_text: "one" },
        { path: files.path("mine.ts"), old_text: "mine = 1", new_text: "mine = 11" },
        { path: files.path("none.ts"), old_text: "x", new_text: "y" },
      ],
    });
    await countInReview(file(files, "other.ts", "applied"));
    assert.match(await focus(), /editor-instance/);
    assert.equal(vscode.window.activeTextEditor, editor);
    assert.deepEqual(editor.selection, new vscode.Selection(1, 4, 1, 8));
    assert.deepEqual(openTabs(), ["mine.ts"]);
  });

  it("opens the file at the change", async () => {
    const lines = Array.from({ length: 200 }, (_, i) => `line ${i + 1}`);
    const path = files.write("far.txt", `${lines.join("\n")}\n`);
    const { execute } = await newSession();
    await execute("edit_files", { edits: [{ path, old_text: "line 150\n", new_text: "new\n" }] });
    await clickInReview(`${file(files, "far.txt", "applied")} .path-button`);
    const editor = await waitFor("the file to open", 20_000, () =>
      vscode.window.activeTextEditor?.document.fileName === path
        ? vscode.window.activeTextEditor
        : undefined,
    );
    await waitFor("the change to be shown", 10_000, () =>
      editor.visibleRanges.some((range) => range.start.line <= 149 && 149 <= range.end.line)
        ? true
        : undefined,
    );
    assert.equal(editor.selection.active.line, 149);
  });

  it("opens the editor's own diff with what was written then", async () => {
    const path = files.write("then.txt", "one\r\ntwo\r\n");
    const { execute } = await newSession();
    await execute("edit_files", { edits: [{ path, old_text: "two", new_text: "zwei" }] });
    files.write("then.txt", "something else\n");
    await clickInReview(`${file(files, "then.txt", "applied")} button.act[title^="Diff"]`);
    const input = await waitFor("the diff to open", 20_000, () => {
      const opened = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return opened instanceof vscode.TabInputTextDiff ? opened : undefined;
    });
    const [before, after] = await Promise.all(
      [input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri)),
    );
    assert.equal(before?.getText(), "one\r\ntwo\r\n");
    assert.equal(after?.getText(), "one\r\nzwei\r\n");
    await screenshot("panel-diff");
  });

  it("copies what to resend", async () => {
    await vscode.env.clipboard.writeText("nothing yet");
    await mixedCall();
    await clickInReview(
      `${file(files, "rejected.ts", "rejected")} button.act[title^="Copy what to resend"]`,
    );
    const copied = await waitFor("the clipboard to be filled", 10_000, async () => {
      const text = await vscode.env.clipboard.readText();
      return text === "nothing yet" ? undefined : text;
    });
    const path = files.path("rejected.ts");
    assert.deepEqual(JSON.parse(copied), {
      edits: [{ path, old_text: "x();", new_text: "y();" }],
    });
  });

  it("follows the four themes live", async () => {
    await mixedCall();
    await countInReview(file(files, "applied.ts", "applied"));
    const setting = vscode.workspace.getConfiguration("workbench");
    const seen = new Set<string>();
    try {
      for (const [theme, name] of THEMES) {
        await setting.update("colorTheme", theme, vscode.ConfigurationTarget.Global);
        await waitFor(`the theme ${theme}`, 20_000, async () =>
          (await inReview<boolean>("return document.body.classList.contains(arg);", name))
            ? true
            : undefined,
        );
        const look = await inReview<string>(
          `const { color, backgroundColor } = getComputedStyle(document.querySelector('[data-testid="call-title"]'));
           const { backgroundColor: ground } = getComputedStyle(document.body);
           return [color, backgroundColor, ground].join(" ");`,
        );
        seen.add(look);
        await screenshot(`panel-${name}`);
      }
    } finally {
      await setting.update("colorTheme", undefined, vscode.ConfigurationTarget.Global);
    }
    assert.equal(seen.size, THEMES.length, "each theme looks different");
  });

  it("breaks no rule of its content security policy", async () => {
    const own = /agent-edit-review|dist\/webview|\/main\.(js|css)/;
    const breaches = (await consoleLines()).filter((line) => /Content Security Policy/i.test(line));
    assert.deepEqual(
      breaches.filter((line) => own.test(line) || /vscode-webview/.test(line)),
      [],
    );
    const errors = (await consoleLines()).filter(
      (line) => line.startsWith("error") && own.test(line),
    );
    assert.deepEqual(errors, []);
  });

  it("draws a stored call of the old shape, from the store on disk", async () => {
    const store = await openOwnStore();
    const path = files.path("legacy.ts");
    const diff = `--- ${path}\n+++ ${path}\n@@ -1,1 +1,1 @@\n-eins\n+1\n`;
    const text = JSON.stringify({ ok: true, files: [{ path, diff }] });
    const record: CallRecord = {
      version: 1,
      id: `old-${basename(files.root)}`,
      session: "old",
      tool: "edit_files",
      source: "api",
      startedAt: Date.now(),
      endedAt: Date.now(),
      phase: "done",
      args: { files: [{ path, edits: [{ search: "eins", replace: "1" }] }] },
      files: [],
      flags: [],
      result: { status: "applied", isError: false, text, message: "" },
    };
    assert.deepEqual(await store.put(record), { ok: true, value: undefined });
    await store.close();
    await vscode.commands.executeCommand("workbench.action.webview.reloadWebviewAction");
    await countInReview(file(files, "legacy.ts", "applied"));
    await countInReview(`${call(files)} .badge:has-text("older format")`);
    const rows = await inReview<string>(
      `return [...document.querySelectorAll('[data-testid="call-card"]')]
         .find((card) => card.innerHTML.includes(arg)).innerText;`,
      basename(files.root),
    );
    assert.match(rows, /eins/);
  });

  it("finds a stored call that it has not loaded, by keyboard, and again after a reload", async () => {
    const own = basename(files.root);
    const wanted = `long-ago-${own}.ts`;
    const store = await openOwnStore();
    const hour = 3_600_000;
    for (let n = 0; n < 300; n++)
      await store.put(storedCall(`stored-${own}-${n}`, `src/stored${n}.ts`, Date.now() - hour - n));
    await store.put(storedCall(`wanted-${own}`, `src/${wanted}`, Date.now() - 48 * hour));
    await store.close();
    const card = `[data-testid="call-card"]:has-text("${wanted}")`;
    const reload = (): Thenable<unknown> =>
      vscode.commands.executeCommand("workbench.action.webview.reloadWebviewAction");
    await reload();
    try {
      await clickInReview('.switch button:text-is("All")');
      await countInReview('.older button:has-text("older calls")');
      assert.equal(await inReview(HAS_TEXT, wanted), false);
      await inReview("document.getElementById('search').focus();");
      await type(`LONG-ago ${own}`);
      await countInReview(card);
      await countInReview('[data-testid="search-status"]:has-text("1 call fits")');
      await screenshot("panel-search");
      await reload();
      await countInReview(card);
      await inReview("document.getElementById('search').focus();");
      await press("Escape");
      await waitFor("the whole list", 20_000, async () =>
        (await inReview<boolean>(HAS_TEXT, wanted)) ? undefined : true,
      );
      await countInReview('.older button:has-text("older calls")');
      await type(`nothing-${own}`);
      await countInReview('.empty:has-text("No call fits")');
      await press("Escape");
    } finally {
      await clickInReview('.switch button:has-text("Session")');
    }
  });
});

const HAS_TEXT = `return [...document.querySelectorAll('[data-testid="call-card"]')].some((card) => card.innerHTML.includes(arg));`;

/** The store of this window, as another window would open it. */
function openOwnStore(): Promise<KeptStore> {
  const stores = storesOf(dirname(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? ""));
  assert.equal(stores.length, 1, "this window has one store");
  return openStore({
    folder: dirname(stores[0] ?? ""),
    budgetBytes: 500_000_000,
    retentionDays: 90,
    now: Date.now,
  });
}

function storedCall(id: string, shown: string, startedAt: number): CallRecord {
  const diff = `--- ${shown}\n+++ ${shown}\n@@ -1,1 +1,1 @@\n-eins\n+1\n`;
  const outcome = { path: shown, status: "applied", operation: "update", diff } as const;
  return {
    version: 1,
    id,
    session: "stored",
    tool: "edit_files",
    source: "api",
    startedAt,
    endedAt: startedAt,
    phase: "done",
    files: [{ path: shown, shown, operation: "update", phase: "done", outcome }],
    flags: [],
    result: { status: "applied", isError: false, text: "", message: "" },
  };
}

/** Files of stores below the folders of this editor session. */
function storesOf(session: string): readonly string[] {
  const storage = ["User", "data/User"]
    .map((name) => join(session, "user", name, "workspaceStorage"))
    .filter((folder) => existsSync(folder));
  return storage
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
    )
    .filter((name) => basename(name) === STORE_FILE);
}
