import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createApprovals, type Approvals, type Decision } from "../../../src/app/approvals.ts";
import { createCallDriver, type CallDriver, type RanCall } from "../../support/callDriver.ts";
import { expectDiffsTrue, expectTruth } from "../../support/callTruth.ts";

type Tree = Readonly<Record<string, string | null>>;

/** One case of test/cases/calls: steps in one workspace, one session unless a step says another. */
interface CallCase {
  readonly name: string;
  readonly why: string;
  readonly before: Readonly<Record<string, string>>;
  readonly permission?: unknown;
  readonly steps: readonly Step[];
  /** Files that differ from `before` at the end; null is gone. */
  readonly after: Tree;
}

interface Step {
  /** Somebody else writes (or, null, deletes) files. */
  readonly write?: Tree;
  readonly tool?: string;
  readonly input?: unknown;
  readonly raw?: string;
  readonly session?: string;
  readonly replay?: boolean;
  /** What the hook answers before and after; null has no opinion. */
  readonly hook?: readonly [before: unknown, after?: unknown];
  /** What a person says, by path as shown. */
  readonly person?: Readonly<Record<string, Decision>>;
  readonly expect?: Expected;
}

interface Expected {
  readonly status: "applied" | "partial" | "error";
  /** Status by path, in the order of the result. */
  readonly files: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly says?: readonly string[];
  readonly lacks?: readonly string[];
  readonly message?: string;
  readonly notes?: Readonly<Record<string, string>>;
  readonly edits?: Readonly<Record<string, readonly number[]>>;
  /** Canonical arguments as stored. */
  readonly args?: unknown;
  readonly flags?: readonly string[];
  readonly hookSaw?: unknown;
  readonly badges?: readonly string[];
  readonly appliedBy?: Readonly<Record<string, string>>;
  readonly userMessage?: string;
}

const KEYS: ReadonlySet<string> = new Set([
  "name",
  "why",
  "before",
  "permission",
  "steps",
  "after",
]);
const STEP_KEYS: ReadonlySet<string> = new Set([
  "write",
  "tool",
  "input",
  "raw",
  "session",
  "replay",
  "hook",
  "person",
  "expect",
]);
const FOLDER = join(import.meta.dirname, "../../cases/calls");
const CASES_MIN = 55;

const areas = readdirSync(FOLDER).map((file) => ({
  area: file.replace(/\.json$/, ""),
  cases: JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as readonly CallCase[],
}));

test("the cases are all there, under names of their own", () => {
  const all = areas.flatMap(({ area, cases }) => cases.map((one) => `${area}/${one.name}`));
  expect(all.length).toBeGreaterThanOrEqual(CASES_MIN);
  expect(new Set(all).size).toBe(all.length);
  for (const one of areas.flatMap(({ cases }) => cases)) {
    expect(
      Object.keys(one).filter((key) => !KEYS.has(key)),
      one.name,
    ).toEqual([]);
    for (const step of one.steps)
      expect(
        Object.keys(step).filter((key) => !STEP_KEYS.has(key)),
        one.name,
      ).toEqual([]);
    expect(
      one.steps.some((step) => step.expect !== undefined),
      one.name,
    ).toBe(true);
  }
});

describe.each(areas)("$area", ({ cases }) => {
  test.each(cases.map((one) => [one.name, one] as const))("%s", async (_name, one) => {
    let answers: Step["hook"];
    const person = createApprovals({ waitMsMax: null, after: () => () => undefined });
    const driver = createCallDriver({
      files: one.before,
      permission: one.permission ?? {},
      person,
      ...(one.steps.some(({ hook }) => hook !== undefined)
        ? { hook: ({ type }) => answers?.[type === "pre_tool_use" ? 0 : 1] ?? {} }
        : {}),
    });
    for (const step of one.steps) {
      for (const [path, text] of Object.entries(step.write ?? {}))
        if (text === null) driver.workspace.delete(path);
        else driver.workspace.put(path, text);
      if (step.tool === undefined) continue;
      answers = step.hook;
      const stop = answering(driver, person, step.person ?? {});
      const ran = await driver.run(step.tool, step.raw ?? step.input, {
        session: step.session ?? "s",
        replay: step.replay ?? false,
      });
      stop();
      await expectTruth(driver, ran);
      expectDiffsTrue(driver, ran);
      if (step.expect !== undefined) expectStep(driver, ran, step.expect);
    }
    const wanted = Object.entries({ ...one.before, ...one.after }).filter(
      ([, text]) => text !== null,
    );
    expect(driver.workspace.contents()).toEqual(Object.fromEntries(wanted));
    expect(driver.bugs).toEqual([]);
  });
});

/** A person who answers at once what the case says, and stops the call for what it does not say. */
function answering(driver: CallDriver, person: Approvals, says: Step["person"] = {}): () => void {
  return person.onChange(() => {
    for (const { callId, hash, files } of person.open()) {
      const asked = files.find(({ answer }) => answer === "unanswered");
      if (asked === undefined) continue;
      const decision = says[asked.path];
      if (decision === undefined) driver.runner.cancel(callId);
      else person.answer(callId, asked.key, decision, hash);
    }
  });
}

function expectStep(driver: CallDriver, ran: RanCall, wanted: Expected): void {
  const { structured, text, record, card } = ran;
  expect({
    status: structured.status,
    files: byPath(structured.files, ({ status }) => status),
  }).toEqual({
    status: wanted.status,
    files: wanted.files,
  });
  expect(Object.keys(wanted.files)).toEqual(structured.files.map(({ path }) => path));
  if (wanted.text !== undefined) expect(text).toBe(wanted.text);
  for (const part of wanted.says ?? []) expect(text).toContain(part);
  for (const part of wanted.lacks ?? []) expect(text).not.toContain(part);
  if (wanted.message !== undefined) expect(structured.message).toBe(wanted.message);
  if (wanted.notes !== undefined)
    expect(byPath(structured.files, ({ note }) => note)).toMatchObject(wanted.notes);
  if (wanted.edits !== undefined)
    expect(byPath(structured.files, ({ edits }) => edits)).toMatchObject(wanted.edits);
  if (wanted.args !== undefined) expect(record?.args).toEqual(wanted.args);
  if (wanted.flags !== undefined) expect(record?.flags).toEqual(wanted.flags);
  if (wanted.badges !== undefined) expect(card?.badges).toEqual(wanted.badges);
  if (wanted.userMessage !== undefined) expect(record?.userMessage).toBe(wanted.userMessage);
  if (wanted.appliedBy !== undefined)
    expect(byPath(card?.files ?? [], ({ appliedBy }) => appliedBy)).toMatchObject(wanted.appliedBy);
  if (wanted.hookSaw !== undefined) {
    const own = driver.hooked.filter(
      ({ data }) => "tool_use_id" in data && data.tool_use_id === ran.callId,
    );
    expect(own.map(({ data }) => data.tool_input)).toEqual(own.map(() => wanted.hookSaw));
    expect(own.length).toBeGreaterThan(0);
  }
}

function byPath<T extends { readonly path: string }, V>(
  files: readonly T[],
  value: (file: T) => V,
): Record<string, V> {
  return Object.fromEntries(files.map((file) => [file.path, value(file)]));
}
