import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { hookCommandIn } from "../../../src/adapters/node/hookCommand.ts";
import { postHook } from "../../../src/adapters/node/hookHttp.ts";
import { createHooks } from "../../../src/app/hooks.ts";
import { parseHooks } from "../../../src/app/hookSettings.ts";
import type { HookAnswer } from "../../../src/app/ports.ts";
import { policyServer } from "./server.ts";

async function ask(folder: string, setting: unknown): Promise<HookAnswer> {
  let ids = 0;
  const hooks = createHooks({
    hooks: () => parseHooks(setting).hooks,
    http: postHook,
    command: hookCommandIn(folder),
    folder,
    newId: () => `d${++ids}`,
    logBug: (error) => expect.unreachable(String(error)),
  });
  const input = { files: [{ path: "/w/prod.env", edits: [] }] };
  return hooks.before(
    { callId: "c", session: "s", tool: "edit_files", input },
    new AbortController().signal,
  );
}

test("a server and an existing PreToolUse script decide about one call", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "hooks-"));
  const server = await policyServer((response) =>
    response.end(
      JSON.stringify({
        permission: { decision: "allow" },
        input_override: { files: [{ path: "/w/dev.env", edits: [] }] },
      }),
    ),
  );
  try {
    // Written the way such scripts are: reads tool_input, answers with hookSpecificOutput or exit code 2.
    const script = path.join(folder, "guard.mjs");
    await writeFile(
      script,
      `let text = "";
       for await (const part of process.stdin) text += part;
       const { tool_input, hook_event_name } = JSON.parse(text);
       if (tool_input.files.some(({ path }) => path.includes("prod"))) {
         console.error("production is closed");
         process.exit(2);
       }
       console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: hook_event_name, permissionDecision: "ask", permissionDecisionReason: "environment" } }));`,
    );
    const hook = {
      event: "pre_tool_use",
      kind: "command",
      command: `"${process.execPath}" "${script}"`,
    };
    const policy = { event: "pre_tool_use", matcher: "edit_files", kind: "http", url: server.url };
    expect(await ask(folder, [hook, policy])).toMatchObject({
      kind: "stop",
      by: "deny",
      text: expect.stringContaining("Reason: production is closed.") as unknown,
    });
    expect(server.received).toHaveLength(0);
    expect(await ask(folder, [policy, hook])).toEqual({
      kind: "go",
      override: { files: [{ path: "/w/dev.env", edits: [] }] },
      ask: true,
      askReason: "environment",
    });
    expect(server.received[0]!.body).toMatchObject({
      type: "pre_tool_use",
      data: { tool_use_id: "c" },
    });
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
});
