import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  ErrorCode,
  JSONRPCMessageSchema,
  type JSONRPCMessage,
} from "@modelcontextprotocol/sdk/types.js";
import { fail, ok, type Result } from "../../base/result.ts";
import { LIMITS } from "../../app/limits.ts";
import { findAmbiguity } from "../../tools/jsonTokens.ts";

/** Room for arguments of any size that is looked at, with four bytes a character; longer lines are passed over. */
const LINE_BYTES_MAX = 4 * LIMITS.argumentUnitsMax;

/** Why a line is no message. */
interface Refusal {
  readonly id: string | number | undefined;
  readonly code: ErrorCode.ParseError | ErrorCode.InvalidRequest;
  readonly message: string;
}

/**
 * MCP over two streams, one message a line. What the SDK's own transport does with a line that is none is not enough
 * here: it is silent about it, ends the connection at 10 MB without a word, and reads bytes that are not UTF-8 as
 * replacement characters, which would then be written into files. Here each such line is answered with an error, under
 * its id where it can be told, and the connection goes on.
 */
export function lineTransport(
  input: Readable,
  output: Writable,
  lineBytesMax: number = LINE_BYTES_MAX,
): Transport {
  const lines = lineSplitter(lineBytesMax);
  const send = (message: object): Promise<void> =>
    new Promise((resolve) => {
      if (output.write(`${JSON.stringify(message)}\n`)) resolve();
      else output.once("drain", resolve);
    });
  const refuse = ({ id, code, message }: Refusal): Promise<void> =>
    send({ jsonrpc: "2.0", ...(id === undefined ? {} : { id }), error: { code, message } });
  const receive = (line: Buffer | "too-long"): void => {
    if (line === "too-long") {
      const message = `the message has more than ${lineBytesMax} bytes and was not read`;
      return void refuse({ id: undefined, code: ErrorCode.InvalidRequest, message });
    }
    const message = messageOf(line);
    if (message === null) return;
    if (message.ok) transport.onmessage?.(message.value);
    else void refuse(message.problem);
  };
  const onData = (part: Buffer): void => {
    for (const line of lines(part)) receive(line);
  };
  const onError = (error: Error): void => transport.onerror?.(error);
  const transport: Transport = {
    start() {
      input.on("data", onData);
      input.on("error", onError);
      return Promise.resolve();
    },
    send,
    close() {
      input.off("data", onData);
      input.off("error", onError);
      input.pause();
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  return transport;
}

/** Gives the lines that a part of the stream ends. Of a line that is too long nothing is kept. */
function lineSplitter(bytesMax: number): (part: Buffer) => readonly (Buffer | "too-long")[] {
  let parts: Buffer[] = [];
  let length = 0;
  return (part) => {
    const lines: (Buffer | "too-long")[] = [];
    let from = 0;
    for (let end = part.indexOf(10); ; end = part.indexOf(10, from)) {
      const piece = part.subarray(from, end < 0 ? part.length : end);
      length += piece.length;
      if (length > bytesMax) parts = [];
      else parts.push(piece);
      if (end < 0) return lines;
      lines.push(length > bytesMax ? "too-long" : Buffer.concat(parts));
      parts = [];
      length = 0;
      from = end + 1;
    }
  };
}

/** Null for a line of nothing. */
function messageOf(line: Buffer): Result<JSONRPCMessage, Refusal> | null {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(line);
  } catch {
    const id = idOf(parsed(line.toString("utf8")));
    return fail({ id, code: ErrorCode.ParseError, message: "the message is not UTF-8 text" });
  }
  if (text.trim() === "") return null;
  const value = parsed(text);
  if (value === undefined)
    return fail({ id: undefined, code: ErrorCode.ParseError, message: "the message is not JSON" });
  const refused = (message: string): Result<JSONRPCMessage, Refusal> =>
    fail({ id: idOf(value), code: ErrorCode.InvalidRequest, message });
  // What JSON.parse drops silently may be what another reader of this message takes.
  const ambiguity = findAmbiguity(text, {});
  if (ambiguity !== null) return refused(`the message is ambiguous: ${ambiguity}`);
  const message = JSONRPCMessageSchema.safeParse(value);
  return message.success ? ok(message.data) : refused("the message is no JSON-RPC 2.0 message");
}

/** Undefined, which JSON has no word for, where the text is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function idOf(value: unknown): string | number | undefined {
  if (typeof value !== "object" || value === null || !("id" in value)) return undefined;
  return typeof value.id === "string" || typeof value.id === "number" ? value.id : undefined;
}
