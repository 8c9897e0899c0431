import fc from "fast-check";
import { expect, test } from "vitest";
import {
  explainEdit,
  planEdits,
  SourceText,
  type EditEvidence,
  type IndexedEdit,
} from "../../src/engine/index.ts";

// Long texts with many edits are planned with an index. What they mean must not depend on it, so the text is long
// enough for one: each edit alone, on the text that the one before left, is what the list must come to.

const PARAGRAPHS = 2_500;

const ending = fc.constantFrom("\n", "\r\n");
const paragraph = fc.nat(PARAGRAPHS - 1);

/** An edit by kind: of one place, on what an earlier one left, of every place, tolerant, ambiguous or of none. */
const step = fc.record({
  kind: fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom("line", "chain", "join", "all", "spaces") },
    { weight: 1, arbitrary: fc.constantFrom("twice", "gone") },
  ),
  at: paragraph,
  word: fc.constantFrom("north", "south", "alpha\nbeta", ""),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function textWith(lineEnding: string): string {
  let text = "";
  for (let i = 0; i < PARAGRAPHS; i++)
    text += [
      `paragraph ${i} has a name`,
      `  and a body of ${i * 7} words, more or less`,
      `mark${i % 100}.`,
      "",
    ].join(lineEnding);
  return text;
}

function editOf({ kind, at, word }: Step, index: number, previous: string): IndexedEdit {
  const one = { index, replaceAll: false };
  const newText = `${word} by edit ${index};`;
  switch (kind) {
    case "chain":
      return { ...one, oldText: previous, newText };
    case "join": {
      const oldText = `paragraph ${at} has a name\n  and a body of ${at * 7} words`;
      return { ...one, oldText, newText };
    }
    case "all":
      return { ...one, oldText: `mark${index}.`, newText: `mark ${newText}`, replaceAll: true };
    case "twice":
      return { ...one, oldText: "more or less", newText };
    case "gone":
      return { ...one, oldText: `paragraph ${at}x has`, newText };
    case "spaces": {
      const oldText = `  and a body of ${at * 7} words, more or less  `;
      return { ...one, oldText, newText: `  ${newText}` };
    }
    default:
      return { ...one, oldText: `paragraph ${at} has a name`, newText };
  }
}

/** Line endings are no tolerance, so whether they took a step of their own is not told apart. */
function withoutEndings(one: EditEvidence): EditEvidence {
  return one.step === "line-endings" ? { ...one, step: "exact" } : one;
}

test("edits of a long text come to what each comes to alone on the result of the one before", () => {
  const texts = { "\n": textWith("\n"), "\r\n": textWith("\r\n") };
  let complete = 0;
  fc.assert(
    fc.property(
      ending,
      fc.uniqueArray(step, { minLength: 26, maxLength: 32, selector: ({ at }) => at }),
      (lineEnding, steps) => {
        const text = texts[lineEnding];
        const edits: IndexedEdit[] = [];
        let previous = "paragraph 1 has a name";
        for (const [index, one] of steps.entries()) {
          const edit = editOf(one, index, previous);
          edits.push(edit);
          if (!edit.replaceAll) previous = edit.newText.trimStart();
        }
        const whole = planEdits(SourceText.of(text), edits);
        let now = text;
        const evidence: EditEvidence[] = [];
        for (const edit of edits) {
          const alone = planEdits(SourceText.of(now), [edit]);
          if (!alone.ok) {
            const expected = alone.problem.map((problem) => ({
              ...problem,
              editCount: edits.length,
              editsBefore: evidence.length,
            }));
            expect(whole.ok).toBe(false);
            if (!whole.ok)
              expect(whole.problem.map(explainEdit)).toEqual(expected.map(explainEdit));
            return;
          }
          evidence.push(...alone.value.evidence.map(withoutEndings));
          now = alone.value.after;
        }
        complete++;
        expect(whole.ok).toBe(true);
        if (!whole.ok) return;
        expect(whole.value.after).toBe(now);
        expect(whole.value.edit.apply(text)).toBe(now);
        expect(whole.value.evidence.map(withoutEndings)).toEqual(evidence);
      },
    ),
    { numRuns: 20 },
  );
  expect(complete).toBeGreaterThan(0);
});
