import {
  explainEdit,
  explainReplace,
  parsePatch,
  planBatch,
  planEdits,
  planReplace,
  SourceText,
} from "../../src/engine/index.ts";
import { planUpdate } from "../../src/engine/plan/planUpdate.ts";
import type { BenchCase, Outcome, Work } from "./benchCase.ts";
import { numberedLines, textOf } from "./texts.ts";

/** A text that is not in a file, as large and as like it as makes its explanation dear. */
interface Miss {
  readonly text: string;
  readonly old: string;
  readonly now: string;
}

/** Entries of the batch; more of the largest old text would be refused for their size. */
const ENTRIES = 10;

/** Hints at their worst: no text is found by any tool, and every one of them explains itself. */
export const HINT_CASES: readonly BenchCase[] = [
  hints("hints-long-lines", "hints: ten lines of 1 MB each, one of them nearly meant", (size) => {
    const words = "abcdefghij ".repeat(90_000 * size);
    const lines = Array.from({ length: 10 }, (_, i) => `line ${i} ${words}`);
    return { text: textOf(lines), old: `line 5 ${words}X`, now: "gone away" };
  }),
  hints("hints-one-character", "hints: one character 5 million times", (size) => ({
    text: "a".repeat(5_000_000 * size),
    old: `${"a".repeat(100_000 * size)}b${"a".repeat(1_000)}"`,
    now: `${"a".repeat(20_000)}c`,
  })),
  hints(
    "hints-10mb",
    "hints: 10 MB of code, with escapes, entities and a word on every line",
    (size) => {
      const lines = Array.from(
        { length: Math.ceil(190_000 * size) },
        (_, i) => `const value${i % 97} = compute(${i}, offset); // "note" &lt;`,
      );
      return {
        text: textOf(lines),
        old: 'const value3 = computed(11, offsets);\\n // "notes" <',
        now: "gone away",
      };
    },
  ),
  hints("hints-huge-old", "hints: an old text of 100,000 lines with two mistakes", (size) => {
    const text = textOf(numberedLines(Math.max(40, 100_000 * size)));
    return { text, old: text.replaceAll("17,", "71,"), now: "gone away" };
  }),
  hints("hints-rulers", "hints: forty rulers counted wrong among 50,000", (size) => ({
    text: textOf(
      Array.from(
        { length: Math.max(40, 50_000 * size) },
        (_, i) => "-".repeat(40 + (i % 50)) + "+",
      ),
    ),
    old: Array.from({ length: 40 }, (_, i) => `${"-".repeat(95 + i)}+=`).join("\n"),
    now: "gone away",
  })),
];

function hints(id: string, title: string, missOf: (size: number) => Miss): BenchCase {
  return { id, title, make: (size) => work(missOf(size)) };
}

function work({ text, old, now }: Miss): Work {
  const patch = `*** Begin Patch\n*** Update File: a\n@@\n${marked(old, "-")}\n${marked(now, "+")}\n*** End Patch`;
  const run = (): readonly unknown[] => [
    missOf(
      planEdits(SourceText.of(text), [{ oldText: old, newText: now, replaceAll: false, index: 0 }]),
      (all) => all.map(explainEdit),
    ),
    missOf(
      planReplace(SourceText.of(text), { oldString: old, newString: now, replaceAll: false }),
      explainReplace,
    ),
    missOf(
      planBatch(
        SourceText.of(text),
        Array.from({ length: ENTRIES }, (_, i) => ({
          oldString: `${old}${i}`,
          newString: now,
          replaceAll: false,
        })),
      ),
      explainReplace,
    ),
    missOf(
      planUpdate(SourceText.of(text), hunksOf(patch), { ambiguousHunk: "note" }),
      ({ code }) => code,
    ),
  ];
  // What was found would be no miss, and the figures would say nothing.
  const outcome = (said: unknown): Outcome =>
    (said as readonly unknown[]).includes(null) ? new Map() : null;
  return { ours: { name: "ours", run, outcome }, peers: [], expected: null };
}

function marked(text: string, marker: string): string {
  return text.replace(/\n$/, "").replaceAll(/^/gm, () => marker);
}

function hunksOf(patch: string) {
  const [operation] = parsePatch(patch).doc.operations;
  return operation?.kind === "update" ? operation.hunks : [];
}

type Planned<P> = { readonly ok: true } | { readonly ok: false; readonly problem: P };

function missOf<P>(planned: Planned<P>, explain: (problem: P) => unknown): unknown {
  return planned.ok ? null : explain(planned.problem);
}
