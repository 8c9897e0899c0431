import { HOOK_CAPS, readHookAnswer, type HookOpinion } from "./hookAnswer.ts";
import type { HookConfig, HookEventName } from "./hookSettings.ts";
import { hookRuns } from "./hookSettings.ts";
import type { HookAfter, HookAnswer, HookEvent, Hooks } from "./ports.ts";

/** Why a hook gave no usable answer. */
export type HookFailure =
  | "timeout"
  | "connection_error"
  | "http_error"
  | "command_error"
  | "protocol_error"
  | "config_error"
  | "interrupted";

export type HookReply =
  /** `exitCode` 0 and an empty `stderr` for HTTP. */
  | {
      readonly kind: "answered";
      readonly text: string;
      readonly exitCode: number;
      readonly stderr: string;
    }
  | { readonly kind: "failed"; readonly failure: HookFailure; readonly detail: string };

/** Sends one body and waits for the answer; never throws, never waits longer than `timeoutMs`. */
export type HookTransport = (
  target: string,
  request: { readonly body: string; readonly timeoutMs: number; readonly bytesMax: number },
  signal: AbortSignal,
) => Promise<HookReply>;

export interface HookOptions {
  readonly hooks: () => readonly HookConfig[];
  readonly http: HookTransport;
  readonly command: HookTransport;
  /** Folder the calls are about; commands read it as `cwd`. */
  readonly folder: string;
  readonly newId: () => string;
  readonly logBug: (error: unknown) => void;
}

const DENIED =
  "This is an administrative policy decision, not a tool or workspace failure; retrying the same call will be denied again. Explain the denial to the user and adjust your approach.";
const SCHEMA_VERSION = 1;

/** What a model reads when a hook said no. */
export function denialText(reason: string, modelContext?: string): string {
  const said = reason.trim() === "" ? "none was given" : reason.trim();
  const text = `Tool call denied by the deployment's lifecycle hook policy. Reason: ${said.replace(/\.$/, "")}. ${DENIED}`;
  return modelContext === undefined ? text : `${text}\n\n${modelContext}`;
}

/**
 * Asks the configured hooks one after another. Each sees the input as the one before left it, so the last rewrite
 * wins and nothing runs that the later hooks have not seen. One deny ends it; one ask makes the whole call ask; an
 * allow loosens no permission rule.
 */
export function createHooks(options: HookOptions): Hooks {
  return {
    async before(event, signal) {
      let input = event.input;
      const said = collected();
      for (const hook of options.hooks()) {
        if (!hookRuns(hook, "pre_tool_use", event.tool)) continue;
        const asked = await askHook(options, hook, "pre_tool_use", { ...event, input }, signal);
        if (asked.kind === "failed") {
          if (hook.failure === "closed" || asked.failure === "interrupted")
            return { kind: "stop", by: "failure", text: failureText(asked), ...said.user() };
          said.add({
            userMessage: `${asked.line}; the call went on, as this hook is set to fail open.`,
          });
          continue;
        }
        const { opinion } = asked;
        said.add(opinion);
        if (opinion.decision === "deny")
          return {
            kind: "stop",
            by: "deny",
            text: denialText(opinion.reason ?? "", said.model().modelContext),
            ...said.user(),
          };
        if (opinion.override !== undefined) input = opinion.override.value;
        if (opinion.override !== undefined) said.rewrite();
        if (opinion.decision === "ask") said.askFor(opinion.reason);
      }
      return { kind: "go", ...said.outcome(input), ...said.model(), ...said.user() };
    },
    async after(event) {
      const said = collected();
      for (const hook of options.hooks()) {
        if (!hookRuns(hook, "post_tool_use", event.tool)) continue;
        const never = new AbortController().signal;
        const asked = await askHook(options, hook, "post_tool_use", event, never);
        // The tool has run: a failure is told to the person and takes nothing back.
        if (asked.kind === "failed") said.add({ userMessage: `${asked.line}.` });
        else said.add(withFeedback(asked.opinion));
      }
      return { ...said.model(), ...said.user() };
    },
  };
}

/** After the fact a deny can only be said: its reason goes to the model. */
function withFeedback(opinion: HookOpinion): HookOpinion {
  const { decision, reason, modelContext } = opinion;
  if (decision !== "deny" || reason === undefined) return opinion;
  return {
    ...opinion,
    modelContext: modelContext === undefined ? reason : `${reason}\n${modelContext}`,
  };
}

interface Collected {
  add(opinion: Pick<HookOpinion, "modelContext" | "userMessage">): void;
  rewrite(): void;
  askFor(reason: string | undefined): void;
  outcome(
    input: unknown,
  ): Pick<Extract<HookAnswer, { kind: "go" }>, "override" | "ask" | "askReason">;
  model(): Pick<HookAfter, "modelContext">;
  user(): Pick<HookAfter, "userMessage">;
}

