import { describe, expect, test } from "vitest";
import { decodeAs } from "../../src/adapters/node/textBody.ts";
import { memoryStore } from "../../src/adapters/node/memoryStore.ts";
import type { CallStore } from "../../src/app/ports.ts";
import type { CallRecord, FileRecord } from "../../src/app/record.ts";
import { runUndo } from "../../src/app/runUndo.ts";
import type { UndoScope } from "../../src/app/undoCall.ts";
import { CallCard } from "../../src/protocol/cards.ts";
import { createCallDriver, edit, type CallDriver } from "../support/callDriver.ts";
import type { Fault, MemoryDocument, Operation } from "../support/memoryWorkspace.ts";
import { FOR_A_MODEL } from "../support/undoTexts.ts";

/** A call that succeeds, and what of it is then taken back. */
interface Shape {
  readonly name: string;
  readonly tool: string;
  readonly input: unknown;
  readonly scope?: UndoScope;
  /** The undo is taken back without a fault first, and the faults strike the undo of that. */
  readonly again?: true;
  /** An open editor has unsaved text. */
  readonly dirty?: true;
}

const LINES = Array.from({ length: 20 }, (_, i) => `line ${i + 1}\n`).join("");
/** Modes that no file gets by itself, so that a lost one shows. */
const FILES: Readonly<Record<string, readonly [content: string | Uint8Array, mode: number]>> = {
  "a.txt": [LINES.replaceAll("\n", "\r\n"), 0o640],
  "b.txt": [`b\n${LINES}`, 0o755],
  "c.bin": ["\u0000c of many bytes\n", 0o600],
  "d.bin": ["\u0000d of other bytes\n", 0o750],
  "gone.txt": ["to be deleted\n", 0o700],
  "old/name.txt": ["one\ntwo\n", 0o711],
  "open.txt": ["saved\n", 0o644],
};
const TYPED = "typed\n";

function patch(...lines: readonly string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}

function moves(...names: readonly string[]): readonly string[] {
  return names.map((name, i) => `*** ${i % 2 === 0 ? "Update File" : "Move to"}: ${name}`);
}

const FIVE = patch(
  ...["*** Update File: a.txt", "@@", "-line 3", "+THREE"],
  ...["*** Add File: new/file.txt", "+hello"],
  "*** Delete File: gone.txt",
  ...[...moves("old/name.txt", "new/name.txt"), "@@", "-one", "+ONE"],
  ...["*** Update File: open.txt", "@@", "-typed", "+TYPED"],
);
const MOVE_AND_CHANGE = patch(...moves("b.txt", "sub/e.txt"), "@@", "-line 7", "+SEVEN");
const OVERWRITE = patch("*** Delete File: c.bin", ...moves("d.bin", "c.bin"));
const REPLACE = patch("*** Delete File: c.bin", "*** Add File: c.bin", "+some text");
const SWAP = moves("a.txt", "aside", "b.txt", "a.txt", "aside", "b.txt");
const SWAP_BYTES = moves("c.bin", "aside", "d.bin", "c.bin", "aside", "d.bin");
const TWO_HUNKS = {
  edits: [edit("/ws/a.txt", "line 2\n", "two\n"), edit("/ws/a.txt", "line 17\n", "17\n")],
};

const SHAPES: readonly Shape[] = [
  { name: "a change", tool: "edit_files", input: TWO_HUNKS },
  {
    name: "a change of unsaved text",
    tool: "edit",
    input: { path: "open.txt", old_string: "typed", new_string: "TYPED" },
    dirty: true,
  },
  { name: "one hunk", tool: "edit_files", input: TWO_HUNKS, scope: { file: 0, hunk: 1 } },
  { name: "a new file", tool: "write", input: { path: "sub/new.txt", content: "new text\n" } },
  { name: "a deleted file", tool: "delete", input: { path: "gone.txt" } },
  { name: "a moved file", tool: "apply_patch", input: patch(...moves("b.txt", "sub/e.txt")) },
  { name: "a moved and changed file", tool: "apply_patch", input: MOVE_AND_CHANGE },
  { name: "bytes replaced by text", tool: "apply_patch", input: REPLACE },
  { name: "bytes moved onto bytes", tool: "apply_patch", input: OVERWRITE },
  { name: "two texts that changed places", tool: "apply_patch", input: patch(...SWAP) },
  { name: "two binaries that changed places", tool: "apply_patch", input: patch(...SWAP_BYTES) },
  { name: "a patch of five groups", tool: "apply_patch", input: FIVE, dirty: true },
  { name: "an undo of a change", tool: "edit_files", input: TWO_HUNKS, again: true },
  { name: "an undo of bytes replaced", tool: "apply_patch", input: REPLACE, again: true },
  { name: "an undo of a move", tool: "apply_patch", input: MOVE_AND_CHANGE, again: true },
  { name: "an undo of a swap", tool: "apply_patch", input: patch(...SWAP_BYTES), again: true },
];

/** Besides the faults of one operation: all that follow fail too, or nothing can be read back any more. */
const KINDS = ["fail", "fail-after", "fail-half", "throw", "change", "down", "blind"] as const;
type Kind = (typeof KINDS)[number];

