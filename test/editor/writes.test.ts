import { strict as assert } from "node:assert";
import { chmodSync, linkSync, lstatSync, rmSync, statSync, symlinkSync } from "node:fs";
import iconv from "iconv-lite";
import * as vscode from "vscode";
import { saveDocument } from "../../src/adapters/vscode/textWay.ts";
import { type as pressKeys } from "../harness/page.ts";
import {
  assertDone,
  changeText,
  editorFiles,
  typeInto,
  until,
  valueOf,
  type EditorFiles,
} from "../support/editorFiles.ts";

const UNSAVED = { kind: "done", saved: false };

describe("writes: every other byte stays", () => {
  let files: EditorFiles;
  beforeEach(() => {
    files = editorFiles();
  });
  afterEach(() => files.close());

  const cases: readonly (readonly [string, Buffer, Buffer])[] = [
    ["LF", Buffer.from("a\nOLD\nc\n"), Buffer.from("a\nNEW\nc\n")],
    ["CRLF", Buffer.from("a\r\nOLD\r\nc"), Buffer.from("a\r\nNEW\r\nc")],
    ["mixed endings", Buffer.from("a\r\nOLD\nc\rd\r\n"), Buffer.from("a\r\nNEW\nc\rd\r\n")],
    ["CR only", Buffer.from("a\rOLD\rc"), Buffer.from("a\rNEW\rc")],
    ["no ending", Buffer.from("OLD"), Buffer.from("NEW")],
    ["UTF-8 with a mark", Buffer.from("\ufeffä\nOLD\n"), Buffer.from("\ufeffä\nNEW\n")],
    [
      "UTF-16LE",
      Buffer.from("\ufeffä\nOLD\n", "utf16le"),
      Buffer.from("\ufeffä\nNEW\n", "utf16le"),
    ],
    [
      "UTF-16BE",
      Buffer.from("\ufeffä\r\nOLD\n", "utf16le").swap16(),
      Buffer.from("\ufeffä\r\nNEW\n", "utf16le").swap16(),
    ],
    [
      "separators",
      Buffer.from("a\u2028b\u0085\vc\fOLD\n"),
      Buffer.from("a\u2028b\u0085\vc\fNEW\n"),
    ],
    [
      "a detected encoding",
      iconv.encode("这是测试文本，用来保存编码。\nOLD\n端口为后来的默认值\n", "gb18030"),
      iconv.encode("这是测试文本，用来保存编码。\nNEW\n端口为后来的默认值\n", "gb18030"),
    ],
  ];
  for (const [what, before, after] of cases) {
    it(`in a closed file: ${what}`, async () => {
      files.write("a.txt", before);
      assertDone(await files.change(await files.look("a.txt"), "OLD", "NEW"));
      assert.deepEqual(files.read("a.txt"), after);
    });
    it(`in an open file: ${what}`, async () => {
      files.write("a.txt", before);
      // The editor would offer to replace the separators, and its dialogs answer themselves in tests.
      if (what === "separators") await files.set("editor.unusualLineTerminators", "off");
      const { document } = await files.show("a.txt");
      const base = await files.look("a.txt");
      assertDone(await files.change(base, "OLD", "NEW"));
      assert.deepEqual(files.read("a.txt"), after);
      // On a busy machine the editor may take longer to follow than a call waits for it.
      await until(() => document.getText().includes("NEW"), "the editor follows");
      assert.equal(document.isDirty, false);
      const back = valueOf(await files.workspace.readBack(base.file));
      assert.deepEqual(Buffer.from(back.disk ?? []), after);
      assert.deepEqual(back.document, { text: document.getText(), dirty: false });
    });
  }

  it("in GBK by setting, also with new characters", async () => {
    await files.set("files.encoding", "gbk");
    files.write("a.txt", iconv.encode("// 你好\nOLD\n", "gbk"));
    assertDone(await files.change(await files.look("a.txt"), "OLD", "新的"));
    assert.deepEqual(files.read("a.txt"), iconv.encode("// 你好\n新的\n", "gbk"));
  });

  it("in a file above the size limit of documents", async () => {
    await files.set("agentEditReview.textWayMaxBytes", 10);
    files.write("a.txt", "a long text\nOLD\n");
    assertDone(await files.change(await files.look("a.txt"), "OLD", "NEW"));
    assert.equal(files.read("a.txt").toString(), "a long text\nNEW\n");
    assert.ok(
      !vscode.workspace.textDocuments.some(({ fileName }) => fileName === files.path("a.txt")),
    );
  });

  it("keeps mode, links and hard links", async () => {
    chmodSync(files.write("run.sh", "echo OLD\n"), 0o755);
    symlinkSync("run.sh", files.path("link.sh"));
    linkSync(files.path("run.sh"), files.path("hard.sh"));
    const { ino } = statSync(files.path("run.sh"));
    const base = await files.look("link.sh");
    assertDone(await files.change(base, "OLD", "NEW"));
    for (const name of ["run.sh", "hard.sh", "link.sh"]) {
      assert.equal(files.read(name).toString(), "echo NEW\n");
      assert.equal(statSync(files.path(name)).ino, ino);
      assert.equal(statSync(files.path(name)).mode & 0o7777, 0o755);
    }
    assert.ok(lstatSync(files.path("link.sh")).isSymbolicLink());
    assert.equal(valueOf(await files.workspace.readBack(base.file)).mode, 0o755);
  });

  it("edits a document that is open under another name of the file", async () => {
    files.write("a.txt", "OLD\n");
    symlinkSync("a.txt", files.path("link.txt"));
    const document = await files.open("link.txt");
    await typeInto(document, "mine\n");
    const base = await files.look("a.txt");
    assert.equal(valueOf(base.body).text, "mine\nOLD\n");
    assert.deepEqual(await files.change(base, "OLD", "NEW"), UNSAVED);
    assert.equal(document.getText(), "mine\nNEW\n");
    assert.equal(files.read("a.txt").toString(), "OLD\n");
  });
});

