import fc from "fast-check";
import type { Hunk, HunkLine, PatchDoc, PatchOperation } from "../../src/engine/index.ts";

/** Lines with what a parser could trip over: markers, signs, tabs, look-alikes, empty ones. No line break. */
export const anyLine: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("a", "b", "  c", "\td", "", " ", "}", "x = 1", "“q”") },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "*** End Patch",
      "*** End of File",
      "*** Update File: z",
      "@@ h",
      "+p",
      "-m",
      "\\ No newline at end of file",
      "***",
      "```",
      "EOF",
      "$& $1",
    ),
  },
  {
    weight: 1,
    arbitrary: fc.string({ maxLength: 6 }).map((text) => text.replace(/[\0-\x1f]/g, "")),
  },
);

export const anyPath: fc.Arbitrary<string> = fc.constantFrom(
  "a.txt",
  "b.txt",
  "src/c d.ts",
  "./a.txt",
  "__proto__",
  "x/y/z.md",
);

const header = fc.constantFrom("def a():", "class B", "x = 1", "@@", "- 1");

function hunkLine(kinds: readonly HunkLine["kind"][]): fc.Arbitrary<HunkLine> {
  return fc.record({ kind: fc.constantFrom(...kinds), text: anyLine });
}

/** Hunks as a parser can give them: with a change, and without empty lines that would be separators. */
const anyHunk: fc.Arbitrary<Omit<Hunk, "number">> = fc
  .record({
    headers: fc.array(header, { maxLength: 2 }),
    hintNumber: fc.option(fc.integer({ min: 1, max: 99 })),
    before: fc.array(hunkLine(["context"]), { maxLength: 3 }),
    changed: fc.array(hunkLine(["added", "removed"]), { minLength: 1, maxLength: 4 }),
    behind: fc.array(hunkLine(["context", "added", "removed"]), { maxLength: 3 }),
    endOfFile: fc.boolean(),
  })
  .map(({ headers, hintNumber, before, changed, behind, endOfFile }) => ({
    headers,
    hintNumber,
    lines: [...before, ...changed, ...behind],
    endOfFile,
    unprefixedNumber: null,
  }));

const anyOperation: fc.Arbitrary<PatchOperation> = fc.oneof(
  fc
    .record({ path: anyPath, lines: fc.array(anyLine, { minLength: 1, maxLength: 4 }) })
    .map(({ path, lines }): PatchOperation => ({ kind: "add", path, number: 0, raw: "", lines })),
  anyPath.map((path): PatchOperation => ({ kind: "delete", path, number: 0, raw: "" })),
  fc
    .record({
      path: anyPath,
      moveTo: fc.option(anyPath),
      hunks: fc.array(anyHunk, { minLength: 1, maxLength: 3 }),
    })
    .map(({ path, moveTo, hunks }): PatchOperation => ({
      kind: "update",
      path,
      number: 0,
      raw: "",
      moveTo,
      hunks: hunks.map((hunk) => ({ ...hunk, number: 0 })),
    })),
);

export const anyPatchDoc: fc.Arbitrary<PatchDoc> = fc
  .array(anyOperation, { minLength: 1, maxLength: 4 })
  .map((operations) => ({ operations, repairs: [] }));

/** The document without what depends on where it was written. */
export function withoutPlaces(doc: PatchDoc): unknown {
  return doc.operations.map((operation) => ({
    ...operation,
    number: 0,
    raw: "",
    ...(operation.kind === "update" && {
      hunks: operation.hunks.map((hunk) => ({ ...hunk, number: 0 })),
    }),
  }));
}

/** Texts that the grammar accepts, made from its rules alone. */
export const grammarText: fc.Arbitrary<string> = (() => {
  const path = anyPath;
  const text = fc.constantFrom("a", "  b", "*** x", "@@", "+", "-1", "“");
  const bodyLine = fc
    .tuple(fc.constantFrom("+", "-", " "), fc.option(text))
    .map(([sign, rest]) => `${sign}${rest ?? ""}`);
  const anchor = fc.option(text).map((rest) => (rest === null ? "@@" : `@@ ${rest}`));
  const change = fc
    .tuple(fc.array(fc.oneof(bodyLine, anchor), { minLength: 1, maxLength: 7 }), fc.boolean())
    .map(([lines, end]) => (end ? [...lines, "*** End of File"] : lines));
  const add = fc
    .tuple(path, fc.array(fc.option(text), { minLength: 1, maxLength: 4 }))
    .map(([name, lines]) => [`*** Add File: ${name}`, ...lines.map((line) => `+${line ?? ""}`)]);
  const remove = path.map((name) => [`*** Delete File: ${name}`]);
  const update = fc
    .tuple(path, fc.option(path), fc.option(change))
    .map(([name, target, lines]) => [
      `*** Update File: ${name}`,
      ...(target === null ? [] : [`*** Move to: ${target}`]),
      ...(lines ?? []),
    ]);
  return fc
    .tuple(fc.array(fc.oneof(add, remove, update), { minLength: 1, maxLength: 4 }), fc.boolean())
    .map(
      ([operations, lf]) =>
        ["*** Begin Patch", ...operations.flat(), "*** End Patch"].join("\n") + (lf ? "\n" : ""),
    );
})();
