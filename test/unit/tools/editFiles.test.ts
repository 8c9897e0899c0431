import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EditFilesInput, editFilesTool } from "../../../src/tools/editFiles.ts";
import { findAmbiguity, walkKeys } from "../../../src/tools/jsonTokens.ts";

const REFUSALS =
  /^(Send |Add at least one edit to edits|Set path to |This tool call was not executed because )[\s\S]*\nNo files were applied\.$/;

/** Arguments near the right ones: every key may be missing, wrong or odd. */
const odd = fc.oneof(fc.string(), fc.constant(null), fc.integer(), fc.boolean(), fc.jsonValue());
const nearEdit = fc.record(
  {
    path: fc.oneof(fc.constantFrom("/w/a.ts", " ", ""), odd),
    old_text: odd,
    new_text: odd,
    replace_all: odd,
  },
  { requiredKeys: [] },
);
const nearCall = fc.record(
  {
    edits: fc.oneof(
      fc.array(fc.oneof(nearEdit, odd), { maxLength: 4 }),
      fc.array(nearEdit, { maxLength: 3 }).map((edits) => JSON.stringify(edits)),
      odd,
    ),
    files: odd,
    Edits: odd,
  },
  { requiredKeys: [] },
);

function expectOneOfTheTexts(arrived: { raw?: string; input?: unknown }): void {
  const decoded = editFilesTool.decode(arrived);
  if (decoded.kind === "refused") {
    expect(decoded.text).toMatch(REFUSALS);
    return;
  }
  const valid = editFilesTool.validate(decoded.args);
  if (!valid.ok) {
    expect(valid.problem.text).toMatch(REFUSALS);
    return;
  }
  const indexes = valid.value.files.flatMap((file) => file.indexes).toSorted((a, b) => a - b);
  expect(indexes).toEqual(indexes.map((_, index) => index));
  for (const file of valid.value.files) expect(file.path).not.toBe("");
}

describe("decoding is total", () => {
  test("any text", () => {
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .array(
          fc.constantFrom('{"edits":', "[", "]", "{", "}", '"', "\\", ",", ":", " ", "a", "1"),
          { maxLength: 20 },
        )
        .map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(texts, (raw) => expectOneOfTheTexts({ raw })),
      { numRuns: 1000 },
    );
  });

  test("any value, as text and as an object", () => {
    fc.assert(
      fc.property(fc.oneof(nearCall, fc.jsonValue()), (input) => {
        expectOneOfTheTexts({ input });
        expectOneOfTheTexts({ raw: JSON.stringify(input) });
      }),
      { numRuns: 1000 },
    );
  });

  test("nothing at all", () => {
    expectOneOfTheTexts({});
  });

  test("deep nesting costs no stack", () => {
    const deep = `${'{"a":['.repeat(100_000)}${"]}".repeat(100_000)}`;
    expectOneOfTheTexts({ raw: deep });
  });

  test("arguments above the bound are refused before they are parsed", () => {
    const decoded = editFilesTool.decode({ raw: " ".repeat(50_000_001) });
    expect(decoded).toMatchObject({ kind: "refused" });
    expect(decoded.kind === "refused" && decoded.text).toMatch(/^Send fewer or smaller edits/);
  });
});

