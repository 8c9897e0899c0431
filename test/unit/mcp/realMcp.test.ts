import { rm } from "node:fs/promises";
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { serveMcp } from "../../../src/adapters/node/mcpServer.ts";
import { createApprovals } from "../../../src/app/approvals.ts";
import { StructuredResult } from "../../../src/protocol/result.ts";
import { createCallDriver, edit } from "../../support/callDriver.ts";
import { bundledCli, folderWith, runCli, type Folder } from "../cli/commandLine.ts";
import { TOOLS } from "./echoServer.ts";

let bundle: string;
let folder: Folder;
let clients: Client[] = [];

beforeAll(async () => {
  bundle = await bundledCli();
});
afterAll(() => rm(path.dirname(bundle), { recursive: true, force: true }));
beforeEach(async () => {
  folder = await folderWith({ "a.txt": "one\n", "keep.lock": "x\n", ".env": "KEY=1\n" });
});
afterEach(async () => {
  for (const client of clients) await client.close();
  clients = [];
  await folder.remove();
});

/** A client of `agent-edit-review mcp` in a process of its own. */
async function connected(...words: readonly string[]): Promise<Client> {
  const args = [bundle, "mcp", "--root", folder.root, ...words];
  const client = new Client({ name: "test", version: "0" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  clients.push(client);
  return client;
}

async function call(client: Client, name: string, input: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: input });
  const [content] = result.content as { text: string }[];
  return { text: content!.text, structured: StructuredResult.parse(result.structuredContent) };
}

const append = (): Record<string, unknown> => ({
  edits: [edit(path.join(folder.root, "a.txt"), "one", "one\none")],
});
const names = async (client: Client): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name);

