import { applyPatch } from "diff";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  Edit,
  SourceText,
  foldLine,
  foldLineForSplice,
  foldSequence,
  keepPunctuation,
  parseUnified,
  printUnified,
  serverDiff,
} from "../../src/engine/index.ts";
import { mayHoldFolded } from "../../src/engine/text/lookAlike.ts";
import { Needle } from "../../src/engine/text/needle.ts";
import { anyEdit, anyText, textAndEdit } from "../support/arbitraryText.ts";

describe("L1 a text is its lines", () => {
  test("joined with their endings they give the text back", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const source = SourceText.of(text);
        let joined = "";
        for (let i = 0; i < source.lineCount; i++) {
          expect(source.line(i) + source.ending(i)).toBe(source.fullLine(i));
          expect(source.line(i)).not.toMatch(/[\r\n]/);
          joined += source.fullLine(i);
        }
        expect(joined).toBe(text);
      }),
    );
  });

  test("only the last line may be without ending, and no line is empty without one", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const source = SourceText.of(text);
        for (let i = 0; i < source.lineCount; i++) {
          if (i < source.lineCount - 1) expect(source.ending(i)).not.toBe("");
          expect(source.fullLine(i)).not.toBe("");
        }
      }),
    );
  });

  test("lineAt finds the line an offset lies in", () => {
    fc.assert(
      fc.property(anyText(), fc.nat(), (text, seed) => {
        const source = SourceText.of(text);
        fc.pre(text.length > 0);
        const offset = seed % text.length;
        const line = source.lineAt(offset);
        expect(source.start(line)).toBeLessThanOrEqual(offset);
        expect(source.start(line + 1)).toBeGreaterThan(offset);
      }),
    );
  });

  test("the ending style counts every break once", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const { lf, crlf, cr } = SourceText.of(text).style;
        expect(crlf).toBe(text.split("\r\n").length - 1);
        const rest = text.replaceAll("\r\n", "");
        expect(lf).toBe(rest.split("\n").length - 1);
        expect(cr).toBe(rest.split("\r").length - 1);
      }),
    );
  });
});

describe("L2 edits", () => {
  test("invert undoes apply", () => {
    fc.assert(
      fc.property(textAndEdit(), ([text, edit]) => {
        expect(edit.invert(text).apply(edit.apply(text))).toBe(text);
        expect(edit.apply(text).length).toBe(edit.newLength);
      }),
    );
  });

  const chain = textAndEdit().chain(([text, a]) =>
    anyEdit(a.newLength).chain((b) =>
      anyEdit(b.newLength).map((c) => ({ text, a, b, c }) as const),
    ),
  );

  test("compose does both, in either grouping, and stays sorted and disjoint", () => {
    fc.assert(
      fc.property(chain, ({ text, a, b, c }) => {
        const ab = a.compose(b);
        expect(ab.apply(text)).toBe(b.apply(a.apply(text)));
        expect(Edit.of(ab.length, ab.splices).splices).toEqual(ab.splices);
        const all = c.apply(b.apply(a.apply(text)));
        expect(ab.compose(c).apply(text)).toBe(all);
        expect(a.compose(b.compose(c)).apply(text)).toBe(all);
      }),
      { numRuns: 500 },
    );
  });

  test("an edit behind its inverse does nothing", () => {
    fc.assert(
      fc.property(textAndEdit(), ([text, edit]) => {
        expect(edit.compose(edit.invert(text)).apply(text)).toBe(text);
      }),
    );
  });

  test("map keeps order and keeps untouched text in its place", () => {
    fc.assert(
      fc.property(textAndEdit(), ([text, edit]) => {
        const after = edit.apply(text);
        let last = 0;
        for (let offset = 0; offset <= text.length; offset++) {
          const mapped = edit.map(offset);
          expect(mapped).toBeGreaterThanOrEqual(last);
          last = mapped;
          const touched = edit.splices.some(({ from, to }) => from <= offset && offset < to);
          if (!touched && offset < text.length) expect(after[mapped]).toBe(text[offset]);
        }
      }),
    );
  });

  test("compose refuses an edit for a text of another length", () => {
    expect(() => Edit.none(3).compose(Edit.none(4))).toThrow(RangeError);
  });
});

