import type { Call, CallResult } from "../../../src/app/call.ts";
import { serveMcp, type McpTool } from "../../../src/adapters/node/mcpServer.ts";

/** Two tools; `wait` ends only when its call is stopped. */
export const TOOLS: readonly McpTool[] = [
  {
    name: "edit_files",
    description: "Edit files by replacing old_text with new_text.",
    inputSchema: { type: "object", required: ["edits"], properties: { edits: { type: "array" } } },
  },
  { name: "wait", description: "Waits.", inputSchema: { type: "object" } },
];

export interface Seen {
  readonly call: Call;
  readonly signal: AbortSignal | undefined;
}

/** A runner that tells what it got. */
export function echoRunner(
  seen: Seen[] = [],
  onCall: () => void = () => undefined,
): {
  execute(call: Call, signal?: AbortSignal): Promise<CallResult>;
} {
  return {
    async execute(call, signal) {
      seen.push({ call, signal });
      onCall();
      if (call.tool === "wait")
        await new Promise<void>((resolve) => {
          if (signal?.aborted === true) resolve();
          signal?.addEventListener("abort", () => resolve());
        });
      const bad = JSON.stringify(call.input).includes("bad");
      return {
        callId: "1",
        text: bad ? "No files were applied." : `session ${call.session}`,
        isError: bad,
        structured: bad
          ? { status: "error", message: "No files were applied.", files: [] }
          : {
              status: "applied",
              message: "ok",
              files: [{ path: "/w/a", status: "applied", operation: "update", diff: "" }],
            },
      };
    },
  };
}

if (process.argv[2] === "serve") {
  const { closed } = await serveMcp({
    runner: echoRunner(),
    tools: TOOLS,
    session: `mcp-${process.pid}`,
    version: "0",
  });
  await closed;
  process.stderr.write("closed\n");
}