/** After one of these, when it strikes only once, it is known of every file what became of it. */
const TELLING: readonly Kind[] = ["fail", "fail-after", "fail-half", "throw"];
const OPERATIONS_MAX = 90;
const SOMEONE = "// someone else\n";

type StoreMethod = "keep" | "content" | "find" | "put";
type Breaks = (number: number, method: StoreMethod) => boolean;

/** All that a person can see of the files: disk, modes and unsaved text. */
type State = Readonly<Record<string, string>>;

interface World {
  readonly driver: CallDriver;
  readonly document: MemoryDocument | null;
  readonly target: CallRecord;
  readonly scope: UndoScope;
  /** From now on the fault may strike; the first operation has number 1. */
  readonly arm: (faultOf: FaultOf) => void;
  readonly breakStore: (breaks: Breaks) => void;
}

type FaultOf = (number: number, operation: Operation, path: string) => Fault | undefined;

async function worldOf({ tool, input, scope = {}, again, dirty }: Shape): Promise<World> {
  let faultOf: FaultOf = () => undefined;
  let breaks: Breaks = () => false;
  let first = Number.POSITIVE_INFINITY;
  const driver = createCallDriver({
    fault: (number, operation, path) =>
      number < first ? undefined : faultOf(number - first + 1, operation, path),
    store: brittle(memoryStore({ notice: null }), (number, method) => breaks(number, method)),
  });
  for (const [path, [content, mode]] of Object.entries(FILES))
    driver.workspace.put(path, content, mode);
  const document = dirty === true ? driver.workspace.open("open.txt") : null;
  document?.type(TYPED);
  const ran = await driver.run(tool, input);
  expect(ran.structured.status, ran.text).toBe("applied");
  let target = ran.record!;
  if (again === true) {
    target = await undo(driver, target, scope);
    expect(target.result?.status).toBe("applied");
  }
  return {
    driver,
    document,
    target,
    scope: again === true ? {} : scope,
    arm(wanted) {
      faultOf = wanted;
      first = driver.workspace.operations.length + 1;
    },
    breakStore: (wanted) => void (breaks = wanted),
  };
}

/** Throws at the steps that `breaks` names. */
function brittle(store: CallStore, breaks: Breaks): CallStore {
  let number = 0;
  const enter = (method: StoreMethod): void => {
    if (breaks(++number, method)) throw new Error(`${method} fails at step ${number}`);
  };
  return {
    ...store,
    async keep(bytes) {
      enter("keep");
      return store.keep(bytes);
    },
    async content(hash) {
      enter("content");
      return store.content(hash);
    },
    async find(query) {
      enter("find");
      return store.find(query);
    },
    async put(record) {
      enter("put");
      return store.put(record);
    },
  };
}

function undo(driver: CallDriver, call: CallRecord, scope: UndoScope): Promise<CallRecord> {
  const decode = async (bytes: Uint8Array, encoding: string): Promise<string | null> =>
    (await decodeAs(encoding, bytes))?.text ?? null;
  const { signal } = new AbortController();
  return driver.runner.exclusive(() => runUndo({ ...driver.ports, decode }, call, scope, signal));
}

function stateOf({ driver: { workspace }, document }: World): State {
  const files = Object.entries(workspace.contents()).map(([path, text]) => {
    const typed = path === "open.txt" && document?.dirty === true ? ` typed ${document.text}` : "";
    return [path, `${workspace.mode(path)?.toString(8)} ${JSON.stringify(text)}${typed}`];
  });
  return Object.fromEntries(files) as State;
}

/** Without the line that somebody else wrote; a file with nothing else is none of ours. */
function bare(state: State): State {
  const line = JSON.stringify(SOMEONE).slice(1, -1);
  return Object.fromEntries(
    Object.entries(state)
      .map(([path, seen]) => [path, seen.replaceAll(line, "").replaceAll(SOMEONE, "")])
      .filter(([, seen]) => seen?.endsWith(' ""') === false),
  ) as State;
}

/** Every place that a file of the undo is about. */
function placesOf({ absolute, path, movedFrom, outcome }: FileRecord): readonly string[] {
  const places = [absolute ?? path, movedFrom, outcome?.movedFrom];
  return places.flatMap((place) => place?.replace("/ws/", "") ?? []);
}

interface Sides {
  readonly before: State;
  readonly after: State;
}

async function cleanSides(shape: Shape): Promise<Sides> {
  const world = await worldOf(shape);
  const before = stateOf(world);
  const undone = await undo(world.driver, world.target, world.scope);
  expect(undone.result?.status).toBe("applied");
  return { before, after: stateOf(world) };
}

