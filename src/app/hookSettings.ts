import { formalTool, isKnownTool } from "./permissionRules.ts";

export type HookEventName = "pre_tool_use" | "post_tool_use";

/** One configured hook. `broken` stands for an entry that cannot be read: it fails whenever it might have run. */
export type HookConfig = {
  readonly events: readonly HookEventName[];
  /** Formal tool names; null: every tool. */
  readonly tools: readonly string[] | null;
  readonly failure: "closed" | "open";
  /** How texts name the hook: without arguments, user names and queries, which may be secret. */
  readonly label: string;
} & (
  | { readonly kind: "http" | "command"; readonly target: string; readonly timeoutMs: number }
  | { readonly kind: "broken"; readonly problem: string }
);

const TIMEOUT_MS = {
  http: { usual: 1_500, max: 5_000 },
  command: { usual: 30_000, max: 60_000 },
} as const;

const EVENTS: readonly HookEventName[] = ["pre_tool_use", "post_tool_use"];
const FIELDS = ["event", "matcher", "kind", "url", "command", "timeoutMs", "failure"];

export function hookRuns(hook: HookConfig, event: HookEventName, tool: string): boolean {
  return hook.events.includes(event) && (hook.tools === null || hook.tools.includes(tool));
}

/**
 * The setting `agentEditReview.hooks`: a list of `{event, matcher?, kind, url | command, timeoutMs?, failure?}`.
 * Nothing in it is ignored silently. An entry that cannot be read becomes a hook that fails, so the call stops
 * unless the entry says `open`; a matcher with an unknown name runs for every tool.
 */
export function parseHooks(setting: unknown): {
  readonly hooks: readonly HookConfig[];
  readonly problems: readonly string[];
} {
  if (setting === undefined || setting === null) return { hooks: [], problems: [] };
  if (!Array.isArray(setting)) {
    const problem = "the setting must be a list of hooks";
    return { hooks: [broken("hooks", problem, {})], problems: [`hooks: ${problem}.`] };
  }
  const problems: string[] = [];
  const hooks = setting.map((entry: unknown, index) => {
    const read = parseHook(entry, index);
    problems.push(...read.problems.map((problem) => `hooks[${index}]: ${problem}.`));
    return read.hook;
  });
  return { hooks, problems };
}

type Entry = Readonly<Record<string, unknown>>;

function parseHook(
  value: unknown,
  index: number,
): { hook: HookConfig; problems: readonly string[] } {
  const name = `hooks[${index}]`;
  const isEntry = typeof value === "object" && value !== null && !Array.isArray(value);
  const entry: Entry = isEntry ? { ...value } : {};
  const fatal = isEntry ? faultOf(entry) : "it must be an object";
  if (fatal !== null) return { hook: broken(name, fatal, entry), problems: [fatal] };
  const matcher = parseMatcher(entry.matcher);
  const kind = entry.kind === "http" ? "http" : "command";
  const target = String(kind === "http" ? entry.url : entry.command);
  const hook: HookConfig = {
    kind,
    target,
    events: eventsOf(entry),
    tools: matcher.tools,
    timeoutMs: typeof entry.timeoutMs === "number" ? entry.timeoutMs : TIMEOUT_MS[kind].usual,
    failure: failureOf(entry),
    label: `${name} ${kind === "http" ? hostOf(target) : "command"}`,
  };
  return { hook, problems: matcher.problems };
}

function faultOf(entry: Entry): string | null {
  const unknown = Object.keys(entry).find((key) => !FIELDS.includes(key));
  if (unknown !== undefined) return `there is no field "${unknown}"`;
  if (!EVENTS.some((event) => event === entry.event))
    return "event must be pre_tool_use or post_tool_use";
  if (entry.kind !== "http" && entry.kind !== "command") return "kind must be http or command";
  const own = entry.kind === "http" ? "url" : "command";
  const foreign = entry.kind === "http" ? "command" : "url";
  const target = entry[own];
  if (typeof target !== "string" || target.trim() === "") return `${own} is missing`;
  if (target.includes("\0")) return `${own} contains a NUL character`;
  if (entry[foreign] !== undefined) return `${foreign} has no meaning for kind ${entry.kind}`;
  if (entry.kind === "http" && !/^https?:\/\//i.test(target))
    return "url must begin with http:// or https://";
  if (entry.kind === "http" && !URL.canParse(target)) return "url does not parse";
  const { max } = TIMEOUT_MS[entry.kind];
  const { timeoutMs, failure } = entry;
  if (
    timeoutMs !== undefined &&
    !(typeof timeoutMs === "number" && 0 < timeoutMs && timeoutMs <= max)
  )
    return `timeoutMs must be a number above 0 and at most ${max}`;
  if (failure !== undefined && failure !== "closed" && failure !== "open")
    return "failure must be closed or open";
  return null;
}

/** What can be read of a broken entry still limits it; what cannot is taken as widely as possible. */
function broken(name: string, problem: string, entry: Entry): HookConfig {
  return {
    kind: "broken",
    problem,
    events: eventsOf(entry),
    tools: parseMatcher(entry.matcher).tools,
    failure: failureOf(entry),
    label: name,
  };
}

function eventsOf({ event }: Entry): readonly HookEventName[] {
  const named = EVENTS.filter((one) => one === event);
  return named.length > 0 ? named : EVENTS;
}

function failureOf({ failure }: Entry): "closed" | "open" {
  return failure === "open" ? "open" : "closed";
}

/** Names with `|` or commas between; `*`, nothing, and anything unreadable stand for every tool. */
function parseMatcher(matcher: unknown): {
  readonly tools: readonly string[] | null;
  readonly problems: readonly string[];
} {
  if (matcher === undefined) return { tools: null, problems: [] };
  if (typeof matcher !== "string")
    return { tools: null, problems: ["matcher must be a text; the hook runs for every tool"] };
  const names = matcher.split(/[|,]/).map(formalTool);
  if (names.includes("*") || matcher.trim() === "") return { tools: null, problems: [] };
  const unknown = names.filter((name) => !isKnownTool(name));
  if (unknown.length === 0) return { tools: names, problems: [] };
  const list = unknown.map((name) => `"${name}"`).join(", ");
  return {
    tools: null,
    problems: [`matcher names no tool with ${list}; the hook runs for every tool`],
  };
}

/** The URL without user, password and query. */
function hostOf(url: string): string {
  const match = /^(https?:\/\/)(?:[^/?#@]*@)?([^?#]*)/i.exec(url);
  return match === null ? "http" : `${match[1] ?? ""}${match[2] ?? ""}`;
}
