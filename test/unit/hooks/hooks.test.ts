import { describe, expect, test } from "vitest";
import { createHooks, denialText, type HookReply } from "../../../src/app/hooks.ts";
import { parseHooks } from "../../../src/app/hookSettings.ts";
import type { HookAfter, HookAnswer } from "../../../src/app/ports.ts";

const GROUPED = { files: [{ path: "/w/a", edits: [{ old_text: "x", new_text: "y" }] }] };
const never = new AbortController().signal;
const containing = (text: string): unknown => expect.stringContaining(text);

interface Sent {
  readonly by: "http" | "command";
  readonly target: string;
  readonly body: unknown;
  readonly timeoutMs: number;
}

/** Hooks over transports that answer from a list by target; what was sent is kept. */
function hooked(
  setting: unknown,
  replies: Readonly<Record<string, unknown>> = {},
): {
  readonly before: (tool?: string, signal?: AbortSignal) => Promise<HookAnswer>;
  readonly after: (tool?: string, isError?: boolean) => Promise<HookAfter>;
  sent: readonly Sent[];
  bugs: readonly unknown[];
} {
  const sent: Sent[] = [];
  const bugs: unknown[] = [];
  const transport =
    (by: "http" | "command") =>
    (target: string, request: { body: string; timeoutMs: number }): Promise<HookReply> => {
      sent.push({ by, target, body: JSON.parse(request.body), timeoutMs: request.timeoutMs });
      const reply = replies[target] ?? {};
      if (reply instanceof Error) return Promise.reject(reply);
      if (typeof reply === "object" && "kind" in reply) return Promise.resolve(reply as HookReply);
      const text = JSON.stringify(reply);
      return Promise.resolve({ kind: "answered", text, exitCode: 0, stderr: "" });
    };
  let ids = 0;
  const hooks = createHooks({
    hooks: () => parseHooks(setting).hooks,
    http: transport("http"),
    command: transport("command"),
    folder: "/w",
    newId: () => `d${++ids}`,
    logBug: (error) => bugs.push(error),
  });
  const event = (
    tool: string,
  ): { callId: string; session: string; tool: string; input: unknown; model: string } => ({
    callId: "call-1",
    session: "chat",
    tool,
    input: GROUPED,
    model: "m",
  });
  return {
    before: (tool = "edit_files", signal = never) => hooks.before(event(tool), signal),
    after: (tool = "edit_files", isError = false) =>
      hooks.after({ ...event(tool), response: { status: "applied" }, isError }),
    sent,
    bugs,
  };
}

const http = (url: string, more: object = {}): object => ({
  event: "pre_tool_use",
  kind: "http",
  url,
  ...more,
});
const command = (line: string, more: object = {}): object => ({
  event: "pre_tool_use",
  kind: "command",
  command: line,
  ...more,
});
const U1 = "https://one.example/p";
const U2 = "https://two.example/p";

describe("what a hook is sent", () => {
  test("over HTTP", async () => {
    const { before, sent } = hooked([http(U1)]);
    expect(await before()).toEqual({ kind: "go" });
    expect(sent).toEqual([
      {
        by: "http",
        target: U1,
        timeoutMs: 1_500,
        body: {
          type: "pre_tool_use",
          meta: { dispatch_id: "d1", schema_version: 1, session_id: "chat", model: "m" },
          data: { tool_use_id: "call-1", tool_name: "edit_files", tool_input: GROUPED },
        },
      },
    ]);
  });
  test("a command, under the names that existing scripts read", async () => {
    const { before, sent } = hooked([command("check.sh")]);
    await before();
    expect(sent[0]!.body).toEqual({
      hook_event_name: "PreToolUse",
      session_id: "chat",
      cwd: "/w",
      tool_use_id: "call-1",
      tool_name: "edit_files",
      tool_input: GROUPED,
    });
  });
  test("after the tool has run", async () => {
    const setting = [
      http(U1, { event: "post_tool_use" }),
      command("log.sh", { event: "post_tool_use" }),
    ];
    const fine = hooked(setting);
    await fine.after();
    expect(fine.sent.map(({ body }) => body)).toMatchObject([
      { type: "post_tool_use", data: { tool_response: { status: "applied" } } },
      { hook_event_name: "PostToolUse", tool_response: { status: "applied" } },
    ]);
    const failed = hooked(setting);
    await failed.after("edit", true);
    expect(failed.sent[0]!.body).toMatchObject({
      data: { tool_name: "edit", tool_error: { status: "applied" } },
    });
    expect(JSON.stringify(failed.sent[0]!.body)).not.toContain("tool_response");
    await failed.before();
    expect(failed.sent).toHaveLength(2);
  });
});

