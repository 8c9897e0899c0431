import { describe, expect, test } from "vitest";
import { decodeAs } from "../../../src/adapters/node/textBody.ts";
import { runUndo } from "../../../src/app/runUndo.ts";
import type { CallRecord } from "../../../src/app/record.ts";
import { takenBack } from "../../../src/app/reviewState.ts";
import type { UndoScope } from "../../../src/app/undoCall.ts";
import { createCallDriver, edit, type CallDriver } from "../../support/callDriver.ts";

const TEXT = Array.from({ length: 12 }, (_, i) => `line ${i + 1}\n`).join("");

function undo(driver: CallDriver, call: CallRecord, scope: UndoScope = {}): Promise<CallRecord> {
  const decode = async (bytes: Uint8Array, encoding: string): Promise<string | null> =>
    (await decodeAs(encoding, bytes))?.text ?? null;
  const { signal } = new AbortController();
  return driver.runner.exclusive(() => runUndo({ ...driver.ports, decode }, call, scope, signal));
}

function envelope(...lines: readonly string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}

/** Each tool's call as a model sends it. */
const calls: Readonly<Record<string, readonly [tool: string, input: unknown]>> = {
  "edit_files over two files": [
    "edit_files",
    {
      edits: [
        edit("/ws/a.txt", "line 2\n", "TWO\n2\n"),
        edit("/ws/a.txt", "line 9\n", ""),
        edit("/ws/b.txt", "line 1\n", "ONE\n"),
      ],
    },
  ],
  edit: ["edit", { path: "a.txt", old_string: "line 5", new_string: "FIVE" }],
  "write of a new file": ["write", { path: "dir/new.txt", content: "new\n" }],
  "write over a file": ["write", { path: "a.txt", content: "all new\n" }],
  delete: ["delete", { path: "crlf.txt" }],
  "apply_patch, all kinds": [
    "apply_patch",
    envelope(
      "*** Update File: a.txt",
      "@@",
      "-line 3",
      "+THREE",
      "*** Add File: added.txt",
      "+x",
      "*** Delete File: crlf.txt",
      "*** Update File: b.txt",
      "*** Move to: sub/b2.txt",
      "@@",
      "-line 7",
      "+SEVEN",
    ),
  ],
  "apply_patch, a name only": [
    "apply_patch",
    envelope("*** Update File: a.txt", "*** Move to: a2.txt"),
  ],
  "apply_patch in a CRLF file": [
    "apply_patch",
    envelope("*** Update File: crlf.txt", "@@", "-line 4", "+FOUR", "+4"),
  ],
};

for (const [name, [tool, input]] of Object.entries(calls))
  test(`${name}: undo gives the files as they were, redo the call's, over and over`, async () => {
    const driver = createCallDriver({
      files: { "a.txt": TEXT, "b.txt": TEXT, "crlf.txt": TEXT.replaceAll("\n", "\r\n") },
    });
    const ran = await driver.run(tool, input);
    expect(ran.structured.status).toBe("applied");
    const after = driver.workspace.contents();
    expect(after).not.toEqual(ran.before);
    let last = await driver.store.get(ran.callId);
    for (const expected of [ran.before, after, ran.before, after]) {
      if (last === undefined) throw new Error("the call is not stored");
      last = await undo(driver, last);
      expect(last.files.map(({ outcome }) => outcome?.error)).toEqual(
        last.files.map(() => undefined),
      );
      expect(last.result?.status).toBe("applied");
      expect(driver.workspace.contents()).toEqual(expected);
    }
    expect(driver.bugs).toEqual([]);
  });

test("undoing an earlier call leaves a later one and the user's own text", async () => {
  const driver = createCallDriver({ files: { "a.txt": TEXT } });
  const first = await driver.run("edit_files", { edits: [edit("/ws/a.txt", "line 2\n", "TWO\n")] });
  await driver.run("apply_patch", envelope("*** Update File: a.txt", "@@", "-line 11", "+ELEVEN"));
  driver.workspace.put("a.txt", `mine\n${driver.workspace.text("a.txt") ?? ""}`);
  const stored = await driver.store.get(first.callId);
  if (stored === undefined) throw new Error("the call is not stored");
  expect((await undo(driver, stored)).result?.status).toBe("applied");
  expect(driver.workspace.text("a.txt")).toBe(`mine\n${TEXT.replace("line 11", "ELEVEN")}`);
});

test("a hunk of a moved file goes back where the file is now, and its record says so", async () => {
  const driver = createCallDriver({ files: { "a.txt": TEXT } });
  const move = ["*** Update File: a.txt", "*** Move to: b.txt", "@@", "-line 3", "+THREE"];
  const ran = await driver.run("apply_patch", envelope(...move));
  const call = await driver.store.get(ran.callId);
  if (call === undefined) throw new Error("the call is not stored");
  const undone = await undo(driver, call, { file: 0, hunk: 0 });
  expect(driver.workspace.contents()).toEqual({ "b.txt": TEXT });
  expect(undone.files).toMatchObject([
    { absolute: "/ws/b.txt", shown: "b.txt", operation: "update" },
  ]);
  const redone = await undo(driver, undone);
  expect(redone.files[0]).toMatchObject({ shown: "b.txt", outcome: { status: "applied" } });
  expect(driver.workspace.contents()).toEqual({ "b.txt": TEXT.replace("line 3", "THREE") });
});

