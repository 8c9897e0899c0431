import { posix } from "node:path";
import { applyPatch } from "diff";
import { expect } from "vitest";
import { parseUnified } from "../../src/engine/index.ts";
import { CallCard } from "../../src/protocol/cards.ts";
import { StructuredResult } from "../../src/protocol/result.ts";
import type { CallDriver, RanCall } from "./callDriver.ts";

/** What holds after every call, whatever a test is about: text, structured result, record and card say the same. */
export async function expectTruth(driver: CallDriver, ran: RanCall): Promise<void> {
  const { structured, text, isError } = ran;
  StructuredResult.parse(structured);
  expectOneStatus(ran);
  expectNoStack(text);
  expectSameInText(ran);
  if (ran.record === undefined || ran.card === undefined) return;
  CallCard.parse(ran.card);
  const { record, card } = ran;
  expect(record.phase).toBe("done");
  expect(record.endedAt).toBeGreaterThanOrEqual(record.startedAt);
  expect(record.result).toMatchObject({ status: structured.status, isError, text });
  expect(await driver.store.get(record.id)).toEqual(record);
  expect(card).toMatchObject({ phase: "done", status: structured.status });
  expect(card.progress).toEqual({ done: record.files.length, total: record.files.length });
  expect(record.files.length).toBe(structured.files.length);
  for (const [place, file] of structured.files.entries()) {
    const drawn = card.files[place]!;
    const kept = record.files.find((one) => drawn.key.endsWith(`:${one.path}`))!;
    expect(kept.outcome).toMatchObject({ path: file.path, status: file.status });
    expect(drawn).toMatchObject({
      path: file.path,
      status: file.status,
      operation: file.operation,
      phase: "done",
    });
    expect(drawn.edits).toEqual(file.edits);
    expect(drawn.note).toBe(file.note);
    expect(drawn.error?.message === undefined).toBe(file.error === undefined);
    if (drawn.error !== undefined) expect(file.error).toContain(drawn.error.message);
    expectSameDiff(drawn.diff, file.diff);
  }
  if (structured.files.length === 0) expect(card.error?.message).toBe(structured.message);
}

function expectOneStatus({ structured, isError, record }: RanCall): void {
  const stands = structured.files.filter(
    ({ status }) => status === "applied" || status === "already_applied",
  ).length;
  const failed = structured.files.length - stands;
  const wanted = stands === 0 ? "error" : failed > 0 ? "partial" : "applied";
  expect(structured.status).toBe(wanted);
  // A patch that was applied in part is reported as an error; a partial edit_files call is not.
  const patchInPart = record?.tool === "apply_patch" && wanted === "partial";
  expect(isError).toBe(wanted === "error" || patchInPart);
  // Rejected and unknown files come first.
  const order = structured.files.map(({ status }) => status === "rejected" || status === "unknown");
  expect(order).toEqual([...order].sort((a, b) => Number(b) - Number(a)));
  for (const file of structured.files) {
    expect(file.diff !== undefined).toBe(file.status === "applied");
    expect(file.error !== undefined).toBe(file.status === "rejected" || file.status === "unknown");
  }
}

function expectNoStack(text: string): void {
  expect(text).not.toMatch(/^\s+at .+:\d+/m);
  expect(text).not.toMatch(/node_modules|[/\\]src[/\\]app[/\\]/);
}

/** `edit_files` answers in JSON as soon as something stands; every text names every file. */
function expectSameInText({ structured, text, isError }: RanCall): void {
  for (const { path } of structured.files)
    if (structured.files.length > 1) expect(text).toContain(JSON.stringify(path).slice(1, -1));
  if (isError || !text.startsWith("{")) return;
  const json = JSON.parse(text.split("\n\n")[0]!) as {
    readonly status: string;
    readonly message: string;
    readonly files: readonly Readonly<Record<string, unknown>>[];
  };
  expect(json.status).toBe(structured.status);
  expect(json.message).toBe(structured.message);
  expect(json.files.map(({ path, status, diff }) => ({ path, status, diff }))).toEqual(
    structured.files.map(({ path, status, diff }) => ({ path, status, diff })),
  );
}

function expectSameDiff(
  drawn: CallCard["files"][number]["diff"],
  unified: string | undefined,
): void {
  if (unified === undefined) return expect(drawn).toBeUndefined();
  const parsed = parseUnified(unified);
  expect(drawn).toMatchObject({ added: parsed.added, removed: parsed.removed });
}

/** The diffs of applied files, put on the files as they were, give the files as they are. Saved files only. */
export function expectDiffsTrue(driver: CallDriver, ran: RanCall): void {
  const texts: Record<string, string> = { ...ran.before };
  for (const { path, status, diff, operation, unsaved } of ran.structured.files) {
    if (status !== "applied" || unsaved === true || diff === undefined) continue;
    const name = posix.relative("/ws", posix.resolve("/ws", path));
    const before = texts[name] ?? "";
    const after =
      diff === "" ? before : applyPatch(before, diff, { autoConvertLineEndings: false });
    if (after === false) throw new Error(`the diff of ${path} does not fit`);
    if (operation === "delete") delete texts[name];
    else texts[name] = after;
  }
  expect(driver.workspace.contents()).toEqual(texts);
}
