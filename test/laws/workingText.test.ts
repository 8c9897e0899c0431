import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EDIT_LADDER } from "../../src/engine/index.ts";
import {
  crlfSequence,
  indexedSequence,
  plainSequence,
} from "../../src/engine/plan/editSequence.ts";
import { LooseText } from "../../src/engine/plan/looseText.ts";
import { WorkingText } from "../../src/engine/plan/workingText.ts";
import { SourceText } from "../../src/engine/text/sourceText.ts";
import { Edit } from "../../src/engine/text/splice.ts";

const word = fc.constantFrom("alpha", "bravo", "charlie\n", "  delta", "\n", "alphabravo", "a");
const words = (min: number, max: number): fc.Arbitrary<string> =>
  fc.array(word, { minLength: min, maxLength: max }).map((all) => all.join(""));
const replacement = fc.record({
  oldText: words(1, 3),
  newText: words(0, 4),
  replaceAll: fc.constantFrom(false, false, false, true),
});

test("an index changes nothing of what a list of edits means", () => {
  fc.assert(
    fc.property(words(1, 40), fc.array(replacement, { maxLength: 15 }), (text, edits) => {
      const before = SourceText.of(text);
      const plain = plainSequence(before);
      const indexed = indexedSequence(before, edits);
      for (const edit of edits) {
        const a = plain.take(edit, EDIT_LADDER);
        expect(indexed.take(edit, EDIT_LADDER)).toEqual(a);
        if (!a.ok) break;
      }
      expect(indexed.edit().apply(text)).toBe(plain.edit().apply(text));
    }),
    { numRuns: 500 },
  );
});

test("a CRLF text planned with LF comes out as it would have", () => {
  const crlfWords = words(1, 40).map((text) => text.replaceAll("\n", "\r\n"));
  fc.assert(
    fc.property(crlfWords, fc.array(replacement, { maxLength: 15 }), (text, edits) => {
      const before = SourceText.of(text);
      fc.pre(before.style.kind === "crlf");
      const plain = plainSequence(before);
      const carried = crlfSequence(before, edits);
      for (const edit of edits) {
        const a = plain.take(edit, EDIT_LADDER);
        const b = carried.take(edit, EDIT_LADDER);
        expect(b.ok).toBe(a.ok);
        if (!a.ok || !b.ok) break;
        expect(b.value.count).toBe(a.value.count);
        // A text that has lost its last break has forgotten its endings, as an old one-line file has none.
        if (!plain.edit().apply(text).includes("\r\n")) return;
        // With LF, what took other endings is exact; neither is a tolerance.
        expect(b.value.step.replace("exact", "line-endings")).toBe(
          a.value.step.replace("exact", "line-endings"),
        );
      }
      expect(carried.edit().apply(text)).toBe(plain.edit().apply(text));
    }),
    { numRuns: 500 },
  );
});

test("a text in chunks finds what is there, and becomes what its edits make of it", () => {
  // Every step looks for a text and cuts at a place; chunks are so short that most of it crosses their ends.
  const step = fc.record({
    find: words(1, 3),
    from: fc.nat(),
    size: fc.nat(30),
    insert: words(0, 3),
  });
  fc.assert(
    fc.property(
      words(1, 30),
      fc.integer({ min: 1, max: 12 }),
      fc.array(step, { maxLength: 12 }),
      (base, chunkUnits, steps) => {
        const working = new WorkingText(
          base,
          steps.map(({ find }) => find),
          chunkUnits,
        );
        let text = base;
        for (const { find, from, size, insert } of steps) {
          const places = working.find(find);
          const first = text.indexOf(find);
          const second = first < 0 ? -1 : text.indexOf(find, first + 1);
          if (places !== null)
            expect(places).toHaveLength([first, second].filter((at) => at >= 0).length);
          const [place] = places ?? [];
          if (places?.length === 1 && place !== undefined) {
            working.apply(place.chunk, [
              { from: place.offset, to: place.offset + find.length, insert },
            ]);
            text = text.slice(0, first) + insert + text.slice(first + find.length);
          } else {
            const at = from % (text.length + 1);
            const to = Math.min(text.length, at + size);
            working.apply(0, [{ from: at, to, insert }]);
            text = text.slice(0, at) + insert + text.slice(to);
          }
          expect(working.text()).toBe(text);
        }
        const edit = working.edit();
        expect(Edit.of(base.length, edit.splices).apply(base)).toBe(text);
      },
    ),
    { numRuns: 1000 },
  );
});

