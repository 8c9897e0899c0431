import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rebase, type Piece } from "../../../src/app/rebase.ts";
import { SourceText } from "../../../src/engine/index.ts";

/** Texts as words, one line each: "a b c" is "a\nb\nc\n". */
function text(words: string): string {
  return words === "" ? "" : words.replaceAll(" ", "\n") + "\n";
}

function run(base: string, pieces: readonly Piece[], present: string): string {
  const source = SourceText.of(present);
  const done = rebase(SourceText.of(base), pieces, source);
  if (!done.ok) return `refused ${done.problem.from}-${done.problem.to}`;
  return done.value.edit.apply(present);
}

function words(base: string, from: number, to: number, insert: string, present: string): string {
  const result = run(text(base), [{ from, to, insert: text(insert) }], text(present));
  return result.startsWith("refused") ? result : result.trimEnd().replaceAll("\n", " ");
}

describe("one piece and one later change", () => {
  // base, from, to, insert, present, expected
  const cases: readonly (readonly [string, string, number, number, string, string, string])[] = [
    ["nothing changed", "a b c", 1, 2, "x", "a b c", "a x c"],
    ["a change in front", "a b c", 1, 2, "x", "A1 A2 b c", "A1 A2 x c"],
    ["a change behind", "a b c d", 1, 2, "x", "a b c D", "a x c D"],
    ["the line itself was changed", "a b c", 1, 2, "x", "a B c", "refused 1-2"],
    ["the line itself was removed", "a b c", 1, 2, "x", "a c", "refused 1-1"],
    ["text was inserted inside", "a b c d", 1, 3, "x", "a b NEW c d", "refused 2-3"],
    ["text was inserted right in front", "a b c", 1, 2, "", "a NEW b c", "a NEW c"],
    ["text was inserted right behind", "a b c", 1, 2, "", "a b NEW c", "a NEW c"],
    ["both neighbours were changed", "a b c", 1, 2, "x", "A b C", "A x C"],
    ["insertion between unchanged lines", "a b", 1, 1, "x", "NEW a b", "NEW a x b"],
    ["insertion where something was inserted", "a b", 1, 1, "x", "a NEW b", "refused 1-2"],
    ["insertion beside a changed line", "a b", 1, 1, "x", "a B", "a x B"],
    ["insertion between two changed lines", "a b", 1, 1, "x", "A B", "refused 0-2"],
    ["the piece is there already", "a b c", 1, 2, "x", "a x c", "a x c"],
    ["the insertion is there already", "a c", 1, 1, "b", "a b c", "a b c"],
    ["the removal is there already", "a b c", 1, 2, "", "a c", "a c"],
  ];
  for (const [name, ...[base, from, to, insert, present, expected]] of cases)
    test(name, () => {
      expect(words(base, from, to, insert, present)).toBe(expected);
    });
});

describe("repeated lines", () => {
  test("which of two equal lines is the call's own does not matter for taking one out", () => {
    expect(words("a x b", 1, 2, "", "a x x b")).toBe("a x b");
  });
  test("it matters for changing one back", () => {
    expect(words("a x b", 1, 2, "y", "a x x b")).toMatch("refused");
  });
  test("the other of two equal lines was removed, or this one", () => {
    expect(words("a x x b", 2, 3, "y", "a x b")).toMatch("refused");
    // Where the text now reads as before the call, there is nothing left to take back.
    expect(words("a x x b", 2, 3, "", "a x b")).toBe("a x b");
  });
  test("text came in front or behind, and the results differ", () => {
    expect(words("a x b", 1, 2, "", "a x y x b")).toMatch("refused");
  });
  test("an insertion beside a doubled line has two places", () => {
    expect(words("p q", 1, 1, "d", "p p q")).toMatch("refused");
  });
  test("a block that ends like the one before it is still a block of its own", () => {
    expect(words("top f } end", 1, 3, "", "top f } g } end")).toBe("top g } end");
    expect(words("top f } g } end", 1, 3, "", "top f } end")).toBe("top end");
    expect(words("top f } end", 1, 3, "", "top g } f } end")).toBe("top g } end");
  });
});