describe("writes: saving", () => {
  let files: EditorFiles;
  const providers: vscode.Disposable[] = [];
  beforeEach(() => {
    files = editorFiles({ saveMsMax: 500 });
  });
  afterEach(async () => {
    for (const provider of providers.splice(0)) provider.dispose();
    await files.close();
  });
  const format = (work: (text: string) => Promise<string>): void => {
    providers.push(
      vscode.languages.registerDocumentFormattingEditProvider("plaintext", {
        async provideDocumentFormattingEdits(document) {
          const end = document.lineAt(document.lineCount - 1).range.end;
          const whole = new vscode.Range(new vscode.Position(0, 0), end);
          return [vscode.TextEdit.replace(whole, await work(document.getText()))];
        },
      }),
    );
  };
  const shout = (text: string): Promise<string> => Promise.resolve(text.toUpperCase());

  it("leaves a dirty file unsaved, with both changes in it", async () => {
    files.write("a.txt", "one\nOLD\n");
    const document = await files.open("a.txt");
    await typeInto(document, "mine\n");
    const base = await files.look("a.txt");
    assert.deepEqual(await files.change(base, "OLD", "NEW"), UNSAVED);
    assert.equal(document.getText(), "mine\none\nNEW\n");
    assert.equal(document.isDirty, true);
    assert.equal(files.read("a.txt").toString(), "one\nOLD\n");
    const back = valueOf(await files.workspace.readBack(base.file));
    assert.deepEqual(back.document, { text: "mine\none\nNEW\n", dirty: true });
  });

  for (const isOpen of [false, true])
    it(`exact: no save action touches ${isOpen ? "an open" : "a closed"} file`, async () => {
      format(shout);
      await files.set("editor.formatOnSave", true);
      await files.set("files.trimTrailingWhitespace", true);
      await files.set("files.insertFinalNewline", true);
      files.write("a.txt", "low  \nOLD");
      if (isOpen) await files.show("a.txt");
      assertDone(await files.change(await files.look("a.txt"), "OLD", "New "));
      assert.equal(files.read("a.txt").toString(), "low  \nNew ");
      const document = await files.open("a.txt");
      assert.equal(document.getText(), "low  \nNew ");
      assert.equal(document.isDirty, false);
    });

  for (const [setting, value] of [
    ["files.trimTrailingWhitespace", true],
    ["files.insertFinalNewline", true],
    ["files.trimFinalNewlines", true],
    ["editor.codeActionsOnSave", { "source.fixAll": "explicit" }],
  ] as const)
    it(`exact: ${setting} changes nothing`, async () => {
      await files.set(setting, value);
      const text = setting === "files.trimFinalNewlines" ? "a\nOLD\n\n\n" : "a \nOLD";
      files.write("a.txt", text);
      assertDone(await files.change(await files.look("a.txt"), "OLD", "NEW"));
      assert.equal(files.read("a.txt").toString(), text.replace("OLD", "NEW"));
    });

  it("exact: a setting of another language is not in the way of the document", async () => {
    await files.set("editor.formatOnSave", true, "markdown");
    files.write("a.txt", "OLD\n");
    assertDone(await files.change(await files.look("a.txt"), "OLD", "NEW"));
    // Only an edit through the document leaves an undo step there.
    const { document } = await files.show("a.txt");
    await vscode.commands.executeCommand("undo");
    assert.equal(document.getText(), "OLD\n");
  });

  it("withParticipants: saved as a person would save it", async () => {
    format(shout);
    await files.set("editor.formatOnSave", true);
    await files.set("agentEditReview.save", "withParticipants");
    files.write("a.txt", "low\nOLD\n");
    const base = await files.look("a.txt");
    assertDone(await files.change(base, "OLD", "new"));
    assert.equal(files.read("a.txt").toString(), "LOW\nNEW\n");
  });

  it("withParticipants: a dirty file is saved as well", async () => {
    await files.set("agentEditReview.save", "withParticipants");
    files.write("a.txt", "OLD\n");
    await typeInto(await files.open("a.txt"), "mine\n");
    assertDone(await files.change(await files.look("a.txt"), "OLD", "NEW"));
    assert.equal(files.read("a.txt").toString(), "mine\nNEW\n");
  });

  it("withParticipants: a formatter that hangs is told, not waited for", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((done) => {
      release = done;
    });
    format(async (text) => {
      await held;
      return text;
    });
    await files.set("editor.formatOnSave", true);
    await files.set("agentEditReview.save", "withParticipants");
    files.write("a.txt", "OLD\n");
    const base = await files.look("a.txt");
    assert.deepEqual(await files.change(base, "OLD", "NEW"), {
      kind: "failed",
      problem: { code: "save-timed-out", path: files.path("a.txt"), afterMs: 500 },
    });
    const back = valueOf(await files.workspace.readBack(base.file));
    assert.equal(Buffer.from(back.disk ?? []).toString(), "OLD\n");
    assert.deepEqual(back.document, { text: "NEW\n", dirty: true });
    release();
    const document = await files.open("a.txt");
    await until(() => !document.isDirty, "the late save ends");
  });

  it("never: the change stands in the editor", async () => {
    await files.set("agentEditReview.save", "never");
    files.write("a.txt", "OLD\n");
    const base = await files.look("a.txt");
    assert.deepEqual(await files.change(base, "OLD", "NEW"), UNSAVED);
    assert.equal(files.read("a.txt").toString(), "OLD\n");
    const back = valueOf(await files.workspace.readBack(base.file));
    assert.deepEqual(back.document, { text: "NEW\n", dirty: true });
  });

  it("may differ by language", async () => {
    await files.set("agentEditReview.save", "never", "markdown");
    for (const name of ["a.md", "a.txt"]) files.write(name, "OLD\n");
    assert.deepEqual(await files.change(await files.look("a.md"), "OLD", "NEW"), UNSAVED);
    assertDone(await files.change(await files.look("a.txt"), "OLD", "NEW"));
  });

  it("takes a file for saved that auto save was quicker with, and no other", async () => {
    const save = (): Promise<boolean> => Promise.resolve(false);
    const saved = await saveDocument({ save, isDirty: false }, "a.txt", 1_000);
    assert.deepEqual(saved, { kind: "done", saved: true });
    const failed = await saveDocument({ save, isDirty: true }, "a.txt", 1_000);
    assert.equal(failed.kind, "failed");
  });

  it("works beside auto save", async () => {
    await files.set("files.autoSaveDelay", 100);
    await files.set("files.autoSave", "afterDelay");
    files.write("clean.txt", "OLD\n");
    assertDone(await files.change(await files.look("clean.txt"), "OLD", "NEW"));
    assert.equal(files.read("clean.txt").toString(), "NEW\n");
    files.write("dirty.txt", "OLD\n");
    const { document } = await files.show("dirty.txt");
    await typeInto(document, "mine\n");
    const base = await files.look("dirty.txt");
    await files.change(base, "OLD", "NEW");
    await until(() => !document.isDirty, "auto save has saved the file");
    assert.match(files.read("dirty.txt").toString(), /^mine\n(OLD|NEW)\n$/);
    assert.equal(files.read("dirty.txt").toString(), document.getText());
  });
});