function collected(): Collected {
  const model: string[] = [];
  const user: string[] = [];
  const reasons: string[] = [];
  let rewritten = false;
  let ask = false;
  return {
    add({ modelContext, userMessage }) {
      if (modelContext !== undefined && modelContext !== "") model.push(modelContext);
      if (userMessage !== undefined && userMessage !== "") user.push(userMessage);
    },
    rewrite() {
      rewritten = true;
    },
    askFor(reason) {
      ask = true;
      if (reason !== undefined && reason !== "") reasons.push(reason);
    },
    outcome: (input) => ({
      ...(rewritten ? { override: input } : {}),
      ...(ask ? { ask: true as const } : {}),
      ...(reasons.length > 0 ? { askReason: reasons.join("\n") } : {}),
    }),
    model: () => (model.length === 0 ? {} : { modelContext: model.join("\n") }),
    user: () => (user.length === 0 ? {} : { userMessage: user.join("\n") }),
  };
}

type Asked =
  | { readonly kind: "opinion"; readonly opinion: HookOpinion }
  /** `line` names event, class, dispatch and hook. */
  | { readonly kind: "failed"; readonly failure: HookFailure; readonly line: string };

type PostEvent = HookEvent & { readonly response?: unknown; readonly isError?: boolean };

async function askHook(
  { http, command, folder, newId, logBug }: HookOptions,
  hook: HookConfig,
  name: HookEventName,
  event: PostEvent,
  signal: AbortSignal,
): Promise<Asked> {
  const dispatch = newId();
  const failed = (failure: HookFailure, detail: string): Asked => ({
    kind: "failed",
    failure,
    line: `hook dispatch failed: ${name}: ${failure} (dispatch ${dispatch}, ${hook.label}): ${detail}`,
  });
  if (hook.kind === "broken") return failed("config_error", hook.problem);
  let reply: HookReply;
  try {
    const body = JSON.stringify(
      hook.kind === "http" ? httpBody(name, event, dispatch) : commandBody(name, event, folder),
    );
    const request = { body, timeoutMs: hook.timeoutMs, bytesMax: HOOK_CAPS.bodyBytesMax };
    reply = await (hook.kind === "http" ? http : command)(hook.target, request, signal);
  } catch (error) {
    logBug(error);
    return failed("connection_error", "an internal error of Agent Edit Review");
  }
  if (reply.kind === "failed")
    return failed(signal.aborted ? "interrupted" : reply.failure, reply.detail);
  // A command that exits with 2 says no; what it printed before is not an answer.
  if (reply.exitCode === 2)
    return { kind: "opinion", opinion: { decision: "deny", reason: cutReason(reply.stderr) } };
  if (reply.exitCode !== 0)
    return failed("command_error", `the command ended with exit code ${reply.exitCode}`);
  const opinion = readHookAnswer(reply.text, hook.kind);
  return opinion.ok
    ? { kind: "opinion", opinion: opinion.value }
    : failed("protocol_error", opinion.problem);
}

/** Standard error is not an answer in a form, so a long one is cut instead of losing the deny with it. */
function cutReason(stderr: string): string {
  const text = stderr.trim();
  return text.length <= 1_000 ? text : `${text.slice(0, 1_000)}…`;
}

function failureText({ line }: { readonly line: string }): string {
  return [
    "Tell the user that a hook did not answer as it must; this tool call was not executed.",
    `${line}.`,
    "No files were applied.",
  ].join("\n");
}

function httpBody(name: HookEventName, event: PostEvent, dispatch: string): unknown {
  const { session, model } = event;
  return {
    type: name,
    meta: {
      dispatch_id: dispatch,
      schema_version: SCHEMA_VERSION,
      session_id: session,
      ...(model === undefined ? {} : { model }),
    },
    data: dataOf(event),
  };
}

function dataOf({
  callId,
  tool,
  input,
  response,
  isError,
}: PostEvent): Readonly<Record<string, unknown>> {
  return {
    tool_use_id: callId,
    tool_name: tool,
    tool_input: input,
    ...(isError === undefined
      ? {}
      : isError
        ? { tool_error: response }
        : { tool_response: response }),
  };
}

/** The names that VS Code's and Claude Code's own hooks read. */
function commandBody(name: HookEventName, event: PostEvent, folder: string): unknown {
  return {
    hook_event_name: name === "pre_tool_use" ? "PreToolUse" : "PostToolUse",
    session_id: event.session,
    cwd: folder,
    ...dataOf(event),
  };
}
