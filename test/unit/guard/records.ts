import type { CallRecord, FileRecord } from "../../../src/app/record.ts";

type Status = "applied" | "rejected" | "already_applied" | "unknown";

export interface FileOf {
  readonly path: string;
  readonly status: Status;
  readonly edits?: readonly number[];
  readonly hashAfter?: string;
  readonly appliedBy?: string;
  readonly tolerance?: readonly string[];
  readonly skipped?: readonly number[];
}

/** A stored call of session "s" that ended. */
export function call(
  id: string,
  args: unknown,
  files: readonly FileOf[],
  more: Partial<CallRecord> = {},
): CallRecord {
  const applied = files.some(({ status }) => status === "applied" || status === "already_applied");
  const failed = files.some(({ status }) => status === "rejected" || status === "unknown");
  const status = !applied ? "error" : failed ? "partial" : "applied";
  return {
    version: 1,
    id,
    session: "s",
    tool: "edit_files",
    source: "api",
    startedAt: 0,
    phase: "done",
    args,
    files: files.map(fileRecord),
    flags: [],
    result: { status, isError: status === "error", text: "", message: "" },
    ...more,
  };
}

function fileRecord({ path, status, edits, tolerance, ...rest }: FileOf): FileRecord {
  return {
    path,
    shown: path,
    operation: "update",
    phase: "done",
    outcome: {
      path,
      status,
      operation: "update",
      ...(edits === undefined ? {} : { edits }),
      ...(tolerance === undefined ? {} : { tolerance }),
    },
    ...rest,
  };
}

export function edit(
  path: string,
  old_text: string,
  new_text: string,
  replace_all?: boolean,
): object {
  return { path, old_text, new_text, ...(replace_all === undefined ? {} : { replace_all }) };
}