describe("agent-edit-review mcp", () => {
  test("edits files and answers in text and in data", async () => {
    const client = await connected();
    const { text, structured } = await call(client, "edit_files", append());
    expect(structured).toMatchObject({
      status: "applied",
      files: [{ status: "applied", operation: "update" }],
    });
    expect(structured.files[0]!.diff).toContain("+one");
    expect(text).toContain("a.txt");
    expect((await folder.contents())["a.txt"]).toBe("one\none\n");
  });

  test("guards repeats within its connection and in no other", async () => {
    const [first, second] = [await connected(), await connected()];
    await call(first, "edit_files", append());
    const again = await call(first, "edit_files", append());
    expect(again.structured.files).toMatchObject([{ status: "already_applied" }]);
    expect((await folder.contents())["a.txt"]).toBe("one\none\n");
    await folder.put("a.txt", "one\n");
    const other = await call(second, "edit_files", append());
    expect(other.structured.files).toMatchObject([{ status: "applied" }]);
  });

  test.each<[string, (old: string, now: string) => Record<string, unknown>]>([
    ["edit_files", (old, now) => ({ edits: [edit(path.join(folder.root, "a.txt"), old, now)] })],
    ["edit", (old, now) => ({ path: "a.txt", old_string: old, new_string: now })],
    [
      "apply_patch",
      (old, now) => ({
        patch: `*** Begin Patch\n*** Update File: a.txt\n@@\n-${old}\n+${now}\n*** End Patch`,
      }),
    ],
  ])("two servers on one file lose no text of each other: %s", async (tool, input) => {
    const rounds = 20;
    await folder.put("a.txt", "first 0\nbetween\nsecond 0\n");
    const count = async (client: Client, word: string): Promise<void> => {
      for (let n = 0; n < rounds;) {
        const done = await call(client, tool, input(`${word} ${n}`, `${word} ${n + 1}`));
        if (done.structured.status === "applied") n++;
        // Only a race that was noticed is tried again: a text that is gone would be one that got lost.
        else expect(done.text).toMatch(/kept changing|changed after/);
      }
    };
    const [first, second] = [await connected(), await connected()];
    await Promise.all([count(first, "first"), count(second, "second")]);
    expect(await folder.contents()).toMatchObject({
      "a.txt": `first ${rounds}\nbetween\nsecond ${rounds}\n`,
    });
  });

  test("lists no denied tool and refuses it all the same", async () => {
    const client = await connected("--permission", JSON.stringify({ "*": "deny", write: "allow" }));
    expect(await names(client)).toEqual(["write"]);
    const { text } = await call(client, "edit_files", append());
    expect(text).toContain("denied by a permission rule");
    expect((await folder.contents())["a.txt"]).toBe("one\n");
  });

  test("offers a named model its own surface", async () => {
    expect(await names(await connected("--model", "gpt-5.2"))).toEqual(["apply_patch"]);
    const rules = JSON.stringify({ edit: "allow", apply_patch: "deny" });
    const denied = await connected("--model", "gpt-5.2", "--permission", rules);
    expect(await names(denied)).toEqual(["edit_files", "write", "delete"]);
  });

  test("refuses a tool that the named model is not offered", async () => {
    const native = await connected("--model", "gpt-5.2");
    const { text, structured } = await call(native, "edit_files", append());
    expect(text).toContain(
      'tool "edit_files" is not available for the current model. Use "apply_patch" instead.',
    );
    expect(structured).toMatchObject({ status: "error", files: [] });
    const other = await connected("--model", "claude-opus");
    expect((await call(other, "edit", {})).text).toContain(
      'Use "edit_files" or "write" or "delete" instead.',
    );
    expect((await folder.contents())["a.txt"]).toBe("one\n");
  });

  test("takes a file of more than 10 MB", async () => {
    const client = await connected();
    const content = "a line of text\n".repeat(800_000);
    const { structured } = await call(client, "write", { path: "large.txt", content });
    expect(structured.files).toEqual([
      {
        path: "large.txt",
        status: "applied",
        operation: "add",
        note: expect.stringMatching(/^The diff has \d{8} characters and is left out/) as string,
      },
    ]);
    expect((await folder.contents())["large.txt"] === content).toBe(true);
    const edits = {
      edits: [{ ...edit(path.join(folder.root, "large.txt"), "of", "with"), replace_all: true }],
    };
    await folder.put("large.txt", content.slice(0, 900_000));
    const { text } = await call(client, "edit_files", edits);
    expect(text.length).toBeLessThan(1_000);
    expect(JSON.parse(text)).toMatchObject({
      status: "applied",
      files: [{ status: "applied", message: expect.stringContaining("left out") as string }],
    });
  });

  test("does nothing that would have to be asked, as nobody is there", async () => {
    const client = await connected("--permission", JSON.stringify({ edit: { "*.lock": "ask" } }));
    for (const name of ["keep.lock", ".env"]) {
      const input = { path: name, content: "changed\n" };
      const { text, structured } = await call(client, "write", input);
      expect(structured.status).toBe("error");
      expect(text).toContain("nobody answered");
    }
    expect(await folder.contents()).toMatchObject({ "keep.lock": "x\n", ".env": "KEY=1\n" });
  });

  test.each(['{"edti":"deny"}', "deny all"])(
    "does not start with rules it cannot read: %s",
    async (rules) => {
      const words = ["mcp", "--root", folder.root, "--permission", rules];
      const { code, stdout, stderr } = await runCli(bundle, words);
      expect([code, stdout]).toEqual([3, ""]);
      expect(stderr).not.toBe("");
    },
  );
});

test("a request that is cancelled ends its call before a byte is written", async () => {
  const person = createApprovals({ waitMsMax: null, after: () => () => undefined });
  const driver = createCallDriver({ files: { "a.ts": "one\n" }, permission: "ask", person });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const connection = await serveMcp({
    runner: driver.runner,
    tools: TOOLS,
    session: "s",
    version: "0",
    transport: ours,
  });
  const client = new Client({ name: "test", version: "0" });
  await client.connect(theirs);
  const asked = new Promise<void>((resolve) => void person.onChange(resolve));
  const stop = new AbortController();
  const input = { edits: [edit("/ws/a.ts", "one", "two")] };
  const request = { name: "edit_files", arguments: input };
  const refused = expect(
    client.callTool(request, undefined, { signal: stop.signal }),
  ).rejects.toThrow();
  await asked;
  stop.abort();
  await refused;
  await connection.close();
  const { record } = driver.told.at(-1)!;
  expect([record.phase, record.files[0]!.outcome!.status]).toEqual(["done", "rejected"]);
  expect(record.result!.text).toContain("interrupted");
  expect(person.open()).toEqual([]);
  expect(driver.workspace.contents()).toEqual({ "a.ts": "one\n" });
});
