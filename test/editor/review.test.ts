import { strict as assert } from "node:assert";
import { basename } from "node:path";
import * as vscode from "vscode";
import { fileKey } from "../../src/app/approvals.ts";
import type { CallRecord } from "../../src/app/record.ts";
import {
  newSession,
  nextCall,
  openTabs,
  postFromReview,
  showReview,
} from "../harness/extension.ts";
import { clickInReview, countInReview, inReview, page } from "../harness/page.ts";
import { waitFor } from "../harness/wait.ts";
import { editorFiles, typeInto, until, type EditorFiles } from "../support/editorFiles.ts";

/** What the panel shows of a call after its end: marks, undos, the comparison after a refusal. */
describe("review after a call", () => {
  let files: EditorFiles;
  // The panel shows the calls of one session.
  let caller: Awaited<ReturnType<typeof newSession>>;
  beforeEach(async () => {
    files = editorFiles();
    caller = await newSession();
    await showReview();
  });
  afterEach(() => files.close());

  const edit = async (from: string, to: string): Promise<CallRecord> => {
    const { session, execute } = caller;
    const ended = nextCall("the call to end", (c) => c.session === session && c.phase === "done");
    const edits = [{ path: files.path("a.txt"), old_text: from, new_text: to }];
    const result = await execute("edit_files", { edits });
    assert.equal(result.isError, false, result.text);
    return ended;
  };
  const undo = async (call: CallRecord): Promise<CallRecord> => {
    const ended = nextCall("the undo to end", ({ tool, phase, args }) => {
      const of = (args as { call?: unknown } | undefined)?.call;
      return tool === "undo" && phase === "done" && of === call.id;
    });
    await postFromReview({ kind: "undo", callId: call.id });
    return ended;
  };
  /** The card of one call, with this on one of its files; waits for it. */
  const shows = async ({ id }: CallRecord, what: string): Promise<void> => {
    await countInReview(`[data-testid="call-card"]:has([data-row*="${id}"])${what}`);
  };
  const rebuildPage = async (): Promise<void> => {
    await inReview("document.body.dataset.old = 'yes';");
    await vscode.commands.executeCommand("workbench.action.webview.reloadWebviewAction");
    await waitFor("a new page", 20_000, async () =>
      (await inReview<string | null>("return document.body.dataset.old ?? null;")) === null
        ? true
        : undefined,
    );
  };
  const pill = (text: string): string => `:has(.pill:text-is("${text}"))`;

  it("a kept file is to be reviewed again after the next call to it, at once", async () => {
    files.write("a.txt", "one\ntwo\n");
    const first = await edit("one", "ONE");
    const mark = { callId: first.id, fileKey: fileKey(first, 0), kept: true };
    await postFromReview({ kind: "keep", ...mark });
    await shows(first, pill("kept"));
    // The mark is in the store: a page that is built anew has it from there.
    await rebuildPage();
    await shows(first, pill("kept"));
    await edit("two", "TWO");
    await shows(first, `:not(${pill("kept")})`);
    // With the later call taken back the file is what was kept.
    files.write("a.txt", "ONE\ntwo\n");
    await rebuildPage();
    await shows(first, pill("kept"));
  });

  it("a call whose undo was taken back stands again, and the panel says so", async () => {
    files.write("a.txt", "one\ntwo\n");
    const call = await edit("one", "ONE");
    const back = await undo(call);
    await shows(call, pill("undone"));
    await undo(back);
    assert.equal(files.read("a.txt").toString(), "ONE\ntwo\n");
    await shows(call, `:not(${pill("undone")})`);
  });

  it("a refused undo offers to compare: before the call, after it, and now", async () => {
    files.write("a.txt", "one\ntwo\n");
    const call = await edit("one", "ONE");
    files.write("a.txt", "my own one\ntwo\n");
    const refused = await undo(call);
    assert.deepEqual(
      refused.files.map(({ outcome }) => outcome?.status),
      ["rejected"],
    );
    await shows(refused, "");
    await clickInReview(
      `[data-testid="call-card"]:has([data-row*="${refused.id}"]) button.act[title^="Compare"]`,
    );
    const texts = await waitFor("three texts to be open", 20_000, () => {
      const sides = { before: "", after: "", now: "" };
      for (const document of vscode.workspace.textDocuments) {
        const { uri } = document;
        if (uri.scheme === "file" && uri.fsPath === files.path("a.txt"))
          sides.now = document.getText();
        if (uri.scheme !== "agent-edit-review" || !uri.query.includes(call.id)) continue;
        const { side } = JSON.parse(uri.query) as { side: "before" | "after" };
        sides[side] = document.getText();
      }
      return Object.values(sides).every((text) => text !== "") ? sides : undefined;
    });
    assert.deepEqual(texts, {
      before: "one\ntwo\n",
      after: "ONE\ntwo\n",
      now: "my own one\ntwo\n",
    });
    assert.deepEqual(openTabs(), ["a.txt: before the call, after it, and now (2 files)"]);
    const shown = await page<string>(
      `const all = page.locator(".multiDiffEntry");
       await all.nth(1).waitFor({ timeout: 20_000 });
       await page.locator(".multiDiffEntry .view-line", { hasText: "my own one" }).first().waitFor({ timeout: 20_000 });
       return String(await all.count());`,
    );
    assert.equal(shown, "2");
  });

  it("a file of which nobody knows what became is compared: before the call, and now", async () => {
    files.write("a.txt", "one\ntwo\n");
    // Somebody writes the file in the middle of the save.
    const between = vscode.workspace.onWillSaveTextDocument(({ document: { uri } }) => {
      if (uri.fsPath === files.path("a.txt")) files.write("a.txt", "written by somebody else\n");
    });
    const { session, execute } = caller;
    const ended = nextCall("the call to end", (c) => c.session === session && c.phase === "done");
    const edits = [{ path: files.path("a.txt"), old_text: "one", new_text: "ONE" }];
    await execute("edit_files", { edits });
    between.dispose();
    const call = await ended;
    assert.deepEqual(
      call.files.map(({ outcome }) => outcome?.status),
      ["unknown"],
    );
    await shows(call, "");
    await clickInReview(
      `[data-testid="call-card"]:has([data-row*="${call.id}"]) button.act[title^="Compare"]`,
    );
    const name = "a.txt: before the call, and now";
    await until(() => openTabs().includes(name), "the comparison is open");
    const before = await waitFor("what was before to be shown", 20_000, () =>
      vscode.workspace.textDocuments.find(
        ({ uri }) => uri.scheme === "agent-edit-review" && uri.query.includes(call.id),
      ),
    );
    assert.equal(before.getText(), "one\ntwo\n");
  });
});