describe("which hooks are asked", () => {
  test.each([
    [undefined, ["edit_files", "apply_patch", "edit", "write", "delete"]],
    ["*", ["edit_files", "apply_patch", "edit", "write", "delete"]],
    ["edit_files", ["edit_files"]],
    ["patch", ["apply_patch"]],
    ["apply_patch|write", ["apply_patch", "write"]],
    ["edit, delete", ["edit", "delete"]],
    // A name that is no tool: rather too many calls are asked about than too few.
    ["edit_file", ["edit_files", "apply_patch", "edit", "write", "delete"]],
  ])("matcher %j", async (matcher, tools) => {
    const { before, sent } = hooked([http(U1, matcher === undefined ? {} : { matcher })]);
    for (const tool of ["edit_files", "apply_patch", "edit", "write", "delete"]) await before(tool);
    expect(
      sent.map(({ body }) => (body as { data: { tool_name: string } }).data.tool_name),
    ).toEqual(tools);
  });
  test("none: nothing is sent", async () => {
    const { before, after, sent } = hooked([]);
    expect([await before(), await after()]).toEqual([{ kind: "go" }, {}]);
    expect(sent).toEqual([]);
  });
});

describe("answers", () => {
  test("deny, with the contract's text", async () => {
    const { before } = hooked([http(U1)], {
      [U1]: {
        permission: { decision: "deny", reason: "frozen" },
        model_context: "see the wiki",
        user_message: "denied",
      },
    });
    expect(await before()).toEqual({
      kind: "stop",
      by: "deny",
      text: "Tool call denied by the deployment's lifecycle hook policy. Reason: frozen. This is an administrative policy decision, not a tool or workspace failure; retrying the same call will be denied again. Explain the denial to the user and adjust your approach.\n\nsee the wiki",
      userMessage: "denied",
    });
    expect(denialText("")).toContain("Reason: none was given.");
  });
  test("exit code 2 is a deny with standard error as the reason, also when the hook may fail open", async () => {
    const no = { kind: "answered", text: "", exitCode: 2, stderr: "not here\n" };
    const { before } = hooked([command("x", { failure: "open" })], { x: no });
    expect(await before()).toMatchObject({
      kind: "stop",
      by: "deny",
      text: containing("Reason: not here."),
    });
    const long = hooked([command("x", { failure: "open" })], {
      x: { ...no, stderr: "e".repeat(60_000) },
    });
    expect(await long.before()).toMatchObject({ kind: "stop", by: "deny" });
  });
  test("a rewrite, context and message", async () => {
    const { before } = hooked([http(U1)], {
      [U1]: {
        permission: { decision: "allow" },
        input_override: { files: [] },
        model_context: "c",
        user_message: "u",
      },
    });
    expect(await before()).toEqual({
      kind: "go",
      override: { files: [] },
      modelContext: "c",
      userMessage: "u",
    });
  });
  test("ask reaches the approval step", async () => {
    const { before } = hooked([command("x")], {
      x: {
        hookSpecificOutput: { permissionDecision: "ask", permissionDecisionReason: "big change" },
      },
    });
    expect(await before()).toEqual({ kind: "go", ask: true, askReason: "big change" });
  });
  test("an allow takes no ask back", async () => {
    const answers = {
      x: { hookSpecificOutput: { permissionDecision: "ask" } },
      y: { hookSpecificOutput: { permissionDecision: "allow" } },
    };
    for (const order of [
      ["x", "y"],
      ["y", "x"],
    ])
      expect(
        await hooked(
          order.map((one) => command(one)),
          answers,
        ).before(),
      ).toEqual({ kind: "go", ask: true });
  });
  test("deny beats ask and allow, in any order", async () => {
    const answers = {
      ask: { hookSpecificOutput: { permissionDecision: "ask" } },
      allow: { hookSpecificOutput: { permissionDecision: "allow", updatedInput: { files: [] } } },
      deny: { hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "r" } },
    };
    for (const order of [
      ["deny", "ask", "allow"],
      ["ask", "deny", "allow"],
      ["allow", "ask", "deny"],
    ])
      expect(
        await hooked(
          order.map((one) => command(one)),
          answers,
        ).before(),
      ).toMatchObject({ kind: "stop", by: "deny" });
  });
  test("the last rewrite wins, and the later hook saw the earlier one", async () => {
    const rewrite = (to: string): object => ({
      permission: { decision: "allow" },
      input_override: { by: to },
    });
    const { before, sent } = hooked([http(U1), http(U2), command("x")], {
      [U1]: rewrite("1"),
      [U2]: rewrite("2"),
    });
    expect(await before()).toEqual({ kind: "go", override: { by: "2" } });
    expect(sent[1]!.body).toMatchObject({ data: { tool_input: { by: "1" } } });
    expect(sent[2]!.body).toMatchObject({ tool_input: { by: "2" } });
  });
  test("post_tool_use: context for the model, messages for the user, a block is feedback", async () => {
    const post = (line: string): object => command(line, { event: "post_tool_use" });
    const { after } = hooked([post("a"), post("b"), post("c"), post("d")], {
      a: { model_context: "lint passed", user_message: "checked" },
      b: { decision: "block", reason: "tests fail" },
      c: { kind: "answered", text: "", exitCode: 2, stderr: "format first" },
      d: { kind: "failed", failure: "timeout", detail: "no answer within 5 ms" },
    });
    const said = await after();
    expect(said.modelContext).toBe("lint passed\ntests fail\nformat first");
    expect(said.userMessage).toBe(
      "checked\nhook dispatch failed: post_tool_use: timeout (dispatch d4, hooks[3] command): no answer within 5 ms.",
    );
  });
});

