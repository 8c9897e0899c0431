import { strict as assert } from "node:assert";
import { chmodSync, lstatSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import * as vscode from "vscode";
import { editorFiles, typeInto, valueOf, type EditorFiles } from "../support/editorFiles.ts";

const DONE = { kind: "done", saved: true };

describe("writes: new, moved and deleted files", () => {
  let files: EditorFiles;
  beforeEach(() => {
    files = editorFiles();
  });
  afterEach(() => files.close());
  const LABEL = "Agent edit: test";

  it("creates with folders, bytes and mode, and never over something", async () => {
    const file = await files.find("new/deep/run.sh", "create");
    const bytes = Buffer.from("\ufeffecho\r\n\n");
    assert.deepEqual(await files.workspace.create(file, bytes, 0o755, LABEL), DONE);
    assert.deepEqual(files.read("new/deep/run.sh"), bytes);
    assert.equal(statSync(file.real).mode & 0o7777, 0o755);
    assert.deepEqual(await files.workspace.create(file, Buffer.from("other"), null, LABEL), {
      kind: "failed",
      problem: { code: "file-exists", path: file.asked },
    });
    assert.deepEqual(files.read("new/deep/run.sh"), bytes);
  });

  it("creates behind a link to a file that is not there yet", async () => {
    symlinkSync("target.txt", files.path("link.txt"));
    const file = await files.find("link.txt", "create");
    assert.deepEqual(await files.workspace.create(file, Buffer.from("x"), null, LABEL), DONE);
    assert.equal(files.read("target.txt").toString(), "x");
    assert.ok(lstatSync(files.path("link.txt")).isSymbolicLink());
  });

  it("deletes what was looked at, and no unsaved work", async () => {
    files.write("a.bin", "a\0b");
    const base = await files.look("a.bin");
    assert.deepEqual(await files.workspace.remove(base, LABEL), DONE);
    assert.equal(valueOf(await files.workspace.readBack(base.file)).disk, null);
    files.write("b.txt", "x\n");
    const old = await files.look("b.txt");
    writeFileSync(files.path("b.txt"), "y\n");
    assert.deepEqual(await files.workspace.remove(old, LABEL), { kind: "moved-on" });
    await typeInto(await files.open("b.txt"), "mine");
    const dirty = await files.look("b.txt");
    assert.deepEqual(await files.workspace.remove(dirty, LABEL), {
      kind: "failed",
      problem: { code: "dirty-would-be-lost", path: files.path("b.txt") },
    });
    assert.equal(files.read("b.txt").toString(), "y\n");
  });

  it("does not delete through a link", async () => {
    files.write("a.txt", "x");
    symlinkSync("a.txt", files.path("link.txt"));
    const file = await files.workspace.locate(files.path("link.txt"), "delete", false);
    assert.equal(file.ok ? "found" : file.problem.code, "file-not-regular");
  });

  it("moves bytes and mode, an open editor follows, and nothing is moved over", async () => {
    chmodSync(files.write("a.txt", "text\r\n\n"), 0o750);
    files.write("taken.txt", "t");
    await files.show("a.txt");
    const taken = await files.find("taken.txt", "create");
    assert.deepEqual(await files.workspace.rename(await files.look("a.txt"), taken, LABEL), {
      kind: "failed",
      problem: { code: "file-exists", path: taken.asked },
    });
    const target = await files.find("sub/b.txt", "create");
    assert.deepEqual(await files.workspace.rename(await files.look("a.txt"), target, LABEL), DONE);
    assert.equal(files.read("sub/b.txt").toString(), "text\r\n\n");
    assert.equal(statSync(target.real).mode & 0o7777, 0o750);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    assert.deepEqual(
      tabs.map(({ label }) => label),
      ["b.txt"],
    );
  });

  it("does not move unsaved work", async () => {
    files.write("a.txt", "x\n");
    await typeInto(await files.open("a.txt"), "mine");
    const target = await files.find("b.txt", "create");
    const base = await files.look("a.txt");
    assert.deepEqual(await files.workspace.rename(base, target, LABEL), {
      kind: "failed",
      problem: { code: "dirty-would-be-lost", path: files.path("a.txt") },
    });
  });
});
