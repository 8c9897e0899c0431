import { describe, expect, test } from "vitest";
import {
  explainReplace,
  explanationText,
  planBatch,
  planReplace,
  SourceText,
} from "../../../src/engine/index.ts";
import { closestBlock, CLOSEST_LIMITS } from "../../../src/engine/match/closestBlock.ts";

function closest(text: string, wanted: string) {
  return closestBlock(SourceText.of(text), wanted);
}

describe("the closest match", () => {
  test("is the first of equally near ones", () => {
    expect(closest("abcdefgh1\nabcdefgh2\n", "abcdefgh3")?.number).toBe(1);
  });

  test("is the nearest, wherever it stands", () => {
    const found = closest(
      "let total = 99;\nlet totals = 10;\nlet total = 12;\n",
      "let total = 10;",
    );
    expect(found).toMatchObject({ number: 2, distance: 1 });
  });

  test("is looked for where the rarest line of the block stands", () => {
    const text = `${"}\n".repeat(2_000)}begin unique\n  a\n}\n${"}\n".repeat(2_000)}`;
    const found = closest(text, "}\nbegin unique\n  b\n}");
    expect(found?.number).toBe(2_000);
  });

  test("needs six characters of ten", () => {
    expect(closest("aaaaaaxxxx\n", "aaaaaayyyy")?.percent).toBe(60);
    expect(closest("aaaaaxxxxx\n", "aaaaayyyyy")).toBeNull();
  });

  test("blank lines at the end of either side do not count", () => {
    expect(closest("one two\nthree\n\n\n", "one twO\nthree\n\n")?.distance).toBe(1);
  });

  test("a block with more lines than the file has none", () => {
    expect(closest("one\n", "one\ntwo")).toBeNull();
  });

  test.each([
    ["a block over its limit", "x\n", "y".repeat(2_001)],
    ["a file over its limit", "same line\n".repeat(10_001), "same lime"],
    ["a long block without a line in the file", "abc\n".repeat(500), "q".repeat(257)],
    ["nothing", "abc\n", ""],
    ["blank lines only", "abc\n", "\n\n"],
  ])("%s has none", (_, text, wanted) => {
    expect(closest(text, wanted)).toBeNull();
  });

  test("with its budget used up it says what it found so far, or nothing", () => {
    const text = Array.from({ length: 900 }, (_, i) => `value ${i} is here\n`).join("");
    const source = SourceText.of(text);
    expect(closestBlock(source, "value x is here")).not.toBeNull();
    expect(closestBlock(source, "value x is here", { ...CLOSEST_LIMITS, cellsMax: 1 })).toBeNull();
  });

  test("one long line does not end the search", () => {
    const text = `${"z".repeat(200_000)}\nconst answer = 42;\n`;
    expect(closest(text, "const answer = 41;")?.number).toBe(2);
  });

  test("counts characters, not UTF-16 units", () => {
    expect(closest("😀😀😀😀😀😀😀😀😀a\n", "😀😀😀😀😀😀😀😀😀b")).toMatchObject({
      distance: 1,
      percent: 90,
      pairs: [{ mismatch: { place: 10, wantedPoint: 0x62, foundPoint: 0x61 } }],
    });
  });
});

describe("the report on a batch", () => {
  test("stays near forty lines: details go before summaries", () => {
    const text = Array.from({ length: 60 }, (_, i) => `const value${i} = ${i};\n`).join("");
    const entries = Array.from({ length: 50 }, (_, i) => ({
      oldString: `const value${i} = x;`,
      newString: "y",
      replaceAll: false,
    }));
    const plan = planBatch(SourceText.of(text), entries);
    expect(plan.ok).toBe(false);
    if (plan.ok) return;
    const said = explanationText(explainReplace(plan.problem)).split("\n");
    // One line for each failing entry, and the summary; no room for a detail.
    expect(said.filter((line) => line.startsWith("edits["))).toHaveLength(50);
    expect(said.length).toBeLessThanOrEqual(50 + 3);
  });

  test("entries that were left out keep the others' indexes", () => {
    const entries = ["a", "b", "q"].map((word) => ({
      oldString: word,
      newString: `${word}!`,
      replaceAll: false,
    }));
    const plan = planBatch(SourceText.of("a b\n"), entries, new Set([0]));
    expect(!plan.ok && plan.problem).toMatchObject({
      failing: [{ index: 2 }],
      passed: [1],
      skipped: [],
    });
    const rest = planBatch(SourceText.of("a b\n"), entries.slice(0, 2), new Set([0]));
    expect(rest.ok && rest.value.change.after).toBe("a b!\n");
  });
});

describe("very large files", () => {
  test("are not cut into lines for a replacement that needs none", () => {
    const text = "const value = compute(previous, next);\n".repeat(250_000) + "last one\n";
    const plan = planReplace(SourceText.of(text), {
      oldString: "last one",
      newString: "the end",
      replaceAll: false,
    });
    expect(plan.ok && plan.value.change.after.endsWith("the end\n")).toBe(true);
    expect(plan.ok && plan.value.numbers).toEqual([250_001]);
  });
});