describe("failures", () => {
  const failures: readonly [string, unknown, string][] = [
    ["timeout", { kind: "failed", failure: "timeout", detail: "no answer within 9 ms" }, "timeout"],
    ["status", { kind: "failed", failure: "http_error", detail: "status 500" }, "http_error"],
    [
      "hang-up",
      { kind: "failed", failure: "connection_error", detail: "broke off" },
      "connection_error",
    ],
    ["not JSON", { kind: "answered", text: "ok", exitCode: 0, stderr: "" }, "protocol_error"],
    [
      "huge",
      { kind: "answered", text: `"${"x".repeat(2_000_000)}"`, exitCode: 0, stderr: "" },
      "protocol_error",
    ],
    ["wrong shape", { allow: true }, "protocol_error"],
    [
      "exit code 1",
      { kind: "answered", text: "", exitCode: 1, stderr: "Traceback" },
      "command_error",
    ],
    ["a bug of ours", new Error("oops"), "connection_error"],
  ];
  test.each(failures)("%s stops the call, names class and hook", async (_, reply, failure) => {
    const { before } = hooked([http(`${U1}?token=secret`)], { [`${U1}?token=secret`]: reply });
    const answer = await before();
    expect(answer).toMatchObject({ kind: "stop", by: "failure" });
    const text = answer.kind === "stop" ? answer.text : "";
    expect(text).toContain(
      `hook dispatch failed: pre_tool_use: ${failure} (dispatch d1, hooks[0] ${U1})`,
    );
    expect(text).toContain("was not executed");
    expect(text.endsWith("No files were applied.")).toBe(true);
    expect(text).not.toContain("secret");
  });
  test.each(failures)(
    "%s lets the call through only when the hook is set to open, and says so",
    async (_, reply, failure) => {
      const { before, sent } = hooked([http(U1, { failure: "open" }), http(U2)], { [U1]: reply });
      const answer = await before();
      expect(answer).toMatchObject({ kind: "go", userMessage: containing(failure) });
      expect(sent).toHaveLength(2);
    },
  );
  test("an interruption stops the call, open or not", async () => {
    const { before } = hooked([http(U1, { failure: "open" })], {
      [U1]: { kind: "failed", failure: "timeout", detail: "x" },
    });
    const answer = await before("edit", AbortSignal.abort());
    expect(answer).toMatchObject({
      kind: "stop",
      by: "failure",
      text: containing("interrupted"),
    });
  });
  test("a transport that throws is logged as our bug", async () => {
    const { before, bugs } = hooked([http(U1)], { [U1]: new Error("oops") });
    await before();
    expect(bugs).toHaveLength(1);
  });
});

