import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { lineTransport } from "../../../src/adapters/node/mcpLines.ts";

const LINE_BYTES_MAX = 1_000;

/** What a transport hands on, and what it answers by itself, after the parts of its input came in. */
async function through(...parts: readonly (string | Uint8Array)[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = lineTransport(input, output, LINE_BYTES_MAX);
  const messages: unknown[] = [];
  transport.onmessage = (message) => messages.push(message);
  await transport.start();
  for (const part of parts) input.write(part);
  const ended = new Promise((resolve) => input.once("end", resolve));
  input.end();
  await ended;
  await transport.close();
  const said = (output.read() as Buffer | null)?.toString() ?? "";
  const answers = said.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  return { messages, answers: answers as unknown[] };
}

const ping = (id: number | string, more: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "ping",
  ...more,
});
const line = (message: object): string => `${JSON.stringify(message)}\n`;

describe("lines of a stream", () => {
  test("are messages, however the stream is cut", async () => {
    const text = line(ping(1, { params: { word: "é \u{1f600}" } })) + line(ping("two"));
    const bytes = Buffer.from(text);
    for (const size of [1, 2, 3, 7, bytes.length]) {
      const parts = [];
      for (let from = 0; from < bytes.length; from += size)
        parts.push(bytes.subarray(from, from + size));
      expect(await through(...parts)).toEqual({
        messages: [ping(1, { params: { word: "é \u{1f600}" } }), ping("two")],
        answers: [],
      });
    }
  });

  test("may end in CRLF, begin with a byte order mark, or be empty", async () => {
    const text = `\n  \r\n\ufeff${JSON.stringify(ping(1))}\r\n`;
    expect(await through(text)).toEqual({ messages: [ping(1)], answers: [] });
  });

  test.each<[string, string | Uint8Array, number, string, (string | number)?]>([
    ["no JSON", "garbage\n", -32700, "not JSON"],
    ["half of a message", '{"jsonrpc":"2.0",\n', -32700, "not JSON"],
    ["no message", '{"id":4,"method":"ping"}\n', -32600, "no JSON-RPC", 4],
    ["a number", "5\n", -32600, "no JSON-RPC"],
    ["a list", `[${JSON.stringify(ping(1))}]\n`, -32600, "no JSON-RPC"],
    ["not UTF-8", Buffer.from(line(ping("café")), "latin1"), -32700, "not UTF-8", "caf\ufffd"],
    [
      "a repeated key",
      '{"jsonrpc":"2.0","id":5,"method":"x","params":{"path":"a","path":"b"}}\n',
      -32600,
      'repeats the key "params.path"',
      5,
    ],
    ["too long", line(ping(6, { params: { text: "x".repeat(LINE_BYTES_MAX) } })), -32600, "1000"],
  ])("%s is answered, and the next one is read", async (_, sent, code, words, id) => {
    const { messages, answers } = await through(sent, line(ping(7)));
    expect(messages).toEqual([ping(7)]);
    expect(answers).toEqual([
      {
        jsonrpc: "2.0",
        ...(id === undefined ? {} : { id }),
        error: { code, message: expect.stringContaining(words) as string },
      },
    ]);
  });
});
