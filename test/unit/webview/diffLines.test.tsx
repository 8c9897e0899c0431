import { readdirSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  chunksOf,
  DIFF_LIMITS,
  diffLines,
  firstChangedLine,
  previewEnd,
  shownLine,
} from "../../../webview/diffLines.ts";
import { rowKey, rowOf, rowsOfCall } from "../../../webview/rows.ts";
import { call, diff, file, longDiff } from "../../screens/build.ts";
import { THEMES } from "../../screens/themes.ts";

const noFold = (): boolean => false;

describe("the lines of a diff", () => {
  test("law: each hunk's header once and each row once, in order", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), (rows) => {
        const card = longDiff(rows);
        const lines = diffLines(card, noFold, false);
        const drawn = lines.flatMap((line) => (line.kind === "row" ? [line.row] : []));
        expect(drawn).toEqual(card.hunks.flatMap((hunk) => hunk.rows));
        const headers = lines.flatMap((line) => (line.kind === "header" ? [line.index] : []));
        expect(headers).toEqual([...card.hunks.keys()]);
        expect(chunksOf(lines, 40).flat()).toEqual(lines);
      }),
      { numRuns: 30 },
    );
  });

  test("law: side by side, each side is its text in order, and a context row stands on both", () => {
    const kinds = fc.array(fc.constantFrom("context", "removed", "added"), { minLength: 1 });
    fc.assert(
      fc.property(kinds, fc.boolean(), (rows, preview) => {
        const signs = { context: " ", removed: "-", added: "+" } as const;
        const card = diff([1, 1, rows.map((kind, i) => `${signs[kind]}line ${i}`).join("\n")]);
        const [hunk] = card.hunks;
        const pairs = diffLines(card, noFold, preview, "split").flatMap((line) =>
          line.kind === "pair" ? [line] : [],
        );
        const shown = hunk?.rows.slice(0, preview ? DIFF_LIMITS.previewLines - 1 : Infinity) ?? [];
        for (const [side, other] of [
          ["old", "added"],
          ["now", "removed"],
        ] as const) {
          const own = pairs.flatMap((pair) => (pair[side] === null ? [] : [pair[side].row]));
          expect(own).toEqual(shown.filter(({ kind }) => kind !== other));
        }
        for (const { old, now } of pairs) {
          expect(old ?? now).not.toBeNull();
          if (old?.row.kind === "context" || now?.row.kind === "context") expect(old).toBe(now);
        }
      }),
    );
  });

  test("law: a preview is a start of the whole, and says how much is left", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), (rows) => {
        const card = longDiff(rows);
        const end = previewEnd(card);
        if (end === null) return;
        const whole = diffLines(card, noFold, false);
        const part = diffLines(card, noFold, true);
        expect(part).toEqual(whole.slice(0, part.length));
        expect(part.filter(({ kind }) => kind === "row").length + end.rowsHidden).toBe(rows);
        expect(part.filter(({ kind }) => kind === "header")).toHaveLength(end.hunks);
      }),
      { numRuns: 50 },
    );
  });

  test("one huge hunk has a preview too", () => {
    const text = Array.from({ length: 5_000 }, (_, i) => `+line ${i}`).join("\n");
    const card = diff([0, 1, text]);
    const part = diffLines(card, noFold, true);
    expect(part).toHaveLength(DIFF_LIMITS.previewLines);
    expect(previewEnd(card)).toEqual({
      hunks: 1,
      rowsHidden: 5_000 - DIFF_LIMITS.previewLines + 1,
    });
  });

  test("a folded hunk shows its header alone", () => {
    const card = diff([1, 1, "-a\n+b"], [9, 9, "-c\n+d"]);
    const lines = diffLines(card, (hunk) => hunk === 0, false);
    expect(lines.map(({ kind }) => kind)).toEqual(["header", "header", "row", "row"]);
  });
});

test("the first changed line counts as the new file does", () => {
  expect(firstChangedLine(diff([14, 14, " a\n-b\n+c"]))).toBe(15);
  expect(firstChangedLine(diff([14, 20, " a\n a\n+c"]))).toBe(22);
  expect(firstChangedLine(diff([3, 3, " a\n-b\n c"]))).toBe(4);
  expect(firstChangedLine(diff([1, 0, "-a"]))).toBe(1);
  expect(firstChangedLine(diff([1, 1, "-a\n+b"], [50, 60, " x\n+y"]), 1)).toBe(61);
  expect(firstChangedLine(undefined)).toBeUndefined();
});

