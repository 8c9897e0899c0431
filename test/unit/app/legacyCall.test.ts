import { describe, expect, test } from "vitest";
import { callCard } from "../../../src/app/card.ts";
import { readStoredCall } from "../../../src/app/legacyCall.ts";
import type { CallRecord } from "../../../src/app/record.ts";
import { CallCard } from "../../../src/protocol/cards.ts";
import { createCallDriver } from "../../support/callDriver.ts";

const DIFF = "--- /w/a.ts\n+++ /w/a.ts\n@@ -1,1 +1,1 @@\n-one\n+1\n";
const ARGS = {
  files: [
    { path: " /w/a.ts ", edits: [{ search: "one", replace: "1" }] },
    { path: "/w/b.ts", edits: [{ old_text: "two", new_text: "2" }, { search: 7 }] },
    { edits: [{ search: "lost", replace: "" }] },
  ],
};

/** A call as a database of an earlier version may hold it; its result is whatever that version wrote. */
function stored(args: unknown, result: unknown, more: Partial<CallRecord> = {}): CallRecord {
  return {
    version: 1,
    id: "old-1",
    session: "s",
    tool: "edit_files",
    source: "api",
    startedAt: 1,
    endedAt: 2,
    phase: "done",
    args,
    files: [],
    flags: [],
    ...(result === undefined ? {} : { result: result as NonNullable<CallRecord["result"]> }),
    ...more,
  };
}

const wrapped = (text: string, isError: boolean): unknown => ({
  status: isError ? "error" : "applied",
  isError,
  text,
  message: "",
});

describe("a stored call in the old grouped shape", () => {
  test.each([
    ["as it was", { ok: true, files: [{ path: "/w/a.ts", diff: DIFF }] }],
    ["as text", JSON.stringify({ ok: true, files: [{ path: "/w/a.ts", diff: DIFF }] })],
    [
      "inside a record of ours",
      wrapped(JSON.stringify({ ok: true, files: [{ path: "/w/a.ts", diff: DIFF }] }), false),
    ],
  ])("has a card with the stored diffs, its result kept %s", (_, result) => {
    const card = CallCard.parse(callCard(stored(ARGS, result)));
    expect(card).toMatchObject({
      status: "applied",
      badges: ["legacy"],
      added: 1,
      removed: 1,
      progress: { done: 2, total: 2 },
      files: [
        {
          path: "/w/a.ts",
          status: "applied",
          diff: { hunks: [{ rows: [{ text: "one" }, { text: "1" }] }] },
        },
        { path: "/w/b.ts", status: "applied", note: "The diff of this change was not stored." },
      ],
    });
    expect(card.files[1]!.diff).toBeUndefined();
    expect(card.requested).toBeUndefined();
  });

  test("arguments stored as text read the same", () => {
    const result = { ok: true, files: [{ path: "/w/a.ts", diff: DIFF }] };
    expect(callCard(stored(JSON.stringify(ARGS), result))).toEqual(callCard(stored(ARGS, result)));
  });

  test("one that failed has no diff, but the error and what was asked for", () => {
    const card = callCard(stored(ARGS, { error: "old_text not found in file" }));
    expect(card).toMatchObject({ status: "error", added: 0, removed: 0 });
    for (const file of card.files) {
      expect(file).toMatchObject({
        status: "rejected",
        error: { message: "old_text not found in file" },
      });
      expect(file.diff).toBeUndefined();
    }
    expect(card.files[1]!.requested).toBe("edit 1\nreplace:\ntwo\nwith:\n2");
  });

  test("one that never ended shows its files waiting", () => {
    const call = stored(ARGS, undefined, { phase: "interrupted", flags: ["legacy"] });
    expect(callCard(call).files.map(({ path, phase }) => [path, phase])).toEqual([
      ["/w/a.ts", "waiting"],
      ["/w/b.ts", "waiting"],
    ]);
  });

  test("what cannot be read as files stays as it is", () => {
    for (const args of [
      null,
      7,
      "files",
      { files: 7 },
      { files: "[" },
      { edits: [], files: [] },
      [],
    ]) {
      const call = stored(args, { ok: true });
      expect(readStoredCall(call)).toBe(call);
    }
  });

  test("a new call that was refused for its files key is no old one", async () => {
    const driver = createCallDriver({ files: { "a.ts": "one\n" } });
    const ran = await driver.run("edit_files", ARGS);
    expect(ran.text).toMatch(
      /^Send a flat list of edits .*; the files key is not supported\nNo files were applied\.$/,
    );
    expect(ran.card).toMatchObject({ status: "error", files: [], badges: [] });
    expect(ran.card!.requested).toContain('"search": "one"');
    expect(ran.card!.error!.message).toMatch(/^Send a flat list/);
  });
});
