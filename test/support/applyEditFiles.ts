import {
  SourceText,
  editFilesText,
  explainEdit,
  explainFile,
  planEdits,
  printUnified,
  type EditFilesText,
  type Explanation,
  type FileOutcome,
  type LadderStep,
} from "../../src/engine/index.ts";
import { editFilesTool } from "../../src/tools/editFiles.ts";
import type { EditGroup } from "../../src/tools/editFilesGroups.ts";
import type { Arrived } from "../../src/tools/tool.ts";

export interface Ran {
  readonly files: ReadonlyMap<string, string>;
  readonly outcomes: readonly FileOutcome[];
  readonly text: string;
  readonly isError: boolean;
  readonly message: string;
  readonly status: EditFilesText["status"];
  readonly args: unknown;
  readonly stringDecoded: boolean;
}

export interface ApplyOptions {
  readonly ladder?: readonly LadderStep[];
  readonly isAbsolute?: (path: string) => boolean;
}

/** One edit_files call over texts in memory: decode, validate, plan, word. No hooks, no guard, no disk. */
export function applyEditFiles(
  before: ReadonlyMap<string, string>,
  arrived: Arrived,
  options: ApplyOptions = {},
): Ran {
  const refusal = (text: string, args: unknown, stringDecoded: boolean): Ran => ({
    files: before,
    outcomes: [],
    text,
    isError: true,
    message: text,
    status: "error",
    args,
    stringDecoded,
  });
  const decoded = editFilesTool.decode(arrived);
  if (decoded.kind === "refused")
    return refusal(decoded.text, decoded.args, decoded.stringDecoded === true);
  const valid = editFilesTool.validate(decoded.args);
  if (!valid.ok) return refusal(valid.problem.text, decoded.args, decoded.stringDecoded);
  const files = new Map(before);
  const outcomes = valid.value.files.map((group) => applyGroup(files, group, options));
  return {
    files,
    outcomes,
    ...editFilesText(outcomes),
    args: decoded.args,
    stringDecoded: decoded.stringDecoded,
  };
}

function applyGroup(
  files: Map<string, string>,
  group: EditGroup,
  { ladder, isAbsolute = (path) => path.startsWith("/") }: ApplyOptions,
): FileOutcome {
  const { path, indexes, edits } = group;
  const rejected = (error: Explanation): FileOutcome => ({
    path,
    status: "rejected",
    operation: "update",
    edits: indexes,
    error,
  });
  if (!isAbsolute(path)) return rejected(explainFile({ code: "path-not-absolute", path }));
  if (group.refused !== null) return rejected(group.refused);
  const text = files.get(path);
  if (text === undefined) return rejected(explainFile({ code: "file-missing", path, similar: [] }));
  const plan = planEdits(SourceText.of(text), edits, ladder === undefined ? {} : { ladder });
  if (!plan.ok) return rejected(explainEdit(plan.problem[0]!));
  const { after, diff, tolerance } = plan.value;
  files.set(path, after);
  return {
    path,
    status: "applied",
    operation: "update",
    edits: indexes,
    diff: printUnified(diff, path),
    ...(tolerance.length === 0 ? {} : { tolerance }),
  };
}