/** Whatever went wrong: each file is old or new or told as unknown, and nothing is told that is not so. */
async function expectHonest(
  world: World,
  undone: CallRecord,
  { before, after }: Sides,
  at: string,
) {
  const { driver } = world;
  const now = bare(stateOf(world));
  const what = `${at}\n${JSON.stringify({ files: undone.files, before, after, now }, null, 1)}`;
  const unknown = new Set(
    undone.files.flatMap((file) => (file.outcome?.status === "unknown" ? placesOf(file) : [])),
  );
  for (const path of new Set([before, after, now].flatMap(Object.keys)))
    if (!unknown.has(path))
      expect([before[path], after[path]], `${path}: ${what}`).toContain(now[path]);
  for (const file of undone.files) {
    const { outcome } = file;
    expect(["applied", "rejected", "unknown"], what).toContain(outcome?.status);
    expect(outcome?.error === undefined, what).toBe(outcome?.status === "applied");
    if (outcome?.error !== undefined) {
      expect(outcome.error.message, what).toMatch(/\w{3}/);
      expect(outcome.error.advice, what).toMatch(/\w{3}/);
    }
    const { error: { message = "", advice = "" } = {}, note = "" } = outcome ?? {};
    expect(`${message} ${advice} ${note}`, what).not.toMatch(FOR_A_MODEL);
    const side = outcome?.status === "applied" ? after : before;
    for (const path of placesOf(file))
      if (!unknown.has(path)) expect(now[path], `${path}: ${what}`).toBe(side[path]);
  }
  expect(undone.phase, what).toBe("done");
  expect(undone.result, what).toBeDefined();
  expect(JSON.stringify(undone), what).not.toMatch(/\\n\s+at |fault at operation|fails at step/);
  const told = driver.told.findLast(({ record }) => record.id === undone.id)!;
  expect(CallCard.parse(told.card), what).toMatchObject({ phase: "done" });
  expect(told.record, what).toEqual(undone);
  expect(await driver.store.get(undone.id), what).toEqual(undone);
  // The next one in the queue has its turn.
  expect(await driver.runner.exclusive(() => Promise.resolve("next"))).toBe("next");
}

/** What was taken back can be undone again, as far as the store kept it. */
async function expectRedo(world: World, undone: CallRecord, { before }: Sides, at: string) {
  const redone = await undo(world.driver, undone, {});
  const what = `${at}\n${JSON.stringify({ undone, redone }, null, 1)}`;
  for (const file of redone.files)
    if (file.outcome?.status === "applied")
      for (const path of placesOf(file)) expect(stateOf(world)[path], what).toBe(before[path]);
}

function faultOf(kind: Kind, wanted: number): FaultOf {
  return (number, operation) => {
    if (kind === "down") return number >= wanted ? { kind: "fail" } : undefined;
    if (kind === "blind")
      return number >= wanted && operation === "readBack" ? { kind: "fail" } : undefined;
    return number === wanted ? ({ kind } as Fault) : undefined;
  };
}

describe.each(SHAPES)("undo of $name", (shape) => {
  test.each(KINDS)("every operation in turn: %s", async (kind) => {
    const sides = await cleanSides(shape);
    let number = 1;
    for (; number < OPERATIONS_MAX; number++) {
      const world = await worldOf(shape);
      world.arm(faultOf(kind, number));
      const begin = world.driver.workspace.operations.length;
      const undone = await undo(world.driver, world.target, world.scope);
      const struck = world.driver.workspace.operations[begin + number - 1];
      const at = `${kind} at ${number} (${struck})`;
      await expectHonest(world, undone, sides, at);
      if (struck === undefined) break;
      const statuses = undone.files.map(({ outcome }) => outcome?.status);
      const { card } = world.driver.told.findLast(({ record }) => record.id === undone.id)!;
      for (const { status, comparable = false } of card.files)
        expect(comparable, at).toBe(status === "unknown");
      const isText = kind === "fail-half" && struck.startsWith("update ");
      if (TELLING.includes(kind) && !isText) expect(statuses, at).not.toContain("unknown");
      expect(world.driver.bugs.length > 0, at).toBe(kind === "throw");
      world.arm(() => undefined);
      if (kind !== "change") await expectRedo(world, undone, sides, at);
    }
    expect(number).toBeGreaterThan(3);
    expect(number).toBeLessThan(OPERATIONS_MAX);
  });

  test.each(["once", "from then on"])("every step of the store throws: %s", async (how) => {
    const sides = await cleanSides(shape);
    const struck = new Set<StoreMethod>();
    for (let number = 1; ; number++) {
      let step = 0;
      let reached = false;
      const world = await worldOf(shape);
      world.breakStore((_, method) => {
        // A store that has broken for good still takes the record here, to be looked at.
        if (how !== "once" && method === "put") return false;
        step++;
        const breaks = how === "once" ? step === number : step >= number;
        if (breaks) struck.add(method);
        reached ||= breaks;
        return breaks;
      });
      const undone = await undo(world.driver, world.target, world.scope);
      world.breakStore(() => false);
      await expectHonest(world, undone, sides, `the store throws at ${number}`);
      if (!reached) break;
      expect(world.driver.bugs).not.toEqual([]);
      expect(undone.files.map(({ outcome }) => outcome?.status)).not.toContain("unknown");
    }
    expect(struck).toContain("keep");
    if (how === "once") expect(struck).toContain("put");
  });
});
