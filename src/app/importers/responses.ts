import { isObject, outputText, PASSED, present, textOf } from "./items.ts";
import type { FoundCall, Item, ItemReader, JsonObject, TranscriptState } from "./items.ts";
import { itemOfCall, itemOfText } from "./toolCall.ts";
import { readTime } from "./isoTime.ts";

/** Item types of the Responses API (and of Codex, which stores the same) that are no calls of ours. */
const OTHER_TYPES = new Set([
  "message",
  "reasoning",
  "web_search_call",
  "file_search_call",
  "code_interpreter_call",
  "image_generation_call",
  "computer_call",
  "computer_call_output",
  "tool_search_call",
  "tool_search_output",
  "mcp_list_tools",
  "mcp_approval_request",
  "mcp_approval_response",
  "item_reference",
  "compaction",
  "compaction_summary",
  "ghost_snapshot",
  "other",
]);

/** OpenAI Responses: items, whole responses, requests with their `input`, and streamed events. */
export const readResponses: ItemReader = (value, state) => {
  const { type, object } = value;
  if (object === "response" && Array.isArray(value["output"])) return ofResponse(value, state);
  if (typeof type === "string") {
    if (type === "response.completed" && isObject(value["response"]))
      return ofResponse(value["response"], state);
    if (type === "response.output_item.done" && isObject(value["item"]))
      return [readItem(value["item"], state)];
    if (type.startsWith("response.")) return PASSED;
    const item = readItem(value, state);
    return item.kind === "unknown" ? null : [item];
  }
  if (Array.isArray(value["input"]) && value["tool"] === undefined) {
    setModel(value, state);
    return value["input"].filter(isObject).map((item) => readItem(item, state));
  }
  return typeof value["role"] === "string" && "content" in value ? PASSED : null;
};

function ofResponse(response: JsonObject, state: TranscriptState): readonly Item[] {
  setModel(response, state);
  const { output } = response;
  return Array.isArray(output)
    ? output.filter(isObject).map((item) => readItem(item, state))
    : PASSED;
}

function setModel(value: JsonObject, state: TranscriptState): void {
  const model = textOf(value["model"]);
  if (model !== undefined) state.model = model;
}

/** One item; the type decides. */
export function readItem(item: JsonObject, state: TranscriptState, time?: number): Item {
  const { type } = item;
  const call = present<Omit<FoundCall, "tool">>({
    ...state,
    callId: textOf(item["call_id"]) ?? textOf(item["id"]),
    time: time ?? readTime(item["timestamp"] ?? item["created_at"]),
  });
  switch (type) {
    case "function_call":
    case "mcp_call": {
      const { arguments: input } = item;
      const named = { ...call, name: nameOf(item) };
      return typeof input === "string"
        ? itemOfText({ ...named, input })
        : itemOfCall({ ...named, input });
    }
    case "custom_tool_call":
      return itemOfCall({ ...call, name: nameOf(item), input: item["input"] });
    case "local_shell_call": {
      const { action } = item;
      return itemOfCall({ ...call, name: "local_shell", input: action });
    }
    case "apply_patch_call": {
      const patch = patchOf(item["operation"]);
      return patch === null
        ? { kind: "unknown", what: "apply_patch_call" }
        : itemOfCall({ ...call, name: "apply_patch", input: patch });
    }
    case "function_call_output":
    case "custom_tool_call_output":
    case "local_shell_call_output":
    case "apply_patch_call_output":
      return outputItem(item);
    case undefined:
      return typeof item["role"] === "string"
        ? { kind: "passed" }
        : { kind: "unknown", what: "item" };
    default:
      if (typeof type === "string" && OTHER_TYPES.has(type)) return { kind: "passed" };
      return { kind: "unknown", what: String(type) };
  }
}

function nameOf(item: JsonObject): string {
  return textOf(item["name"]) ?? "?";
}

/** Codex wraps the output of a shell as JSON text with the exit status inside. */
function outputItem(item: JsonObject): Item {
  const callId = textOf(item["call_id"]) ?? "";
  const value = unwrapped(item["output"]);
  const failed = hasFailed(item, value);
  return {
    kind: "output",
    callId,
    output: outputText(value),
    ...(failed === undefined ? {} : { failed }),
  };
}

function unwrapped(output: unknown): unknown {
  if (typeof output !== "string" || !output.startsWith("{")) return output;
  try {
    const value: unknown = JSON.parse(output);
    return isObject(value) && typeof value["output"] === "string" ? value : output;
  } catch {
    return output;
  }
}

function hasFailed(item: JsonObject, value: unknown): boolean | undefined {
  if (item["status"] === "failed") return true;
  if (!isObject(value)) return undefined;
  if (typeof value["success"] === "boolean") return !value["success"];
  const { metadata } = value;
  const code = isObject(metadata) ? metadata["exit_code"] : undefined;
  return typeof code === "number" ? code !== 0 : undefined;
}

/** The API's own patch tool sends one file at a time, with the body of an envelope as `diff`. */
function patchOf(operation: unknown): string | null {
  if (!isObject(operation) || typeof operation["path"] !== "string") return null;
  const header = HEADERS[String(operation["type"])];
  if (header === undefined) return null;
  const diff = typeof operation["diff"] === "string" ? operation["diff"].replace(/\n$/, "") : "";
  const lines = ["*** Begin Patch", `*** ${header}: ${operation["path"]}`];
  if (header !== "Delete File" && diff !== "") lines.push(diff);
  return [...lines, "*** End Patch"].join("\n");
}

const HEADERS: Readonly<Record<string, string>> = {
  create_file: "Add File",
  update_file: "Update File",
  delete_file: "Delete File",
};
