import fc from "fast-check";
import { Edit, type Splice } from "../../src/engine/index.ts";

/** Short texts with every kind of line ending, tabs, a BOM, look-alikes and surrogate pairs, often repeated. */
export function anyText(maxLength = 12): fc.Arbitrary<string> {
  const piece = fc.constantFrom(
    "a",
    "b",
    "if (x) {",
    "}",
    " ",
    "  ",
    "\t",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "“",
    '"',
    "，",
    ", ",
    "é",
    "e\u0301",
    "\u200b",
    "\ufeff",
    "\u2028",
    "😀",
    "$&",
    ":",
    ")",
    "（",
    "1",
  );
  return fc.array(piece, { maxLength }).map((pieces) => pieces.join(""));
}

/** Lines of few words, so that repeats are common; one ending throughout. */
export function plainLines(maxLength = 12): fc.Arbitrary<string> {
  const line = fc.constantFrom("alpha", "  bravo", "\tcharlie", "", "delta echo", "}", "  }");
  return fc.array(line, { maxLength }).map((lines) => lines.map((text) => `${text}\n`).join(""));
}

/** Sorted, disjoint splices for a text of this length. */
export function anyEdit(length: number): fc.Arbitrary<Edit> {
  const cut = fc.record({
    gap: fc.nat({ max: 6 }),
    size: fc.nat({ max: 4 }),
    insert: anyText(3),
  });
  return fc.array(cut, { maxLength: 5 }).map((cuts) => {
    const splices: Splice[] = [];
    let at = 0;
    for (const { gap, size, insert } of cuts) {
      const from = at + gap;
      const to = from + size;
      if (to > length) break;
      if (splices.at(-1)?.from === from) continue;
      splices.push({ from, to, insert });
      at = to;
    }
    return Edit.of(length, splices);
  });
}

export function textAndEdit(): fc.Arbitrary<readonly [string, Edit]> {
  return anyText(20).chain((text) => fc.tuple(fc.constant(text), anyEdit(text.length)));
}