describe("the setting", () => {
  test("time limits and failure modes", () => {
    const { hooks, problems } = parseHooks([
      http(U1, { timeoutMs: 5_000 }),
      command("x"),
      command("y", { failure: "open", timeoutMs: 60_000 }),
    ]);
    expect(problems).toEqual([]);
    expect(hooks).toMatchObject([
      { timeoutMs: 5_000, failure: "closed" },
      { timeoutMs: 30_000, failure: "closed" },
      { timeoutMs: 60_000, failure: "open" },
    ]);
  });
  test.each([
    ["no object", 7, "it must be an object"],
    ["no event", { kind: "http", url: U1 }, "event must be"],
    ["unknown event", http(U1, { event: "stop" }), "event must be"],
    ["no kind", { event: "pre_tool_use", url: U1 }, "kind must be"],
    ["no url", { event: "pre_tool_use", kind: "http" }, "url is missing"],
    ["a file url", http("file:///etc/passwd"), "http:// or https://"],
    ["a broken url", http("http://[x"), "does not parse"],
    ["url and command", http(U1, { command: "x" }), "has no meaning"],
    ["an unknown field", http(U1, { timeout: 5 }), 'no field "timeout"'],
    ["time limit 0", http(U1, { timeoutMs: 0 }), "timeoutMs must be"],
    ["time limit too long", http(U1, { timeoutMs: 5_001 }), "timeoutMs must be"],
    ["failure", http(U1, { failure: "maybe" }), "failure must be"],
    ["empty command", command(" "), "command is missing"],
  ])("%s: named, and calls stop", async (_, entry, problem) => {
    expect(parseHooks([entry]).problems.join()).toContain(problem);
    const answer = await hooked([entry]).before();
    expect(answer).toMatchObject({
      kind: "stop",
      by: "failure",
      text: containing("config_error"),
    });
  });
  test("what can be read of a broken entry limits it", async () => {
    const entry = { event: "pre_tool_use", kind: "http", matcher: "write" };
    expect(await hooked([entry]).before("edit")).toEqual({ kind: "go" });
    expect(await hooked([entry]).before("write")).toMatchObject({ kind: "stop" });
    expect(await hooked([{ ...entry, failure: "open" }]).before("write")).toMatchObject({
      kind: "go",
    });
  });
  test("not a list at all", async () => {
    expect(parseHooks({}).problems).toEqual(["hooks: the setting must be a list of hooks."]);
    expect(await hooked({}).before()).toMatchObject({ kind: "stop" });
    expect(parseHooks(undefined)).toEqual({ hooks: [], problems: [] });
  });
});
