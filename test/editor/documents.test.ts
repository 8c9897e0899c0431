import { strict as assert } from "node:assert";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import iconv from "iconv-lite";
import * as vscode from "vscode";
import {
  editorFiles,
  outsideFolder,
  typeInto,
  until,
  valueOf,
  type EditorFiles,
} from "../support/editorFiles.ts";

const CHINESE = "// 你好\nconst 名 = 1;\n";

describe("documents: finding", () => {
  let files: EditorFiles;
  let outside: string;
  beforeEach(() => {
    files = editorFiles();
    outside = outsideFolder();
  });
  afterEach(async () => {
    await files.close();
    rmSync(outside, { recursive: true, force: true });
  });
  const codeOf = async (path: string, relative = false): Promise<string> => {
    const file = await files.workspace.locate(path, "edit", relative);
    return file.ok ? "found" : file.problem.code;
  };

  it("names a file by path, by URI and relative to the folder", async () => {
    const path = files.write("a b.ini", "x");
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder);
    const uri = vscode.Uri.file(path).toString();
    assert.match(uri, /%20/);
    const shown = vscode.workspace.asRelativePath(path, false);
    for (const asked of [path, uri, shown]) {
      const file = valueOf(await files.workspace.locate(asked, "edit", true));
      assert.deepEqual(file, { asked, absolute: path, real: path, shown });
    }
  });

  it("stays inside the workspace, links followed", async () => {
    writeFileSync(join(outside, "a.ts"), "x");
    symlinkSync(join(outside, "a.ts"), files.path("file.ts"));
    symlinkSync(outside, files.path("folder"));
    for (const path of [
      join(outside, "a.ts"),
      files.path("file.ts"),
      files.path("folder/new/b.ini"),
    ])
      assert.equal(await codeOf(path), "path-outside", path);
  });

  it("refuses what is no file of this workspace", async () => {
    assert.equal(await codeOf("untitled:Untitled-1"), "path-foreign-scheme");
    assert.equal(await codeOf("git:/a.ts"), "path-foreign-scheme");
    assert.equal(await codeOf("a.ts"), "path-not-absolute");
    assert.equal(await codeOf("/dev/null"), "path-device");
  });

  it("takes a relative path from the one of two folders that has it", async () => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder);
    const second = { uri: vscode.Uri.file(outside), name: "second", index: 1 };
    files.workspace.dispose();
    const two = editorFiles({ folders: () => [folder, second] });
    try {
      writeFileSync(join(outside, "only-here.ts"), "x");
      const only = valueOf(await two.workspace.locate("only-here.ts", "edit", true));
      assert.equal(only.real, join(outside, "only-here.ts"));
      const named = valueOf(await two.workspace.locate("second/new.ts", "create", true));
      assert.equal(named.real, join(outside, "new.ts"));
      writeFileSync(join(outside, "README.md"), "x");
      const both = await two.workspace.locate("README.md", "edit", true);
      assert.equal(both.ok ? "found" : both.problem.code, "path-not-absolute");
    } finally {
      await two.close();
    }
  });

  it("refuses read-only files by setting and by mode, but finds them for reading", async () => {
    files.write("locked/a.ts", "x");
    files.write("locked/open.ts", "x");
    chmodSync(files.write("bits.ts", "x"), 0o444);
    await files.set("files.readonlyInclude", { "**/locked/**": true });
    await files.set("files.readonlyExclude", { "**/open.ts": true });
    const by = async (name: string): Promise<string> => {
      const file = await files.workspace.locate(files.path(name), "edit", false);
      if (file.ok) return "writable";
      return file.problem.code === "file-read-only" ? file.problem.by : file.problem.code;
    };
    assert.equal(await by("locked/a.ts"), "setting");
    assert.equal(await by("locked/open.ts"), "writable");
    assert.equal(await by("bits.ts"), "permissions");
    assert.ok((await files.workspace.locate(files.path("bits.ts"), "read", false)).ok);
  });
});

