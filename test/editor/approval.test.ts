import { strict as assert } from "node:assert";
import { rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import * as vscode from "vscode";
import { planHash } from "../../src/app/approvals.ts";
import type { CallResult } from "../../src/app/call.ts";
import type { CallRecord } from "../../src/app/record.ts";
import {
  newSession,
  nextCall,
  postFromReview,
  setGlobally,
  showReview,
} from "../harness/extension.ts";
import { clickInReview, countInReview, inReview, press, screenshot } from "../harness/page.ts";
import { editorFiles, outsideFolder, type EditorFiles } from "../support/editorFiles.ts";

describe("approval", () => {
  let files: EditorFiles;
  beforeEach(async () => {
    files = editorFiles();
    await files.set("agentEditReview.permission", { edit_files: "ask" });
    await showReview();
  });
  afterEach(() => files.close());

  interface Waiting {
    readonly call: CallRecord;
    readonly result: Promise<CallResult>;
    /** Stops the call, so that a failing test leaves no queue behind. */
    readonly stop: () => void;
  }

  /** A call on two files that waits for a person. */
  const ask = async (): Promise<Waiting> => {
    const edits = ["yes.txt", "no.txt"].map((name) => ({
      path: files.write(name, "one\ntwo\n"),
      old_text: "two",
      new_text: "zwei",
    }));
    const { session, execute } = await newSession();
    const waits = nextCall("a question", (c) => c.session === session && c.phase === "approval");
    const token = new vscode.CancellationTokenSource();
    const result = execute("edit_files", { edits }, token.token);
    return { call: await waits, result, stop: () => token.cancel() };
  };
  const unchanged = (): void => {
    for (const name of ["yes.txt", "no.txt"])
      assert.equal(files.read(name).toString(), "one\ntwo\n", name);
  };
  const hashOf = (call: CallRecord): Promise<string> => planHash(call.files);
  const card = (): string =>
    `[data-testid="call-card"][data-phase="approval"]:has-text("${basename(files.root)}")`;

  const fileCard = (name: string): string =>
    `${card()} [data-testid="file-card"]:has(button[aria-label$="${basename(files.root)}/${name}"])`;

  it("shows the plan and writes nothing until it is answered, file by file", async () => {
    const { result, stop } = await ask();
    try {
      assert.equal(await countInReview(`${card()} [data-testid="proposed-diff"]`), 2);
      await screenshot("approval-waiting");
      unchanged();
      await clickInReview(`${fileCard("yes.txt")} button[title^="Approve"]`);
      unchanged();
      await clickInReview(`${fileCard("no.txt")} button[title^="Deny"]`);
      const { structured, text } = await result;
      assert.equal(structured.status, "partial", text);
      const told = structured.files.map(({ path, status }) => [basename(path), status]);
      assert.deepEqual(told.sort(), [
        ["no.txt", "rejected"],
        ["yes.txt", "applied"],
      ]);
      assert.match(text, /denied/i);
      assert.equal(files.read("yes.txt").toString(), "one\nzwei\n");
      assert.equal(files.read("no.txt").toString(), "one\ntwo\n");
    } finally {
      stop();
    }
  });

  it("can be answered by keyboard alone", async () => {
    const { result, stop } = await ask();
    try {
      await countInReview(`${fileCard("yes.txt")} button[title^="Approve"]`);
      await inReview("document.querySelector('#search, input')?.focus();");
      const focused = (): Promise<string> =>
        inReview<string>("return document.activeElement?.title ?? '';");
      for (let tabs = 0; tabs < 20 && !(await focused()).startsWith("Approve all"); tabs++)
        await press("Tab");
      assert.match(await focused(), /^Approve all/);
      unchanged();
      await press("Enter");
      assert.equal((await result).structured.status, "applied");
      assert.equal(files.read("yes.txt").toString(), "one\nzwei\n");
    } finally {
      stop();
    }
  });

  it("takes no answer that was given to another plan", async () => {
    const { call, result, stop } = await ask();
    try {
      const answer = { kind: "answer", callId: call.id, decision: "approve" };
      await postFromReview({ ...answer, hash: "0".repeat(64) });
      unchanged();
      await postFromReview({ ...answer, decision: "deny", hash: await hashOf(call) });
      assert.equal((await result).structured.status, "error");
      unchanged();
    } finally {
      stop();
    }
  });

  it("plans again when the file changed while the person thought", async () => {
    const { call, result, stop } = await ask();
    try {
      files.write("yes.txt", "zero\none\ntwo\n");
      const hash = await hashOf(call);
      await postFromReview({ kind: "answer", callId: call.id, decision: "approve", hash });
      const ended = await Promise.race([
        result,
        nextCall(
          "a new question",
          ({ id, phase, files: [first] }) =>
            id === call.id && phase === "approval" && first?.proposed !== call.files[0]?.proposed,
        ),
      ]);
      // Whichever way it goes: what was approved is not what would now be written.
      if ("structured" in ended)
        assert.notEqual(
          ended.structured.files.find(({ path }) => path.endsWith("yes.txt"))?.status,
          "applied",
        );
      assert.equal(files.read("yes.txt").toString(), "zero\none\ntwo\n");
    } finally {
      stop();
      await result;
    }
  });

  it("a closed panel is no answer, and the question is there when it opens again", async () => {
    const { result, stop } = await ask();
    try {
      await countInReview(card());
      await vscode.commands.executeCommand("workbench.view.explorer");
      await vscode.commands.executeCommand("workbench.action.closeSidebar");
      unchanged();
      await showReview();
      assert.equal(await countInReview(`${card()} [data-testid="proposed-diff"]`), 2);
      unchanged();
      await vscode.commands.executeCommand("agentEditReview.cancelRunningCalls");
      const { structured } = await result;
      assert.deepEqual(
        structured.files.map(({ status }) => status),
        ["rejected", "rejected"],
      );
      unchanged();
    } finally {
      stop();
    }
  });

  it("names a setting that it cannot read, in the panel and in the result", async () => {
    await files.set("agentEditReview.permission", { edit_files: { "src/[": "deny" } });
    await countInReview(`.notice:has-text("the pattern does not parse")`);
    const { result, stop } = await ask();
    // What cannot be read is taken strictly: it asks.
    stop();
    assert.match((await result).text, /interrupted/);
    unchanged();
    const rules = { edit_files: { "**/no.txt": "deny" }, edti: "ask" };
    await files.set("agentEditReview.permission", rules);
    await countInReview(`.notice:has-text("there is no tool \\"edti\\"")`);
    const { execute } = await newSession();
    const edits = [{ path: files.path("no.txt"), old_text: "two", new_text: "zwei" }];
    assert.match((await execute("edit_files", { edits })).text, /there is no tool "edti"/);
    await files.set("agentEditReview.permission", {});
    await inReview(
      `const told = () => [...document.querySelectorAll(".notice")].some((one) => one.innerText.includes("edti"));
       while (told()) await new Promise(requestAnimationFrame);`,
    );
  });

  it("for the rest of the session covers one file of one session, and overrules no rule that denies", async () => {
    const { session, execute } = await newSession();
    const change = (name: string, from: string, to: string): object => ({
      edits: [{ path: files.path(name), old_text: from, new_text: to }],
    });
    /** What a call is asked, before it is stopped. */
    const asked = async (
      caller: Awaited<ReturnType<typeof newSession>>,
      input: object,
    ): Promise<readonly string[]> => {
      const token = new vscode.CancellationTokenSource();
      const waits = nextCall("a question", (c) => {
        return c.session === caller.session && c.phase === "approval";
      });
      const result = caller.execute("edit_files", input, token.token);
      const { files: shown } = await waits;
      token.cancel();
      assert.equal((await result).structured.status, "error");
      return shown.map(({ path }) => basename(path));
    };
    for (const name of ["yes.txt", "no.txt"]) files.write(name, "one\ntwo\n");
    const first = execute("edit_files", change("yes.txt", "two", "zwei"));
    await clickInReview(`${fileCard("yes.txt")} button[aria-haspopup="menu"]`);
    await screenshot("approval-for-session");
    unchanged();
    await clickInReview('[role="menuitem"]:has-text("Approve for this session")');
    assert.equal((await first).structured.status, "applied");
    // A call that had to ask would wait here until the test is given up.
    const second = await execute("edit_files", change("yes.txt", "one", "eins"));
    assert.equal(second.structured.status, "applied");
    assert.equal(files.read("yes.txt").toString(), "eins\nzwei\n");

    const same = { session, execute };
    assert.deepEqual(await asked(same, change("no.txt", "two", "zwei")), ["no.txt"]);
    assert.deepEqual(await asked(await newSession(), change("yes.txt", "zwei", "2")), ["yes.txt"]);
    await files.set("agentEditReview.permission", { edit_files: { "**/yes.txt": "deny" } });
    const denied = await execute("edit_files", change("yes.txt", "zwei", "2"));
    assert.equal(denied.structured.files[0]?.status, "rejected");
    assert.equal(files.read("yes.txt").toString(), "eins\nzwei\n");
  });

  it("denies by rule without a question", async () => {
    await files.set("agentEditReview.permission", { edit_files: { "**/no.txt": "deny" } });
    const edits = ["yes.txt", "no.txt"].map((name) => ({
      path: files.write(name, "one\ntwo\n"),
      old_text: "two",
      new_text: "zwei",
    }));
    const { execute } = await newSession();
    const { structured } = await execute("edit_files", { edits });
    assert.equal(structured.status, "partial");
    assert.equal(files.read("yes.txt").toString(), "one\nzwei\n");
    assert.equal(files.read("no.txt").toString(), "one\ntwo\n");
  });
});

describe("hooks in the editor", () => {
  let files: EditorFiles;
  let folder: string;
  let reset: () => Promise<void> = () => Promise.resolve();
  beforeEach(() => {
    files = editorFiles();
    folder = outsideFolder();
  });
  afterEach(async () => {
    await reset();
    await files.close();
    rmSync(folder, { recursive: true, force: true });
  });
  /** A command that gets the event on its standard input and writes what `body` returns for it. */
  const hook = async (body: string): Promise<void> => {
    const script = join(folder, "hook.cjs");
    writeFileSync(
      script,
      `const event = JSON.parse(require("fs").readFileSync(0, "utf8"));
       const input = event.tool_input;
       process.stdout.write(JSON.stringify((() => { ${body} })()));`,
    );
    const command = `node "${script}"`;
    reset = await setGlobally("agentEditReview.hooks", [
      { event: "pre_tool_use", matcher: "edit_files", kind: "command", command },
    ]);
  };

  it("a command that denies stops the call", async () => {
    await hook(`return { permission: { decision: "deny", reason: "not on a Friday" } };`);
    const path = files.write("a.txt", "one\n");
    const { execute } = await newSession();
    const result = await execute("edit_files", {
      edits: [{ path, old_text: "one", new_text: "1" }],
    });
    assert.equal(result.isError, true);
    assert.match(result.text, /not on a Friday/);
    assert.equal(files.read("a.txt").toString(), "one\n");
  });

  it("a command that rewrites is obeyed, and the card says so", async () => {
    await hook(
      `for (const file of input.files) for (const edit of file.edits) edit.new_text += " # checked";
       return { permission: { decision: "allow" }, input_override: input };`,
    );
    await showReview();
    const path = files.write("a.txt", "one\r\ntwo\r\n");
    const { execute } = await newSession();
    const result = await execute("edit_files", {
      edits: [{ path, old_text: "one", new_text: "1" }],
    });
    assert.equal(result.isError, false, result.text);
    assert.equal(files.read("a.txt").toString(), "1 # checked\r\ntwo\r\n");
    const own = `[data-testid="call-card"]:has-text("${basename(files.root)}")`;
    await countInReview(`${own} .badge:has-text("modified by policy")`);
    assert.match(await inReview<string>("return document.body.innerText;"), /# checked/);
  });

  it("a command that fails stops the call", async () => {
    await hook("process.exit(3);");
    const path = files.write("a.txt", "one\n");
    const { execute } = await newSession();
    const edits = [{ path, old_text: "one", new_text: "1" }];
    assert.equal((await execute("edit_files", { edits })).isError, true);
    assert.equal(files.read("a.txt").toString(), "one\n");
  });
});
