import { strict as assert } from "node:assert";
import { basename } from "node:path";
import * as vscode from "vscode";
import type { CallRecord } from "../../src/app/record.ts";
import { api, nextCall, setGlobally, showReview } from "../harness/extension.ts";
import { clickInReview, countInReview } from "../harness/page.ts";
import { editorFiles, type EditorFiles } from "../support/editorFiles.ts";

/**
 * While it runs tests, VS Code answers its own confirmations with yes, as its auto-approvals do elsewhere. So these
 * show what is written without a person's answer. What a person reads there: unit/app/preview.test.ts.
 */
describe("VS Code's own confirmation of a tool, answered by VS Code itself", () => {
  let files: EditorFiles;
  let reset: () => Promise<void> = () => Promise.resolve();
  let stop: vscode.CancellationTokenSource;
  let listener: vscode.Disposable;
  let told: CallRecord[];
  beforeEach(async () => {
    files = editorFiles();
    stop = new vscode.CancellationTokenSource();
    told = [];
    listener = (await api()).onDidChangeCall((call) => told.push(call));
    await files.set("agentEditReview.permission", { edit_files: { "asked.txt": "ask" } });
    await showReview();
  });
  afterEach(async () => {
    stop.cancel();
    listener.dispose();
    await reset();
    reset = () => Promise.resolve();
    await files.close();
  });
  const confirmationIs = async (value: string): Promise<void> => {
    reset = await setGlobally("agentEditReview.nativeConfirmation", value);
  };
  /** A call by another extension, outside of any chat. */
  const invoke = async (): Promise<string> => {
    const edits = [
      { path: files.write("asked.txt", "one\ntwo\n"), old_text: "two", new_text: "zwei" },
      { path: files.write("free.txt", "x\n"), old_text: "x", new_text: "y" },
    ];
    const options = { input: { edits }, toolInvocationToken: undefined };
    const { content } = await vscode.lm.invokeTool("edit_files", options, stop.token);
    return content.map((p) => (p instanceof vscode.LanguageModelTextPart ? p.value : "?")).join("");
  };
  const read = (): string[] => ["asked.txt", "free.txt"].map((name) => files.read(name).toString());
  const question = (): Promise<CallRecord> =>
    nextCall("the panel's question", ({ phase }) => phase === "approval");
  const card = (): string =>
    `[data-testid="call-card"][data-phase="approval"]:has-text("${basename(files.root)}")`;

  for (const counts of ["first", "off"])
    it(`is no yes (${counts}): the panel asks before anything is written`, async () => {
      await confirmationIs(counts);
      const waiting = question();
      const ended = invoke();
      await waiting;
      assert.equal(await countInReview(`${card()} [data-testid="proposed-diff"]`), 1);
      assert.deepEqual(read(), ["one\ntwo\n", "x\n"]);
      await clickInReview(`${card()} button[title^="Deny"]`);
      assert.match(await ended, /denied by the user/);
      assert.deepEqual(read(), ["one\ntwo\n", "y\n"]);
    });

  it("is the yes to just the plan it showed where the user set it so", async () => {
    await confirmationIs("approves");
    await invoke();
    assert.deepEqual(read(), ["one\nzwei\n", "y\n"]);
    const ids = new Set(told.map(({ id }) => id));
    assert.equal(ids.size, 1, "the plan that was shown is no call of its own");
  });

  it("is no yes for a call that VS Code did not confirm, though the same was confirmed before", async () => {
    await confirmationIs("approves");
    await invoke();
    const waiting = question();
    const path = files.write("asked.txt", "one\ntwo\n");
    const { execute } = await api();
    const edits = [{ path, old_text: "two", new_text: "zwei" }];
    const ended = execute({ tool: "edit_files", input: { edits }, session: "other" }, stop.token);
    await waiting;
    stop.cancel();
    assert.equal((await ended).structured.status, "error");
    assert.equal(files.read("asked.txt").toString(), "one\ntwo\n");
  });

  it("is no yes to what a hook made of the call", async () => {
    await confirmationIs("approves");
    const command = `node -e "process.stdout.write('{}')"`;
    const unhook = await setGlobally("agentEditReview.hooks", [
      { event: "pre_tool_use", kind: "command", command },
    ]);
    try {
      const waiting = question();
      const ended = invoke();
      await waiting;
      assert.deepEqual(read(), ["one\ntwo\n", "x\n"]);
      await clickInReview(`${card()} button[title^="Deny"]`);
      await ended;
    } finally {
      await unhook();
    }
  });

  it("asks nothing where no rule wants it", async () => {
    await files.set("agentEditReview.permission", {});
    await invoke();
    assert.deepEqual(read(), ["one\nzwei\n", "y\n"]);
    assert.equal(
      told.some(({ phase }) => phase === "approval"),
      false,
    );
  });
});
