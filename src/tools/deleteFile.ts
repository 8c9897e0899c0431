import * as z from "zod";
import { ok, type Result } from "../base/result.ts";
import { inputSchema, isObject, pathOf, readArguments, refusal } from "./fileArguments.ts";
import type { Refusal, Tool } from "./tool.ts";

const Input = z.object({
  path: z
    .string()
    .describe("Path of the file to delete, absolute or relative to the workspace folder."),
});

export interface DeleteRequest {
  readonly path: string;
}

export const deleteTool: Tool<DeleteRequest> = {
  name: "delete",
  title: "Delete File",
  description:
    "Delete one regular file. Folders and links are refused. The result says that the file was deleted, or why not.",
  userDescription: "Deletes one file; it can be brought back from the review panel.",
  jsonSchema: schema,
  decode: (arrived) => readArguments(arrived, schema()),
  validate,
};

function schema(): Readonly<Record<string, unknown>> {
  return inputSchema(Input);
}

function validate(args: unknown): Result<DeleteRequest, Refusal> {
  if (!isObject(args)) return refusal("invalid arguments: send one JSON object with a string path");
  const path = pathOf(args);
  return path.ok ? ok({ path: path.value }) : path;
}
