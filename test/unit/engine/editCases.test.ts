import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { applyPatch } from "diff";
import { describe, expect, test } from "vitest";
import { EDIT_LADDER } from "../../../src/engine/index.ts";
import { applyEditFiles, type Ran } from "../../support/applyEditFiles.ts";

/** One case of test/cases/edit_files. Files that `after` does not name must not change. */
interface EditCase {
  readonly name: string;
  readonly why: string;
  readonly before: Readonly<Record<string, string>>;
  /** Exactly one of these: the list of edits, the parsed input, the text as sent. */
  readonly edits?: readonly unknown[];
  readonly input?: unknown;
  readonly raw?: string;
  readonly after?: Readonly<Record<string, string>>;
  readonly status: "applied" | "partial" | "error";
  /** The whole text that the model reads. */
  readonly text?: string;
  /** Parts of it. */
  readonly says?: readonly string[];
  readonly message?: string;
  readonly stringDecoded?: boolean;
  readonly args?: unknown;
  /** By path: the tolerances that must be named, [] for none. */
  readonly tolerance?: Readonly<Record<string, readonly string[]>>;
}

const KEYS: ReadonlySet<string> = new Set([
  "name",
  "why",
  "before",
  "edits",
  "input",
  "raw",
  "after",
  "status",
  "text",
  "says",
  "message",
  "stringDecoded",
  "args",
  "tolerance",
]);
const FOLDER = join(import.meta.dirname, "../../cases/edit_files");
const CASES_MIN = 120;

const areas = readdirSync(FOLDER).map((file) => ({
  area: file.replace(/\.json$/, ""),
  cases: JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as readonly EditCase[],
}));
const all = areas.flatMap(({ area, cases }) =>
  cases.map((one) => ({ id: `${area}/${one.name}`, one })),
);

test("the cases are all there, under names of their own", () => {
  expect(all.length).toBeGreaterThanOrEqual(CASES_MIN);
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  for (const { one } of all)
    expect(
      Object.keys(one).filter((key) => !KEYS.has(key)),
      one.name,
    ).toEqual([]);
});

describe.each(areas)("$area", ({ cases }) => {
  test.each(cases.map((one) => [one.name, one] as const))("%s", (_name, one) => {
    for (const ran of runs(one)) expectCase(one, ran);
  });
});

describe("tests of the tests", () => {
  test.each(EDIT_LADDER.map((step) => [step.name, step] as const))(
    "without the step %s its case fails",
    (_name, off) => {
      const named = all.find(({ id }) => id === off.because);
      expect(named, `case ${off.because}`).toBeDefined();
      const ladder = EDIT_LADDER.filter((step) => step !== off);
      const [ran] = runs(named!.one, ladder);
      expect(() => expectCase(named!.one, ran!)).toThrow();
    },
  );
});

/** The call as text, and as an object where it is one. */
function runs(one: EditCase, ladder = EDIT_LADDER): readonly Ran[] {
  const before = new Map(Object.entries(one.before));
  if (one.raw !== undefined) return [applyEditFiles(before, { raw: one.raw }, { ladder })];
  const input = one.edits === undefined ? one.input : { edits: one.edits };
  return [{ raw: JSON.stringify(input) }, { input }].map((arrived) =>
    applyEditFiles(before, arrived, { ladder }),
  );
}

function expectCase(one: EditCase, ran: Ran): void {
  expect(Object.fromEntries(ran.files)).toEqual({ ...one.before, ...one.after });
  expect(ran.status).toBe(one.status);
  expect(ran.isError).toBe(one.status === "error");
  if (one.text !== undefined) expect(ran.text).toBe(one.text);
  for (const part of one.says ?? []) expect(ran.text).toContain(part);
  if (one.message !== undefined) expect(ran.message).toBe(one.message);
  if (one.stringDecoded !== undefined) expect(ran.stringDecoded).toBe(one.stringDecoded);
  if (one.args !== undefined) expect(ran.args).toEqual(one.args);
  for (const [path, tolerance] of Object.entries(one.tolerance ?? {}))
    expect(ran.outcomes.find((outcome) => outcome.path === path)?.tolerance ?? []).toEqual(
      tolerance,
    );
  for (const outcome of ran.outcomes) expectTruth(one, ran, outcome.path);
}

/** Whatever a case expects: the diff tells exactly what became of the file. */
function expectTruth(one: EditCase, ran: Ran, path: string): void {
  const outcome = ran.outcomes.find((entry) => entry.path === path)!;
  const before = one.before[path] ?? "";
  const after = ran.files.get(path) ?? "";
  if (outcome.status !== "applied") {
    expect(outcome.diff).toBeUndefined();
    expect(after).toBe(before);
    return;
  }
  const loneCr = /\r(?!\n)/;
  if (outcome.diff === "") expect(after).toBe(before);
  else if (!loneCr.test(before) && !loneCr.test(after))
    expect(applyPatch(before, outcome.diff!, { autoConvertLineEndings: false })).toBe(after);
}
