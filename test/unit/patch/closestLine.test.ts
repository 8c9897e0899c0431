import { describe, expect, test } from "vitest";
import { closestLine } from "../../../src/engine/match/closestLine.ts";
import { SourceText } from "../../../src/engine/index.ts";

function closest(lines: readonly string[], wanted: string): number | null {
  const source = SourceText.of(`${lines.join("\n")}\n`);
  return closestLine(source, wanted, 0, source.lineCount)?.index ?? null;
}

const numbered = Array.from({ length: 2_000 }, (_, i) => `  on("step", ${i}, { once: true });`);

describe("the closest line", () => {
  test("where most lines begin and end alike, is the one that shares most, not the first", () => {
    expect(closest(numbered, '  on("step", 1234x, { once: true });')).toBe(1_234);
    expect(closest(numbered, '  on("step", x1567, { once: true });')).toBe(1_567);
  });

  test("may differ in both of its ends", () => {
    const lines = ["let first = 1;", "let total = sum(values, start) + 3;", "let last = 2;"];
    expect(closest(lines, "var total = sum(values, start) - 4,")).toBe(1);
    expect(closest(lines, "let grandTotal = sum(values, start) + 3;")).toBe(1);
  });

  test("is none where nothing is much alike", () => {
    expect(closest(numbered, "return null;")).toBe(null);
  });
});
