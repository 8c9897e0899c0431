import { describe, expect, test } from "vitest";
import { SourceText, explainEdit, planEdits, type IndexedEdit } from "../../../src/engine/index.ts";

function plan(text: string, edits: readonly Partial<IndexedEdit>[]) {
  return planEdits(
    SourceText.of(text),
    edits.map((edit, index) => ({ index, oldText: "", newText: "", replaceAll: false, ...edit })),
  );
}

function problemOf(text: string, edit: Partial<IndexedEdit>) {
  const planned = plan(text, [edit]);
  if (planned.ok) throw new Error("expected a problem");
  return planned.problem[0]!;
}

describe("what a plan writes", () => {
  test("only what changed: context lines and unchanged ends of lines stay out of the splices", () => {
    const planned = plan("one\ntwo old\nthree\nfour old\nfive\n", [
      {
        oldText: "one\ntwo old\nthree\nfour old\nfive",
        newText: "one\ntwo new\nthree\nfour new\nfive",
      },
    ]);
    expect(planned.ok && planned.value.edit.splices).toEqual([
      { from: 8, to: 11, insert: "new" },
      { from: 23, to: 26, insert: "new" },
    ]);
  });

  test("no splice cuts a CRLF in two", () => {
    const planned = plan("a\r\nb\r\n", [{ oldText: "a\nb", newText: "a\n\nb" }]);
    expect(planned.ok && planned.value.edit.splices).toEqual([{ from: 3, to: 3, insert: "\r\n" }]);
  });

  test("many edits of a long file, in any order of their places, are one list of splices", () => {
    const lines = Array.from({ length: 40_000 }, (_, index) => `line ${index} of the file\n`);
    const text = lines.join("");
    const picked = Array.from({ length: 300 }, (_, index) => (index * 7_919) % 40_000);
    const planned = plan(
      text,
      picked.map((line) => ({ oldText: lines[line]!, newText: `changed ${line}\n` })),
    );
    const expected = [...lines];
    for (const line of picked) expected[line] = `changed ${line}\n`;
    expect(planned.ok && planned.value.after).toBe(expected.join(""));
    expect(planned.ok && planned.value.edit.splices).toHaveLength(300);
  });

  test("evidence names the step and the number of places of every edit", () => {
    const planned = plan("a a\nb \nc\n", [
      { oldText: "a", newText: "x", replaceAll: true },
      { oldText: "b\nc\n", newText: "b\nd\n" },
    ]);
    expect(planned.ok && planned.value.evidence).toEqual([
      { index: 0, step: "exact", count: 2 },
      { index: 1, step: "trailing-whitespace", count: 1 },
    ]);
    expect(planned.ok && planned.value.tolerance).toEqual(["trailing-whitespace"]);
  });
});

describe("bounds", () => {
  test("places of one edit", () => {
    const problem = problemOf("a".repeat(100_001), {
      oldText: "a",
      newText: "b",
      replaceAll: true,
    });
    expect(problem).toMatchObject({ code: "text-too-often", countMax: 100_000 });
    expect(explainEdit(problem).message).toContain("more than 100000 places");
    expect(plan("a".repeat(100_000), [{ oldText: "a", newText: "b", replaceAll: true }]).ok).toBe(
      true,
    );
  });

  test("an empty text names no place, also with replace_all", () => {
    for (const replaceAll of [false, true]) {
      const problem = problemOf("abc", { oldText: "", newText: "x", replaceAll });
      expect(explainEdit(problem).message).toBe(
        "old_text must not be empty; include the text you want to match",
      );
    }
  });

  test("fifty thousand lines that are all alike: a miss is still told by its nearest place", () => {
    const text = "    return value;\n".repeat(50_000);
    const problem = problemOf(text, {
      oldText: "    return value;\n    other();\n    return value;\n",
      newText: "changed",
    });
    expect(problem).toMatchObject({
      code: "text-not-found",
      near: { nearest: { fromNumber: 1, equal: 2 } },
    });
  });

  test("hints quote lines cut to a bound", () => {
    const line = `let key = "${"x".repeat(5_000)}";`;
    const { advice, near } = explainEdit(
      problemOf(`start();\n${line}\n`, {
        oldText: `start();\n${line.replace("key", "name")}\n`,
        newText: "changed",
      }),
    );
    expect(advice!.length).toBeLessThan(800);
    for (const { text } of near!) expect(text.length).toBeLessThanOrEqual(200);
  });
});
