import * as z from "zod";
import { fail, ok, type Result } from "../base/result.ts";
import { ARGUMENT_UNITS_MAX } from "./editFilesDecode.ts";
import { findAmbiguity, findCaseVariant, type KeyTree } from "./jsonTokens.ts";
import type { Arrived, Decoded, Refusal } from "./tool.ts";

/** What stands behind the sentence of every refused call: nothing was done. */
const NOTHING_DONE = "No files were applied.";

export function refusal(toChange: string): { readonly ok: false; readonly problem: Refusal } {
  return fail({ text: `${toChange}\n${NOTHING_DONE}` });
}

/** The JSON Schema of a tool's input, without the word for its dialect, which models have no use for. */
export function inputSchema(input: z.ZodType): Readonly<Record<string, unknown>> {
  const schema = Object.entries(z.toJSONSchema(input, { io: "input" }));
  return Object.fromEntries(schema.filter(([key]) => key !== "$schema"));
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The arguments of a tool that changes one file, as JSON. Total: whatever arrives is a value or a refusal. The key
 * `filePath` becomes `path`, so that whoever judges the call reads the path that will be used.
 */
export function readArguments(arrived: Arrived, tree: KeyTree): Decoded {
  const { raw } = arrived;
  if (raw === undefined) {
    const reason = findCaseVariant(arrived.input, tree);
    return reason === null
      ? { kind: "args", args: named(arrived.input), stringDecoded: false }
      : { kind: "refused", text: ambiguous(reason), args: arrived.input };
  }
  if (raw.length > ARGUMENT_UNITS_MAX)
    return {
      kind: "refused",
      text: `Send smaller arguments: these have ${raw.length} characters, the limit is ${ARGUMENT_UNITS_MAX}\n${NOTHING_DONE}`,
      raw,
    };
  let args: unknown;
  try {
    args = JSON.parse(raw);
  } catch {
    // The parser's only word for "not JSON"; there is no other way to ask it.
    return { kind: "refused", text: `${NOT_JSON}\n${NOTHING_DONE}`, raw };
  }
  const reason = findAmbiguity(raw, tree);
  return reason === null
    ? { kind: "args", args: named(args), stringDecoded: false }
    : { kind: "refused", text: ambiguous(reason), args };
}

const NOT_JSON =
  "This tool call was not executed because its input is not valid JSON. Retry with a well-formed JSON object matching the tool schema.";

export function ambiguous(reason: string): string {
  return (
    `This tool call was not executed because its input is ambiguous: ${reason}. ` +
    `Retry with the exact property names from the tool schema, each key used once.\n${NOTHING_DONE}`
  );
}

function named(args: unknown): unknown {
  if (!isObject(args) || !("filePath" in args)) return args;
  const { filePath, ...rest } = args;
  const has = typeof args["path"] === "string" && args["path"].trim() !== "";
  return has ? rest : { ...rest, path: filePath };
}

/** The trimmed path of canonical arguments. */
export function pathOf(args: JsonObject): Result<string, Refusal> {
  const path = args["path"] ?? "";
  if (typeof path !== "string") return refusal("path must be a string");
  return path.trim() === "" ? refusal("path is required") : ok(path.trim());
}
