import { strict as assert } from "node:assert";
import { chmodSync, existsSync, readlinkSync, statSync, symlinkSync } from "node:fs";
import { basename } from "node:path";
import * as vscode from "vscode";
import { fileKey } from "../../src/app/approvals.ts";
import type { CallRecord } from "../../src/app/record.ts";
import { newSession, nextCall, postFromReview, showReview } from "../harness/extension.ts";
import { clickInReview, press } from "../harness/page.ts";
import { editorFiles, until, type EditorFiles } from "../support/editorFiles.ts";

const LINES = Array.from({ length: 40 }, (_, i) => `line ${i + 1}`);

describe("undo", () => {
  let files: EditorFiles;
  beforeEach(async () => {
    files = editorFiles();
    await showReview();
  });
  afterEach(() => files.close());

  const run = async (tool: string, input: unknown): Promise<CallRecord> => {
    const { session, execute } = await newSession();
    const ended = nextCall("the call to end", (c) => c.session === session && c.phase === "done");
    const result = await execute(tool, input);
    assert.equal(result.isError, false, result.text);
    return ended;
  };
  /** Replaces lines by number; the file has LINES. */
  const edit = (name: string, ...numbers: readonly number[]): object[] =>
    numbers.map((n) => ({
      path: files.path(name),
      old_text: `line ${n}\n`,
      new_text: `LINE ${n}\n`,
    }));
  const text = (...changed: readonly number[]): string =>
    `${LINES.map((line, i) => (changed.includes(i + 1) ? line.toUpperCase() : line)).join("\n")}\n`;
  /** What the panel's button sends; resolves with the undo's own record. */
  const undo = async (
    call: CallRecord,
    scope: { fileKey?: string; hunk?: number } = {},
  ): Promise<CallRecord> => {
    const ended = nextCall("the undo to end", ({ tool, phase, args }) => {
      const of = (args as { call?: unknown } | undefined)?.call;
      return tool === "undo" && phase === "done" && of === call.id;
    });
    await postFromReview({ kind: "undo", callId: call.id, ...scope });
    return ended;
  };
  const keyOf = (call: CallRecord, name: string): string =>
    fileKey(
      call,
      call.files.findIndex(({ path }) => path.endsWith(`/${name}`)),
    );
  const statuses = (call: CallRecord): readonly unknown[] =>
    call.files.map(({ outcome }) => outcome?.status);

  it("the editor's own undo takes back one file of a call, in one step", async () => {
    for (const name of ["a.txt", "b.txt"]) files.write(name, text());
    await run("edit_files", { edits: [...edit("a.txt", 3, 30), ...edit("b.txt", 5)] });
    const { document } = await files.show("a.txt");
    await vscode.commands.executeCommand("undo");
    // The command ends before its change has come to the extension host.
    await until(() => document.getText() === text(), "a.txt is as it was");
    assert.equal(files.read("b.txt").toString(), text(5));
    assert.equal((await files.open("b.txt")).getText(), text(5));
    await vscode.commands.executeCommand("redo");
    await until(() => document.getText() === text(3, 30), "a.txt is edited again");
  });

  it("the editor's own undo takes back a call that was kept as well, in one step", async () => {
    files.write("a.txt", text());
    const call = await run("edit_files", { edits: edit("a.txt", 3, 20, 30) });
    const mark = { callId: call.id, fileKey: keyOf(call, "a.txt"), kept: true };
    await postFromReview({ kind: "keep", ...mark });
    const { document } = await files.show("a.txt");
    await press("Control+Z");
    await until(() => document.getText() === text(), "a.txt is as it was");
    await press("Control+Z");
    await press("Control+Y");
    await until(() => document.getText() === text(3, 20, 30), "a.txt is edited again");
  });

  it("of one session's call keeps what another session wrote to the same file", async () => {
    files.write("a.txt", text());
    const first = await run("edit_files", { edits: edit("a.txt", 3) });
    await run("edit_files", { edits: edit("a.txt", 5, 30) });
    assert.deepEqual(statuses(await undo(first)), ["applied"]);
    assert.equal(files.read("a.txt").toString(), text(5, 30));
  });

  it("takes back one file, then the rest of the call, and the undo itself", async () => {
    for (const name of ["a.txt", "b.txt"]) files.write(name, text());
    const call = await run("edit_files", { edits: [...edit("a.txt", 3), ...edit("b.txt", 5)] });
    await undo(call, { fileKey: keyOf(call, "a.txt") });
    assert.equal(files.read("a.txt").toString(), text());
    assert.equal(files.read("b.txt").toString(), text(5));
    const rest = await undo(call);
    assert.equal(files.read("a.txt").toString(), text());
    assert.equal(files.read("b.txt").toString(), text());
    await undo(rest);
    assert.equal(files.read("b.txt").toString(), text(5));
  });

  it("is one click in the panel", async () => {
    files.write("a.txt", text());
    const call = await run("edit_files", { edits: edit("a.txt", 3) });
    const ended = nextCall("the undo to end", ({ tool, phase, args }) => {
      const of = (args as { call?: unknown } | undefined)?.call;
      return tool === "undo" && phase === "done" && of === call.id;
    });
    const card = `[data-testid="call-card"]:has-text("${basename(files.root)}")`;
    await clickInReview(`${card} [data-testid="file-card"] button[title^="Undo"]`);
    assert.deepEqual(statuses(await ended), ["applied"]);
    assert.equal(files.read("a.txt").toString(), text());
  });

  it("takes back one hunk, and keeps what a person wrote since", async () => {
    files.write("a.txt", text());
    const call = await run("edit_files", { edits: edit("a.txt", 3, 30) });
    const mine = `mine\n${text(3, 30)}mine too\n`;
    await files.rewrite("a.txt", mine);
    await undo(call, { fileKey: keyOf(call, "a.txt"), hunk: 1 });
    assert.equal(files.read("a.txt").toString(), `mine\n${text(3)}mine too\n`);
    await undo(call, { fileKey: keyOf(call, "a.txt") });
    assert.equal(files.read("a.txt").toString(), `mine\n${text()}mine too\n`);
  });

  it("refuses where the call's own text has changed, and leaves it", async () => {
    files.write("a.txt", text());
    const call = await run("edit_files", { edits: edit("a.txt", 3) });
    const mine = text(3).replace("LINE 3", "Line three, in my words");
    await files.rewrite("a.txt", mine);
    const refused = await undo(call);
    assert.deepEqual(statuses(refused), ["rejected"]);
    assert.equal(files.read("a.txt").toString(), mine);
  });

  it("brings deleted and moved files back, with bytes and mode, and removes added ones", async () => {
    const shown = (name: string): string => `${basename(files.root)}/${name}`;
    const bytes = Buffer.from("\ufeffone\r\ntwo\nthree\r", "utf8");
    files.write("gone.txt", bytes);
    chmodSync(files.write("run.sh", "echo 1\necho 2\n"), 0o755);
    files.write("kept.txt", text());
    const call = await run("apply_patch", {
      patch: [
        "*** Begin Patch",
        `*** Add File: ${shown("new/added.txt")}`,
        "+fresh",
        `*** Delete File: ${shown("gone.txt")}`,
        `*** Update File: ${shown("run.sh")}`,
        `*** Move to: ${shown("bin/start.sh")}`,
        "@@",
        " echo 1",
        "-echo 2",
        "+echo 3",
        `*** Update File: ${shown("kept.txt")}`,
        "@@",
        "-line 7",
        "+LINE 7",
        "*** End Patch",
      ].join("\n"),
    });
    assert.equal(existsSync(files.path("gone.txt")), false);
    assert.equal(files.read("bin/start.sh").toString(), "echo 1\necho 3\n");
    const back = await undo(call);
    assert.deepEqual(new Set(statuses(back)), new Set(["applied"]));
    assert.deepEqual(files.read("gone.txt"), bytes);
    assert.equal(files.read("run.sh").toString(), "echo 1\necho 2\n");
    assert.equal(statSync(files.path("run.sh")).mode & 0o777, 0o755);
    assert.equal(files.read("kept.txt").toString(), text());
    assert.equal(existsSync(files.path("bin/start.sh")), false);
    assert.equal(existsSync(files.path("new/added.txt")), false);
  });

  it("keeps other encodings and mixed endings to the byte", async () => {
    const before = Buffer.concat([Buffer.from("a\r\nOLD\nc\r"), Buffer.from("d\r\n")]);
    files.write("mixed.txt", before);
    const path = files.path("mixed.txt");
    const call = await run("edit_files", { edits: [{ path, old_text: "OLD", new_text: "NEW" }] });
    assert.equal(files.read("mixed.txt").toString(), "a\r\nNEW\nc\rd\r\n");
    await undo(call);
    assert.deepEqual(files.read("mixed.txt"), before);
  });

  it("moves modes with texts that change places, also of an open file, and brings both back", async () => {
    const at = (name: string): string => `${basename(files.root)}/${name}`;
    const seen = (): unknown =>
      ["a.sh", "b.txt"].map((name) => [
        files.read(name).toString(),
        statSync(files.path(name)).mode & 0o777,
      ]);
    chmodSync(files.write("a.sh", "echo a\n"), 0o755);
    chmodSync(files.write("b.txt", "text b\n"), 0o640);
    await files.show("a.sh");
    const before = seen();
    const moves = ["a.sh", "aside", "b.txt", "a.sh", "aside", "b.txt"];
    const lines = moves.map(
      (name, i) => `*** ${i % 2 === 0 ? "Update File" : "Move to"}: ${at(name)}`,
    );
    const call = await run("apply_patch", {
      patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n"),
    });
    assert.deepEqual(seen(), [
      ["text b\n", 0o640],
      ["echo a\n", 0o755],
    ]);
    const { document } = await files.show("a.sh");
    await until(() => document.getText() === "text b\n", "the editor shows the other text");
    const back = await undo(call);
    assert.deepEqual(new Set(statuses(back)), new Set(["applied"]));
    assert.deepEqual(seen(), before);
  });

  it("takes a file away that was made behind a link to nothing, and leaves the link", async () => {
    symlinkSync("target.txt", files.path("link.txt"));
    const call = await run("write", { path: files.path("link.txt"), content: "new\n" });
    assert.equal(files.read("target.txt").toString(), "new\n");
    const back = await undo(call);
    assert.deepEqual(statuses(back), ["applied"]);
    assert.equal(existsSync(files.path("target.txt")), false);
    assert.equal(readlinkSync(files.path("link.txt")), "target.txt");
    assert.deepEqual(statuses(await undo(back)), ["applied"]);
    assert.equal(files.read("link.txt").toString(), "new\n");
  });
});
