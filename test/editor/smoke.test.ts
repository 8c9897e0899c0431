import { strict as assert } from "node:assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { consoleLines, countInReview, inReview, page, screenshot } from "../harness/page.ts";

const EXTENSION = /\.agent-edit-review$/;

describe("smoke", () => {
  it("has the extension, asleep until it is used", () => {
    const extension = vscode.extensions.all.find((candidate) => EXTENSION.test(candidate.id));
    assert.ok(extension, "the extension is not loaded");
  });

  it("opens a copy of the sample as a trusted workspace with autosave off", () => {
    assert.equal(vscode.workspace.workspaceFolders?.length, 1);
    assert.equal(vscode.workspace.isTrusted, true);
    assert.equal(vscode.workspace.getConfiguration("files").get("autoSave"), "off");
  });

  it("writes a file through the editor", async () => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder.uri, "smoke.txt");
    const edit = new vscode.WorkspaceEdit();
    edit.createFile(uri, { contents: Buffer.from("one\n") });
    assert.equal(await vscode.workspace.applyEdit(edit), true);
    assert.equal(await readFile(join(folder.uri.fsPath, "smoke.txt"), "utf8"), "one\n");
  });

  it("shows the review panel, and the tests can see it", async () => {
    await vscode.commands.executeCommand("agentEditReview.openPanel");
    assert.equal(await countInReview('[data-testid="review-panel"]'), 1);
    const language = await inReview<string>("return document.documentElement.lang;");
    assert.notEqual(language, "");
    assert.match(await page<string>("return page.title();"), /sample/);
    assert.match(await screenshot("smoke"), /smoke\.png$/);
    const breaches = (await consoleLines()).filter((line) => /Content Security Policy/.test(line));
    assert.deepEqual(
      breaches.filter((line) => line.includes("agent-edit-review")),
      [],
    );
  });
});