describe("a line", () => {
  const line = fc.string({ unit: "binary", maxLength: 1_500 });

  test("law: its pieces are the line, without what is said to be left out", () => {
    fc.assert(
      fc.property(line, fc.array(fc.nat({ max: 1_500 }), { maxLength: 6 }), (text, cuts) => {
        const ends = [...cuts].sort((a, b) => a - b);
        const marks = ends.flatMap((from, i) => {
          const to = ends[i + 1];
          return i % 2 === 0 && to !== undefined ? [[from, to] as const] : [];
        });
        const { pieces, unitsBefore, unitsAfter } = shownLine(text, marks);
        const joined = pieces.map((piece) => piece.text).join("");
        expect(joined).toBe(text.slice(unitsBefore, text.length - unitsAfter));
        expect(joined.length).toBeLessThanOrEqual(DIFF_LIMITS.lineUnits + 1);
        if (text.length <= DIFF_LIMITS.lineUnits) expect(unitsBefore + unitsAfter).toBe(0);
        const marked = pieces
          .filter((piece) => piece.marked)
          .map((piece) => piece.text)
          .join("");
        const wanted = marks
          .map(([from, to]) =>
            text.slice(Math.max(from, unitsBefore), Math.min(to, text.length - unitsAfter)),
          )
          .join("");
        expect(marked).toBe(wanted);
      }),
    );
  });

  test("a change far to the right of a long line is in what is shown", () => {
    const text = `${"x".repeat(5_000)}NEW${"y".repeat(5_000)}`;
    const { pieces, unitsBefore } = shownLine(text, [[5_000, 5_003]]);
    expect(pieces.filter(({ marked }) => marked)).toEqual([{ text: "NEW", marked: true }]);
    expect(unitsBefore).toBeGreaterThan(0);
  });

  test("never ends in half a character", () => {
    const text = "😀".repeat(1_000);
    for (const start of [0, 1]) {
      const { pieces } = shownLine("a".repeat(start) + text);
      expect(
        pieces
          .map((piece) => piece.text)
          .join("")
          .isWellFormed(),
      ).toBe(true);
    }
  });

  test.each([
    ["direction", "a\u202eb", ["U+202E"]],
    ["zero width", "a\u200bb", ["U+200B"]],
    ["a joiner in plain text", "a\u200db", ["U+200D"]],
    ["a joiner in an emoji", "👩\u200d👧", []],
    ["a joiner in Persian", "می\u200cخواهم", []],
    ["NUL and escape", "\u0000\u001b", ["U+0000", "U+001B"]],
    ["a tab", "\ta", []],
    ["line separators", "a\u2028b\u2029", ["U+2028", "U+2029"]],
    ["BOM and soft hyphen", "\ufeffa\u00ad", ["U+FEFF", "U+00AD"]],
  ])("names hidden characters: %s", (_, text, hidden) => {
    expect(shownLine(text).pieces.flatMap((piece) => piece.hidden ?? [])).toEqual(hidden);
  });
});

describe("rows", () => {
  test("law: a key leads back to its row", () => {
    const id = fc.string({ minLength: 1 }).filter((text) => !text.includes("\u001f"));
    const row = fc.oneof(
      fc.record({ callId: id }),
      fc.record({ callId: id, fileKey: id }),
      fc.record({ callId: id, fileKey: id, hunk: fc.nat() }),
    );
    fc.assert(fc.property(row, (one) => void expect(rowOf(rowKey(one))).toEqual(one)));
  });

  test("of a long diff are those of its preview until all is asked for", () => {
    const card = call("c", [file("a.ts", { diff: longDiff(2_000) })]);
    expect(rowsOfCall(card, {}).length).toBeLessThan(6);
    expect(rowsOfCall(card, { "c\u001fa.ts\u001fpreview": false })).toHaveLength(52);
  });
});

describe("colours", () => {
  const folder = new URL("../../../webview/", import.meta.url);
  const css = readdirSync(folder)
    .filter((name) => name.endsWith(".css"))
    .map((name) => readFileSync(new URL(name, folder), "utf8"))
    .join("\n");

  test("come from the editor's theme only", () => {
    const own = css.match(/#[0-9a-f]{3,8}\b(?=[;\s,)])|\b(?:rgba?|hsla?|oklch)\(/giu) ?? [];
    expect(own).toEqual([]);
    expect(css.match(/var\(--vscode-/gu)?.length).toBeGreaterThan(50);
  });

  test("are all in the themes that the screens are checked with", () => {
    const used = new Set([...css.matchAll(/--vscode-([\w-]+)/gu)].map(([, name]) => name ?? ""));
    const known = new Set(THEMES.flatMap(({ variables }) => Object.keys(variables)));
    expect([...used].filter((name) => !known.has(name))).toEqual([]);
    expect([...known].filter((name) => !used.has(name))).toEqual([]);
  });
});
