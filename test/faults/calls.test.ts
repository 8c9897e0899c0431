import { describe, expect, test } from "vitest";
import { createCallDriver, edit, type CallDriver, type RanCall } from "../support/callDriver.ts";
import { expectTruth } from "../support/callTruth.ts";
import type { Fault, MemoryDocument } from "../support/memoryWorkspace.ts";

/** One call that succeeds when nothing goes wrong. Text by path relative to the root; null is no file. */
interface Scenario {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** Unsaved text of open editors. */
  readonly dirty?: Readonly<Record<string, string>>;
  readonly tool: string;
  readonly input: unknown;
  /** What a person sees afterwards: the editor's text where one is dirty, else the disk's. */
  readonly after: Readonly<Record<string, string | null>>;
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: "edit_files of five files",
    files: {
      "lf.ts": "alpha\ntwo\nthree\n",
      "crlf.ts": "alpha\r\ntwo\r\nthree\r\n",
      "bom.ts": "\ufeffalpha\ntwo\nthree\n",
      "open.ts": "on disk\n",
      "tolerant.ts": "alpha  \ntwo\t\nthree\n",
    },
    dirty: { "open.ts": "alpha\ntwo\nthree\n" },
    tool: "edit_files",
    input: {
      edits: ["lf", "crlf", "bom", "open", "tolerant"].map((name) =>
        edit(`/ws/${name}.ts`, "alpha\ntwo\n", "1\n2\n"),
      ),
    },
    after: {
      "lf.ts": "1\n2\nthree\n",
      "crlf.ts": "1\r\n2\r\nthree\r\n",
      "bom.ts": "\ufeff1\n2\nthree\n",
      "open.ts": "1\n2\nthree\n",
      "tolerant.ts": "1  \n2\t\nthree\n",
    },
  },
  {
    name: "edit_files of edits that build on each other",
    files: { "a.ts": "alpha\ntwo\n" },
    tool: "edit_files",
    input: { edits: [edit("/ws/a.ts", "alpha", "two three"), edit("/ws/a.ts", "three", "3")] },
    after: { "a.ts": "two 3\ntwo\n" },
  },
  {
    name: "edit",
    files: { "a.ts": "alpha\ntwo\n" },
    tool: "edit",
    input: { path: "a.ts", old_string: "alpha", new_string: "1" },
    after: { "a.ts": "1\ntwo\n" },
  },
  {
    name: "edit of unsaved text",
    files: { "a.ts": "on disk\n" },
    dirty: { "a.ts": "alpha\ntwo\n" },
    tool: "edit",
    input: { path: "a.ts", edits: [{ old_string: "alpha", new_string: "1" }] },
    after: { "a.ts": "1\ntwo\n" },
  },
  {
    name: "write of a new file",
    files: {},
    tool: "write",
    input: { path: "new.ts", content: "some text\n" },
    after: { "new.ts": "some text\n" },
  },
  {
    name: "write over a file",
    files: { "a.ts": "\ufeffalpha\n" },
    tool: "write",
    input: { path: "a.ts", content: "another text\nof two lines\n" },
    after: { "a.ts": "\ufeffanother text\nof two lines\n" },
  },
  {
    name: "delete",
    files: { "a.ts": "alpha\n" },
    tool: "delete",
    input: { path: "a.ts" },
    after: { "a.ts": null },
  },
];

const KINDS = ["fail", "fail-after", "fail-half", "throw", "change", "cancel"] as const;
type Kind = (typeof KINDS)[number];

const SOMEONE = "// someone else\n";
/** No scenario takes more operations; a loop that does not end is a fault of the test. */
const OPERATIONS_MAX = 60;

interface World {
  readonly driver: CallDriver;
  readonly documents: ReadonlyMap<string, MemoryDocument>;
  /** Where the fault struck, as "update a.ts"; undefined when the call ended before. */
  readonly struck: () => string | undefined;
}

function worldOf({ files, dirty = {} }: Scenario, number: number, kind: Kind): World {
  let struck: string | undefined;
  const fault = (): Fault =>
    kind === "cancel" ? { kind: "call", run: () => driver.runner.cancel("call-1") } : { kind };
  const driver = createCallDriver({
    files,
    fault: (at) => {
      if (at !== number) return undefined;
      struck = driver.workspace.operations.at(-1);
      return fault();
    },
  });
  const documents = new Map(
    Object.entries(dirty).map(([path, text]) => {
      const document = driver.workspace.open(path);
      document.type(text);
      return [path, document];
    }),
  );
  return { driver, documents, struck: () => struck };
}

