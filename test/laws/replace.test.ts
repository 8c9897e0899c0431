import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  explainReplace,
  explanationText,
  foldSequence,
  planBatch,
  planReplace,
  planWrite,
  SourceText,
  type BatchEntry,
} from "../../src/engine/index.ts";
import { boundedDistance } from "../../src/engine/match/editDistance.ts";
import { closestBlock, CLOSEST_LIMITS } from "../../src/engine/match/closestBlock.ts";
import { placeString } from "../../src/engine/match/placeString.ts";
import { editTool } from "../../src/tools/edit.ts";
import { anyText } from "../support/arbitraryText.ts";

/** Words and breaks, so that parts repeat and endings mix; nothing that cleaning takes out. */
function wordyText(maxLength = 14): fc.Arbitrary<string> {
  const piece = fc.constantFrom(
    ..."a b ab x1 ; : ( ) “ ” ’ — ， ： é 😀".split(" "),
    " ",
    "  ",
    "\t",
    "\n",
    "\n",
    "\r\n",
    "\r",
    '"',
    "'",
    "-",
    ", ",
    ": ",
  );
  return fc.array(piece, { maxLength }).map((pieces) => pieces.join(""));
}

const single = { replaceAll: false };

/** A text, a part of it, and something else to stand there. */
function textAndPart(): fc.Arbitrary<{ text: string; from: number; to: number; insert: string }> {
  return wordyText(18).chain((text) => {
    const points = Array.from(text);
    const starts = points.map((_, index) => points.slice(0, index).join("").length);
    starts.push(text.length);
    return fc
      .tuple(fc.nat(points.length), fc.nat(points.length), wordyText(5))
      .map(([a, b, insert]) => ({
        text,
        from: starts[Math.min(a, b)] ?? 0,
        to: starts[Math.max(a, b)] ?? 0,
        insert,
      }));
  });
}

function places(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) count++;
  return count;
}

const lf = (text: string): string => text.replaceAll(/\r\n|\r/g, "\n");

