import { fail, ok, type Result } from "../base/result.ts";
import type { CallRecord } from "./record.ts";

/** A call to be run again, from wherever it was written down. */
export type ReplayCall = { readonly tool: string; readonly model?: string } & (
  { readonly input: unknown } | { readonly raw: string }
);

/** Calls of one text that are run one after another. */
export const REPLAY_CALLS_MAX = 200;

const ENVELOPE = /^\s*(```\w*\s*\n|apply_patch\s|<<)?\s*.*\*\*\* Begin Patch/;

/**
 * Reads what a person may have copied: a patch envelope, the arguments of a tool, `{tool, input | raw}` as the
 * command line takes it, or a list of these. The shape names the tool where the text does not.
 */
export function readReplay(text: string): Result<readonly ReplayCall[], string> {
  const trimmed = text.trim();
  if (trimmed === "") return fail("There is no text to replay.");
  if (ENVELOPE.test(trimmed.slice(0, 500)) && !trimmed.startsWith("{"))
    return ok([{ tool: "apply_patch", raw: text }]);
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch {
    return fail(
      "This is neither a patch (*** Begin Patch) nor JSON: copy a whole call, or the arguments of one.",
    );
  }
  const items = Array.isArray(value) ? (value as unknown[]) : [value];
  if (items.length === 0) return fail("The list holds no call.");
  if (items.length > REPLAY_CALLS_MAX)
    return fail(`The list holds ${items.length} calls; at most ${REPLAY_CALLS_MAX} are replayed.`);
  const calls: ReplayCall[] = [];
  for (const [index, item] of items.entries()) {
    const call = readCall(item);
    if (call === null) {
      const which = items.length === 1 ? "The JSON" : `Item ${index + 1} of the list`;
      return fail(
        `${which} is no call: it needs {"tool", "input"}, or the arguments of edit_files, apply_patch, edit, write or delete.`,
      );
    }
    calls.push(call);
  }
  return ok(calls);
}

function readCall(item: unknown): ReplayCall | null {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return null;
  const object = item as Readonly<Record<string, unknown>>;
  const { tool, input, raw, model } = object;
  if (typeof tool === "string") {
    const named = { tool, ...(typeof model === "string" ? { model } : {}) };
    if (typeof raw === "string") return { ...named, raw };
    return input === undefined ? null : { ...named, input };
  }
  const own = toolOf(object);
  return own === null ? null : { tool: own, input: object };
}

/** The tool whose arguments look like this. */
function toolOf(object: Readonly<Record<string, unknown>>): string | null {
  const has = (key: string): boolean => Object.hasOwn(object, key);
  if (has("patch")) return "apply_patch";
  if (has("old_string") || (has("edits") && has("path"))) return "edit";
  if (has("edits") || has("files")) return "edit_files";
  if (has("path") && has("content")) return "write";
  return null;
}

/** A stored call as it was meant: canonical arguments, or the raw text that was no JSON. Null where neither is kept. */
export function replayOf(call: CallRecord): ReplayCall | null {
  const { tool, model, args, argsRaw } = call;
  const named = { tool, ...(model === undefined ? {} : { model }) };
  if (args !== undefined) return { ...named, input: args };
  return argsRaw === undefined ? null : { ...named, raw: argsRaw };
}
