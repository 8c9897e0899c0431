import { memoryStore } from "../../src/adapters/node/memoryStore.ts";
import type { Approvals } from "../../src/app/approvals.ts";
import type { Call, CallResult } from "../../src/app/call.ts";
import { callCard } from "../../src/app/card.ts";
import { HANDLERS } from "../../src/app/handlers/all.ts";
import { createHooks } from "../../src/app/hooks.ts";
import { parsePermissionRules } from "../../src/app/permissionRules.ts";
import { createPermissions } from "../../src/app/permissions.ts";
import type { CallStore, Ports } from "../../src/app/ports.ts";
import type { CallRecord } from "../../src/app/record.ts";
import { createCallRunner, type CallRunner } from "../../src/app/runCall.ts";
import type { CallCard } from "../../src/protocol/cards.ts";
import {
  createMemoryWorkspace,
  type MemoryWorkspace,
  type MemoryWorkspaceOptions,
} from "./memoryWorkspace.ts";

export interface DriverOptions extends MemoryWorkspaceOptions {
  readonly store?: CallStore;
  /** What an HTTP hook answers; it gets the body as sent. `undefined`: no opinion. */
  readonly hook?: (body: HookBody) => unknown;
  /** The setting `agentEditReview.permission`. */
  readonly permission?: unknown;
  /** Answers a question as soon as it is opened; absent: nobody can be asked. */
  readonly person?: Approvals;
  /** Replaces ports one by one. */
  readonly ports?: Partial<Ports>;
}

export interface HookBody {
  readonly type: "pre_tool_use" | "post_tool_use";
  readonly meta: Readonly<Record<string, unknown>>;
  readonly data: {
    readonly tool_name: string;
    readonly tool_input: unknown;
    readonly tool_response?: unknown;
    readonly tool_error?: unknown;
  };
}

export interface CallDriver {
  readonly workspace: MemoryWorkspace;
  readonly store: CallStore;
  readonly ports: Ports;
  readonly runner: CallRunner;
  /** Every record that was told, in order, each with the card made of it at that moment. */
  readonly told: readonly Told[];
  /** What went to the log for our own bugs. */
  readonly bugs: readonly unknown[];
  /** Bodies the hook saw. */
  readonly hooked: readonly HookBody[];
  /** Runs one call: of `input` parsed, or of `raw` text when `input` is a string. */
  run(tool: string, input: unknown, more?: Partial<Call>, signal?: AbortSignal): Promise<RanCall>;
}

export interface Told {
  readonly record: CallRecord;
  readonly card: CallCard;
}

export interface RanCall extends CallResult {
  /** The last record told of the call, and its card; absent for a dry run, which is not told. */
  readonly record: CallRecord | undefined;
  readonly card: CallCard | undefined;
  /** The files as they were when the call was handed over. */
  readonly before: Readonly<Record<string, string>>;
}

/** The life of a call over memory: a map of files, a store in maps, a clock that counts and ids in order. */
export function createCallDriver(options: DriverOptions = {}): CallDriver {
  const workspace = createMemoryWorkspace(options);
  const root = options.root ?? "/ws";
  const store = options.store ?? memoryStore({ notice: null });
  const told: Told[] = [];
  const bugs: unknown[] = [];
  const hooked: HookBody[] = [];
  let time = 1_000;
  let serial = 0;
  let dispatches = 0;
  const { hook } = options;
  const ports: Ports = {
    workspace,
    store,
    clock: { now: () => ++time },
    newId: () => `call-${++serial}`,
    onCall: (record) => void told.push({ record, card: callCard(record) }),
    logBug: (error) => void bugs.push(error),
    ...(hook === undefined
      ? {}
      : {
          hooks: createHooks({
            hooks: () => [
              {
                kind: "http",
                target: "http://policy.test/",
                timeoutMs: 1_000,
                events: ["pre_tool_use", "post_tool_use"],
                tools: null,
                failure: "closed",
                label: "hooks[0] policy",
              },
            ],
            http: (_target, { body }) => {
              const seen = JSON.parse(body) as HookBody;
              hooked.push(seen);
              const said = hook(seen);
              const text =
                said === undefined ? "" : typeof said === "string" ? said : JSON.stringify(said);
              return Promise.resolve({ kind: "answered", text, exitCode: 0, stderr: "" });
            },
            command: () => Promise.reject(new Error("there is no command hook here")),
            folder: root,
            newId: () => `dispatch-${++dispatches}`,
            logBug: (error) => void bugs.push(error),
          }),
        }),
    ...(options.permission === undefined && options.person === undefined
      ? {}
      : {
          permissions: createPermissions({
            rules: () => parsePermissionRules(options.permission),
            roots: () => [{ path: root, real: root }],
            ...(options.person === undefined ? {} : { approvals: options.person }),
          }),
        }),
    ...options.ports,
  };
  const runner = createCallRunner(ports, HANDLERS);
  return {
    workspace,
    store,
    ports,
    runner,
    told,
    bugs,
    hooked,
    async run(tool, input, more = {}, signal) {
      const before = workspace.contents();
      const arrived = typeof input === "string" ? { raw: input } : { input };
      const call: Call = { tool, session: "s", source: "test", ...arrived, ...more };
      const result = await runner.execute(call, signal);
      const last = told.findLast(({ record }) => record.id === result.callId);
      return { ...result, record: last?.record, card: last?.card, before };
    },
  };
}

/** The first fields of an edit, as a model writes them. */
export function edit(
  path: string,
  old_text: string,
  new_text: string,
  replace_all?: boolean,
): Readonly<Record<string, unknown>> {
  return { path, old_text, new_text, ...(replace_all === undefined ? {} : { replace_all }) };
}
