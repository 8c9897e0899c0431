import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type CallToolResult,
} from "@modelcontextprotocol/sdk/types.js";
import type { CallResult } from "../../app/call.ts";
import type { CallRunner } from "../../app/runCall.ts";
import { diffRoom } from "../../engine/index.ts";
import type { FileResult } from "../../protocol/result.ts";
import { lineTransport } from "./mcpLines.ts";

/** A tool as the catalogue describes it to models. `inputSchema` is JSON Schema of an object. */
export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface McpOptions {
  readonly runner: Pick<CallRunner, "execute">;
  readonly tools: readonly McpTool[];
  /** One for each connection: guard and retry notes go by it. */
  readonly session: string;
  readonly version: string;
  /** False for tools that the permission rules deny altogether: they are not listed. Absent: all are. */
  readonly offers?: (tool: string) => boolean;
  /** Why a tool may not be called although no rule denies it, in words for the model; null when it may. */
  readonly unavailable?: (tool: string) => string | null;
  /** Standard input and output when absent. */
  readonly transport?: Transport;
}

export interface McpConnection {
  /** Done when the connection has ended and every call of it too. */
  readonly closed: Promise<void>;
  /** Stops running calls; files not started stay as they are. */
  close(): Promise<void>;
}

/** Serves the tools over one MCP connection. */
export async function serveMcp(options: McpOptions): Promise<McpConnection> {
  const { tools, version, offers = (): boolean => true } = options;
  const server = new Server(
    { name: "agent-edit-review", version },
    { capabilities: { tools: {} } },
  );
  const gone = new AbortController();
  const running = new Set<Promise<unknown>>();
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools
      .filter(({ name }) => offers(name))
      .map(({ name, description, inputSchema }) => ({
        name,
        description,
        inputSchema: { ...inputSchema, type: "object" as const },
      })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    if (!tools.some(({ name }) => name === params.name))
      throw new McpError(ErrorCode.InvalidParams, `there is no tool "${params.name}"`);
    const why = options.unavailable?.(params.name) ?? null;
    if (why !== null) return refusal(why);
    const call = options.runner.execute(
      {
        tool: params.name,
        input: params.arguments ?? {},
        session: options.session,
        source: "mcp",
      },
      AbortSignal.any([signal, gone.signal]),
    );
    running.add(call);
    try {
      return toolResult(await call);
    } finally {
      running.delete(call);
    }
  });

  const ended = Promise.withResolvers<undefined>();
  server.onclose = () => {
    gone.abort();
    ended.resolve(undefined);
  };
  const transport = options.transport ?? stdioTransport(server, running);
  await server.connect(transport);
  return {
    closed: ended.promise.then(async () => {
      await Promise.allSettled(running);
    }),
    async close() {
      gone.abort();
      await Promise.allSettled(running);
      await server.close();
    },
  };
}

function toolResult({ text, isError, structured }: CallResult): CallToolResult {
  return {
    content: [{ type: "text", text }],
    structuredContent: { ...structured, files: fitted(structured.files) },
    isError,
  };
}

/** The files without the diffs that a client may not be able to take. */
function fitted(files: readonly FileResult[]): readonly FileResult[] {
  const room = diffRoom();
  return files.map(({ diff, ...file }) => {
    if (diff === undefined) return file;
    const leftOut = room(diff);
    if (leftOut === null) return { ...file, diff };
    return { ...file, note: file.note === undefined ? leftOut : `${file.note} ${leftOut}` };
  });
}

function refusal(message: string): CallToolResult {
  return {
    content: [{ type: "text", text: `${message}\nNo files were applied.` }],
    structuredContent: { status: "error", message, files: [] },
    isError: true,
  };
}

/** The end of standard input ends the connection, after the calls that came before it; a broken output at once. */
function stdioTransport(server: Server, running: ReadonlySet<Promise<unknown>>): Transport {
  const finish = (): void => {
    // The last message may be decoded in the same turn as the end is seen.
    setImmediate(() => {
      void Promise.allSettled(running).then(() => setImmediate(() => void server.close()));
    });
  };
  process.stdin.once("end", finish);
  process.stdin.once("error", () => void server.close());
  process.stdout.once("error", () => void server.close());
  return lineTransport(process.stdin, process.stdout);
}
