import type { CallRecord, FileRecord } from "../../../src/app/record.ts";

export function sampleFile(shown: string, extra: Partial<FileRecord> = {}): FileRecord {
  return {
    path: `/w/${shown}`,
    shown,
    operation: "update",
    phase: "done",
    outcome: { path: `/w/${shown}`, status: "applied", operation: "update", diff: "" },
    ...extra,
  };
}

/** An ended call; `n` gives it its place in time. */
export function sampleCall(n: number, extra: Partial<CallRecord> = {}): CallRecord {
  return {
    version: 1,
    id: `call-${String(n).padStart(6, "0")}`,
    session: "s1",
    tool: "edit_files",
    source: "api",
    startedAt: 1_000 + n,
    endedAt: 2_000 + n,
    phase: "done",
    args: { edits: [] },
    files: [sampleFile("src/a.ts")],
    result: { status: "applied", isError: false, text: "{}", message: "Edited 1 file" },
    flags: [],
    ...extra,
  };
}

/** The same call while it runs: without an end and a result. */
export function runningCall(n: number): CallRecord {
  return without(sampleCall(n, { phase: "applying" }), "result", "endedAt");
}

export function without(
  call: CallRecord,
  ...keys: readonly ("args" | "result" | "endedAt")[]
): CallRecord {
  const copy: { -readonly [K in keyof CallRecord]: CallRecord[K] } = { ...call };
  for (const key of keys) delete copy[key];
  return copy;
}