/** Setups on which other tools said that a file was edited and it was not. */
describe("calls to files that are not plain", () => {
  let files: EditorFiles;
  beforeEach(() => {
    files = editorFiles();
  });
  afterEach(() => files.close());

  it("an unsaved file gets the edit beside what was typed, and saving it later is no conflict", async () => {
    files.write("a.txt", "one\ntwo\n");
    const { document } = await files.show("a.txt");
    await typeInto(document, "typed\n");
    const { execute } = await newSession();
    const edits = [{ path: files.path("a.txt"), old_text: "two", new_text: "TWO" }];
    const { structured, text } = await execute("edit_files", { edits });
    assert.equal(structured.files[0]?.status, "applied", text);
    assert.equal(structured.files[0].unsaved, true);
    assert.equal(document.getText(), "typed\none\nTWO\n");
    assert.equal(files.read("a.txt").toString(), "one\ntwo\n");
    assert.equal(await document.save(), true);
    assert.equal(files.read("a.txt").toString(), "typed\none\nTWO\n");
  });

  it("what a person took back stays taken back, and the next call is about the text that is there", async () => {
    files.write("a.txt", "1\n2\n3\n");
    const { execute } = await newSession();
    const edit = async (from: string, to: string): Promise<string> => {
      const edits = [{ path: files.path("a.txt"), old_text: from, new_text: to }];
      const { structured, text } = await execute("edit_files", { edits });
      assert.equal(structured.status, "applied", text);
      return structured.files[0]?.diff ?? "";
    };
    await edit("2", "4");
    const { document } = await files.show("a.txt");
    await vscode.commands.executeCommand("undo");
    await until(() => document.getText() === "1\n2\n3\n", "the call is undone in the editor");
    assert.equal(await document.save(), true);
    const diff = await edit("3", "1");
    assert.equal(files.read("a.txt").toString(), "1\n2\n1\n");
    assert.match(diff, /\n 2\n-3\n\+1\n$/);

    await vscode.commands.executeCommand("undo");
    await until(() => document.getText() === "1\n2\n3\n", "the second call is undone as well");
    await typeInto(document, "typed\n");
    assert.match(await edit("3", "5"), /^ typed\n 1\n 2\n-3\n\+5\n$/m);
    assert.equal(document.getText(), "typed\n1\n2\n5\n");
  });

  it("a notebook is edited on disk while it is closed, and refused while it is open", async () => {
    const cell = { cell_type: "markdown", metadata: {}, source: ["old"] };
    const notebook = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
    const path = files.write("book.ipynb", JSON.stringify(notebook, null, 1));
    const { execute } = await newSession();
    const change = async (from: string, to: string): Promise<unknown> => {
      const input = { edits: [{ path, old_text: `"${from}"`, new_text: `"${to}"` }] };
      return (await execute("edit_files", input)).structured.files[0]?.status;
    };
    assert.equal(await change("old", "new"), "applied");
    assert.match(files.read("book.ipynb").toString(), /"new"/);
    await vscode.workspace.openNotebookDocument(vscode.Uri.file(path));
    const before = files.read("book.ipynb");
    assert.equal(await change("new", "newer"), "rejected");
    assert.deepEqual(files.read("book.ipynb"), before);
  });

  it("a file of another kind of file system is refused by name", async () => {
    const { execute } = await newSession();
    const path = `memory:/${basename(files.root)}/a.txt`;
    const edits = [{ path, old_text: "one", new_text: "two" }];
    const { structured, text } = await execute("edit_files", { edits });
    assert.equal(structured.status, "error");
    assert.ok(text.includes(path), text);
  });
});
