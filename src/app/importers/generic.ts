import { present, textOf } from "./items.ts";
import type { FoundCall, ItemReader } from "./items.ts";
import { readTime } from "./isoTime.ts";
import { itemOfCall, itemOfText } from "./toolCall.ts";

/**
 * One call a line: `{"tool", "input" | "input_json" | "raw", "id"?, "model"?, "provider"?, "session"?, "time"?}`.
 * `input` is a value, `input_json` the same as JSON text, `raw` what the model sent and what need not be JSON.
 * Exported calls are such lines.
 */
export const readGeneric: ItemReader = (value) => {
  const name = textOf(value["tool"]);
  if (name === undefined) return null;
  const call = present<Omit<FoundCall, "tool">>({
    callId: textOf(value["id"]) ?? textOf(value["call_id"]),
    session: textOf(value["session"]),
    model: textOf(value["model"]),
    provider: textOf(value["provider"]),
    folder: textOf(value["folder"]) ?? textOf(value["cwd"]),
    time: readTime(value["time"] ?? value["timestamp"] ?? value["started_at"]),
    output: textOf(value["output"]),
    status: textOf(value["status"]),
    failed: typeof value["is_error"] === "boolean" ? value["is_error"] : undefined,
  });
  for (const key of ["input_json", "raw"]) {
    const text = value[key];
    if (typeof text === "string") return [itemOfText({ ...call, name, input: text })];
  }
  return "input" in value
    ? [itemOfCall({ ...call, name, input: value["input"] })]
    : [{ kind: "unknown", what: `a line with "tool" and no input` }];
};
