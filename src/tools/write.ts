import * as z from "zod";
import { ok, type Result } from "../base/result.ts";
import { cleanText, explainReplace, type Explanation } from "../engine/index.ts";
import { inputSchema, isObject, pathOf, readArguments, refusal } from "./fileArguments.ts";
import type { Refusal, Tool } from "./tool.ts";

const Input = z.object({
  path: z
    .string()
    .describe("Path of the file to write, absolute or relative to the workspace folder."),
  content: z.string().describe("The whole text of the file; an empty string makes an empty file."),
});

export interface WriteRequest {
  readonly path: string;
  readonly content: string;
  /** Set when the content alone shows that it cannot be written. */
  readonly refused: Explanation | null;
}

export const writeTool: Tool<WriteRequest> = {
  name: "write",
  title: "Write File",
  description:
    "Create a file, or replace the whole text of an existing one. Folders on the way are made. A file that is " +
    "replaced keeps its permissions, its encoding and, where it has only one kind, its line endings. To change " +
    "part of a file, edit it instead. The result says whether the file was created or replaced, and its size.",
  userDescription: "Creates a file, or replaces the whole text of one.",
  jsonSchema: schema,
  decode: (arrived) => readArguments(arrived, schema()),
  validate,
};

function schema(): Readonly<Record<string, unknown>> {
  return inputSchema(Input);
}

function validate(args: unknown): Result<WriteRequest, Refusal> {
  if (!isObject(args))
    return refusal("invalid arguments: send one JSON object with string path and content");
  const path = pathOf(args);
  if (!path.ok) return path;
  const content = args["content"];
  // A missing text is a call that was cut off, and must not empty a file.
  if (content === undefined || content === null)
    return refusal("content is required; use an empty string for an empty file");
  if (typeof content !== "string") return refusal("content must be a string");
  const clean = cleanText("content", content);
  const refused = clean.ok ? null : explainReplace(clean.problem);
  return ok({ path: path.value, content, refused });
}
