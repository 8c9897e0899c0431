import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  Edit,
  parsePatch,
  planPatch,
  previewOfParsed,
  printPatch,
  SourceText,
  streamPatch,
  type PatchFileState,
  type PatchPath,
  type PatchPlan,
} from "../../src/engine/index.ts";
import { anyPatchDoc, grammarText, withoutPlaces } from "../support/arbitraryPatch.ts";
import { resolvePath, runPatch } from "../support/patchWorkspace.ts";

const runs = { numRuns: Number(process.env["LAW_RUNS"] ?? 200) };

function planText(
  text: string,
  patch: string,
  ambiguousHunk: "note" | "reject" = "note",
): PatchPlan {
  const path: PatchPath = resolvePath("a.txt");
  const state: PatchFileState = { kind: "text", text };
  return planPatch(parsePatch(patch), new Map([["a.txt", path]]), new Map([[path.key, state]]), {
    ambiguousHunk,
  });
}

/** Lines from few words, so that repeats are common. */
const fileLines = fc.array(
  fc.constantFrom("one", "two", "  three", "\tfour", "", "}", "x = 1;", "say “hi”, now", "five  "),
  { minLength: 1, maxLength: 24 },
);
const ending = fc.constantFrom("\n", "\r\n", "\r");

/** One change of a file's lines: from a line on, some lines give way to others. */
interface Change {
  readonly at: number;
  readonly removed: number;
  readonly added: readonly string[];
}

const changes = fc
  .array(
    fc.record({
      gap: fc.nat({ max: 5 }),
      removed: fc.nat({ max: 3 }),
      added: fc.array(fc.constantFrom("new", "  newer", "", "two", "\tend"), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((steps) => {
    let at = 0;
    return steps.map(({ gap, removed, added }): Change => {
      const change = { at: at + gap, removed, added };
      at += gap + removed + 1;
      return change;
    });
  });

/** A patch with line numbers from a list of changes, as a diff program would write it, and the new lines. */
function diffOf(
  lines: readonly string[],
  list: readonly Change[],
  context: number,
): { readonly patch: string; readonly after: readonly string[]; readonly hunks: number } {
  const body: string[] = [];
  const after: string[] = [];
  let done = 0;
  let hunks = 0;
  let free = 0;
  for (const { at, removed, added } of list) {
    if (at + removed > lines.length || (removed === 0 && added.length === 0)) continue;
    const old = lines.slice(at, at + removed);
    if (old.join("\n") === added.join("\n") && old.length === added.length) continue;
    const from = Math.max(free, at - context);
    const to = Math.min(lines.length, at + removed + context);
    // Without any old line the place would be unknown.
    if (from === to) continue;
    body.push(
      `@@ -${from + 1},${to - from} +1,1 @@`,
      ...lines.slice(from, at).map((line) => ` ${line}`),
      ...old.map((line) => `-${line}`),
      ...added.map((line) => `+${line}`),
      ...lines.slice(at + removed, to).map((line) => ` ${line}`),
    );
    after.push(...lines.slice(done, at), ...added);
    done = at + removed;
    free = to;
    hunks++;
    // The next hunk must not share context with this one, or it would need what this one wrote.
    if (list.some((next) => next.at > at && next.at < to)) break;
  }
  after.push(...lines.slice(done));
  const patch = ["*** Begin Patch", "*** Update File: a.txt", ...body, "*** End Patch"];
  return { patch: patch.join("\n"), after, hunks };
}

describe("parsing", () => {
  it("L3: a printed document reads back as itself", () => {
    fc.assert(
      fc.property(anyPatchDoc, (doc) => {
        const { doc: read, problems } = parsePatch(printPatch(doc));
        expect(problems).toEqual([]);
        expect(withoutPlaces(read)).toEqual(withoutPlaces(doc));
      }),
      runs,
    );
  });

  it("L3: never throws, for any text", () => {
    const piece = fc.constantFrom(
      "*** Begin Patch",
      "*** End Patch",
      "*** Update File: a",
      "*** Add File: b",
      "*** Move to: c",
      "*** Delete File:",
      "*** End of File",
      "@@",
      "@@ -1,2 +3 @@ f",
      "+x",
      "-x",
      " x",
      "x",
      "",
      "<<'EOF'",
      "EOF",
      "```",
      "\r",
      "\u0000",
      "\ufeff",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 12 }).map((lines) => lines.join("\n")),
        ),
        (text) => {
          const { doc, problems } = parsePatch(text);
          expect(doc.operations.length + problems.length).toBeGreaterThan(0);
          for (const problem of problems)
            if ("number" in problem)
              expect(problem.number).toBeLessThanOrEqual(text.split("\n").length + 1);
        },
      ),
      runs,
    );
  });

  it("reads what the grammar allows, with the documented exceptions", () => {
    const exceptions = new Set([
      "update-without-hunk", // an update may lack its change
      "empty-hunk", // a header may lack its body
      "context-only-hunk", // a body may lack its change
    ]);
    let read = 0;
    fc.assert(
      fc.property(grammarText, (text) => {
        const { doc, problems } = parsePatch(text);
        expect(problems.filter(({ code }) => !exceptions.has(code))).toEqual([]);
        if (problems.length === 0) read++;
        expect(doc.repairs).toEqual([]);
      }),
      runs,
    );
    expect(read).toBeGreaterThan(runs.numRuns / 10);
  });

  it("L10: any split of a text streams to the same, and hunks are never taken back", () => {
    fc.assert(
      fc.property(anyPatchDoc, fc.array(fc.nat({ max: 60 }), { maxLength: 12 }), (doc, cuts) => {
        const text = printPatch(doc);
        const stream = streamPatch();
        let counts: readonly number[] = [];
        let at = 0;
        for (const cut of [...cuts, text.length]) {
          stream.push(text.slice(at, at + cut));
          at += cut;
          const next = stream.preview().operations.map(({ hunks }) => hunks);
          expect(next.length).toBeGreaterThanOrEqual(counts.length);
          counts.forEach((count, i) => expect(next[i]).toBeGreaterThanOrEqual(count));
          counts = next;
        }
        if (at < text.length) stream.push(text.slice(at));
        const parsed = stream.end();
        expect(parsed).toEqual(parsePatch(text));
        expect(stream.preview().operations).toEqual(previewOfParsed(parsed).operations);
      }),
      runs,
    );
  });
});

