import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  parsePatch,
  planEdits,
  planPatch,
  planReplace,
  SourceText,
  type PatchPlan,
} from "../../src/engine/index.ts";
import { resolvePath } from "../support/patchWorkspace.ts";

// The engine beside an oracle that is too simple to be wrong: every exact place, found by looking everywhere. Texts are
// made of blocks that repeat and nearly repeat, which is where a wrong place hides.

const runs = { numRuns: Number(process.env["LAW_RUNS"] ?? 1_000) };

const line = fc.constantFrom("a", "b", "  a", "a ", "}", "", "x = 1;", 'say "a"', "say “a”");
const block = fc.array(line, { minLength: 1, maxLength: 3 });
/** Blocks, some of them again, some of them again with one line changed. */
const lines = fc
  .tuple(
    fc.array(block, { minLength: 1, maxLength: 3 }),
    fc.array(fc.nat(8), { maxLength: 6 }),
    line,
  )
  .map(([blocks, picks, other]) =>
    picks.reduce((all, pick) => {
      const again = blocks[pick % blocks.length] ?? [];
      return [...all, ...(pick > 4 ? again.with(-1, other) : again)];
    }, blocks.flat()),
  );

function eachPlace(text: string, part: string): readonly number[] {
  return Array.from(text, (_, at) => at).filter((at) => text.startsWith(part, at));
}

/** A text of lines and a part of it, whole lines or not, as it is or spoilt a little. */
const textAndPart = fc
  .tuple(lines, fc.nat(), fc.nat(9), line, fc.boolean())
  .map(([all, at, length, other, spoilt]) => {
    const text = all.map((one) => `${one}\n`).join("");
    const from = at % text.length;
    const part = text.slice(from, from + 1 + length);
    return { text, old: spoilt ? part.slice(0, -1) + other : part };
  });
const newText = fc.constantFrom("", "new", "new\n", "a", "  new\n  lines\n", "$&");

describe("the place of a text", () => {
  test.each(["edit_files", "edit"] as const)(
    "%s: the only exact one, or none of several",
    (tool) => {
      fc.assert(
        fc.property(textAndPart, newText, fc.boolean(), ({ text, old }, now, replaceAll) => {
          fc.pre(old !== "" && old !== now && /[^\s]/.test(old));
          const places = eachPlace(text, old);
          const source = SourceText.of(text);
          const planned =
            tool === "edit_files"
              ? planEdits(source, [{ index: 0, oldText: old, newText: now, replaceAll }])
              : planReplace(source, { oldString: old, newString: now, replaceAll });
          const change = !planned.ok
            ? null
            : "change" in planned.value
              ? planned.value.change
              : planned.value;
          if (places.length === 0) expect(change?.tolerance).not.toEqual([]);
          else if (places.length === 1 || replaceAll) {
            expect(change?.after).toBe(text.split(old).join(now));
            expect(change?.tolerance).toEqual([]);
          } else expect(change).toBeNull();
        }),
        runs,
      );
    },
  );
});

interface OracleHunk {
  readonly context: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Hunks cut out of the file, in its order or not. */
const fileAndHunks = fc
  .tuple(
    lines,
    fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.integer({ min: 1, max: 2 }), block), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([all, cuts]) => ({
    all,
    hunks: cuts.map(([at, context, removed, added]): OracleHunk => {
      const from = at % all.length;
      return {
        context: all.slice(from, from + context),
        removed: all.slice(from + context, from + context + removed),
        added,
      };
    }),
  }));

function patchOf(hunks: readonly OracleHunk[]): string {
  return [
    "*** Begin Patch",
    "*** Update File: a.txt",
    ...hunks.flatMap(({ context, removed, added }) => [
      "@@",
      ...context.map((one) => ` ${one}`),
      ...removed.map((one) => `-${one}`),
      ...added.map((one) => `+${one}`),
    ]),
    "*** End Patch",
  ].join("\n");
}

function planOf(text: string, patch: string, ambiguousHunk: "note" | "reject"): PatchPlan {
  const path = resolvePath("a.txt");
  const states = new Map([[path.key, { kind: "text", text } as const]]);
  return planPatch(parsePatch(patch), new Map([["a.txt", path]]), states, { ambiguousHunk });
}

/** A place and the first few that it was chosen from. */
const NAMED_MAX = 5;

/** Where every hunk stands exactly at or behind the one before; null where one of them does not. */
function walk(all: readonly string[], hunks: readonly OracleHunk[]) {
  const after: string[] = [];
  const choices: number[][] = [];
  let cursor = 0;
  for (const { context, removed, added } of hunks) {
    const old = [...context, ...removed];
    const from = cursor;
    const places = all.flatMap((_, at) =>
      at >= from && old.every((one, i) => all[at + i] === one) ? [at] : [],
    );
    const [first] = places;
    if (first === undefined) return null;
    after.push(...all.slice(cursor, first + context.length), ...added);
    cursor = first + old.length;
    choices.push(places.slice(0, NAMED_MAX).map((at) => at + 1));
  }
  return { after: [...after, ...all.slice(cursor)], choices };
}

describe("the place of a hunk", () => {
  test("the first exact one behind the hunk before, with the others named, or refused where that is asked for", () => {
    let compared = 0;
    fc.assert(
      fc.property(fileAndHunks, ({ all, hunks }) => {
        fc.pre(hunks.every(({ removed }) => removed.length > 0));
        const text = all.map((one) => `${one}\n`).join("");
        const patch = patchOf(hunks);
        const told = walk(all, hunks);
        const plan = planOf(text, patch, "note");
        if (plan.kind !== "planned") throw new Error(JSON.stringify(plan.problem));
        const [file] = plan.files;
        if (told === null) {
          // Under a tolerance, which has a name, or not at all.
          if (file !== undefined) expect(file.tolerance).not.toEqual([]);
          return;
        }
        compared++;
        const after = told.after.map((one) => `${one}\n`).join("");
        if (after === text) expect(file?.kind).toBe("unchanged");
        else expect(file?.kind === "update" && file.change?.after).toBe(after);
        expect(
          file?.hunks.map(({ number, placement }) => [number, ...placement.otherNumbers]),
        ).toEqual(told.choices);
        const strict = planOf(text, patch, "reject");
        const isFree = told.choices.some((places) => places.length > 1);
        expect(strict.kind === "planned" && strict.failed.length > 0).toBe(isFree);
      }),
      runs,
    );
    expect(compared).toBeGreaterThan(runs.numRuns / 4);
  });
});
