import * as z from "zod";
import { trimSpace } from "../engine/index.ts";
import { isRecord, own } from "./editFilesShape.ts";

/**
 * `edit_files` as hooks know it: grouped by file, in the order of each file's first edit, with the trimmed paths that
 * will be used. Only known keys are shown. Input that holds no flat list is shown as no files.
 */
export function groupedForm(args: unknown): unknown {
  const list = isRecord(args) ? own(args, "edits") : null;
  const files = new Map<string, unknown[]>();
  for (const item of Array.isArray(list) ? (list as unknown[]) : []) {
    if (!isRecord(item)) continue;
    const path = own(item, "path");
    if (typeof path !== "string") continue;
    const edit = {
      old_text: own(item, "old_text") ?? "",
      new_text: own(item, "new_text") ?? "",
      ...(own(item, "replace_all") === true ? { replace_all: true } : {}),
    };
    const edits = files.get(trimSpace(path));
    if (edits === undefined) files.set(trimSpace(path), [edit]);
    else edits.push(edit);
  }
  return { files: Array.from(files, ([path, edits]) => ({ path, edits })) };
}

const GroupedForm = z.strictObject({
  files: z.array(
    z.strictObject({
      path: z.string(),
      edits: z.array(
        z.strictObject({
          old_text: z.string(),
          new_text: z.string(),
          replace_all: z.boolean().optional(),
        }),
      ),
    }),
  ),
});

/**
 * A hook's grouped form back to canonical arguments; indexes follow it. Strict: an unknown or missing key is a
 * problem, since execution uses exactly what the hook approved.
 */
export function flattened(
  override: unknown,
): { readonly args: unknown } | { readonly problem: string } {
  const form = GroupedForm.safeParse(override);
  if (!form.success) return { problem: z.prettifyError(form.error).replaceAll("\n", " ") };
  const edits = form.data.files.flatMap(({ path, edits: own }) =>
    own.map(({ old_text, new_text, replace_all }) => ({
      path,
      old_text,
      new_text,
      ...(replace_all === undefined ? {} : { replace_all }),
    })),
  );
  return { args: { edits } };
}