describe("server diff", () => {
  test("applied to the text before it gives the text after", () => {
    fc.assert(
      fc.property(textAndEdit(), ([raw, rawEdit]) => {
        // A lone CR has no line of its own in a unified diff; the law is stated without it.
        const text = raw.replaceAll("\r", "x");
        const edit = Edit.of(
          rawEdit.length,
          rawEdit.splices.map((s) => ({ ...s, insert: s.insert.replaceAll("\r", "x") })),
        );
        const diff = serverDiff(SourceText.of(text), edit);
        const after = edit.apply(text);
        const printed = printUnified(diff, "a.txt");
        if (after === text) expect(printed).toBe("");
        else expect(applyPatch(text, printed, { autoConvertLineEndings: false })).toBe(after);
      }),
      { numRuns: 1000 },
    );
  });

  test("says the same of CRLF texts", () => {
    fc.assert(
      fc.property(textAndEdit(), ([raw, rawEdit]) => {
        const toCrlf = (text: string): string =>
          text.replaceAll("\r", "x").replaceAll("\n", "\r\n");
        // Offsets are taken over by counting the units that the change of endings puts in.
        const place = (offset: number): number => toCrlf(raw.slice(0, offset)).length;
        const text = toCrlf(raw);
        const edit = Edit.of(
          text.length,
          rawEdit.splices.map((s) => ({
            from: place(s.from),
            to: place(s.to),
            insert: toCrlf(s.insert),
          })),
        );
        const printed = printUnified(serverDiff(SourceText.of(text), edit), "a.txt");
        const after = edit.apply(text);
        if (after === text) expect(printed).toBe("");
        else expect(applyPatch(text, printed, { autoConvertLineEndings: false })).toBe(after);
      }),
    );
  });

  test("stays true to its counts and to its text form with every ending", () => {
    fc.assert(
      fc.property(textAndEdit(), ([text, edit]) => {
        const diff = serverDiff(SourceText.of(text), edit);
        for (const hunk of diff.hunks) {
          expect(hunk.rows.filter((row) => row.kind !== "added")).toHaveLength(hunk.oldCount);
          expect(hunk.rows.filter((row) => row.kind !== "removed")).toHaveLength(hunk.newCount);
        }
        expect(parseUnified(printUnified(diff, "dir/a b.txt"))).toEqual({ ...diff, minimal: true });
      }),
      { numRuns: 500 },
    );
  });

  test("reading a diff never fails", () => {
    const junk = fc.array(
      fc.constantFrom(
        "@@ -1,2 +1 @@",
        "--- a",
        "+++ b",
        "+x",
        "-y",
        " z",
        "\\ No",
        "",
        "@@ -0,0 +9999999999 @@",
      ),
    );
    fc.assert(
      fc.property(junk, (lines) => {
        for (const hunk of parseUnified(lines.join("\n")).hunks)
          expect(hunk.rows.filter((row) => row.kind !== "added")).toHaveLength(hunk.oldCount);
      }),
    );
  });
});

describe("look-alikes", () => {
  for (const [name, fold] of [
    ["sequence", foldSequence],
    ["line", foldLine],
    ["splice", foldLineForSplice],
  ] as const)
    test(`${name}: source ranges lie side by side and folding twice adds nothing to them`, () => {
      fc.assert(
        fc.property(anyText(), (text) => {
          const folded = fold(text);
          expect(folded.starts).toHaveLength(folded.text.length + 1);
          for (let i = 0; i < folded.text.length; i++) {
            expect(folded.starts[i]!).toBeLessThanOrEqual(folded.cores[i]!);
            expect(folded.cores[i]!).toBeLessThan(folded.starts[i + 1]!);
          }
          if (name !== "line" && folded.text !== "") {
            expect(folded.starts[0]).toBe(0);
            expect(folded.starts.at(-1)).toBe(text.length);
          }
        }),
      );
    });

  test("the quick search for folded text misses nothing", () => {
    fc.assert(
      fc.property(anyText(20), fc.nat(), fc.nat(), (text, a, b) => {
        const folded = foldSequence(text).text;
        const from = a % (folded.length + 1);
        const part = folded.slice(from, from + (b % 8) + 1);
        fc.pre(part !== "");
        expect(mayHoldFolded(text, part)).toBe(true);
        expect(mayHoldFolded(text, `${part}☃`)).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  test("keeping punctuation with the file as sent is a plain replacement", () => {
    fc.assert(
      fc.property(anyText(), anyText(), (old, now) => {
        const splice = keepPunctuation(old, old, now, foldSequence);
        expect(splice).not.toBeNull();
        expect(Edit.of(old.length, [splice!]).apply(old)).toBe(now);
      }),
      { numRuns: 500 },
    );
  });
});

describe("a needle is found where the text itself is", () => {
  test("for every text, searched text and start", () => {
    const units = fc.string({ unit: fc.constantFrom("a", "b", "\n", "x", "\u00e9", "\u{1F600}") });
    fc.assert(
      fc.property(units, units, fc.nat(20), fc.nat(20), (text, other, from, cut) => {
        for (const searched of [other, text.slice(cut, cut + 5)])
          expect(new Needle(searched).indexIn(text, from)).toBe(
            text.indexOf(searched, Math.min(from, text.length)),
          );
      }),
      { numRuns: 1_000 },
    );
  });
});