describe("decoding", () => {
  const goodEdit = fc.record({
    path: fc.constantFrom("/w/a.ts", "/w/b.ts"),
    old_text: fc.string({ minLength: 1 }),
    new_text: fc.string(),
  });

  test("a list and the same list as a string give the same arguments", () => {
    fc.assert(
      fc.property(fc.array(goodEdit, { minLength: 1 }), fc.string(), (edits, reason) => {
        const plain = editFilesTool.decode({ raw: JSON.stringify({ reason, edits }) });
        const asString = { reason, edits: JSON.stringify(edits) };
        for (const arrived of [{ raw: JSON.stringify(asString) }, { input: asString }]) {
          const decoded = editFilesTool.decode(arrived);
          expect(decoded).toEqual({ ...plain, stringDecoded: true });
        }
      }),
    );
  });

  test("the schema takes what validation takes", () => {
    fc.assert(
      fc.property(nearCall, (input) => {
        if (
          EditFilesInput.safeParse(input).success &&
          !Object.keys(input).some((key) => key !== "edits")
        )
          expect(editFilesTool.decode({ input }).kind).toBe("args");
      }),
    );
  });

  test("what was sent is not changed by reading it", () => {
    const input = { edits: JSON.stringify([{ path: " /w/a ", old_text: "a", new_text: "b" }]) };
    const before = structuredClone(input);
    editFilesTool.decode({ input });
    expect(input).toEqual(before);
  });
});

describe("the key walk", () => {
  /** JSON with keys that may repeat, and whether one does, known from the way it was made. */
  const { value: repeating } = fc.letrec<{
    value: { text: string; repeats: boolean };
    object: { text: string; repeats: boolean };
    list: { text: string; repeats: boolean };
  }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc
        .oneof(fc.string(), fc.integer(), fc.constant(null))
        .map((leaf) => ({ text: JSON.stringify(leaf), repeats: false })),
      tie("object"),
      tie("list"),
    ),
    object: fc
      .array(fc.tuple(fc.constantFrom("a", "b", '"', "\\", "é"), tie("value")), { maxLength: 4 })
      .map((members) => ({
        text: `{ ${members.map(([key, { text }]) => `${JSON.stringify(key)} : ${text}`).join(" , ")} }`,
        repeats:
          new Set(members.map(([key]) => key)).size < members.length ||
          members.some(([, { repeats }]) => repeats),
      })),
    list: fc.array(tie("value"), { maxLength: 3 }).map((items) => ({
      text: `[${items.map(({ text }) => text).join(",")}]`,
      repeats: items.some(({ repeats }) => repeats),
    })),
  }));

  test("finds a repeated key wherever it is, and no other", () => {
    fc.assert(
      fc.property(repeating, ({ text, repeats }) => {
        expect(findAmbiguity(text, {}) !== null).toBe(repeats);
      }),
      { numRuns: 1000 },
    );
  });

  test("gives the place of every value", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.integer()), (record) => {
        const text = JSON.stringify(record, null, 2);
        const seen: Record<string, number> = Object.create(null) as Record<string, number>;
        walkKeys(text, undefined, ({ key, valueFrom }) => {
          seen[key] = Number.parseInt(text.slice(valueFrom), 10);
          return undefined;
        });
        expect(Object.entries(seen)).toEqual(Object.entries(record));
      }),
    );
  });
});

describe("what models are told", () => {
  test("the schema is the contract's", () => {
    expect(editFilesTool.jsonSchema()).toEqual({
      type: "object",
      required: ["edits"],
      properties: {
        edits: {
          type: "array",
          minItems: 1,
          items: {
            type: "object",
            required: ["path", "old_text", "new_text"],
            properties: {
              path: { type: "string", description: "Absolute path of the file to edit." },
              old_text: {
                type: "string",
                description:
                  "Exact text to replace. Must match exactly one location unless replace_all is true. Must differ from new_text.",
              },
              new_text: { type: "string", description: "Replacement text." },
              replace_all: { type: "boolean", description: "Replace every match of old_text." },
            },
          },
        },
      },
    });
  });

  test("the description says in at most five sentences that files are validated one by one", () => {
    const { description } = editFilesTool;
    expect(
      description.split(/\.(?:\s|$)/).filter((part) => part !== "").length,
    ).toBeLessThanOrEqual(5);
    expect(description).toContain(
      "Each file's edits are validated before that file is written: a file with any error is left unchanged, and the other files are still applied.",
    );
    expect(description).not.toContain("all edits in a batch");
  });
});
