import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createCallDriver, type CallDriver, type RanCall } from "../../support/callDriver.ts";

/** One text that is not there, sent by each tool. */
interface HintCase {
  readonly name: string;
  readonly hint: (typeof HINTS)[number];
  readonly file: string;
  readonly old: string;
  readonly new: string;
  /** By tool, what the model must read; a tool that finds the place by its own steps is left out. */
  readonly says: Readonly<Partial<Record<Tool, string>>>;
  readonly never?: readonly string[];
}

const HINTS = [
  "nearest place",
  "swapped",
  "miscounted",
  "line numbers",
  "part of a line",
  "looks applied",
  "escaped",
  "entities",
  "indentation",
] as const;

const KEYS = new Set("name hint file old new says never".split(" "));
const PATH = "/ws/a.txt";

/** The tools that look for a text. A batch is a way of its own: it reports several misses in few lines. */
const TOOLS = {
  edit_files: (old: string, now: string) => [
    "edit_files",
    { edits: [{ path: PATH, old_text: old, new_text: now }] },
  ],
  edit: (old: string, now: string) => ["edit", { path: PATH, old_string: old, new_string: now }],
  "edit batch": (old: string, now: string) => [
    "edit",
    { path: PATH, edits: [{ old_string: old, new_string: now }] },
  ],
  apply_patch: (old: string, now: string) => ["apply_patch", { patch: patchOf(old, now) }],
} as const satisfies Record<string, (old: string, now: string) => readonly [string, unknown]>;

type Tool = keyof typeof TOOLS;
const TOOL_NAMES = Object.keys(TOOLS) as readonly Tool[];

const cases = JSON.parse(
  readFileSync(new URL("../../cases/hints/hints.json", import.meta.url), "utf8"),
) as readonly HintCase[];

test.each(HINTS.flatMap((hint) => TOOL_NAMES.map((tool) => [hint, tool] as const)))(
  "the hint %s has a case by %s",
  (hint, tool) => {
    const found = cases.filter((one) => one.hint === hint && one.says[tool] !== undefined);
    expect(found.length).toBeGreaterThan(0);
  },
);

test("cases have names of their own and nothing that is not read", () => {
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  for (const one of cases) {
    expect(HINTS).toContain(one.hint);
    expect(TOOL_NAMES).toEqual(expect.arrayContaining(Object.keys(one.says)));
    expect(Object.keys(one).filter((key) => !KEYS.has(key))).toEqual([]);
  }
});

describe.each(cases.map((one) => [one.name, one] as const))("%s", (_name, one) => {
  test.each(Object.entries(one.says))("by %s", async (tool, words) => {
    const driver = driverOf(one.file);
    const ran = await run(driver, tool as Tool, one);
    expect(ran.text).toContain(words);
    for (const never of one.never ?? []) expect(ran.text).not.toContain(never);
    expect(ran.structured.status).toBe("error");
    expect(driver.workspace.text("a.txt")).toBe(one.file);
    // The card shows no line that the file does not have there.
    const lines = one.file.split("\n");
    for (const near of ran.card?.files[0]?.error?.near ?? [])
      expect(lines[near.number - 1]?.slice(0, near.text.length)).toBe(near.text);
  });
});

describe("the note to read again", () => {
  const STALE = { file: "alpha\nbravo\n", old: "zulu yankee", new: "x" };
  const NOTE = "repeated approximate-match failures for";

  test.each(["edit_files", "edit", "apply_patch"] as const)(
    "comes with the second miss by %s, for the model and not for the panel",
    async (tool) => {
      const driver = driverOf(STALE.file);
      expect((await run(driver, tool, STALE)).text).not.toContain(NOTE);
      const second = await run(driver, tool, STALE);
      expect(second.text).toMatch(
        /Note: 2 repeated approximate-match failures for (\/ws\/)?a\.txt\./,
      );
      expect(JSON.stringify(second.card)).not.toContain(NOTE);
      const third = await run(driver, tool, { ...STALE, old: "another" });
      expect(third.text).toContain("Note: 3 repeated");
      await driver.run("edit", { path: PATH, old_string: "alpha", new_string: "beta" });
      expect((await run(driver, tool, STALE)).text).not.toContain(NOTE);
    },
  );

  test("does not come for a batch, which is exact", async () => {
    const driver = driverOf(STALE.file);
    await run(driver, "edit batch", STALE);
    expect((await run(driver, "edit batch", STALE)).text).not.toContain(NOTE);
  });
});

function driverOf(file: string): CallDriver {
  return createCallDriver({ files: { [PATH]: file } });
}

function run(
  driver: CallDriver,
  tool: Tool,
  { old, new: now }: { readonly old: string; readonly new: string },
): Promise<RanCall> {
  const [name, input] = TOOLS[tool](old, now);
  return driver.run(name, input);
}

function patchOf(old: string, now: string): string {
  const lines = (text: string, marker: string): string =>
    text
      .split("\n")
      .map((line) => `${marker}${line}\n`)
      .join("");
  return `*** Begin Patch\n*** Update File: a.txt\n@@\n${lines(old, "-")}${lines(now, "+")}*** End Patch`;
}
