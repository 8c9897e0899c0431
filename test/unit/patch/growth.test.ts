import { describe, expect, it, vi } from "vitest";
import { parsePatch, planPatch, SourceText, type PatchPlan } from "../../../src/engine/index.ts";
import { HunkIndex } from "../../../src/engine/match/hunkIndex.ts";
import { matchingWindows } from "../../../src/engine/match/matchingWindows.ts";
import { OperationReader } from "../../../src/engine/patch/operationReader.ts";
import { resolvePath } from "../../support/patchWorkspace.ts";

/** Twice the work may cost this much more, as the product promises. */
const GROWTH_MAX = 2.5;

function plan(text: string, patch: string): PatchPlan {
  const path = resolvePath("a.txt");
  return planPatch(
    parsePatch(patch),
    new Map([["a.txt", path]]),
    new Map([[path.key, { kind: "text", text }]]),
    { ambiguousHunk: "note" },
  );
}

/** Looks at lines of the file, and comparisons of lines: what planning spends its time on. */
function stepsOf(work: () => void): number {
  let steps = 0;
  const restore = [
    countCalls(SourceText.prototype, "start", () => steps++),
    countCalls(SourceText.prototype, "contentEnd", () => steps++),
    countCalls(HunkIndex.prototype, "matches", () => steps++),
  ];
  try {
    work();
  } finally {
    for (const undo of restore) undo();
  }
  return steps;
}

/** Spies of the test library keep every argument, which is more work than what is counted. */
function countCalls(prototype: object, name: string, count: () => void): () => void {
  const original = Object.getOwnPropertyDescriptor(prototype, name);
  if (original === undefined) throw new Error(`no method ${name}`);
  const method = original.value as (...args: unknown[]) => unknown;
  Object.defineProperty(prototype, name, {
    ...original,
    value(this: unknown, ...args: readonly unknown[]): unknown {
      count();
      return Reflect.apply(method, this, args);
    },
  });
  return () => Object.defineProperty(prototype, name, original);
}

function envelope(hunks: readonly string[]): string {
  return ["*** Begin Patch", "*** Update File: a.txt", ...hunks, "*** End Patch"].join("\n");
}

function numbered(count: number): string {
  let text = "";
  for (let i = 0; i < count; i++)
    text += `value_${i} = compute(${i}, other); // padded to be long\n`;
  return text;
}

function hunkAt(i: number): string {
  const line = (k: number): string => `value_${k} = compute(${k}, other); // padded to be long`;
  return `@@\n ${line(i - 1)}\n-${line(i)}\n+changed ${i}\n ${line(i + 1)}`;
}

describe("work grows with the input, not faster", () => {
  const works: readonly (readonly [string, number, (n: number) => readonly [string, string]])[] = [
    ["one hunk in a longer file", 3_000, (n) => [numbered(n), envelope([hunkAt(n - 5)])]],
    [
      "more hunks in a longer file",
      2_000,
      (n) => [
        numbered(n),
        envelope(Array.from({ length: n / 10 - 1 }, (_, i) => hunkAt(10 * (i + 1)))),
      ],
    ],
    [
      "equal lines, all of them wanted",
      2_000,
      (n) => ["x\n".repeat(n), envelope(["@@\n x\n-x\n+y"])],
    ],
    [
      "equal lines, no match",
      2_000,
      (n) => ["x\n".repeat(n), envelope([`@@\n${" x\n".repeat(n / 4)}-z\n+y`])],
    ],
    [
      "a long hunk that nearly fits everywhere",
      2_000,
      (n) => {
        const period = `${"x\n".repeat(n / 20)}end\n`;
        return [period.repeat(20), envelope([`@@\n${" x\n".repeat(n / 20 + 1)}-end\n+y`])];
      },
    ],
    [
      "spacing differs in every line",
      2_000,
      (n) => ["\tx  \n".repeat(n), envelope([`@@\n${" x\n".repeat(n / 4)}-x\n+y`])],
    ],
    [
      "a miss among numbered lines",
      3_000,
      (n) => [
        numbered(n),
        envelope([`@@\n-value_x = compute(${n}, other); // padded to be long\n+y`]),
      ],
    ],
    [
      "hunks that overlap the one before",
      1_000,
      (n) => [
        numbered(n),
        envelope(
          Array.from(
            { length: n / 10 },
            (_, i) => `${hunkAt(5 * i + 1)}\n@@\n changed ${5 * i + 1}\n+more`,
          ),
        ),
      ],
    ],
  ];

  it.each(works)("%s", (_, n, make) => {
    const [text, patch] = make(n);
    const [longerText, longerPatch] = make(2 * n);
    const steps = stepsOf(() => plan(text, patch));
    const longer = stepsOf(() => plan(longerText, longerPatch));
    expect(steps).toBeGreaterThan(0);
    expect(longer / steps).toBeLessThanOrEqual(GROWTH_MAX);
  });

  it("parsing takes one step a line", () => {
    const line = vi.spyOn(OperationReader.prototype, "line");
    parsePatch(envelope(Array.from({ length: 500 }, (_, i) => hunkAt(i + 1))));
    expect(line).toHaveBeenCalledTimes(1 + 500 * 5);
    line.mockRestore();
  });

  it("windows are found in a walk that looks at each line a bounded number of times", () => {
    const reads = (n: number): number => {
      const wanted = new Int32Array(n / 2).fill(7);
      wanted[wanted.length - 1] = 8;
      const hashes = new Int32Array(n).fill(7);
      hashes[n - 1] = 8;
      let count = 0;
      const counted = new Proxy(hashes, {
        get(target, key): unknown {
          if (typeof key === "string" && /^\d+$/.test(key)) count++;
          return Reflect.get(target, key) as unknown;
        },
      });
      const sevens = Array.from({ length: n - 1 }, (_, i) => i);
      // The rarest line is the last one; without it every start would be tried.
      const found = matchingWindows(
        {
          hashes: counted,
          postings: new Map([
            [7, sevens],
            [8, sevens],
          ]),
          wanted,
          from: 0,
          to: n,
          max: 5,
        },
        () => true,
      );
      expect(found).toEqual([n / 2]);
      return count;
    };
    const steps = reads(1_000);
    expect(steps).toBeLessThanOrEqual(4 * 1_000);
    expect(reads(2_000) / steps).toBeLessThanOrEqual(GROWTH_MAX);
  });
});