describe("a single replacement", () => {
  test("of a part that is there once changes that part and nothing else", () => {
    fc.assert(
      fc.property(textAndPart(), ({ text, from, to, insert }) => {
        const part = text.slice(from, to);
        // Half a CRLF is no text that a model can mean.
        fc.pre(part !== "" && text[from - 1] !== "\r" && text[to - 1] !== "\r");
        fc.pre(lf(part) !== lf(insert) && places(lf(text), lf(part)) === 1);
        fc.pre(SourceText.of(text).style.kind !== "lf" || !insert.includes("\r"));
        const plan = planReplace(SourceText.of(text), {
          ...single,
          oldString: part,
          newString: insert,
        });
        expect(plan.ok).toBe(true);
        if (!plan.ok) return;
        const { after } = plan.value.change;
        expect(after.startsWith(text.slice(0, from))).toBe(true);
        expect(after.endsWith(text.slice(to))).toBe(true);
        const inside = after.slice(from, after.length - (text.length - to));
        expect(lf(inside)).toBe(lf(insert));
        expect(plan.value.change.tolerance.filter((name) => name !== "line-endings")).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test("of a part that is there more than once is refused, and all are replaced when asked for", () => {
    fc.assert(
      fc.property(textAndPart(), ({ text: raw, from, to, insert: sent }) => {
        const text = lf(raw);
        const part = lf(raw.slice(from, to));
        const insert = lf(sent);
        fc.pre(part !== "" && part !== insert && places(text, part) > 1);
        const request = { oldString: part, newString: insert };
        const one = planReplace(SourceText.of(text), { ...request, replaceAll: false });
        expect(one.ok ? "planned" : one.problem.code).toBe("ambiguous");
        const all = planReplace(SourceText.of(text), { ...request, replaceAll: true });
        expect(all.ok && all.value.change.after).toBe(text.split(part).join(insert));
      }),
      { numRuns: 500 },
    );
  });

  test("and its inverse restore the text, whatever was asked for", () => {
    fc.assert(
      fc.property(anyText(20), anyText(6), anyText(6), fc.boolean(), (text, old, now, all) => {
        const plan = planReplace(SourceText.of(text), {
          oldString: old,
          newString: now,
          replaceAll: all,
        });
        if (!plan.ok) {
          expect(explanationText(explainReplace(plan.problem))).not.toBe("");
          return;
        }
        const { edit, after } = plan.value.change;
        expect(edit.apply(text)).toBe(after);
        expect(edit.invert(text).apply(after)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test("keeps a uniform ending uniform", () => {
    const uniform = fc.constantFrom("\n", "\r\n", "\r");
    fc.assert(
      fc.property(textAndPart(), uniform, ({ text: raw, from, to, insert }, ending) => {
        const text = lf(raw).replaceAll("\n", () => ending) + ending;
        const part = lf(raw.slice(from, to));
        fc.pre(part !== "");
        const plan = planReplace(SourceText.of(text), {
          oldString: part,
          newString: lf(insert),
          replaceAll: true,
        });
        fc.pre(plan.ok);
        if (!plan.ok) return;
        const { style } = SourceText.of(plan.value.change.after);
        expect(["none", SourceText.of(text).style.kind]).toContain(style.kind);
      }),
    );
  });
});

describe("tolerance", () => {
  const looks: Readonly<Record<string, string>> = {
    '"': "“",
    "'": "’",
    "-": "—",
    ",": "，",
    ":": "：",
    "(": "（",
    ")": "）",
  };
  const disguise = (text: string): string =>
    Array.from(text, (character) => looks[character] ?? character).join("");

  test("never rewrites punctuation that the caller left alone", () => {
    const word = fc.constantFrom("alpha", "bravo", "x1", "delta");
    const mark = fc.constantFrom(...Object.keys(looks));
    const phrase = fc
      .array(fc.tuple(word, mark), { minLength: 1, maxLength: 6 })
      .map((pairs) => pairs.flat().join(""));
    fc.assert(
      fc.property(phrase, phrase, phrase, (head, middle, tail) => {
        // The caller sends plain marks and changes the word in the middle; the file has typographic ones.
        const file = `>>${disguise(head)}OLD${disguise(tail)}<<\n${disguise(middle)}\n`;
        const plan = planReplace(SourceText.of(file), {
          ...single,
          oldString: `${head}OLD${tail}`,
          newString: `${head}NEW${tail}`,
        });
        expect(plan.ok && plan.value.change.after).toBe(file.replace("OLD", () => "NEW"));
        expect(plan.ok && plan.value.change.tolerance).toEqual(["look-alike-punctuation"]);
      }),
    );
  });

  test("takes a place only where the file reads the same, and only one", () => {
    fc.assert(
      fc.property(wordyText(14), wordyText(5), (text, old) => {
        const plan = planReplace(SourceText.of(text), {
          ...single,
          oldString: old,
          newString: "@new@",
        });
        if (!plan.ok || !plan.value.change.tolerance.includes("look-alike-punctuation")) return;
        expect(lf(text).includes(lf(old))).toBe(false);
        const folded = foldSequence(lf(text)).text;
        expect(places(folded, foldSequence(lf(old)).text)).toBe(1);
      }),
      { numRuns: 700 },
    );
  });
});

describe("looking for look-alikes", () => {
  const odd = fc
    .array(
      fc.constantFrom(
        ..."a b 1 “ ’ — ， ： （ ） é 😀".split(" "),
        "\u200b",
        "\ufe0f",
        "\u0304",
        "\u{1d165}",
        " ",
        "  ",
        "\n",
        "\r",
        "\r\n",
        '"',
        "-",
        ",",
        ":",
        "(",
        ")",
        ": ",
        " )",
      ),
      { maxLength: 14 },
    )
    .map((pieces) => pieces.join(""));
  const limits = { placesMax: 100, foldUnitsMax: 1_000 };

  test("finds what folding the whole text finds", () => {
    fc.assert(
      fc.property(odd, fc.nat(14), fc.nat(6), fc.boolean(), (text, from, length, disguises) => {
        const part = text.slice(from, from + length);
        // Half a CRLF is no text that a model can mean.
        fc.pre(!/\r$/.test(part) && !/^\n/.test(part));
        // Nor are a CR and an LF one break with something invisible between them.
        fc.pre(!/\r[\u200b\ufe0f\u0304\u{1d165}]+\n/u.test(text));
        const plain = disguises ? foldSequence(part).text : part.replaceAll("—", "-");
        const old = foldSequence(plain).text;
        fc.pre(old.trim() !== "" && plain.isWellFormed() && text.isWellFormed());
        const places = placeString(text, plain, true, limits);
        fc.pre(places?.step !== "exact" && places?.step !== "trailing-newline");
        const file = foldSequence(text);
        const starts: number[] = [];
        for (let at = file.text.indexOf(old); at >= 0; at = file.text.indexOf(old, at + 1))
          starts.push(file.cores[at] ?? -1);
        const found = places === null ? [] : places.spans.map((span) => span.from);
        if (places !== null && places.overlap !== null) found.push(places.overlap.from);
        expect(found.length > 0).toBe(starts.length > 0);
        for (const start of found) expect(starts).toContain(start);
        if (starts.length > 1) expect(found.length).toBeGreaterThan(1);
      }),
      { numRuns: 1500 },
    );
  });
});

describe("a batch", () => {
  const entry: fc.Arbitrary<BatchEntry> = fc.record({
    oldString: fc.option(wordyText(3), { nil: undefined }),
    newString: fc.option(wordyText(3), { nil: undefined }),
    replaceAll: fc.boolean(),
  });

  test("is all or nothing, and names every failing entry once", () => {
    fc.assert(
      fc.property(wordyText(20), fc.array(entry, { maxLength: 6 }), (text, entries) => {
        const plan = planBatch(SourceText.of(text), entries);
        const named = plan.ok
          ? [...plan.value.applied, ...plan.value.skipped]
          : [
              ...plan.problem.failing.map(({ index }) => index),
              ...plan.problem.passed,
              ...plan.problem.skipped,
            ];
        expect(named.toSorted((a, b) => a - b)).toEqual(entries.map((_, index) => index));
        if (!plan.ok) {
          expect(plan.problem.failing.length).toBeGreaterThan(0);
          const said = explanationText(explainReplace(plan.problem));
          for (const { index } of plan.problem.failing)
            expect(said.split(`\nedits[${index}]: `)).toHaveLength(2);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("of entries that work one by one and lie apart does what they do, in any order", () => {
    const words = fc.uniqueArray(fc.constantFrom("one", "two", "three", "four", "five"), {
      minLength: 1,
    });
    fc.assert(
      fc.property(words, fc.array(wordyText(3), { minLength: 5, maxLength: 5 }), (chosen, news) => {
        const text = "five\r\nfour; three\ntwo one\r";
        const entries = chosen.map((word, index) => ({
          oldString: word,
          newString: `<${(news[index] ?? "").replaceAll(/[\r\n]/g, "")}>`,
          replaceAll: false,
        }));
        const plan = planBatch(SourceText.of(text), entries);
        const after = entries.reduce(
          (sum, { oldString, newString }) =>
            sum.replace(new RegExp(`\\b${oldString}\\b`), () => newString),
          // Words of new text are not to be found again.
          text,
        );
        expect(plan.ok && plan.value.change.after).toBe(after);
        const back = planBatch(SourceText.of(text), entries.toReversed());
        expect(back.ok && back.value.change.after).toBe(after);
      }),
    );
  });
});

describe("a whole file", () => {
  test("reads as sent, but for the endings of the file it replaces", () => {
    fc.assert(
      fc.property(wordyText(14), wordyText(14), (before, content) => {
        const source = SourceText.of(before);
        const plan = planWrite(source, content);
        expect(plan.ok && plan.value.kind).toBe("replace");
        if (!plan.ok || plan.value.kind !== "replace") return;
        const { change } = plan.value;
        expect(lf(change.after)).toBe(lf(content));
        expect(change.edit.apply(before)).toBe(change.after);
        expect(change.edit.invert(before).apply(change.after)).toBe(before);
        const { kind } = source.style;
        if (kind === "crlf" || kind === "cr")
          expect(["none", kind]).toContain(SourceText.of(change.after).style.kind);
        else if (kind !== "lf") expect(change.after).toBe(content);
        expect(change.edit.isEmpty).toBe(change.after === before);
      }),
      { numRuns: 500 },
    );
  });
});

describe("the closest block", () => {
  const points = (text: string): Uint32Array =>
    Uint32Array.from(text, (character) => character.codePointAt(0) ?? 0);

  /** The textbook table, to compare with. */
  function distance(a: readonly string[], b: readonly string[]): number {
    let row = Array.from({ length: b.length + 1 }, (_, index) => index);
    for (const [i, left] of a.entries()) {
      const next = [i + 1];
      for (const [j, right] of b.entries())
        next.push(
          Math.min(
            (row[j] ?? 0) + (left === right ? 0 : 1),
            (row[j + 1] ?? 0) + 1,
            (next[j] ?? 0) + 1,
          ),
        );
      row = next;
    }
    return row[b.length] ?? 0;
  }

  test("is measured by the true distance, or not at all beyond its bound", () => {
    fc.assert(
      fc.property(wordyText(10), wordyText(10), fc.nat(12), (a, b, bound) => {
        const truth = distance(Array.from(a), Array.from(b));
        const found = boundedDistance(points(a), points(b), bound, { left: 1e9 });
        expect(found).toBe(truth <= bound ? truth : null);
      }),
      { numRuns: 700 },
    );
  });

  test("lies inside the file and shows lines as they are", () => {
    fc.assert(
      fc.property(wordyText(30), wordyText(12), (text, wanted) => {
        const source = SourceText.of(text);
        const closest = closestBlock(source, wanted);
        if (closest === null) return;
        expect(closest.percent).toBeGreaterThanOrEqual(60);
        expect(closest.percent).toBeLessThanOrEqual(100);
        expect(closest.number).toBeGreaterThanOrEqual(1);
        expect(closest.number).toBeLessThanOrEqual(source.lineCount);
        for (const pair of closest.pairs) expect(pair.found).toBe(source.line(pair.fileNumber - 1));
      }),
      { numRuns: 500 },
    );
  });

  test("costs bounded work on 10,000 lines that all look alike", () => {
    const text = "const value = compute(previous, next);\n".repeat(10_000);
    const wanted = "const value = compute(previous, nxt);\n".repeat(40);
    const cells = { ...CLOSEST_LIMITS, cellsMax: 1_000_000 };
    // With a budget that does not reach, it says nothing rather than go on.
    expect(closestBlock(SourceText.of(text), wanted, { ...cells, cellsMax: 10 })).toBeNull();
    const line = "const value = compute(previous, nxt);";
    expect(closestBlock(SourceText.of(text), line)?.number).toBe(1);
  });
});

describe("arguments", () => {
  test("whatever arrives is a request or a refusal that says what to change", () => {
    const key = fc.constantFrom("path", "old_string", "new_string", "replace_all", "edits", "Path");
    const value = fc.oneof(fc.string(), fc.boolean(), fc.constant(null), fc.array(fc.jsonValue()));
    const raw = fc.oneof(
      fc.string(),
      fc.json(),
      fc.dictionary(key, value).map((input) => JSON.stringify(input)),
    );
    fc.assert(
      fc.property(raw, (text) => {
        const decoded = editTool.decode({ raw: text });
        if (decoded.kind === "refused") expect(decoded.text).toContain("\nNo files were applied.");
        else {
          const request = editTool.validate(decoded.args);
          if (!request.ok) expect(request.problem.text).toContain("\nNo files were applied.");
          else expect(request.value.path).not.toBe("");
        }
      }),
      { numRuns: 500 },
    );
  });
});
