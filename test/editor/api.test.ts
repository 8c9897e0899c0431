import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { CallRecord } from "../../src/app/record.ts";
import { api, newSession } from "../harness/extension.ts";
import { editorFiles, type EditorFiles } from "../support/editorFiles.ts";

describe("exported API", () => {
  let files: EditorFiles;
  beforeEach(() => {
    files = editorFiles();
  });
  afterEach(() => files.close());

  it("applies a partial batch and says so as text and as data", async () => {
    const a = files.write("a.txt", "one\r\ntwo\r\n");
    const b = files.write("b.txt", "x\nx\n");
    const { execute } = await newSession();
    const result = await execute("edit_files", {
      edits: [
        { path: a, old_text: "one\ntwo", new_text: "1\n2" },
        { path: b, old_text: "x", new_text: "y" },
      ],
    });
    assert.equal(files.read("a.txt").toString(), "1\r\n2\r\n");
    assert.equal(files.read("b.txt").toString(), "x\nx\n");
    assert.equal(result.structured.status, "partial");
    const outcomes = result.structured.files.map(({ path, status }) => [path, status]);
    assert.deepEqual(outcomes.sort(), [
      [a, "applied"],
      [b, "rejected"],
    ]);
    assert.ok(result.text.includes(b), result.text);
    const diff = result.structured.files.find(({ path }) => path === a)?.diff ?? "";
    assert.match(diff, /^-one/m);
    assert.match(diff, /^\+1/m);
  });

  it("plans without writing, and the guard does not take a plan for an edit", async () => {
    const path = files.write("a.txt", "one\n");
    const { plan } = await api();
    const { session, execute } = await newSession();
    const input = { edits: [{ path, old_text: "one", new_text: "1" }] };
    const planned = await plan({ tool: "edit_files", input, session });
    assert.equal(planned.isError, false, planned.text);
    assert.match(planned.structured.files[0]?.diff ?? "", /^\+1$/m);
    assert.equal(files.read("a.txt").toString(), "one\n");
    const applied = await execute("edit_files", input);
    assert.equal(applied.structured.files[0]?.status, "applied");
    assert.equal(files.read("a.txt").toString(), "1\n");
  });

  it("takes raw text, decodes it, and refuses what is no JSON without throwing", async () => {
    const path = files.write("a.txt", "one\n");
    const { execute } = await api();
    const edits = JSON.stringify([{ path, old_text: "one", new_text: "1" }]);
    const session = "raw";
    const call = { tool: "edit_files", session };
    const applied = await execute({ ...call, raw: JSON.stringify({ edits }) });
    assert.equal(applied.isError, false, applied.text);
    assert.equal(files.read("a.txt").toString(), "1\n");
    const broken = await execute({ ...call, raw: '{"edits": [' });
    assert.equal(broken.isError, true);
    const unknown = await execute({ tool: "no_such_tool", input: {}, session });
    assert.equal(unknown.isError, true);
    assert.match(unknown.text, /no_such_tool/);
  });

  it("tells every step of a call, ending with its outcome", async () => {
    const path = files.write("a.txt", "one\n");
    const { onDidChangeCall } = await api();
    const { session, execute } = await newSession();
    const told: CallRecord[] = [];
    const listener = onDidChangeCall((call) => told.push(call));
    try {
      await execute("edit_files", { edits: [{ path, old_text: "one", new_text: "1" }] });
    } finally {
      listener.dispose();
    }
    const own = told.filter((call) => call.session === session);
    const phases = own.map(({ phase }) => phase);
    assert.equal(phases[0], "received");
    assert.equal(phases.at(-1), "done");
    assert.ok(phases.includes("applying"), phases.join());
    assert.equal(own.at(-1)?.files[0]?.outcome?.status, "applied");
    assert.equal(own.at(-1)?.source, "api");
  });

  it("writes nothing for a call whose token is cancelled before", async () => {
    const path = files.write("a.txt", "one\n");
    const stop = new vscode.CancellationTokenSource();
    stop.cancel();
    const { execute } = await newSession();
    const edits = [{ path, old_text: "one", new_text: "1" }];
    const result = await execute("edit_files", { edits }, stop.token);
    assert.equal(
      result.structured.files.some(({ status }) => status === "applied"),
      false,
    );
    assert.equal(files.read("a.txt").toString(), "one\n");
  });

  it("applies calls that come at once one after another", async () => {
    const path = files.write("a.txt", "0\n");
    const { execute } = await newSession();
    const steps = Array.from({ length: 10 }, (_, i) => i);
    const results = await Promise.all(
      steps.map((i) =>
        execute("edit_files", {
          edits: [{ path, old_text: `${i}\n`, new_text: `${i}\n${i + 1}\n` }],
        }),
      ),
    );
    for (const { isError, text } of results) assert.equal(isError, false, text);
    assert.equal(files.read("a.txt").toString(), `${[...steps, 10].join("\n")}\n`);
  });
});
