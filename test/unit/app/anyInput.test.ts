import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HANDLERS } from "../../../src/app/handlers/all.ts";
import { createCallDriver } from "../../support/callDriver.ts";
import { expectTruth } from "../../support/callTruth.ts";

const TOOLS = HANDLERS.map(({ tool }) => tool.name);
const FILES = { "a.ts": "one\n", "b.ts": "two\n" };
/** What a text may be long beyond what was sent: an echo of paths and names, and a few sentences. */
const WORDS_MAX = 6_000;

/** Calls that would be good ones, to be cut and damaged. */
const VALID: Readonly<Record<string, unknown>> = {
  edit_files: { edits: [{ path: "/ws/zz.ts", old_text: "one", new_text: "1" }] },
  edit: { path: "zz.ts", old_string: "one", new_string: "1" },
  write: { path: "zz/\u0000.ts", content: "x" },
  delete: { path: "zz.ts" },
  apply_patch: {
    patch: "*** Begin Patch\n*** Update File: zz.ts\n@@\n-one\n+1\n*** End Patch\n",
  },
};

/** Texts, bytes taken for text, JSON of any shape, and calls cut, doubled or overwritten somewhere. */
function rawFor(tool: string): fc.Arbitrary<string> {
  const valid = JSON.stringify(VALID[tool] ?? {});
  const damaged = fc
    .tuple(fc.nat(valid.length), fc.nat(valid.length), fc.string({ maxLength: 8 }))
    .map(([from, to, junk]) => valid.slice(0, from) + junk + valid.slice(to));
  const bytes = fc
    .uint8Array({ maxLength: 200 })
    .map((some) => Buffer.from(some).toString("latin1"));
  const keyed = fc
    .dictionary(
      fc.constantFrom(
        "edits",
        "Edits",
        "files",
        "path",
        "old_string",
        "new_string",
        "content",
        "patch",
      ),
      fc.jsonValue({ maxDepth: 3 }),
    )
    .map((value) => JSON.stringify(value));
  return fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), bytes, fc.json(), damaged, keyed);
}

describe.each(TOOLS)("%s", (tool) => {
  test("whatever text arrives gives a bounded text, one result everywhere, and no write", async () => {
    await fc.assert(
      fc.asyncProperty(rawFor(tool), async (raw) => {
        const driver = createCallDriver({ files: FILES });
        const ran = await driver.run(tool, raw);
        await expectTruth(driver, ran);
        expect(driver.bugs).toEqual([]);
        expect(ran.text.length).toBeLessThanOrEqual(WORDS_MAX + 4 * raw.length);
        expect(driver.workspace.contents()).toMatchObject(FILES);
        expect(writes(driver.workspace.operations)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test("so does whatever value arrives, also one that JSON cannot hold", async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic["edits"] = [cyclic];
    const value = fc.oneof(
      fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
      fc.constant(cyclic),
      fc.constant({ edits: 1n, path: 2n, patch: 3n }),
    );
    await fc.assert(
      fc.asyncProperty(value, async (input) => {
        const driver = createCallDriver({ files: FILES });
        const ran = await driver.run(tool, { wrapped: input });
        const bare = typeof input === "string" ? ran : await driver.run(tool, input);
        for (const one of [ran, bare]) {
          await expectTruth(driver, one);
          expect(one.structured.status).toBe("error");
          expect(JSON.parse(JSON.stringify(one.record))).toMatchObject({ id: one.callId });
        }
        expect(driver.bugs).toEqual([]);
        expect(driver.workspace.contents()).toEqual(FILES);
      }),
      { numRuns: 60 },
    );
  });
});

test.each([
  ["a list", "[".repeat(5_000) + "]".repeat(5_000)],
  [
    "an object",
    `{"path":"a.ts","old_string":"one","new_string":"1","x":${"[".repeat(5_000)}${"]".repeat(5_000)}}`,
  ],
  ["brackets without an end", "[".repeat(100_000)],
])("%s that nests without end is told, stored as text and drawn", async (_, raw) => {
  for (const tool of TOOLS) {
    const driver = createCallDriver({ files: FILES, hook: () => ({}) });
    const ran = await driver.run(tool, raw);
    await expectTruth(driver, ran);
    expect(driver.bugs).toEqual([]);
    expect(ran.structured.status).toBe("error");
    // To apply_patch text that is no JSON object is a patch, and keys it does not know are nothing.
    if (tool !== "apply_patch") expect(ran.card!.requested).toBe(raw.slice(0, 20_000));
    expect(JSON.stringify(ran.record).length).toBeLessThan(300_000);
    expect(driver.workspace.contents()).toEqual(FILES);
  }
});

test("input that is changed while the call waits is run as it was handed over", async () => {
  const driver = createCallDriver({ files: FILES });
  const input = { path: "b.ts", old_string: "two", new_string: "2" };
  const first = driver.run("edit", { path: "a.ts", old_string: "one", new_string: "1" });
  const second = driver.run("edit", input);
  Object.assign(input, { new_string: "changed" });
  await Promise.all([first, second]);
  expect(driver.workspace.contents()).toEqual({ "a.ts": "1\n", "b.ts": "2\n" });
});

/** Looking is allowed; nothing else is, for a file that is not there. */
function writes(operations: readonly string[]): readonly string[] {
  return operations.filter((one) => /^(update|remove|rename) /.test(one));
}