describe("writes: other hands", () => {
  let files: EditorFiles;
  beforeEach(() => {
    files = editorFiles();
  });
  afterEach(() => files.close());

  it("does not write after the user typed, saved or closed unsaved work", async () => {
    files.write("a.txt", "OLD\n");
    const { document } = await files.show("a.txt");
    const clean = await files.look("a.txt");
    await typeInto(document, "mine\n");
    assert.deepEqual(await files.change(clean, "OLD", "NEW"), { kind: "moved-on" });
    const dirty = await files.look("a.txt");
    await typeInto(document, "more\n");
    assert.deepEqual(await files.change(dirty, "OLD", "NEW"), { kind: "moved-on" });
    const unsaved = await files.look("a.txt");
    assert.equal(await document.save(), true);
    assert.deepEqual(await files.change(unsaved, "OLD", "NEW"), { kind: "moved-on" });
    assert.equal(files.read("a.txt").toString(), "more\nmine\nOLD\n");
    assert.equal(document.getText(), "more\nmine\nOLD\n");
  });

  for (const isOpen of [false, true])
    it(`does not write over ${isOpen ? "an open" : "a closed"} file that changed on disk, also to the same length`, async () => {
      files.write("a.txt", "OLD 1\n");
      if (isOpen) await files.show("a.txt");
      const base = await files.look("a.txt");
      files.write("a.txt", "OLD 2\n");
      assert.deepEqual(await files.change(base, "OLD", "NEW"), { kind: "moved-on" });
      assert.equal(files.read("a.txt").toString(), "OLD 2\n");
    });

  it("keeps every key that is typed while edits are applied", async () => {
    files.write("a.txt", `OLD\n${"line\n".repeat(50)}`);
    const { document } = await files.show("a.txt");
    await vscode.commands.executeCommand("cursorBottom");
    const keys = "abcdefghijklmnopqrstuvwxyz".repeat(4);
    let isTyping = true;
    const typed = pressKeys(keys).finally(() => {
      isTyping = false;
    });
    let applied = 0;
    let moved = 0;
    while (isTyping) {
      const base = await files.look("a.txt");
      const reply = await files.change(base, "OLD", "OLD.");
      if (reply.kind === "done") applied++;
      else {
        assert.equal(reply.kind, "moved-on");
        moved++;
      }
    }
    await typed;
    await until(() => document.getText().endsWith("z"), "the last key has arrived");
    assert.ok(applied + moved > 0);
    assert.equal(document.getText(), `OLD${".".repeat(applied)}\n${"line\n".repeat(50)}${keys}`);
  });

  it("refuses a file that became read-only, and a cancelled call", async () => {
    files.write("a.txt", "OLD\n");
    const base = await files.look("a.txt");
    const cancelled = await changeText(files.workspace, base, "OLD", "NEW", AbortSignal.abort());
    assert.deepEqual(cancelled, {
      kind: "failed",
      problem: { code: "interrupted", path: files.path("a.txt") },
    });
    chmodSync(files.path("a.txt"), 0o444);
    assert.deepEqual(await files.change(base, "OLD", "NEW"), {
      kind: "failed",
      problem: { code: "file-read-only", path: files.path("a.txt"), by: "permissions" },
    });
    assert.equal(files.read("a.txt").toString(), "OLD\n");
  });

  it("does not make a deleted file again", async () => {
    files.write("a.txt", "OLD\n");
    await files.show("a.txt");
    const base = await files.look("a.txt");
    rmSync(files.path("a.txt"));
    assert.deepEqual(await files.change(base, "OLD", "NEW"), { kind: "moved-on" });
    const back = valueOf(await files.workspace.readBack(base.file));
    assert.equal(back.disk, null);
  });
});

