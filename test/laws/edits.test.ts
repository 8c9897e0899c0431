import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Edit, SourceText, planEdits, type IndexedEdit } from "../../src/engine/index.ts";
import { anyText, plainLines, textAndEdit } from "../support/arbitraryText.ts";

function plan(text: string, edits: readonly Omit<IndexedEdit, "index">[]) {
  return planEdits(
    SourceText.of(text),
    edits.map((edit, index) => ({ index, ...edit })),
  );
}

/** What planning edit by edit gives, each on the result of the one before: the meaning of a list of edits. */
function oneByOne(text: string, edits: readonly Omit<IndexedEdit, "index">[]): string | number {
  let now = text;
  for (const [index, edit] of edits.entries()) {
    const planned = plan(now, [edit]);
    if (!planned.ok) return index;
    now = planned.value.after;
  }
  return now;
}

const anyReplacement = fc.record({
  oldText: anyText(4),
  newText: anyText(4),
  replaceAll: fc.boolean(),
});

describe("L4 what was cut out of a text is found there again", () => {
  test("exactly, when it is there once", () => {
    fc.assert(
      fc.property(textAndEdit(), fc.nat(9), fc.nat(9), ([text, edit], wider, longer) => {
        const [splice] = edit.splices;
        fc.pre(splice !== undefined);
        const from = Math.max(0, splice.from - wider);
        const to = Math.min(text.length, splice.to + longer);
        const oldText = text.slice(from, to);
        fc.pre(oldText !== "" && text.indexOf(oldText) === text.lastIndexOf(oldText));
        const newText = text.slice(from, splice.from) + splice.insert + text.slice(splice.to, to);
        fc.pre(newText !== oldText);
        // Endings are taken over from the file; the law is stated where there is nothing to take over.
        fc.pre(!/\r/.test(text + newText));
        const planned = plan(text, [{ oldText, newText, replaceAll: false }]);
        expect(planned.ok && planned.value.after).toBe(
          text.slice(0, from) + newText + text.slice(to),
        );
        expect(planned.ok && planned.value.tolerance).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test("replace_all is what split and join do", () => {
    fc.assert(
      fc.property(
        plainLines(),
        fc.constantFrom("a", "alpha", "}", " ", "echo\n"),
        anyText(3),
        (text, oldText, newText) => {
          fc.pre(text.includes(oldText) && !/\r/.test(newText));
          const planned = plan(text, [{ oldText, newText, replaceAll: true }]);
          expect(planned.ok && planned.value.after).toBe(text.split(oldText).join(newText));
        },
      ),
    );
  });
});

describe("any edit of any text", () => {
  test("ends in a plan that its parts tell truly, or in a problem with a place", () => {
    fc.assert(
      fc.property(anyText(), fc.array(anyReplacement, { maxLength: 3 }), (text, edits) => {
        const planned = plan(text, edits);
        if (!planned.ok) {
          expect(planned.problem).toHaveLength(1);
          expect(planned.problem[0]!.index).toBeLessThan(edits.length);
          return;
        }
        const { before, edit, after } = planned.value;
        expect(before.text).toBe(text);
        expect(Edit.of(text.length, edit.splices).apply(text)).toBe(after);
        expect(edit.invert(text).apply(after)).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  test("in a list sees what the ones before it left", () => {
    const texts = fc.oneof(plainLines(), anyText(20));
    const pieces = fc.oneof(
      anyText(3),
      fc.constantFrom("alpha", "alpha\n", "  bravo\n", "}", "a", "\n"),
    );
    const replacement = fc.record({ oldText: pieces, newText: pieces, replaceAll: fc.boolean() });
    fc.assert(
      fc.property(texts, fc.array(replacement, { maxLength: 12 }), (text, edits) => {
        const planned = plan(text, edits);
        const expected = oneByOne(text, edits);
        expect(planned.ok ? planned.value.after : planned.problem[0]!.index).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });
});

/** A file of distinct lines, and a block of it. */
const fileAndBlock = fc
  .record({
    indents: fc.array(fc.constantFrom("", "  ", "    ", "\t"), { minLength: 3, maxLength: 10 }),
    from: fc.nat(6),
    count: fc.integer({ min: 2, max: 4 }),
  })
  .filter(({ indents, from, count }) => from + count <= indents.length)
  .map(({ indents, from, count }) => ({
    lines: indents.map((indent, index) => `${indent}word${index}(“x”);`),
    from,
    count,
  }));

describe("L5, L6 and L7 noise in the old text", () => {
  const noises: Readonly<
    Record<string, readonly [string, (line: string, index: number) => string]>
  > = {
    "trailing spaces": [
      "trailing-whitespace",
      (line, index) => (index % 2 === 0 ? `${line}  ` : line),
    ],
    "another indentation": ["surrounding-whitespace", (line) => `   ${line.trim()}`],
    "straight quotes": ["look-alike-punctuation", (line) => line.replaceAll(/[“”]/g, '"')],
  };
  test.each(Object.entries(noises))(
    "%s: the same place, the tolerance named, all else untouched",
    (_name, [step, noise]) => {
      fc.assert(
        fc.property(fileAndBlock, ({ lines, from, count }) => {
          const text = lines.map((line) => `${line}\n`).join("");
          const block = lines.slice(from, from + count).map((line, index) => noise(line, index));
          const oldText = block.join("\n");
          fc.pre(!text.includes(oldText));
          const newText = [
            block[0],
            `${/^\s*/.exec(block[0]!)![0]}added();`,
            ...block.slice(1),
          ].join("\n");
          const planned = plan(text, [{ oldText, newText, replaceAll: false }]);
          expect(planned.ok).toBe(true);
          if (!planned.ok) return;
          expect(planned.value.tolerance).toEqual([step]);
          const after = planned.value.after.split("\n");
          const added = after.findIndex((line) => line.trim() === "added();");
          expect(added).toBe(from + 1);
          // Every line of the file is there still, byte for byte; the new one stands at a neighbour's depth.
          expect(after.toSpliced(added, 1).join("\n")).toBe(text);
          const depth = (line: string): string => /^\s*/.exec(line)![0];
          const neighbours = [lines[from]!, lines[from + 1]!].map((line) => depth(line));
          expect(neighbours).toContain(depth(after[added]!));
        }),
      );
    },
  );

  test("a line that no step lets pass is never written over", () => {
    fc.assert(
      fc.property(fileAndBlock, fc.nat(), ({ lines, from, count }, seed) => {
        const text = lines.map((line) => `${line}\n`).join("");
        const block = lines.slice(from, from + count);
        block[seed % count] = `${block[seed % count]!.trim().slice(0, -1)}, other);`;
        const planned = plan(text, [
          { oldText: block.join("\n"), newText: "x", replaceAll: false },
        ]);
        expect(planned.ok).toBe(false);
      }),
    );
  });
});

describe("L8 a second place", () => {
  test("makes the edit ambiguous, under every step, and nothing is planned", () => {
    const noise = fc.constantFrom<(line: string) => string>(
      (line) => line,
      (line) => `${line} `,
      (line) => `   ${line.trim()}`,
      (line) => line.replaceAll(/[“”]/g, '"'),
    );
    fc.assert(
      fc.property(fileAndBlock, noise, fc.boolean(), ({ lines, from, count }, change, crlf) => {
        const block = lines.slice(from, from + count);
        const text = [...lines, "between", ...block]
          .map((line) => `${line}${crlf ? "\r\n" : "\n"}`)
          .join("");
        const oldText = block.map((line) => change(line)).join("\n");
        const planned = plan(text, [{ oldText, newText: "x", replaceAll: false }]);
        expect(planned.ok).toBe(false);
        if (planned.ok) return;
        const [problem] = planned.problem;
        expect(problem).toMatchObject({
          code: "text-ambiguous",
          count: 2,
          numbers: [from + 1, lines.length + 2],
        });
      }),
    );
  });
});