describe("last lines without an ending", () => {
  test("text appended later stays on a line of its own", () => {
    // The call made "a" into "a\nb\n"; then somebody appended "c\n".
    expect(run("a\nb\n", [{ from: 0, to: 2, insert: "a" }], "a\nb\nc\n")).toBe("a\nc\n");
    expect(run("a\r\nb\r\n", [{ from: 0, to: 2, insert: "a" }], "a\r\nb\r\nc")).toBe("a\r\nc");
  });
  test("no line is glued to one that lost its ending", () => {
    expect(run("a\nz\n", [{ from: 2, to: 2, insert: "b\n" }], "a\nz")).toMatch("refused");
  });
  test("endings are part of a line", () => {
    expect(run("a\nb\n", [{ from: 0, to: 1, insert: "x\n" }], "a\r\nb\r\n")).toMatch("refused");
  });
});

const line = fc.constantFrom("a\n", "b\n", "c\r\n", "\n", "}\n", "  x\n");
const lines = fc.array(line, { maxLength: 12 });

test("law: without a later change every piece is made", () => {
  fc.assert(
    fc.property(lines, fc.nat(), fc.nat(), lines, (base, a, b, insert) => {
      const [from = 0, to = 0] = [a % (base.length + 1), b % (base.length + 1)].sort(
        (x, y) => x - y,
      );
      const expected = [...base.slice(0, from), ...insert, ...base.slice(to)].join("");
      expect(run(base.join(""), [{ from, to, insert: insert.join("") }], base.join(""))).toBe(
        expected,
      );
    }),
  );
});

test("law: changes of other, distinct lines come out whole, and the piece with them", () => {
  const scene = fc.record({
    size: fc.integer({ min: 1, max: 20 }),
    from: fc.nat(20),
    count: fc.integer({ min: 1, max: 3 }),
    edits: fc.array(
      fc.record({ at: fc.nat(20), kind: fc.constantFrom("change", "remove", "insert") }),
      { maxLength: 6 },
    ),
  });
  fc.assert(
    fc.property(scene, ({ size, from, count, edits }) => {
      const base = Array.from({ length: size }, (_, i) => `line ${i}\n`);
      const start = from % size;
      const end = Math.min(size, start + count);
      // Each line with what the later author made of it; lines of the piece are left alone.
      const after = base.map((own) => [own]);
      for (const [n, { at, kind }] of edits.entries()) {
        const index = at % size;
        if (start <= index && index < end) continue;
        if (kind === "insert") after[index]?.push(`new ${n}\n`);
        else after[index] = kind === "remove" ? [] : [`changed ${n}\n`];
      }
      const expected = after.flatMap((own, i) =>
        i < start || i >= end ? own : i === start ? ["UNDONE\n"] : [],
      );
      const piece = { from: start, to: end, insert: "UNDONE\n" };
      expect(run(base.join(""), [piece], after.flat().join(""))).toBe(expected.join(""));
    }),
  );
});

test("law: what is not refused differs from the present text only by the pieces", () => {
  fc.assert(
    fc.property(
      lines,
      lines,
      fc.nat(),
      fc.nat(),
      fc.constantFrom("", "NEW\n"),
      (base, present, a, b, insert) => {
        const [from = 0, to = 0] = [a % (base.length + 1), b % (base.length + 1)].sort(
          (x, y) => x - y,
        );
        const source = SourceText.of(present.join(""));
        const done = rebase(SourceText.of(base.join("")), [{ from, to, insert }], source);
        if (!done.ok) {
          expect(done.problem.from).toBeLessThanOrEqual(done.problem.to);
          expect(done.problem.to).toBeLessThanOrEqual(source.lineCount);
          return;
        }
        expect(done.value.edit.splices.length + done.value.alreadyThere).toBeLessThanOrEqual(1);
        for (const splice of done.value.edit.splices) {
          // What is taken out is exactly the piece's own lines, as they stood in the base.
          expect(source.text.slice(splice.from, splice.to)).toBe(base.slice(from, to).join(""));
          expect(splice.insert).toBe(insert);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});
