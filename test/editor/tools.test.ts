import { strict as assert } from "node:assert";
import { existsSync } from "node:fs";
import * as vscode from "vscode";
import { extension, nextCall, setGlobally } from "../harness/extension.ts";
import { editorFiles, type EditorFiles } from "../support/editorFiles.ts";

interface DeclaredTool {
  readonly name: string;
  readonly modelDescription: string;
  readonly inputSchema: unknown;
}

function declaredTools(): readonly DeclaredTool[] {
  const { contributes } = extension().packageJSON as {
    contributes: { languageModelTools: readonly DeclaredTool[] };
  };
  return contributes.languageModelTools;
}

async function invoke(
  name: string,
  input: object,
  token?: vscode.CancellationToken,
): Promise<string> {
  const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token);
  return result.content
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "?"))
    .join("");
}

describe("language model tools", () => {
  let files: EditorFiles;
  let reset: () => Promise<void> = () => Promise.resolve();
  beforeEach(() => {
    files = editorFiles();
  });
  afterEach(async () => {
    await reset();
    reset = () => Promise.resolve();
    await files.close();
  });

  it("lists all five, with the description and schema of the manifest", () => {
    const declared = declaredTools();
    assert.deepEqual(
      declared.map(({ name }) => name),
      ["edit_files", "apply_patch", "edit", "write", "delete"],
    );
    for (const { name, modelDescription, inputSchema } of declared) {
      const tool = vscode.lm.tools.find((one) => one.name === name);
      assert.ok(tool, `${name} is not offered`);
      assert.equal(tool.description, modelDescription);
      assert.deepEqual(tool.inputSchema, inputSchema);
    }
  });

  it("does the work of each", async () => {
    const path = files.write("a.txt", "one\ntwo\n");
    const edits = [{ path, old_text: "one", new_text: "1" }];
    assert.match(await invoke("edit_files", { edits }), /"applied"|applied/);
    assert.equal(files.read("a.txt").toString(), "1\ntwo\n");

    const shown = vscode.workspace.asRelativePath(path, false);
    const patch = `*** Begin Patch\n*** Update File: ${shown}\n@@\n 1\n-two\n+2\n*** End Patch`;
    const patched = await invoke("apply_patch", { patch });
    assert.equal(files.read("a.txt").toString(), "1\n2\n", patched);

    await invoke("edit", { path, old_string: "2", new_string: "zwei" });
    assert.equal(files.read("a.txt").toString(), "1\nzwei\n");

    const created = files.path("deep/new.txt");
    await invoke("write", { path: created, content: "fresh\n" });
    assert.equal(files.read("deep/new.txt").toString(), "fresh\n");
    await invoke("delete", { path: created });
    assert.equal(existsSync(created), false);
  });

  it("tells the model what is wrong with an input, and writes nothing", async () => {
    const path = files.write("a.txt", "one\n");
    for (const [name, input, says] of [
      ["edit_files", {}, /edits/],
      ["edit_files", { edits: [{ path, old_text: "one" }] }, /new_text/],
      ["edit_files", { edits: [{ path, old_text: "three", new_text: "3" }] }, /not found/i],
      ["apply_patch", { patch: 7 }, /patch/],
      ["apply_patch", { patch: "*** Begin Patch\n*** Rename: a\n*** End Patch" }, /line 2/i],
      ["edit", { path }, /old_string/],
      ["write", { path }, /content/],
      ["delete", {}, /path/],
    ] as const)
      assert.match(await invoke(name, input), says, name);
    assert.equal(files.read("a.txt").toString(), "one\n");
  });

  // Agents of the editor are not offered it by its when clause (unit/permissions/offered.test.ts); `vscode.lm.tools`
  // lists what is contributed whether its clause holds or not.
  it("refuses what the rules deny to whoever calls it all the same", async () => {
    const path = files.write("a.txt", "one\n");
    const inputs = {
      edit_files: { edits: [{ path, old_text: "one", new_text: "1" }] },
      apply_patch: {
        patch: `*** Begin Patch\n*** Update File: ${path}\n@@\n-one\n+1\n*** End Patch`,
      },
      edit: { path, old_string: "one", new_string: "1" },
      write: { path, content: "1\n" },
      delete: { path },
    };
    for (const [rules, denied] of [
      [{ "*": "deny" }, ["edit_files", "apply_patch", "edit", "write", "delete"]],
      [{ patch: "deny" }, ["edit_files", "apply_patch", "edit"]],
      [{ edit: "allow", apply_patch: "deny" }, ["apply_patch"]],
      [
        { edit_files: { "a.txt": "deny" } },
        ["edit_files", "apply_patch", "edit", "write", "delete"],
      ],
    ] as const) {
      await files.set("agentEditReview.permission", rules);
      for (const name of denied)
        assert.match(await invoke(name, inputs[name]), /denied by a permission rule/, name);
      assert.equal(files.read("a.txt").toString(), "one\n");
    }
  });

  it("stops a call that waits, and the file stays as it was", async () => {
    await files.set("agentEditReview.permission", { edit_files: "ask" });
    reset = await setGlobally("agentEditReview.nativeConfirmation", "off");
    const path = files.write("a.txt", "one\n");
    const stop = new vscode.CancellationTokenSource();
    const waiting = nextCall("the call to wait", ({ phase }) => phase === "approval");
    const edits = [{ path, old_text: "one", new_text: "1" }];
    const invoked = invoke("edit_files", { edits }, stop.token).catch((error: unknown) => error);
    const { id } = await waiting;
    const ended = nextCall("the call to end", (call) => call.id === id && call.phase === "done");
    stop.cancel();
    assert.equal((await ended).files[0]?.outcome?.status, "rejected");
    assert.notEqual(await invoked, undefined);
    assert.equal(files.read("a.txt").toString(), "one\n");
  });
});