describe("tolerances in a list of edits", () => {
  // Every tolerance of the ladder, floating marks and full-width signs beside spaces, and lines that repeat.
  const line = fc.constantFrom(
    "if (alpha) {",
    "\treturn “bravo, charlie”;",
    "    return delta(echo);",
    "  wide： （foxtrot） ",
    "}",
    "",
    "   ",
    "\u0301golf hotel\u200b",
    "日本 語，india；",
    "mark 😀 juliet",
  );
  const lines = (min: number, max: number): fc.Arbitrary<readonly string[]> =>
    fc.array(line, { minLength: min, maxLength: max });
  /** What a caller may make of a line: other spaces at its ends, plain punctuation, another indentation. */
  const disguise = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => `${text}  `,
    (text) => text.trimStart(),
    (text) => text.replace(/^\s*/u, (lead) => "  ".repeat(lead.length)),
    (text) => text.replace(/^\s*/u, (lead) => "\t".repeat(Math.ceil(lead.length / 2))),
    (text) => text.replaceAll(/[“”]/gu, '"').replaceAll("，", ", ").replaceAll("：", ":"),
  );
  const block = lines(1, 4);
  /** Some lines of one block, whole or not, in disguise, with something else to stand there. */
  const loosely = fc.record({
    at: fc.nat(99),
    named: fc.constantFrom(true, true, true, false),
    count: fc.integer({ min: 1, max: 4 }),
    as: disguise,
    cut: fc.constantFrom(0, 0, 0, 1, 2),
    now: lines(0, 3),
    open: fc.boolean(),
    replaceAll: fc.constantFrom(false, false, false, true),
  });

  test("an index of folded lines changes nothing of what they mean", () => {
    let tolerated = 0;
    fc.assert(
      fc.property(
        fc.array(block, { minLength: 3, maxLength: 12 }),
        fc.array(loosely, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 60 }),
        fc.boolean(),
        (blocks, steps, chunkUnits, open) => {
          const named = blocks.map((some, id) => [`section: ${id} (here)`, ...some]);
          const text = named.map((some) => some.join("\n")).join("\n") + (open ? "" : "\n");
          const edits = steps.map((one) => {
            const some = named[one.at % named.length] ?? [];
            const end = one.open ? "" : "\n";
            const old = some.slice(one.named ? 0 : 1).slice(0, one.count);
            const oldText = (old.map(one.as).join("\n").slice(one.cut) || "x") + end;
            const newText = [...old.slice(0, 1), ...one.now].map(one.as).join("\n") + end;
            return { oldText, newText, replaceAll: one.replaceAll };
          });
          const before = SourceText.of(text);
          const plain = plainSequence(before);
          const indexed = indexedSequence(before, edits, { chunkUnits, shareMax: 1 });
          for (const edit of edits) {
            const a = plain.take(edit, EDIT_LADDER);
            expect(indexed.take(edit, EDIT_LADDER)).toEqual(a);
            // A list ends at its first failure; going on all the same asks more of the index.
            if (a.ok && a.value.step !== "exact") tolerated++;
            expect(indexed.edit().apply(text)).toBe(plain.edit().apply(text));
          }
        },
      ),
      { numRuns: 1000 },
    );
    expect(tolerated).toBeGreaterThan(200);
  });

  test("the few lines that are looked at hold every place, as they stand in the text", () => {
    fc.assert(
      fc.property(lines(10, 40), fc.nat(), fc.integer({ min: 1, max: 60 }), (all, seed, units) => {
        const from = seed % all.length;
        const wanted = all.slice(from, from + 3).join("\n");
        const text = `${all.join("\n")}\n`;
        const excerpts = new LooseText(text, [wanted], { chunkUnits: units, shareMax: 1 }).excerpts(
          wanted,
          3,
        );
        fc.pre(excerpts !== null);
        if (excerpts === null) return;
        const places = (where: string): number => where.split(wanted).length - 1;
        expect(places(excerpts.text)).toBe(places(text));
        for (const part of excerpts.parts)
          expect(text.startsWith(excerpts.text.slice(part.from, part.to), part.sourceFrom)).toBe(
            true,
          );
      }),
      { numRuns: 200 },
    );
  });
});
