import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanInvisible, sayRemoved } from "../../../src/engine/index.ts";

const anyPoints = fc
  .array(
    fc.constantFrom(
      "a",
      " ",
      "\n",
      "1",
      "#",
      "é",
      "\u0301",
      "\u0304",
      "\u20e3",
      "\u200b",
      "\u200d",
      "\u2060",
      "\u00ad",
      "\ufeff",
      "\ufe0e",
      "\ufe0f",
      "\ufe01",
      "❤",
      "‼",
      "👩",
      "💻",
      "🏽",
      "ẹ",
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(""));

describe("cleanInvisible", () => {
  it.each([
    ["zero-width characters", "a\u200bb\u200cc\u2060d\u00ade", "abcde"],
    ["a BOM inside, not in front", "\ufeffa\ufeffb", "\ufeffab"],
    ["a joiner beside a letter", "👩\u200da", "👩a"],
    ["a joiner at either end", "\u200d👩\u200d", "👩"],
    ["no joiner between emoji", "👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"],
    ["no joiner behind a selector", "🏳\ufe0f\u200d🌈", "🏳\ufe0f\u200d🌈"],
    ["no joiner behind a skin tone", "👩🏽\u200d💻", "👩🏽\u200d💻"],
    ["a zero-width space inside a sequence", "👩\u200b\u200d💻", "👩\u200d💻"],
    ["selectors without a base, all of a run", "a\ufe0f\ufe0fb", "ab"],
    ["no selector of a symbol", "❤\ufe0f ©\ufe0e ‼\ufe0f", "❤\ufe0f ©\ufe0e ‼\ufe0f"],
    ["no selector of a keycap", "#\ufe0f\u20e3 1\ufe0f", "#\ufe0f\u20e3 1"],
    ["old selectors", "a\ufe00b", "ab"],
    ["marks on nothing", "\u0304a \u0304b\n\u0301c", "a b\nc"],
    [
      "no mark on anything visible",
      "e\u0301 3\u0305 )\u0305 ế\u0323",
      "e\u0301 3\u0305 )\u0305 ế\u0323",
    ],
    ["no wide spaces", "a\u00a0b\u202fc\u2003d", "a\u00a0b\u202fc\u2003d"],
    ["nothing of plain text", "plain text\r\n", "plain text\r\n"],
  ])("takes out %s", (_, text, clean) => {
    expect(cleanInvisible(text, { floatingMarks: true }).text).toBe(clean);
  });

  it("keeps floating marks of old text, where matching folds them", () => {
    expect(cleanInvisible("\u0304a\u200b", { floatingMarks: false }).text).toBe("\u0304a");
  });

  it("counts what is gone, by code point", () => {
    const { removed } = cleanInvisible("\u200ba\u00ad\u200b👩\u200d💻", { floatingMarks: true });
    expect(sayRemoved(removed)).toBe("U+00AD×1, U+200B×2");
  });

  it("cleans a clean text to itself, and counts exactly", () => {
    fc.assert(
      fc.property(anyPoints, fc.boolean(), (text, floatingMarks) => {
        const { text: clean, removed } = cleanInvisible(text, { floatingMarks });
        expect(cleanInvisible(clean, { floatingMarks }).text).toBe(clean);
        const gone = [...removed.values()].reduce((sum, count) => sum + count, 0);
        expect(Array.from(clean).length + gone).toBe(Array.from(text).length);
      }),
      { numRuns: 2_000 },
    );
  });
});