describe("placing", () => {
  it("L4: hunks made from a change give the changed file", () => {
    let hunksSeen = 0;
    fc.assert(
      fc.property(
        fileLines,
        changes,
        fc.integer({ min: 1, max: 3 }),
        ending,
        (lines, list, context, eol) => {
          const text = lines.map((line) => line + eol).join("");
          const { patch, after, hunks } = diffOf(lines, list, context);
          if (hunks === 0) return;
          hunksSeen += hunks;
          const plan = planText(text, patch);
          expect(plan.kind).toBe("planned");
          if (plan.kind !== "planned") return;
          expect(plan.failed).toEqual([]);
          const [file] = plan.files;
          const expected = after.map((line) => line + eol).join("");
          if (expected === text) expect(file?.kind).toBe("unchanged");
          else expect(file?.kind === "update" && file.change?.after).toBe(expected);
          expect(file?.tolerance.filter((name) => name !== "overlapping-context")).toEqual([]);
        },
      ),
      runs,
    );
    expect(hunksSeen).toBeGreaterThan(runs.numRuns / 2);
  });

  it("L5, L6: a placed hunk reads as its lines under the step it names, and nothing else changes", () => {
    const noise = fc.constantFrom(
      (line: string) => line,
      (line: string) => `${line}  `,
      (line: string) => `  ${line}`,
      (line: string) => line.trim(),
      (line: string) => line.replaceAll("“", '"').replaceAll("”", '"'),
      (line: string) => `${line}x`,
    );
    let placed = 0;
    fc.assert(
      fc.property(
        fileLines,
        changes,
        fc.array(noise, { minLength: 3, maxLength: 3 }),
        (lines, list, spoil) => {
          const text = lines.map((line) => `${line}\n`).join("");
          const { patch, hunks } = diffOf(lines, list.slice(0, 1), 2);
          if (hunks === 0) return;
          let i = 0;
          const spoiled = patch
            .split("\n")
            .map((line) =>
              / |-/.test(line.charAt(0))
                ? line.charAt(0) + (spoil[i++ % 3] ?? String)(line.slice(1))
                : line,
            )
            .join("\n");
          const parsed = parsePatch(spoiled);
          const plan = planText(text, spoiled);
          if (plan.kind !== "planned") return;
          for (const file of plan.files) {
            if (file.kind !== "update" || file.change === null) continue;
            const [operation] = parsed.doc.operations;
            const [hunk] = operation?.kind === "update" ? operation.hunks : [];
            const [at] = file.hunks;
            if (hunk === undefined || at === undefined) continue;
            placed++;
            const { index, count, step } = at.placement;
            const old = hunk.lines.filter(({ kind }) => kind !== "added").slice(0, count);
            const fold = FOLDS[step];
            expect(old.map(({ text: line }) => fold(line))).toEqual(
              lines.slice(index, index + count).map(fold),
            );
            const source = SourceText.of(text);
            const head = text.slice(0, source.start(index));
            const tail = text.slice(source.start(index + count));
            expect(file.change.after.startsWith(head)).toBe(true);
            expect(file.change.after.endsWith(tail)).toBe(true);
            for (const { from, to } of file.change.edit.splices) {
              expect(from).toBeGreaterThanOrEqual(head.length);
              expect(to).toBeLessThanOrEqual(text.length - tail.length);
            }
          }
        },
      ),
      runs,
    );
    expect(placed).toBeGreaterThan(runs.numRuns / 10);
  });

  it("L7: noise of one kind in a hunk's context leaves the place and names only that kind", () => {
    const kinds = [
      ["trailing-whitespace", (line: string): string => `${line} \t`],
      ["surrounding-whitespace", (line: string): string => `   ${line.trim()}`],
      ["look-alike-punctuation", (line: string): string => line.replaceAll(/["“”]/g, "‟")],
    ] as const;
    const steps: readonly string[] = ["trailing-whitespace", "surrounding-whitespace"];
    let moved = 0;
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom("a = 1", "  b();", 'say "c", d', "e", "\tf {", "g “h”"), {
          minLength: 3,
        }),
        fc.nat(),
        fc.constantFrom(...kinds),
        (lines, where, [kind, spoil]) => {
          const at = 1 + (where % (lines.length - 2));
          const text = lines.map((line) => `${line}\n`).join("");
          const patch = (noise: (line: string) => string): string =>
            [
              "*** Begin Patch",
              "*** Update File: a.txt",
              "@@",
              ` ${noise(lines[at - 1] ?? "")}`,
              `-${lines[at] ?? ""}`,
              ` ${noise(lines[at + 1] ?? "")}`,
              "*** End Patch",
            ].join("\n");
          const clean = planText(text, patch(String));
          const noisy = planText(text, patch(spoil));
          if (clean.kind !== "planned" || noisy.kind !== "planned") throw new Error("not planned");
          const [file] = noisy.files;
          expect(file?.kind === "update" && file.change?.after).toBe(
            clean.files[0]?.kind === "update" && clean.files[0].change?.after,
          );
          // A stricter step may do as well, when the noise changed less than it could have.
          const allowed = steps.includes(kind) ? steps.slice(0, steps.indexOf(kind) + 1) : [kind];
          for (const name of file?.tolerance ?? []) expect(allowed).toContain(name);
          if ((file?.tolerance.length ?? 0) > 0) moved++;
        },
      ),
      runs,
    );
    expect(moved).toBeGreaterThan(runs.numRuns / 4);
  });

  it("L8: a block that stands twice is never chosen in silence", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("aa", "bb", "cc"), { minLength: 1, maxLength: 3 }),
        fc.array(fc.constantFrom("q", "r", "s"), { minLength: 1, maxLength: 4 }),
        (block, between) => {
          const lines = [...block, ...between, ...block];
          const text = lines.map((line) => `${line}\n`).join("");
          const patch = [
            "*** Begin Patch",
            "*** Update File: a.txt",
            "@@",
            ...block.slice(0, -1).map((line) => ` ${line}`),
            `-${block.at(-1) ?? ""}`,
            "+new",
            "*** End Patch",
          ].join("\n");
          const first = planText(text, patch);
          if (first.kind !== "planned") throw new Error("not planned");
          const hunk = first.files[0]?.hunks[0];
          expect(hunk?.number).toBe(1);
          expect(hunk?.placement.otherNumbers).toContain(block.length + between.length + 1);
          const second = planText(text, patch, "reject");
          if (second.kind !== "planned") throw new Error("not planned");
          expect(second.files).toEqual([]);
          const problem = second.failed[0]?.operations[0]?.problem;
          expect(problem).toMatchObject({ code: "placement", problem: { code: "hunk-ambiguous" } });
        },
      ),
      runs,
    );
  });
});

