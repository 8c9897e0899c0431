import * as z from "zod";
import { ok, type Result } from "../base/result.ts";
import {
  cleanReplacement,
  explainReplace,
  REPLACE_LIMITS,
  type BatchEntry,
  type Explanation,
  type Replacement,
} from "../engine/index.ts";
import {
  ambiguous,
  inputSchema,
  isObject,
  pathOf,
  readArguments,
  refusal,
  type JsonObject,
} from "./fileArguments.ts";
import { findAmbiguity, type KeyTree } from "./jsonTokens.ts";
import { listFromString } from "./stringList.ts";
import type { Arrived, Decoded, Refusal, Tool } from "./tool.ts";

const Entry = z.object({
  old_string: z.string().describe("Exact text to replace; matched against the original file."),
  new_string: z.string().describe("Replacement text; an empty string deletes old_string."),
  replace_all: z.boolean().optional().describe("Replace every occurrence of old_string."),
});

const Input = z.object({
  path: z
    .string()
    .describe("Path of the file to edit, absolute or relative to the workspace folder."),
  old_string: z
    .string()
    .optional()
    .describe(
      "Exact text to replace, with its indentation, white space and line breaks. Must occur once unless replace_all is true. Required for a single replacement.",
    ),
  new_string: z
    .string()
    .optional()
    .describe(
      "Replacement text; an empty string deletes old_string. Required for a single replacement.",
    ),
  replace_all: z.boolean().optional().describe("Replace every occurrence of old_string."),
  edits: z
    .array(Entry)
    .optional()
    .describe(
      "Several replacements in this file instead of old_string and new_string. Each is matched exactly against the original file; if one fails, none is made.",
    ),
});

/** What `edit` was asked to do, with the path trimmed. */
export type EditRequest = {
  readonly path: string;
  /** Set when the arguments alone show that the file cannot be edited so. */
  readonly refused: Explanation | null;
} & (
  | { readonly kind: "single"; readonly replacement: Replacement }
  | { readonly kind: "batch"; readonly entries: readonly BatchEntry[] }
);

export const editTool: Tool<EditRequest> = {
  name: "edit",
  title: "Edit File",
  description:
    "Replace exact text in one existing file. Use old_string and new_string for one replacement, or edits for " +
    "several disjoint ones. old_string must occur exactly once unless replace_all is true; keep it to the " +
    "smallest unique block, usually 2-4 lines copied from the file. Entries of edits match the original file and " +
    "are made together or not at all. Line endings, encoding and all other text of the file stay as they are. The " +
    "result says how many occurrences were replaced, or what to change before sending again.",
  userDescription:
    "Replaces exact text in one file, once or everywhere, or several texts at a time.",
  jsonSchema: schema,
  decode,
  validate,
};

function schema(): Readonly<Record<string, unknown>> {
  return inputSchema(Input);
}

function decode(arrived: Arrived): Decoded {
  const read = readArguments(arrived, schema());
  if (read.kind === "refused" || !isObject(read.args)) return read;
  const { edits, ...single } = read.args;
  // Both count as no list at all, for a model that fills in every key of the schema.
  if (edits === undefined || edits === null) return { ...read, args: single };
  if (typeof edits !== "string") return read;
  const found = listFromString(edits, "edits");
  if (found === null) return read;
  const args = { ...single, edits: found.list };
  // Its keys were inside a string so far, where the look at the whole text could not see them.
  const tree: KeyTree = schema();
  const reason = found.wrapped
    ? findAmbiguity(found.text, tree)
    : findAmbiguity(found.text, tree.properties?.["edits"] ?? {}, "edits");
  return reason === null
    ? { kind: "args", args, stringDecoded: true }
    : { kind: "refused", text: ambiguous(reason), args };
}

function validate(args: unknown): Result<EditRequest, Refusal> {
  if (!isObject(args))
    return refusal(
      "invalid arguments: send one JSON object with string path, old_string and new_string",
    );
  const path = pathOf(args);
  if (!path.ok) return path;
  if (args["edits"] !== undefined && args["edits"] !== null)
    return validateBatch(args, path.value, args["edits"]);
  return validateSingle(args, path.value);
}

function validateSingle(args: JsonObject, path: string): Result<EditRequest, Refusal> {
  const fields = fieldsOf(args, "");
  if (!fields.ok) return fields;
  const { oldString, newString, replaceAll } = fields.value;
  if (oldString === undefined || oldString === "")
    return refusal(`old_string is required${otherNames(args)}`);
  if (newString === undefined)
    return refusal("new_string is required; use an empty string for deletion");
  const replacement = { oldString, newString, replaceAll };
  const clean = cleanReplacement(replacement);
  const refused = clean.ok ? null : explainReplace(clean.problem);
  return ok({ kind: "single", path, replacement, refused });
}

function validateBatch(
  args: JsonObject,
  path: string,
  edits: unknown,
): Result<EditRequest, Refusal> {
  if (!Array.isArray(edits))
    return refusal(
      'edits must be an array of objects, for example [{"old_string":"a","new_string":"b"}]',
    );
  // Models echo the other keys with nothing in them; only what would do something is a contradiction.
  const clash = ["old_string", "new_string", "replace_all"].find(
    (name) =>
      args[name] !== undefined && args[name] !== null && args[name] !== "" && args[name] !== false,
  );
  if (clash !== undefined) return refusal(`edits cannot be combined with ${clash}`);
  if (edits.length === 0)
    return refusal("edits must contain at least one replacement; no changes were written");
  if (edits.length > REPLACE_LIMITS.entriesMax)
    return refusal(
      `edits has ${edits.length} entries, the limit is ${REPLACE_LIMITS.entriesMax}: send fewer at a time`,
    );
  const entries: BatchEntry[] = [];
  for (const [index, item] of (edits as readonly unknown[]).entries()) {
    if (!isObject(item))
      return refusal(`edits[${index}] must be an object with old_string and new_string`);
    const entry = fieldsOf(item, `edits[${index}].`);
    if (!entry.ok) return entry;
    entries.push(entry.value);
  }
  return ok({ kind: "batch", path, entries, refused: null });
}

/** The three fields of one replacement; null counts as missing. */
function fieldsOf(args: JsonObject, where: string): Result<BatchEntry, Refusal> {
  for (const name of ["old_string", "new_string"]) {
    const value = args[name];
    if (value !== undefined && value !== null && typeof value !== "string")
      return refusal(`${where}${name} must be a string`);
  }
  const all = args["replace_all"] ?? false;
  if (typeof all !== "boolean") return refusal(`${where}replace_all must be true or false`);
  return ok({
    oldString: text(args["old_string"]),
    newString: text(args["new_string"]),
    replaceAll: all,
  });
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Names that other tools give the same thing. */
function otherNames(args: JsonObject): string {
  const seen = ["old_text", "search", "oldString", "old_str"].find((name) => name in args);
  return seen === undefined ? "" : `; this tool calls it old_string and new_string, not ${seen}`;
}
