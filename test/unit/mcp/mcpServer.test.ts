import { spawn } from "node:child_process";
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { describe, expect, test } from "vitest";
import {
  serveMcp,
  type McpConnection,
  type McpOptions,
} from "../../../src/adapters/node/mcpServer.ts";
import { echoRunner, TOOLS, type Seen } from "./echoServer.ts";

async function connected(
  options: Partial<McpOptions> = {},
): Promise<{ client: Client; connection: McpConnection }> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const connection = await serveMcp({
    runner: echoRunner(),
    tools: TOOLS,
    session: "s1",
    version: "1.2.3",
    transport: ours,
    ...options,
  });
  const client = new Client({ name: "test", version: "0" });
  await client.connect(theirs);
  return { client, connection };
}

describe("one connection", () => {
  test("names itself and lists the catalogue as it is", async () => {
    const { client } = await connected();
    expect(client.getServerVersion()).toEqual({ name: "agent-edit-review", version: "1.2.3" });
    const { tools } = await client.listTools();
    expect(tools).toEqual(TOOLS);
  });
  test("does not list denied tools", async () => {
    const { client } = await connected({ offers: (tool) => tool !== "wait" });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["edit_files"]);
  });
  test("hands the arguments over as an object, in its own session, and answers in text and data", async () => {
    const seen: Seen[] = [];
    const { client } = await connected({ runner: echoRunner(seen) });
    const input = { edits: [{ path: "/w/a", old_text: "x", new_text: "$&" }], extra: null };
    const result = await client.callTool({ name: "edit_files", arguments: input });
    expect(seen.map(({ call }) => call)).toEqual([
      { tool: "edit_files", input, session: "s1", source: "mcp" },
    ]);
    expect(result.content).toEqual([{ type: "text", text: "session s1" }]);
    expect(result.structuredContent).toEqual({
      status: "applied",
      message: "ok",
      files: [{ path: "/w/a", status: "applied", operation: "update", diff: "" }],
    });
    expect(result.isError).toBe(false);
  });
  test("a failed call is a result that says so, not a protocol error", async () => {
    const { client } = await connected();
    const result = await client.callTool({ name: "edit_files", arguments: { edits: "bad" } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ type: "text", text: "No files were applied." }],
      structuredContent: { status: "error", files: [] },
    });
  });
  test("a call without arguments reaches the tool's own decoding", async () => {
    const seen: Seen[] = [];
    const { client } = await connected({ runner: echoRunner(seen) });
    await client.callTool({ name: "edit_files" });
    expect(seen[0]!.call.input).toEqual({});
  });
  test("an unknown tool is refused by name", async () => {
    const seen: Seen[] = [];
    const { client } = await connected({ runner: echoRunner(seen) });
    await expect(client.callTool({ name: "rm", arguments: {} })).rejects.toThrow(
      'there is no tool "rm"',
    );
    expect(seen).toEqual([]);
  });
  test("a tool that is denied is not listed, and what a call of it may do is still the runner's to say", async () => {
    const seen: Seen[] = [];
    const { client } = await connected({ runner: echoRunner(seen), offers: () => false });
    await client.callTool({ name: "edit_files", arguments: {} });
    expect(seen).toHaveLength(1);
  });
  test("a cancelled request stops its call and no other", async () => {
    const seen: Seen[] = [];
    const both = Promise.withResolvers<undefined>();
    const runner = echoRunner(seen, () => {
      if (seen.length === 2) both.resolve(undefined);
    });
    const { client, connection } = await connected({ runner });
    const stop = new AbortController();
    const first = client.callTool({ name: "wait", arguments: { n: 1 } }, undefined, {
      signal: stop.signal,
    });
    const second = client.callTool({ name: "wait", arguments: { n: 2 } });
    const failing = Promise.all([
      expect(first).rejects.toThrow(),
      expect(second).rejects.toThrow(),
    ]);
    await both.promise;
    const aborted = new Promise<void>((resolve) =>
      seen[0]!.signal?.addEventListener("abort", () => resolve()),
    );
    stop.abort();
    await aborted;
    expect(seen[1]!.signal?.aborted).toBe(false);
    await client.close();
    await connection.closed;
    expect(seen[1]!.signal?.aborted).toBe(true);
    await failing;
  });
  test("closing from our side stops running calls and waits for them", async () => {
    const seen: Seen[] = [];
    const started = Promise.withResolvers<undefined>();
    const { client, connection } = await connected({
      runner: echoRunner(seen, () => started.resolve(undefined)),
    });
    const call = client.callTool({ name: "wait", arguments: {} });
    const settled = call.then(
      () => "ended",
      () => "ended",
    );
    await started.promise;
    await connection.close();
    await connection.closed;
    expect(seen[0]!.signal?.aborted).toBe(true);
    expect(await settled).toBe("ended");
  });
});

const SERVER = path.join(import.meta.dirname, "echoServer.ts");

describe("over standard input and output", () => {
  test("a client in another process sees one session for each connection", async () => {
    const sessions: string[] = [];
    for (let connection = 0; connection < 2; connection++) {
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: ["--no-warnings", SERVER, "serve"],
      });
      const client = new Client({ name: "test", version: "0" });
      await client.connect(transport);
      const answers = [];
      for (let turn = 0; turn < 2; turn++)
        answers.push(
          JSON.stringify((await client.callTool({ name: "edit_files", arguments: {} })).content),
        );
      expect(answers[0]).toBe(answers[1]);
      sessions.push(answers[0]!);
      await client.close();
    }
    expect(new Set(sessions).size).toBe(2);
  });
  test("the end of input ends the server after the calls before it were answered", async () => {
    const child = spawn(process.execPath, ["--no-warnings", SERVER, "serve"], { stdio: "pipe" });
    let out = "";
    let err = "";
    child.stdout.on("data", (part: Buffer) => (out += part.toString()));
    child.stderr.on("data", (part: Buffer) => (err += part.toString()));
    const exit = new Promise<number | null>((resolve) => child.on("close", resolve));
    const say = (message: object): string => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
    child.stdin.end(
      say({
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: { name: "t", version: "0" },
        },
      }) +
        say({ method: "notifications/initialized" }) +
        say({ id: 2, method: "tools/call", params: { name: "edit_files", arguments: {} } }),
    );
    expect(await exit).toBe(0);
    expect(
      out
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { id: number }).id),
    ).toEqual([1, 2]);
    expect(err).toBe("closed\n");
  });
});
