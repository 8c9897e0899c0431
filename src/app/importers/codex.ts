import { isObject, PASSED, textOf } from "./items.ts";
import type { ItemReader, JsonObject, TranscriptState } from "./items.ts";
import { readTime } from "./isoTime.ts";
import { readItem } from "./responses.ts";

/** Codex rollouts: each line wraps a payload; the oldest ones begin with a line of their own and have bare items. */
export const readCodex: ItemReader = (value, state) => {
  const { type, payload } = value;
  if (typeof type === "string" && isObject(payload)) return ofPayload(type, payload, value, state);
  if ("record_type" in value) return PASSED;
  const isOldHead =
    type === undefined && "instructions" in value && typeof value["id"] === "string";
  if (!isOldHead) return null;
  setSession(value, state);
  return PASSED;
};

function ofPayload(
  type: string,
  payload: JsonObject,
  line: JsonObject,
  state: TranscriptState,
): ReturnType<ItemReader> {
  switch (type) {
    case "session_meta":
      setSession(payload, state);
      return PASSED;
    case "turn_context": {
      const model = textOf(payload["model"]);
      const folder = textOf(payload["cwd"]);
      if (model !== undefined) state.model = model;
      if (folder !== undefined) state.folder = folder;
      return PASSED;
    }
    case "response_item":
      return [readItem(payload, state, readTime(line["timestamp"]))];
    case "event_msg":
    case "compacted":
      return PASSED;
    default:
      return "timestamp" in line ? [{ kind: "unknown", what: type }] : null;
  }
}

/** A new head begins a new session: what the last one said about model and folder is over. */
function setSession(head: JsonObject, state: TranscriptState): void {
  delete state.model;
  delete state.folder;
  delete state.provider;
  const session = textOf(head["id"]);
  const folder = textOf(head["cwd"]);
  const provider = textOf(head["model_provider"]);
  if (session !== undefined) state.session = session;
  if (folder !== undefined) state.folder = folder;
  if (provider !== undefined) state.provider = provider;
}