describe("planning", () => {
  it("L9: files that share nothing come out the same in any order", () => {
    const section = (name: string, good: boolean): string =>
      `*** Update File: ${name}\n@@\n-${good ? name : "zzz"}\n+new ${name}`;
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 1 }),
        fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
        fc.infiniteStream(fc.nat()),
        (names, good, random) => {
          const before = new Map(names.map((name) => [name, `${name}\n`]));
          const sections = names.map((name, i) => section(name, good[i] ?? true));
          const shuffled = sections
            .map((text) => ({ text, key: random.next().value as number }))
            .sort((a, b) => a.key - b.key)
            .map(({ text }) => text);
          const wrap = (list: readonly string[]): string =>
            ["*** Begin Patch", ...list, "*** End Patch"].join("\n");
          const one = runPatch(before, { raw: wrap(sections) });
          const two = runPatch(before, { raw: wrap(shuffled) });
          expect(two.status).toBe(one.status);
          expect(new Map([...two.after].sort())).toEqual(new Map([...one.after].sort()));
        },
      ),
      runs,
    );
  });

  it("a failed group leaves no trace: the rest is as if it had not been sent", () => {
    const operation = fc.oneof(
      fc.constantFrom("a", "b", "c").map((path) => `*** Delete File: ${path}`),
      fc.constantFrom("a", "b", "c", "d").map((path) => `*** Add File: ${path}\n+added ${path}`),
      fc
        .tuple(fc.constantFrom("a", "b", "c", "d"), fc.boolean())
        .map(
          ([path, good]) =>
            `*** Update File: ${path}\n@@\n+${good ? "x" : "y"}\n${good ? "" : "-zzz\n"}@@\n+z`,
        ),
      fc
        .tuple(fc.constantFrom("a", "b", "c", "d"), fc.constantFrom("a", "b", "c", "d"))
        .filter(([from, to]) => from !== to)
        .map(([from, to]) => `*** Update File: ${from}\n*** Move to: ${to}`),
    );
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 7 }), (list) => {
        const before = new Map(["a", "b", "c"].map((name) => [name, `${name}\n`]));
        const wrap = (items: readonly string[]): string =>
          ["*** Begin Patch", ...items, "*** End Patch"].join("\n");
        const parsed = parsePatch(wrap(list));
        const paths = new Map(["a", "b", "c", "d"].map((name) => [name, resolvePath(name)]));
        const snapshot = new Map(
          [...before].map(([name, text]): [string, PatchFileState] => [
            resolvePath(name).key,
            { kind: "text", text },
          ]),
        );
        const plan = planPatch(parsed, paths, snapshot, { ambiguousHunk: "note" });
        if (plan.kind !== "planned") throw new Error("not planned");
        const failed = new Set(
          plan.failed.flatMap((group) => group.operations.map((o) => o.index)),
        );
        const kept = list.filter((_, index) => !failed.has(index));
        const all = runPatch(before, { raw: wrap(list) });
        if (kept.length === 0) {
          expect(all.after).toEqual(before);
          return;
        }
        const rest = runPatch(before, { raw: wrap(kept) });
        expect(rest.status).toBe("applied");
        expect(new Map([...all.after].sort())).toEqual(new Map([...rest.after].sort()));
      }),
      runs,
    );
  });

  it("sections of one file compose: two in a row are one edit of the first text", () => {
    fc.assert(
      fc.property(fileLines, changes, changes, (lines, one, two) => {
        const text = lines.map((line) => `${line}\n`).join("");
        const first = diffOf(lines, one, 2);
        const second = diffOf(first.after, two, 2);
        if (first.hunks === 0 || second.hunks === 0) return;
        const body = (patch: string): string => patch.split("\n").slice(1, -1).join("\n");
        const patch = `*** Begin Patch\n${body(first.patch)}\n${body(second.patch)}\n*** End Patch`;
        const plan = planText(text, patch);
        if (plan.kind !== "planned") throw new Error("not planned");
        expect(plan.failed).toEqual([]);
        const [file] = plan.files;
        const expected = second.after.map((line) => `${line}\n`).join("");
        if (file?.kind !== "update" || file.change === null) {
          expect(expected).toBe(text);
          return;
        }
        expect(file.change.after).toBe(expected);
        expect(Edit.of(text.length, file.change.edit.splices).apply(text)).toBe(expected);
      }),
      runs,
    );
  });
});

/** What each step leaves aside, told without the code under test. */
const FOLDS = {
  exact: (line: string): string => line,
  "trailing-whitespace": (line: string): string => line.trimEnd(),
  "surrounding-whitespace": (line: string): string => line.trim(),
  "look-alike-punctuation": (line: string): string =>
    line.replaceAll(/[“”]/g, '"').replaceAll(/\s/g, ""),
} as const;
