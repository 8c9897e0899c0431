import { strict as assert } from "node:assert";
import { chmodSync, existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as vscode from "vscode";
import { newSession, nextCall } from "../harness/extension.ts";
import { editorFiles, typeInto, type EditorFiles } from "../support/editorFiles.ts";

describe("apply_patch in the editor", () => {
  let files: EditorFiles;
  beforeEach(() => {
    files = editorFiles();
  });
  afterEach(() => files.close());
  const shown = (name: string): string => `${basename(files.root)}/${name}`;
  const patch = (...lines: readonly string[]): { patch: string } => ({
    patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n"),
  });
  const disk = (...names: readonly string[]): Record<string, string | null> =>
    Object.fromEntries(
      names.map((name) => [
        name,
        existsSync(files.path(name)) ? files.read(name).toString() : null,
      ]),
    );

  it("adds, updates, deletes and moves in one call, to the byte", async () => {
    files.write("crlf.ts", "one\r\ntwo\r\nthree\r\n");
    files.write("gone.bin.txt", "\ufeffold\r\n\r\n");
    chmodSync(files.write("run.sh", "echo 1\necho 2"), 0o755);
    const { execute } = await newSession();
    const result = await execute(
      "apply_patch",
      patch(
        `*** Add File: ${shown("new/deep/a.txt")}`,
        "+first",
        "+",
        "+Ω last",
        `*** Update File: ${shown("crlf.ts")}`,
        "@@",
        " one",
        "-two",
        "+zwei",
        "+drei",
        " three",
        `*** Delete File: ${shown("gone.bin.txt")}`,
        `*** Update File: ${shown("run.sh")}`,
        `*** Move to: ${shown("bin/start.sh")}`,
        "@@",
        " echo 1",
        "-echo 2",
        "+echo 3",
      ),
    );
    assert.equal(result.isError, false, result.text);
    const { status, files: outcomes } = result.structured;
    assert.equal(status, "applied");
    const told = Object.fromEntries(outcomes.map((one) => [basename(one.path), one.operation]));
    assert.deepEqual(told, {
      "a.txt": "add",
      "crlf.ts": "update",
      "gone.bin.txt": "delete",
      "start.sh": "move",
    });
    assert.deepEqual(disk("new/deep/a.txt", "crlf.ts", "gone.bin.txt", "run.sh"), {
      "new/deep/a.txt": "first\n\nΩ last\n",
      "crlf.ts": "one\r\nzwei\r\ndrei\r\nthree\r\n",
      "gone.bin.txt": null,
      "run.sh": null,
    });
    assert.match(files.read("bin/start.sh").toString(), /^echo 1\necho 3\n?$/);
    assert.equal(statSync(files.path("bin/start.sh")).mode & 0o777, 0o755);
  });

  it("moves a file whose editor is open, and the editor follows", async () => {
    files.write("old.ts", "let a = 1;\nlet b = 2;\n");
    await files.show("old.ts");
    const { execute } = await newSession();
    const result = await execute(
      "apply_patch",
      patch(
        `*** Update File: ${shown("old.ts")}`,
        `*** Move to: ${shown("new.ts")}`,
        "@@",
        " let a = 1;",
        "-let b = 2;",
        "+let b = 3;",
      ),
    );
    assert.equal(result.isError, false, result.text);
    assert.deepEqual(disk("old.ts", "new.ts"), {
      "old.ts": null,
      "new.ts": "let a = 1;\nlet b = 3;\n",
    });
    assert.equal((await files.open("new.ts")).getText(), "let a = 1;\nlet b = 3;\n");
  });

  it("applies the groups that stand and leaves the one that fails as it was", async () => {
    files.write("good.ts", "one\n");
    files.write("bad.ts", "one\ntwo\n");
    files.write("taken.ts", "mine\n");
    const { execute } = await newSession();
    const result = await execute(
      "apply_patch",
      patch(
        `*** Update File: ${shown("good.ts")}`,
        "@@",
        "-one",
        "+1",
        `*** Update File: ${shown("bad.ts")}`,
        "@@",
        "-one",
        "+1",
        "@@",
        "-nowhere to be found",
        "+2",
        `*** Add File: ${shown("taken.ts")}`,
        "+theirs",
      ),
    );
    assert.equal(result.structured.status, "partial", result.text);
    assert.deepEqual(disk("good.ts", "bad.ts", "taken.ts"), {
      "good.ts": "1\n",
      "bad.ts": "one\ntwo\n",
      "taken.ts": "mine\n",
    });
    const told = Object.fromEntries(
      result.structured.files.map(({ path, status }) => [basename(path), status]),
    );
    assert.deepEqual(told, { "good.ts": "applied", "bad.ts": "rejected", "taken.ts": "rejected" });
    assert.match(result.text, /bad\.ts/);
  });

  it("does not lose unsaved work under a delete or a move", async () => {
    files.write("a.txt", "one\n");
    files.write("b.txt", "one\n");
    for (const name of ["a.txt", "b.txt"]) await typeInto(await files.open(name), "mine\n");
    const { execute } = await newSession();
    const result = await execute(
      "apply_patch",
      patch(
        `*** Delete File: ${shown("a.txt")}`,
        `*** Update File: ${shown("b.txt")}`,
        `*** Move to: ${shown("c.txt")}`,
        "@@",
        "-one",
        "+1",
      ),
    );
    assert.equal(result.structured.status, "error", result.text);
    assert.deepEqual(disk("a.txt", "b.txt", "c.txt"), {
      "a.txt": "one\n",
      "b.txt": "one\n",
      "c.txt": null,
    });
    assert.equal((await files.open("a.txt")).getText(), "mine\none\n");
    assert.equal((await files.open("b.txt")).getText(), "mine\none\n");
  });

  it("asks before it touches a path outside the workspace, and nobody's answer is no", async () => {
    const { session, execute } = await newSession();
    const stop = new vscode.CancellationTokenSource();
    const waits = nextCall("a question", (c) => c.session === session && c.phase === "approval");
    const path = "../outside-of-all.txt";
    const running = execute("apply_patch", patch(`*** Add File: ${path}`, "+x"), stop.token);
    const ended = running.then(({ text }) => assert.fail(`not asked: ${text}`));
    assert.equal((await Promise.race([waits, ended])).files[0]?.phase, "proposed");
    stop.cancel();
    assert.equal((await running).structured.status, "error");
    assert.equal(existsSync(join(dirname(files.root), path)), false);
  });
});