describe("files that the call put in each other's place", () => {
  const BINARY = "\u0000binary\n";
  const FILES = {
    "a.txt": TEXT,
    "b.txt": `b\n${TEXT}`,
    "c.bin": BINARY,
    "d.bin": `${BINARY}d\n`,
    "e.txt": "\ufeffmarked\n",
  };
  const swap = (one: string, other: string): string =>
    envelope(
      `*** Update File: ${one}`,
      "*** Move to: aside",
      `*** Update File: ${other}`,
      `*** Move to: ${one}`,
      "*** Update File: aside",
      `*** Move to: ${other}`,
    );
  const patches: Readonly<Record<string, string>> = {
    "two texts": swap("a.txt", "b.txt"),
    "two texts, one of them with a byte order mark": swap("a.txt", "e.txt"),
    "text and bytes": swap("a.txt", "c.bin"),
    "two files of bytes": swap("c.bin", "d.bin"),
    "a ring of three": envelope(
      ...["a.txt", "aside", "b.txt", "a.txt", "c.bin", "b.txt", "aside", "c.bin"].map(
        (name, i) => `*** ${i % 2 === 0 ? "Update File" : "Move to"}: ${name}`,
      ),
    ),
    "a chain to a new name": envelope(
      ...["b.txt", "new.txt", "a.txt", "b.txt"].map(
        (name, i) => `*** ${i % 2 === 0 ? "Update File" : "Move to"}: ${name}`,
      ),
    ),
    "onto a file that is deleted": envelope(
      "*** Delete File: b.txt",
      "*** Update File: a.txt",
      "*** Move to: b.txt",
      "@@",
      "-line 7",
      "+SEVEN",
    ),
    "bytes onto bytes that are deleted": envelope(
      "*** Delete File: c.bin",
      "*** Update File: d.bin",
      "*** Move to: c.bin",
    ),
  };

  interface World {
    readonly driver: CallDriver;
    readonly call: CallRecord;
    readonly after: Readonly<Record<string, string>>;
  }
  const changed = async (patch: string, options: object = {}): Promise<World> => {
    const driver = createCallDriver({ files: FILES, ...options });
    const ran = await driver.run("apply_patch", patch);
    expect(ran.structured.status, ran.text).toBe("applied");
    const call = await driver.store.get(ran.callId);
    if (call === undefined) throw new Error("the call is not stored");
    return { driver, call, after: driver.workspace.contents() };
  };

  for (const [name, patch] of Object.entries(patches)) {
    test(`${name}: undo and redo, over and over`, async () => {
      const { driver, call, after } = await changed(patch);
      let last = call;
      for (const expected of [FILES, after, FILES, after]) {
        last = await undo(driver, last);
        expect(last.files.flatMap(({ outcome }) => outcome?.error ?? [])).toEqual([]);
        expect(driver.workspace.contents()).toEqual(expected);
      }
      expect(driver.bugs).toEqual([]);
    });

    test(`${name}: one of them takes all with it, and a hunk of one is refused`, async () => {
      const { call } = await changed(patch);
      // A name that was only passed through has no content of its own.
      const moved = call.files.filter(({ shown }) => shown !== "aside");
      expect(moved.length).toBeGreaterThan(1);
      for (const file of moved.map((one) => call.files.indexOf(one))) {
        const { driver, after } = await changed(patch);
        const hunk = await undo(driver, call, { file, hunk: 0 });
        expect(hunk.files.map(({ outcome }) => outcome?.status)).toEqual(["rejected"]);
        expect(driver.workspace.contents()).toEqual(after);
        const undone = await undo(driver, call, { file });
        expect(undone.files.flatMap(({ outcome }) => outcome?.error ?? [])).toEqual([]);
        expect(driver.workspace.contents()).toEqual(FILES);
        const taken = takenBack(call, [undone]);
        expect(taken).toEqual(new Map(moved.map(({ path }) => [path, "all"])));
        await undo(driver, undone);
        expect(driver.workspace.contents()).toEqual(after);
      }
    });

    test(`${name}: all go back, or none and each with a reason`, async () => {
      const names = Object.keys((await changed(patch)).after);
      for (const mine of names) {
        const { driver, call, after } = await changed(patch);
        // Whatever is done, what the user wrote is not lost.
        const own = { ...after, [mine]: `mine ${mine}\n` };
        driver.workspace.put(mine, own[mine] ?? "");
        const undone = await undo(driver, call);
        const statuses = new Set(undone.files.map(({ outcome }) => outcome?.status));
        const now = driver.workspace.contents();
        const withMine = Object.values(now).filter((text) => text.includes(`mine ${mine}\n`));
        expect(withMine).toHaveLength(1);
        if (statuses.has("applied")) {
          expect(statuses).toEqual(new Set(["applied"]));
          expect(Object.keys(now)).toEqual(Object.keys(FILES));
        } else if (undone.files.length > 0) {
          expect(statuses).toEqual(new Set(["rejected"]));
          expect(now).toEqual(own);
          for (const { outcome } of undone.files) expect(outcome?.error?.message).toMatch(/\w/);
        }
      }
    });

    test(`${name}: whatever fails, every file is as it was before the undo or before the call`, async () => {
      let faults = 0;
      for (let number = 1; ; number++) {
        let armed = false;
        let count = 0;
        let struck = false;
        const { driver, call, after } = await changed(patch, {
          fault: () => {
            if (!armed || ++count !== number) return undefined;
            struck = true;
            return { kind: number % 2 === 0 ? "fail" : "fail-after" };
          },
        });
        armed = true;
        const undone = await undo(driver, call);
        armed = false;
        const now = driver.workspace.contents();
        const told = new Set(undone.files.map(({ outcome }) => outcome?.status));
        if (!told.has("unknown")) expect([FILES, after]).toContainEqual(now);
        if (told.size === 1 && told.has("applied")) expect(now).toEqual(FILES);
        if (told.size === 1 && told.has("rejected")) expect(now).toEqual(after);
        if (!struck) break;
        faults++;
      }
      expect(faults).toBeGreaterThan(5);
    });
  }
});
