import * as z from "zod";
import { fail, ok, type Result } from "../base/result.ts";
import { decodeEditFiles } from "./editFilesDecode.ts";
import { groupEdits, type EditGroup } from "./editFilesGroups.ts";
import { readEdits, refused } from "./editFilesShape.ts";
import type { Refusal, Tool } from "./tool.ts";

/** The contract with models. Unknown keys are let through and ignored, so nothing forbids them here. */
export const EditFilesInput = z.object({
  edits: z
    .array(
      z.object({
        path: z.string().describe("Absolute path of the file to edit."),
        old_text: z
          .string()
          .describe(
            "Exact text to replace. Must match exactly one location unless replace_all is true. Must differ from new_text.",
          ),
        new_text: z.string().describe("Replacement text."),
        replace_all: z.boolean().optional().describe("Replace every match of old_text."),
      }),
    )
    .min(1),
});

/** A call that can run: its files in the order of their first edits. Some may be refused already. */
export interface EditFilesRequest {
  readonly files: readonly EditGroup[];
}

export const editFilesTool: Tool<EditFilesRequest> = {
  name: "edit_files",
  title: "Edit Files",
  description:
    "Edit existing files by replacing old_text with new_text. " +
    "Edits to the same file apply in order, each to the result of the one before. " +
    "Each file's edits are validated before that file is written: a file with any error is left unchanged, and the other files are still applied. " +
    "The result gives the diff of every applied file and, for every rejected one, the reason and the edits to send again.",
  userDescription:
    "Replaces texts in one or many files; files that fail are left alone, the others are applied.",
  jsonSchema: editFilesSchema,
  decode(arrived) {
    return decodeEditFiles(arrived, editFilesSchema());
  },
  validate: validateEditFiles,
};

export function editFilesSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(EditFilesInput, { io: "input" });
  // The dialect is no part of the contract, and some hosts reject it.
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== "$schema"));
}

/** Rejects the whole call only for what belongs to no file; everything else is a matter of its file. */
export function validateEditFiles(args: unknown): Result<EditFilesRequest, Refusal> {
  const edits = readEdits(args);
  if (!edits.ok) return fail(edits.problem);
  const withoutPath = edits.value.filter(({ path }) => path === "");
  if (withoutPath.length > 0) {
    const listed = withoutPath.map(({ index }) => `edits[${index}]`).join(", ");
    return fail(refused(`Set path to the absolute path of the file to edit in ${listed}`));
  }
  return ok({ files: groupEdits(edits.value) });
}
