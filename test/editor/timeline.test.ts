import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { CallRecord } from "../../src/app/record.ts";
import {
  newSession,
  nextCall,
  postFromReview,
  setGlobally,
  showReview,
} from "../harness/extension.ts";
import { page, screenshot } from "../harness/page.ts";
import { editorFiles, type EditorFiles } from "../support/editorFiles.ts";

/**
 * VS Code's own history of a file. It has an entry for each save of a document, under the name of the edit before it,
 * and VS Code calls every edit of an extension "Workspace Edit".
 */
describe("timeline of a file", () => {
  let files: EditorFiles;
  let reset: () => Promise<void>;
  beforeEach(async () => {
    files = editorFiles();
    // Else entries within ten seconds become one.
    reset = await setGlobally("workbench.localHistory.mergeWindow", 0);
  });
  afterEach(async () => {
    await reset();
    await files.close();
  });

  const edit = async (name: string, from: string, to: string): Promise<CallRecord> => {
    const { session, execute } = await newSession();
    const ended = nextCall("the call to end", (c) => c.session === session && c.phase === "done");
    const edits = [{ path: files.path(name), old_text: from, new_text: to }];
    const { isError, text } = await execute("edit_files", { edits });
    assert.equal(isError, false, text);
    return ended;
  };
  /** What the Timeline view shows of a file, once `selector` is in it. */
  const timeline = async (name: string, selector: string): Promise<readonly string[]> => {
    await vscode.commands.executeCommand("timeline.focus");
    await vscode.commands.executeCommand("files.openTimeline", vscode.Uri.file(files.path(name)));
    return page<readonly string[]>(
      `const header = page.locator(".timeline-view", { hasText: arg.name });
       await header.first().waitFor({ timeout: 20_000 });
       const view = page.locator(".timeline-tree-view");
       await view.locator(arg.selector).first().waitFor({ timeout: 20_000 });
       return view.locator(".monaco-list-row .monaco-icon-label-container .label-name").allInnerTexts();`,
      { name, selector },
    );
  };
  const rows = (count: number): string => `.monaco-list-row >> nth=${count - 1}`;
  const NO_ENTRY = '.message:has-text("Local History will track recent changes as you save them")';

  it("has an entry for each session's edit, and for the undo of one of them", async () => {
    files.write("two-sessions.txt", "one\ntwo\n");
    const first = await edit("two-sessions.txt", "one", "eins");
    await edit("two-sessions.txt", "two", "zwei");
    assert.equal((await timeline("two-sessions.txt", rows(2))).length, 2);
    await showReview();
    const undone = nextCall("the undo to end", (c) => c.tool === "undo" && c.phase === "done");
    await postFromReview({ kind: "undo", callId: first.id });
    await undone;
    assert.equal(files.read("two-sessions.txt").toString(), "one\nzwei\n");
    const shown = await timeline("two-sessions.txt", rows(3));
    await screenshot("timeline");
    assert.deepEqual(shown, ["Workspace Edit", "Workspace Edit", "Workspace Edit"]);
  });

  // Nothing is saved there, and VS Code has no way for an extension to add an entry.
  for (const [what, text] of [
    ["mixed-endings", "one\r\ntwo\n"],
    ["format-on-save", "one\ntwo\n"],
  ] as const)
    it(`has none for bytes written past the document (${what})`, async () => {
      const name = `${what}.txt`;
      if (what === "format-on-save") await files.set("editor.formatOnSave", true);
      files.write(name, text);
      await edit(name, "two", "zwei");
      assert.equal(files.read(name).toString(), text.replace("two", "zwei"));
      assert.deepEqual(await timeline(name, NO_ENTRY), []);
    });
});
