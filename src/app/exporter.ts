import * as z from "zod";
import { parseUnified } from "../engine/index.ts";
import { printTime } from "./importers/isoTime.ts";
import type { ImportedFrom } from "./importers/importedCall.ts";
import type { CallQuery, CallStore } from "./ports.ts";
import type { CallRecord } from "./record.ts";

/**
 * One exported call, one line of JSON. Flat: every column is a scalar or a list of scalars, always there, null where
 * there is nothing to tell, so that DuckDB, ClickHouse and Spark load the lines as they are. The `file_…` lists run
 * in parallel: one element for each file of the call.
 *
 * The lines hold arguments and paths as they were. The importer for generic JSONL reads them back.
 */
export const ExportedCall = z.strictObject({
  /** Version of these columns; it grows when one changes its meaning, not when one is added. */
  schema: z.literal(1),
  id: z.string(),
  session: z.string(),
  tool: z.string(),
  /** Who handed the call over: lm-tool, api, cli, mcp, replay, import … */
  source: z.string(),
  model: z.string().nullable(),
  provider: z.string().nullable(),
  /** ISO 8601, UTC, milliseconds. */
  started_at: z.string(),
  ended_at: z.string().nullable(),
  duration_ms: z.number().nullable(),
  phase: z.string(),
  /** applied, partial, error; null for a call that did not end here. */
  status: z.string().nullable(),
  is_error: z.boolean().nullable(),
  /** string-decoded, hook-rewritten, replay, imported … */
  flags: z.array(z.string()),
  /** Folder that relative paths were taken from, known for imported calls. */
  folder: z.string().nullable(),
  /** The arguments as JSON text; null when they were no valid JSON, which `raw` then holds. */
  input_json: z.string().nullable(),
  raw: z.string().nullable(),
  /** UTF-16 units of the arguments as stored. */
  input_units: z.int(),
  message: z.string().nullable(),
  /** Failure of the whole call. */
  error: z.string().nullable(),
  /** What the model read. */
  output: z.string().nullable(),
  files_total: z.int(),
  files_applied: z.int(),
  files_rejected: z.int(),
  files_already_applied: z.int(),
  files_unknown: z.int(),
  lines_added: z.int(),
  lines_removed: z.int(),
  file_paths: z.array(z.string()),
  file_operations: z.array(z.string()),
  file_statuses: z.array(z.string().nullable()),
  file_errors: z.array(z.string().nullable()),
  /** Names of the tolerances a file's matches took, joined with commas; "" when all was exact. */
  file_tolerances: z.array(z.string()),
  file_lines_added: z.array(z.int()),
  file_lines_removed: z.array(z.int()),
});

export type ExportedCall = z.infer<typeof ExportedCall>;

export function exportedCall(
  call: CallRecord & { readonly imported?: ImportedFrom },
): ExportedCall {
  const { result, imported } = call;
  const input = call.args === undefined ? null : (JSON.stringify(call.args) ?? null);
  const raw = call.argsRaw ?? null;
  const diffs = call.files.map(({ outcome }) => parseUnified(outcome?.diff ?? ""));
  const added = diffs.map((diff) => diff.added);
  const removed = diffs.map((diff) => diff.removed);
  const withStatus = (status: string): number =>
    call.files.filter(({ outcome }) => outcome?.status === status).length;
  return {
    schema: 1,
    id: call.id,
    session: call.session,
    tool: call.tool,
    source: call.source,
    model: call.model ?? null,
    provider: call.provider ?? null,
    started_at: printTime(call.startedAt),
    ended_at: call.endedAt === undefined ? null : printTime(call.endedAt),
    duration_ms: call.endedAt === undefined ? null : call.endedAt - call.startedAt,
    phase: call.phase,
    status: result?.status ?? imported?.status ?? null,
    is_error: result?.isError ?? imported?.failed ?? null,
    flags: [...call.flags],
    folder: imported?.folder ?? null,
    input_json: input,
    raw,
    input_units: (input ?? raw ?? "").length,
    message: result?.message ?? null,
    error: result?.error?.message ?? null,
    output: result?.text ?? imported?.output ?? null,
    files_total: call.files.length,
    files_applied: withStatus("applied"),
    files_rejected: withStatus("rejected"),
    files_already_applied: withStatus("already_applied"),
    files_unknown: withStatus("unknown"),
    lines_added: sum(added),
    lines_removed: sum(removed),
    file_paths: call.files.map(({ path }) => path),
    file_operations: call.files.map(({ operation }) => operation),
    file_statuses: call.files.map(({ outcome }) => outcome?.status ?? null),
    file_errors: call.files.map(({ outcome }) => outcome?.error?.message ?? null),
    file_tolerances: call.files.map(({ outcome }) => (outcome?.tolerance ?? []).join(",")),
    file_lines_added: added,
    file_lines_removed: removed,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Calls held at once while exporting. */
const PAGE_CALLS = 100;

/** The chosen calls as lines with their ends, newest first. A limit in the query counts over all pages. */
export async function* exportCalls(
  store: Pick<CallStore, "find">,
  query: CallQuery = {},
): AsyncGenerator<string> {
  let left = query.limit ?? Infinity;
  let before = query.before;
  while (left > 0) {
    const limit = Math.min(PAGE_CALLS, left);
    const page = await store.find({ ...query, limit, ...(before === undefined ? {} : { before }) });
    for (const call of page) yield `${JSON.stringify(exportedCall(call))}\n`;
    before = page.at(-1)?.id;
    left -= page.length;
    if (page.length < limit) return;
  }
}
