import * as z from "zod";
import { ok, type Result } from "../base/result.ts";
import {
  cleanInvisible,
  cleanPatch,
  explainEnvelope,
  parsePatch,
  type ParsedPatch,
  type ParseProblem,
} from "../engine/index.ts";
import { isObject, refusal, type JsonObject } from "./fileArguments.ts";
import { findAmbiguity } from "./jsonTokens.ts";
import type { Arrived, Decoded, Refusal, Tool } from "./tool.ts";

const Input = z.object({
  patch: z
    .string()
    .describe("The complete patch text, from the line *** Begin Patch to the line *** End Patch."),
});

/** A patch that was read without a fault. What it adds is clean of invisible characters. */
export interface PatchRequest {
  readonly patch: string;
  readonly parsed: ParsedPatch;
  /** How often each invisible character was taken out of added lines. */
  readonly removed: ReadonlyMap<number, number>;
}

export const applyPatchTool: Tool<PatchRequest> = {
  name: "apply_patch",
  title: "Apply Patch",
  description: [
    "Add, change, move and delete files with one patch.",
    "The patch starts with the line `*** Begin Patch` and ends with the line `*** End Patch`. Between them stand any number of file operations:",
    "`*** Add File: path`, then the content, each line with a `+` in front;",
    "`*** Update File: path`, optionally `*** Move to: path` as the next line, then hunks;",
    "`*** Delete File: path`, with nothing below it.",
    "A hunk starts with `@@`, optionally followed by a complete line of the file that stands above the change. Each of its lines has a mark in front: a space for context, `-` for a line to remove, `+` for a line to add. Give about three lines of context on both sides, as they stand in the file now. Hunks of a file go from top to bottom. `*** End of File` after a hunk says that it ends the file.",
    "Every file is changed completely or not at all. The result lists what was changed, and for every file that was not, why and what to send again.",
  ].join("\n"),
  userDescription: "Adds, changes, moves and deletes files with one patch.",
  jsonSchema: applyPatchSchema,
  decode,
  validate,
};

function applyPatchSchema(): Readonly<Record<string, unknown>> {
  const schema = Object.entries(z.toJSONSchema(Input, { io: "input" }));
  return Object.fromEntries(schema.filter(([key]) => key !== "$schema"));
}

/** A text may have been put in quotes several times on its way; this often is believed. */
const WRAPPINGS_MAX = 8;

function decode(arrived: Arrived): Decoded {
  const sent = arrived.raw ?? arrived.input;
  if (typeof sent !== "string") return fromValue(sent, false);
  const text = unwrapped(sent);
  // Freeform tools hand over the patch as it is.
  if (!text.trimStart().startsWith("{"))
    return { kind: "args", args: { patch: text }, stringDecoded: text !== sent };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const cause = error instanceof Error ? error.message : "no valid JSON";
    return { ...refused(`invalid arguments: ${cause}`), raw: sent };
  }
  const ambiguity = findAmbiguity(text, applyPatchSchema());
  if (ambiguity !== null)
    return {
      kind: "refused",
      text: `This tool call was not executed because its input is ambiguous: ${ambiguity}. Retry with the exact property names from the tool schema, each key used once.`,
      args: value,
    };
  return fromValue(value, text !== sent);
}

function unwrapped(sent: string): string {
  let text = sent;
  for (let i = 0; i < WRAPPINGS_MAX && text.trimStart().startsWith('"'); i++) {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value !== "string") return text;
      text = value;
    } catch {
      return text;
    }
  }
  return text;
}

function fromValue(value: unknown, stringDecoded: boolean): Decoded {
  if (!isObject(value))
    return {
      ...refused("invalid arguments: send one JSON object with a string patch"),
      args: value,
    };
  const { patch } = value;
  if (patch === undefined && typeof value["input"] === "string")
    return {
      ...refused(
        "gateway appears to have lowered custom apply_patch incorrectly; set compat.apply_patch.freeform: false",
      ),
      args: value,
    };
  // Other keys mean nothing here, and an older shape sent a path with the patch.
  return { kind: "args", args: { patch }, stringDecoded };
}

function refused(toChange: string): { readonly kind: "refused"; readonly text: string } {
  return { kind: "refused", text: refusal(toChange).problem.text };
}

function validate(args: unknown): Result<PatchRequest, Refusal> {
  if (!isObject(args))
    return refusal("invalid arguments: send one JSON object with a string patch");
  const { patch } = args as JsonObject & { readonly patch?: unknown };
  if (patch === undefined || patch === null)
    return refusal("patch is required: send the patch text as the string argument patch");
  if (typeof patch !== "string") return refusal("invalid arguments: patch must be a string");
  const invisible = onlyInvisible(patch);
  if (invisible !== null) return malformed([invisible]);
  const parsed = parsePatch(patch);
  if (parsed.problems.length > 0) return malformed(parsed.problems);
  return ok({ patch, ...cleanPatch(parsed) });
}

function malformed(problems: readonly ParseProblem[]): Result<PatchRequest, Refusal> {
  const { message, advice } = explainEnvelope({ code: "malformed", problems });
  return refusal(advice === undefined ? message : `${message}\n${advice}`);
}

/** A longer text is no patch of a few stray characters. */
const STRAY_UNITS_MAX = 1_000;

function onlyInvisible(patch: string): ParseProblem | null {
  if (patch.length > STRAY_UNITS_MAX || patch.trim() === "") return null;
  const { text, removed } = cleanInvisible(patch, { floatingMarks: true });
  if (text.trim() !== "") return null;
  let count = 0;
  for (const times of removed.values()) count += times;
  return { code: "only-invisible", count };
}