describe("writes: undo, tabs and many files", () => {
  let files: EditorFiles;
  beforeEach(() => {
    files = editorFiles();
  });
  afterEach(() => files.close());

  it("undo takes back one file, all of its edits, in one step", async () => {
    for (const name of ["a.txt", "b.txt"]) files.write(name, "one\ntwo\nthree\n");
    const base = await files.look("a.txt");
    assertDone(await files.change(base, "one\ntwo\nthree", "1\n2\n3"));
    assertDone(await files.change(await files.look("b.txt"), "two", "2"));
    const { document } = await files.show("a.txt");
    await vscode.commands.executeCommand("undo");
    assert.equal(document.getText(), "one\ntwo\nthree\n");
    assert.equal(files.read("b.txt").toString(), "one\n2\nthree\n");
    assert.equal((await files.open("b.txt")).getText(), "one\n2\nthree\n");
  });

  it("undo takes back bytes written under an open document", async () => {
    files.write("a.txt", "one\r\nOLD\nthree\n");
    const { document } = await files.show("a.txt");
    assertDone(await files.change(await files.look("a.txt"), "OLD", "NEW"));
    await vscode.commands.executeCommand("undo");
    assert.match(document.getText(), /OLD/);
  });

  it("takes no focus, moves no cursor and opens no tab, for 200 files", async () => {
    files.write("mine.txt", "here\nis\nmy\ncursor\n");
    const editor = await files.show("mine.txt");
    editor.selection = new vscode.Selection(2, 1, 2, 1);
    const names = Array.from({ length: 200 }, (_, i) => `f${i}.txt`);
    for (const name of names) files.write(name, "OLD\nline\n");
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).length;
    const looks = await Promise.all(names.map((name) => files.look(name)));
    // As many at once as documents may be opened at once: each waits for its save most of the time.
    const rest = looks.values();
    const lane = async (): Promise<void> => {
      for (const base of rest) assertDone(await files.change(base, "OLD", "NEW"));
    };
    await Promise.all(Array.from({ length: 8 }, lane));
    for (const name of names) assert.equal(files.read(name).toString(), "NEW\nline\n");
    await files.change(await files.look("mine.txt"), "here", "up here\nand");
    assert.equal(vscode.window.activeTextEditor, editor);
    assert.deepEqual(editor.selection.active, new vscode.Position(3, 1));
    const tabsNow = (): number => vscode.window.tabGroups.all.flatMap((group) => group.tabs).length;
    await until(() => tabsNow() === tabs, "no more tabs are open than before");
  }).timeout(300_000);
});
