import { describe, expect, test } from "vitest";
import {
  Edit,
  SourceText,
  parseUnified,
  printUnified,
  serverDiff,
} from "../../../src/engine/index.ts";

function diffOf(before: string, after: string, from = 0, to = before.length): string {
  const insert = after.slice(from, after.length - (before.length - to));
  const edit = Edit.of(before.length, [{ from, to, insert }]);
  return printUnified(serverDiff(SourceText.of(before), edit), "/w/a.txt");
}

const head = "--- /w/a.txt\n+++ /w/a.txt\n";

describe("the server diff", () => {
  test("three lines of context, one hunk for near changes, two for far ones", () => {
    const lines = Array.from({ length: 30 }, (_, index) => `${index + 1}\n`);
    const text = lines.join("");
    const source = SourceText.of(text);
    const at = (number: number) => ({
      from: source.start(number - 1),
      to: source.start(number),
      insert: "x\n",
    });
    const near = serverDiff(source, Edit.of(text.length, [at(10), at(17)]));
    expect(near.hunks).toHaveLength(1);
    const far = serverDiff(source, Edit.of(text.length, [at(10), at(18)]));
    expect(far.hunks).toHaveLength(2);
    expect(printUnified(far, "/w/a.txt")).toBe(
      `${head}@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+x\n 11\n 12\n 13\n` +
        "@@ -15,7 +15,7 @@\n 15\n 16\n 17\n-18\n+x\n 19\n 20\n 21\n",
    );
  });

  test.each([
    ["nothing changed", "a\nb\n", "a\nb\n", ""],
    [
      "lines that stay are context",
      "a\nb\nc\n",
      "a\nx\nc\n",
      `${head}@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n`,
    ],
    ["into an empty file", "", "a\n", `${head}@@ -0,0 +1 @@\n+a\n`],
    ["all gone", "a\nb\n", "", `${head}@@ -1,2 +0,0 @@\n-a\n-b\n`],
    [
      "final newline added",
      "a\nb",
      "a\nb\n",
      `${head}@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n`,
    ],
    [
      "no final newline in context",
      "a\nb",
      "x\nb",
      `${head}@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n`,
    ],
    ["endings only", "a\nb\n", "a\r\nb\n", `${head}@@ -1,2 +1,2 @@\n-a\n+a\r\n b\n`],
    [
      "CRLF lines keep their CR",
      "a\r\nb\r\n",
      "a\r\nc\r\n",
      `${head}@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n`,
    ],
    ["a lone CR ends a line", "a\rb\r", "a\rc\r", `${head}@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n`],
  ])("%s", (_name, before, after, expected) => {
    expect(diffOf(before, after)).toBe(expected);
  });

  test("text put behind a final newline that goes is on the line before it", () => {
    const edit = Edit.of(4, [
      { from: 3, to: 4, insert: "" },
      { from: 4, to: 4, insert: "x" },
    ]);
    expect(printUnified(serverDiff(SourceText.of("a\nb\n"), edit), "/w/a.txt")).toBe(
      `${head}@@ -1,2 +1,2 @@\n a\n-b\n+bx\n\\ No newline at end of file\n`,
    );
  });

  test("a file that moved has both its names", () => {
    const diff = serverDiff(SourceText.of("a\n"), Edit.of(2, [{ from: 0, to: 1, insert: "b" }]));
    expect(printUnified(diff, "old.txt", { newPath: "new.txt" })).toMatch(
      /^--- old\.txt\n\+\+\+ new\.txt\n/,
    );
    expect(diff).toMatchObject({ added: 1, removed: 1, minimal: true });
  });

  test("a block above the bound is shown whole, says so, and is still true", () => {
    const lines = (prefix: string) =>
      Array.from({ length: 4_000 }, (_, index) => `${prefix}${index}\nsame\n`).join("");
    const before = lines("a");
    const diff = serverDiff(
      SourceText.of(before),
      Edit.of(before.length, [{ from: 0, to: before.length, insert: lines("b") }]),
    );
    expect(diff).toMatchObject({ minimal: false, added: 7_999, removed: 7_999 });
    expect(diff.hunks[0]).toMatchObject({ oldCount: 8_000, newCount: 8_000 });
  });

  test("a file that shares no line with what it was is no search, whatever its size", () => {
    const before = "old\n".repeat(4_000);
    const diff = serverDiff(
      SourceText.of(before),
      Edit.of(before.length, [{ from: 0, to: before.length, insert: "new\n".repeat(4_000) }]),
    );
    expect(diff).toMatchObject({ minimal: true, added: 4_000, removed: 4_000 });
  });

  test("lines that look like headers are read back as lines", () => {
    const text = diffOf("-- x\n++ y\n@@ -1 +1 @@\n", "-- z\n++ y\n@@ -1 +1 @@\n");
    expect(parseUnified(text).hunks[0]!.rows.map((row) => row.text)).toEqual([
      "-- x",
      "-- z",
      "++ y",
      "@@ -1 +1 @@",
    ]);
  });
});
