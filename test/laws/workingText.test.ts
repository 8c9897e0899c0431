import fc from "fast-check";
import { expect, test } from "vitest";
import { EDIT_LADDER } from "../../src/engine/index.ts";
import {
  crlfSequence,
  indexedSequence,
  plainSequence,
} from "../../src/engine/plan/editSequence.ts";
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
