import { describe, expect, test } from "vitest";
import { createCallDriver } from "../../support/callDriver.ts";
import { PATH } from "../../support/waysToWrite.ts";

// A file above 50 MiB is not edited, so none is made either: it could not be read back.

const LIMIT = 50 * 1024 * 1024;
const [few, many] = ["a\n".repeat(900), "a\n".repeat(90_000)];
const [long, longer] = ["b".repeat(60_000), "b".repeat(1_000_000)];
const wide = (units: number): string => "\u4e2d".repeat(units);

const editFiles = (
  ...edits: readonly (readonly [string, string])[]
): readonly [string, unknown] => [
  "edit_files",
  {
    edits: edits.map(([old_text, new_text]) => ({
      path: PATH,
      old_text,
      new_text,
      replace_all: true,
    })),
  },
];
const edit = (old_string: string, new_string: string): readonly [string, unknown] => [
  "edit",
  { path: PATH, old_string, new_string, replace_all: true },
];
const all = (old_string: string, new_string: string) => ({
  old_string,
  new_string,
  replace_all: true,
});
const patch = (added: string): readonly [string, unknown] => [
  "apply_patch",
  { patch: `*** Begin Patch\n*** Update File: a.txt\n@@\n one\n+${added}\n*** End Patch` },
];

type Case = readonly [name: string, before: string | null, call: readonly [string, unknown]];

describe("a file that would become too large", () => {
  test.each<Case>([
    ["edit", few, edit("a", long)],
    ["edit, more than a string can hold", many, edit("a", longer)],
    ["edit, found under a tolerance", "\u201ca\u201d\n".repeat(900), edit('"a"', `"${long}"`)],
    ["edit batch", few, ["edit", { path: PATH, edits: [all("a", long)] }]],
    [
      "edit batch, all entries together",
      few.replaceAll("a", "ac"),
      [
        "edit",
        { path: PATH, edits: [all("a", long.slice(0, 30_000)), all("c", long.slice(0, 30_000))] },
      ],
    ],
    ["edit_files", few, editFiles(["a", long])],
    ["edit_files, more than a string can hold", many, editFiles(["a", longer])],
    ["edit_files, found as lines", many, editFiles(["a \n", `${longer}\n`])],
    ["edit_files, step by step", few, editFiles(["a", "aa"], ["a", long.slice(0, 30_000)])],
    [
      "edit_files with an index",
      `${few}${"line of text\n".repeat(150_000)}`,
      editFiles(["a\n", "ab\n"], ["ab\n", "ac\n"], ["ac\n", `${long}\n`]),
    ],
    ["write", "one\n", ["write", { path: PATH, content: wide(LIMIT / 3 + 1) }]],
    ["write of a new file", null, ["write", { path: PATH, content: wide(LIMIT / 3 + 1) }]],
    ["apply_patch", `one\n${wide(LIMIT / 3 - 1_000)}`, patch(wide(1_000))],
  ])("is refused: %s", { timeout: 60_000 }, async (_, before, call) => {
    const driver = createCallDriver({ files: before === null ? {} : { [PATH]: before } });
    const { structured, text } = await driver.run(...call);
    expect(structured.status).toBe("error");
    expect(text).toMatch(/would have (more than )?\d+ (bytes|characters)/);
    expect(driver.bugs).toEqual([]);
    expect(driver.workspace.operations.filter((one) => /^(update|create) /.test(one))).toEqual([]);
  });

  test("is written while it is just as large as it may be", { timeout: 60_000 }, async () => {
    const driver = createCallDriver({ files: { [PATH]: "a".repeat(LIMIT / 1024) } });
    const { structured } = await driver.run(...edit("a", "b".repeat(1024)));
    expect(structured.status).toBe("applied");
    expect(driver.workspace.bytes("a.txt")).toHaveLength(LIMIT);
  });
});
