import { isObject, outputText, PASSED, present, textOf } from "./items.ts";
import type { FoundCall, Item, ItemReader, JsonObject } from "./items.ts";
import { readTime } from "./isoTime.ts";
import { itemOfCall } from "./toolCall.ts";

/** Kinds of lines without calls. */
const OTHER_TYPES = new Set([
  "summary",
  "system",
  "progress",
  "attachment",
  "file-history-snapshot",
  "queue-operation",
  "last-prompt",
  "custom-title",
  "ai-title",
  "agent-name",
  "pr-link",
  "result",
  "stream_event",
]);

/** Claude Code's session files, and what it prints with `--output-format stream-json`. */
export const readClaudeCode: ItemReader = (value) => {
  const { type, message } = value;
  if (typeof type !== "string" || !isClaude(value)) return null;
  if (type !== "assistant" && type !== "user")
    return OTHER_TYPES.has(type) ? PASSED : [{ kind: "unknown", what: type }];
  if (!isObject(message)) return [{ kind: "unknown", what: type }];
  const { content } = message;
  if (!Array.isArray(content)) return PASSED;
  const items = content.filter(isObject).flatMap((block) => ofBlock(block, message, value));
  return items.length === 0 ? PASSED : items;
};

/** Other formats have lines of type "user" or "system" too; only these name their session like that. */
function isClaude(value: JsonObject): boolean {
  return (
    typeof value["sessionId"] === "string" ||
    typeof value["session_id"] === "string" ||
    "leafUuid" in value ||
    value["type"] === "file-history-snapshot"
  );
}

function ofBlock(block: JsonObject, message: JsonObject, line: JsonObject): readonly Item[] {
  switch (block["type"]) {
    case "tool_use": {
      const call = present<Omit<FoundCall, "tool">>({
        callId: textOf(block["id"]),
        session: textOf(line["sessionId"]) ?? textOf(line["session_id"]),
        model: textOf(message["model"]),
        provider: "anthropic",
        time: readTime(line["timestamp"]),
        folder: textOf(line["cwd"]),
      });
      return [itemOfCall({ ...call, name: textOf(block["name"]) ?? "?", input: block["input"] })];
    }
    case "tool_result":
      return [
        {
          kind: "output",
          callId: textOf(block["tool_use_id"]) ?? "",
          output: outputText(block["content"]),
          failed: block["is_error"] === true,
        },
      ];
    default:
      return [];
  }
}