/** Paths of results and records are absolute or relative to the root. */
function isFile({ path }: { readonly path: string }, name: string): boolean {
  return path === name || path === `/ws/${name}`;
}

/** What a person sees of a file. */
function seen({ driver, documents }: World, path: string): string | null {
  const document = documents.get(path);
  return document?.dirty === true ? document.text : (driver.workspace.text(path) ?? null);
}

async function expectHonest(scenario: Scenario, world: World, ran: RanCall, kind: Kind) {
  const { driver } = world;
  await expectTruth(driver, ran);
  expect(ran.record).toBeDefined();
  const struckPath = world.struck()?.split(" ").at(-1);
  for (const [path, after] of Object.entries(scenario.after)) {
    const before = scenario.dirty?.[path] ?? scenario.files[path] ?? null;
    const file = ran.structured.files.find((one) => isFile(one, path))!;
    // The answer of a tool for one file need not name it.
    if (scenario.tool === "edit_files") expect(ran.text).toContain(path);
    const now = seen(world, path);
    // Somebody else's line may be there where the fault is that somebody wrote it; never is anything lost.
    const bare = kind === "change" && now !== null ? now.replace(SOMEONE, "") || null : now;
    const told = `${path} is ${file.status} after ${kind} at ${world.struck()}: ${JSON.stringify(now)}`;
    if (file.status === "applied") expect(bare, told).toBe(after);
    else if (file.status === "rejected") expect(bare, told).toBe(before);
    else {
      expect(file.status, told).toBe("unknown");
      expect(path, "only a file whose step failed may be unknown").toBe(struckPath);
      expect(ran.text).toMatch(/[Rr]e-read|Read the file again/);
    }
    if (kind !== "fail-half" || path !== struckPath)
      expect([before, after, SOMEONE], told).toContain(bare ?? null);
    if (path !== struckPath && kind !== "throw" && kind !== "cancel")
      expect(file.status, told).toBe("applied");
    await expectKept(world, ran, path, file.status, now);
  }
}

/** Once the call is cancelled no further file is begun. */
function expectStopped({ driver, struck }: World, { structured }: RanCall): void {
  const { operations } = driver.workspace;
  const begun = operations.slice(operations.indexOf(struck()!) + 1);
  const file = struck()!.split(" ").at(-1)!;
  // The file under way is still looked at; no other is, and nothing is written.
  expect(begun.filter((one) => !/^(look|readBack) /.test(one) || !one.endsWith(file))).toEqual([]);
  if (!/^(locate|look) /.test(struck()!)) return;
  for (const { status, error } of structured.files) {
    expect(status).toBe("rejected");
    expect(error).toContain("not sent because the tool call was interrupted");
  }
}

/** What was written can be taken back: both sides are in the store. */
async function expectKept(
  { driver, documents }: World,
  { record }: RanCall,
  path: string,
  status: string,
  now: string | null,
): Promise<void> {
  const file = record!.files.find((one) => isFile(one, path))!;
  if (status !== "applied") return;
  const sides = [file.hashBefore, file.hashAfter];
  for (const hash of sides)
    if (hash !== undefined) expect(await driver.store.content(hash)).toBeDefined();
  if (file.operation !== "add") expect(file.hashBefore).toBeDefined();
  if (now === null || documents.get(path)?.dirty === true) return;
  expect(
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(
      await driver.store.content(file.hashAfter!),
    ),
  ).toBe(now);
}

describe.each(SCENARIOS)("$name", (scenario) => {
  test("goes through when nothing fails", async () => {
    const world = worldOf(scenario, 0, "fail");
    const ran = await world.driver.run(scenario.tool, scenario.input);
    await expectHonest(scenario, world, ran, "fail");
    expect(ran.structured.status).toBe("applied");
  });

  test.each(KINDS)("every operation in turn: %s", async (kind) => {
    let number = 1;
    for (; number < OPERATIONS_MAX; number++) {
      const world = worldOf(scenario, number, kind);
      const ran = await world.driver.run(scenario.tool, scenario.input);
      await expectHonest(scenario, world, ran, kind);
      if (world.struck() === undefined) break;
      if (kind === "cancel") expectStopped(world, ran);
      const bugs = kind === "throw" ? 1 : 0;
      expect(world.driver.bugs, world.struck()).toHaveLength(bugs);
    }
    expect(number).toBeGreaterThan(3);
    expect(number).toBeLessThan(OPERATIONS_MAX);
  });
});
