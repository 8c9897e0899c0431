import { expect, test } from "vitest";
import { decodeAs } from "../../../src/adapters/node/textBody.ts";
import { runUndo } from "../../../src/app/runUndo.ts";
import type { CallRecord } from "../../../src/app/record.ts";
import { createCallDriver, edit, type CallDriver } from "../../support/callDriver.ts";

const TEXT = Array.from({ length: 12 }, (_, i) => `line ${i + 1}\n`).join("");

function undo(driver: CallDriver, call: CallRecord): Promise<CallRecord> {
  const decode = async (bytes: Uint8Array, encoding: string): Promise<string | null> =>
    (await decodeAs(encoding, bytes))?.text ?? null;
  const { signal } = new AbortController();
  return driver.runner.exclusive(() => runUndo({ ...driver.ports, decode }, call, {}, signal));
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
