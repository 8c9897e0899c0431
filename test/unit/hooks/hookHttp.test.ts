import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { postHook } from "../../../src/adapters/node/hookHttp.ts";
import type { HookReply } from "../../../src/app/hooks.ts";
import { policyServer, type PolicyServer } from "./server.ts";

const never = new AbortController().signal;
const servers: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(...args: Parameters<typeof policyServer>): Promise<PolicyServer> {
  const server = await policyServer(...args);
  servers.push(server);
  return server;
}

function ask(url: string, timeoutMs = 5_000, signal = never): Promise<HookReply> {
  return postHook(url, { body: '{"type":"pre_tool_use"}', timeoutMs, bytesMax: 1_000 }, signal);
}

const failure = (reply: HookReply): string =>
  reply.kind === "failed" ? reply.failure : reply.kind;

describe("one POST", () => {
  test("carries the body as JSON and brings the answer", async () => {
    const server = await serve((response) => response.end('{"user_message":"grüß"}'));
    expect(await ask(server.url)).toEqual({
      kind: "answered",
      text: '{"user_message":"grüß"}',
      exitCode: 0,
      stderr: "",
    });
    expect(server.received).toHaveLength(1);
    expect(server.received[0]!.body).toEqual({ type: "pre_tool_use" });
    expect(server.received[0]!.headers).toMatchObject({
      "content-type": "application/json",
      "accept-encoding": "identity",
    });
  });
  test("an empty answer, 200 or 204, is an empty text", async () => {
    for (const status of [200, 204]) {
      const server = await serve((response) => response.writeHead(status).end());
      expect(await ask(server.url)).toMatchObject({ kind: "answered", text: "" });
    }
  });
  test.each([301, 302, 307, 308])("a redirect (%i) is not followed", async (status) => {
    const target = await serve((response) => response.end("{}"));
    const server = await serve((response) =>
      response.writeHead(status, { location: target.url }).end(),
    );
    expect(failure(await ask(server.url))).toBe("http_error");
    expect(target.received).toHaveLength(0);
  });
  test.each([400, 403, 404, 429, 500, 503])("status %i is a failure", async (status) => {
    const server = await serve((response) => response.writeHead(status).end("{}"));
    const reply = await ask(server.url);
    expect(reply).toMatchObject({ kind: "failed", failure: "http_error" });
    expect(JSON.stringify(reply)).toContain(String(status));
    expect(server.received).toHaveLength(1);
  });
  test("an answer over the cap is given up while it is read", async () => {
    // The body never ends, so only giving up early can end the wait before the time limit.
    const server = await serve((response) => {
      for (let part = 0; part < 50; part++) response.write("x".repeat(500));
    });
    expect(failure(await ask(server.url, 15_000))).toBe("protocol_error");
  });
  test("bytes that are not UTF-8 are a wrong answer", async () => {
    const server = await serve((response) => response.end(Buffer.from([0x7b, 0xff, 0x7d])));
    expect(failure(await ask(server.url))).toBe("protocol_error");
  });
});

describe("time and connections", () => {
  test("no answer within the limit", async () => {
    const server = await serve(() => undefined);
    expect(await ask(server.url, 80)).toEqual({
      kind: "failed",
      failure: "timeout",
      detail: "no answer within 80 ms",
    });
  });
  test("headers in time and a body that never ends", async () => {
    const server = await serve((response) => response.write("{"));
    expect(failure(await ask(server.url, 80))).toBe("timeout");
  });
  test("a server that hangs up half-way through its answer is not asked again", async () => {
    const server = await serve((response) => {
      response.writeHead(200, { "content-length": "50" });
      response.write('{"permission":', () => response.socket?.destroy());
    });
    const reply = await ask(server.url);
    expect(failure(reply)).toBe("connection_error");
    expect(JSON.stringify(reply)).toContain("broke off");
    expect(server.received).toHaveLength(1);
  });
  test("a connection that fails once is tried once more", async () => {
    const server = await serve((response, _, count) => {
      if (count === 1) response.socket?.destroy();
      else response.end("{}");
    });
    expect(await ask(server.url)).toMatchObject({ kind: "answered", text: "{}" });
    expect(server.received).toHaveLength(2);
  });
  test("and not a third time", async () => {
    const server = await serve((response) => response.socket?.destroy());
    expect(failure(await ask(server.url))).toBe("connection_error");
    expect(server.received).toHaveLength(2);
  });
  test("nobody listens", async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const started = performance.now();
    expect(failure(await ask(`http://127.0.0.1:${port}/`))).toBe("connection_error");
    // The second try comes a quarter of a second after the first.
    expect(performance.now() - started).toBeGreaterThan(200);
  });
  test("an answer that is not HTTP", async () => {
    const server = createServer((socket) => socket.resume().end("SSH-2.0-x\r\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    servers.push({ close: () => new Promise((resolve) => server.close(() => resolve())) });
    const { port } = server.address() as AddressInfo;
    expect(failure(await ask(`http://127.0.0.1:${port}/`))).toBe("connection_error");
  });
  test("an interruption ends the wait", async () => {
    const stop = new AbortController();
    const server = await serve(() => stop.abort());
    const reply = await ask(server.url, 5_000, stop.signal);
    expect(reply.kind).toBe("failed");
    expect(JSON.stringify(reply)).toContain("interrupted");
  });
});