describe("documents: looking", () => {
  let files: EditorFiles;
  beforeEach(() => {
    files = editorFiles();
  });
  afterEach(() => files.close());
  const problemOf = async (name: string): Promise<string> => {
    const snapshot = await files.workspace.look(await files.find(name));
    if (!snapshot.ok) return snapshot.problem.code;
    if (snapshot.value.kind === "missing") return "missing";
    const { body } = snapshot.value;
    if (body.ok) return "text";
    return body.problem.code === "dirty-needs-bytes" ? body.problem.why : body.problem.code;
  };

  it("reads a closed file from disk without opening it", async () => {
    files.write("a.txt", "eins\r\nzwei\n");
    const base = await files.look("a.txt");
    const { text, encoding, source, version } = valueOf(base.body);
    assert.deepEqual(
      { text, encoding, source, version },
      { text: "eins\r\nzwei\n", encoding: "utf8", source: "disk", version: null },
    );
    assert.ok(!vscode.workspace.textDocuments.some(({ fileName }) => /a\.txt$/.test(fileName)));
  });

  it("gives the disk's text and the document's version for a clean open file", async () => {
    files.write("a.txt", "\ufeffeins\r\nzwei\n");
    const document = await files.open("a.txt");
    const { text, encoding, source, version } = valueOf((await files.look("a.txt")).body);
    assert.deepEqual(
      { text, encoding, source, version },
      { text: "eins\r\nzwei\n", encoding: "utf8bom", source: "disk", version: document.version },
    );
  });

  it("gives the unsaved text of a dirty file", async () => {
    files.write("a.txt", "one\n");
    const document = await files.open("a.txt");
    await typeInto(document, "zero\n");
    const base = await files.look("a.txt");
    const { text, source, version } = valueOf(base.body);
    assert.deepEqual(
      { text, source, version },
      { text: "zero\none\n", source: "document", version: document.version },
    );
    assert.equal(Buffer.from(base.bytes).toString(), "one\n");
  });

  it("refuses a dirty file whose disk copy changed underneath", async () => {
    files.write("a.txt", "one\n");
    const document = await files.open("a.txt");
    await typeInto(document, "zero\n");
    assert.equal(await problemOf("a.txt"), "text");
    files.write("a.txt", "ONE\n");
    assert.equal(await problemOf("a.txt"), "dirty-and-newer-on-disk");
    files.write("a.txt", "one\n");
    assert.equal(await problemOf("a.txt"), "text");
  });

  it("knows the disk copy again after a reload and after a save", async () => {
    files.write("a.txt", "one\n");
    const document = await files.open("a.txt");
    files.write("a.txt", "two\n");
    await until(() => document.getText() === "two\n", "the document is reloaded");
    await typeInto(document, "x");
    assert.equal(await problemOf("a.txt"), "text");
    assert.equal(await document.save(), true);
    await typeInto(document, "y");
    assert.equal(await problemOf("a.txt"), "text");
    files.write("a.txt", "two\n");
    assert.equal(await problemOf("a.txt"), "dirty-and-newer-on-disk");
  });

  it("waits until a clean document shows what is on disk", async () => {
    files.write("a.txt", "one\n");
    const document = await files.open("a.txt");
    files.write("a.txt", "one\ntwo\n");
    const base = await files.look("a.txt");
    assert.equal(valueOf(base.body).text, "one\ntwo\n");
    assert.equal(document.getText(), "one\ntwo\n");
    assert.equal(valueOf(base.body).version, document.version);
  });

  for (const [what, bytes, why] of [
    ["mixed endings", "a\r\nb\nc\n", "mixed-endings"],
    ["carriage returns only", "a\rb\r", "mixed-endings"],
    ["bytes that its encoding does not have", Buffer.from([0x61, 0xe9, 0x0a]), "encoding"],
  ] as const)
    it(`refuses a dirty file with ${what}`, async () => {
      files.write("a.txt", bytes);
      const document = await files.open("a.txt");
      await typeInto(document, "zero ");
      assert.equal(await problemOf("a.txt"), why);
    });

  it("refuses a dirty file above the size limit", async () => {
    await files.set("agentEditReview.textWayMaxBytes", 10);
    files.write("a.txt", "0123456789 and more\n");
    await typeInto(await files.open("a.txt"), "zero ");
    assert.equal(await problemOf("a.txt"), "size");
  });

  it("reads the encoding that the settings name, for a resource and for a language", async () => {
    const bytes = iconv.encode(CHINESE, "gbk");
    files.write("a.txt", bytes);
    assert.equal(await problemOf("a.txt"), "file-undecodable");
    await files.set("files.encoding", "gbk", "plaintext");
    const closed = valueOf((await files.look("a.txt")).body);
    assert.deepEqual([closed.text, closed.encoding], [CHINESE, "gbk"]);
    files.write("b.ini", bytes);
    assert.equal(await problemOf("b.ini"), "file-undecodable");
    await files.set("files.encoding", "gbk");
    const open = valueOf((await files.look("b.ini")).body);
    assert.deepEqual([open.text, open.encoding], [CHINESE, "gbk"]);
  });

  it("reads a file that its document shows wrongly", async () => {
    const text = "这是测试文本，用来保存编码。\n端口为后来的默认值\n";
    files.write("a.txt", iconv.encode(text, "gb18030"));
    const document = await files.open("a.txt");
    assert.match(document.getText(), /\ufffd/);
    const body = valueOf((await files.look("a.txt")).body);
    assert.deepEqual([body.text, body.encoding], [text, "gb18030"]);
  });

  it("tells folders, binary files, missing files and open notebooks apart", async () => {
    mkdirSync(files.path("folder"));
    files.write("a.bin", "a\0b");
    files.write("readme.md", "x");
    assert.equal(await problemOf("folder"), "file-is-folder");
    assert.equal(await problemOf("a.bin"), "file-binary");
    const missing = valueOf(await files.workspace.look(await files.find("Readme.md")));
    assert.deepEqual(missing.kind === "missing" && missing.similar, ["readme.md"]);
    files.write(
      "n.ipynb",
      JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 }),
    );
    assert.equal(await problemOf("n.ipynb"), "text");
    await vscode.workspace.openNotebookDocument(vscode.Uri.file(files.path("n.ipynb")));
    assert.equal(await problemOf("n.ipynb"), "notebook-open");
  });
});
