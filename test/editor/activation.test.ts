import { strict as assert } from "node:assert";
import { createRequire } from "node:module";
import * as vscode from "vscode";
import { extension } from "../harness/extension.ts";
import { editorFiles } from "../support/editorFiles.ts";

/** Parts of the extension that the host process has loaded so far. */
function loadedParts(): readonly string[] {
  const dist = vscode.Uri.joinPath(extension().extensionUri, "dist/").fsPath;
  return Object.keys(createRequire(__filename).cache)
    .filter((file) => file.startsWith(dist))
    .map((file) => file.slice(dist.length));
}

// Its name makes it the first suite of all, so that nothing has used the extension before.
describe("activation", () => {
  it("does nothing at start-up", () => {
    assert.equal(extension().isActive, false);
    assert.deepEqual(loadedParts(), []);
    assert.ok(
      vscode.lm.tools.some(({ name }) => name === "edit_files"),
      "the tools are offered all the same",
    );
  });

  it("registers, and loads nothing else", async () => {
    await extension().activate();
    assert.deepEqual(loadedParts(), ["extension.cjs"]);
    const commands = await vscode.commands.getCommands(true);
    const { contributes } = extension().packageJSON as {
      contributes: { commands: readonly { command: string }[] };
    };
    for (const { command } of contributes.commands) assert.ok(commands.includes(command), command);
  });

  it("loads its work with the first call", async () => {
    const files = editorFiles();
    try {
      const path = files.write("a.txt", "old\n");
      const { execute } = await extension().activate();
      const edits = [{ path, old_text: "old", new_text: "new" }];
      const result = await execute({ tool: "edit_files", input: { edits }, session: "first" });
      assert.equal(result.isError, false, result.text);
      assert.equal(files.read("a.txt").toString(), "new\n");
      assert.ok(loadedParts().includes("host.cjs"));
    } finally {
      await files.close();
    }
  });
});
