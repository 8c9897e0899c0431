import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../src/adapters/node/memoryStore.ts";
import { settleInterrupted } from "../../../src/app/interruptedCalls.ts";
import type { CallRecord } from "../../../src/app/record.ts";
import { runUndo, UNDO_TOOL } from "../../../src/app/runUndo.ts";
import { createCallDriver, edit, type CallDriver } from "../../support/callDriver.ts";
import { FOR_A_MODEL } from "../../support/undoTexts.ts";

type Files = Readonly<Record<string, string>>;

/** What a crash at some step of the call leaves: the record as it was put last, and the files of that moment. */
interface Crash {
  readonly record: CallRecord;
  readonly files: Files;
}

const TEN = Array.from({ length: 10 }, (_, i) => `line ${i + 1}\n`).join("");
const FILES = { "a.txt": TEN, "b.txt": `b\n${TEN}`, "c.txt": `c\n${TEN}`, "z.bin": "\u0000z\n" };

interface Scenario {
  readonly tool: string;
  readonly input: unknown;
  readonly links?: Readonly<Record<string, string>>;
}

function patch(...lines: readonly string[]): Scenario {
  return { tool: "apply_patch", input: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") };
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "three files edited": {
    tool: "edit_files",
    input: {
      edits: ["a", "b", "c"].map((name) => edit(`/ws/${name}.txt`, "line 5\n", `${name}!\n`)),
    },
  },
  "one file under two names": {
    tool: "edit_files",
    input: {
      edits: [edit("/ws/a.txt", "line 5\n", "5!\n"), edit("/ws/alias.txt", "line 7\n", "7!\n")],
    },
    links: { "alias.txt": "a.txt" },
  },
  "a file written anew, and one made": { tool: "write", input: { path: "n.txt", content: "n\n" } },
  "a file deleted": { tool: "delete", input: { path: "a.txt" } },
  "a patch of all kinds": patch(
    "*** Update File: a.txt",
    "@@",
    "-line 3",
    "+THREE",
    "*** Add File: new.txt",
    "+new",
    "*** Delete File: c.txt",
    "*** Update File: b.txt",
    "*** Move to: b2.txt",
    "@@",
    "-line 7",
    "+SEVEN",
  ),
  "a name only": patch("*** Update File: a.txt", "*** Move to: a2.txt"),
  "onto a file that is deleted first": patch(
    "*** Delete File: b.txt",
    "*** Update File: a.txt",
    "*** Move to: b.txt",
    "@@",
    "-line 7",
    "+SEVEN",
  ),
  "two files that change places": patch(
    "*** Update File: a.txt",
    "*** Move to: t.txt",
    "*** Update File: b.txt",
    "*** Move to: a.txt",
    "*** Update File: t.txt",
    "*** Move to: b.txt",
  ),
  "bytes that are no text": patch("*** Update File: z.bin", "*** Move to: y.bin"),
};

function driverOf({ links = {} }: Scenario, files: Files, options = {}): CallDriver {
  const driver = createCallDriver({ files, ...options });
  for (const [alias, target] of Object.entries(links)) driver.workspace.link(alias, target);
  return driver;
}

/** A crash before each operation on a file, from the moment that the call is in the store. */
async function crashesOf(scenario: Scenario): Promise<{ crashes: readonly Crash[]; after: Files }> {
  const crashes: Crash[] = [];
  const inner = memoryStore({ notice: null });
  let stored: CallRecord | undefined;
  const note = (): void => {
    if (stored?.endedAt === undefined && stored !== undefined)
      crashes.push({ record: stored, files: driver.workspace.contents() });
  };
  const driver = driverOf(scenario, FILES, {
    fault: () => ({ kind: "call", run: note }),
    store: {
      ...inner,
      put: (call: CallRecord) => {
        stored = call;
        return inner.put(call);
      },
    },
  });
  const ran = await driver.run(scenario.tool, scenario.input);
  expect(ran.structured.status, ran.text).toBe("applied");
  return { crashes, after: driver.workspace.contents() };
}

describe("a call that a crash cut short", () => {
  for (const [name, scenario] of Object.entries(SCENARIOS))
    it(`tells each file from its bytes, at every moment of the crash: ${name}`, async () => {
      const { crashes, after } = await crashesOf(scenario);
      const told = new Set<string>();
      for (const { record, files } of crashes) {
        const driver = driverOf(scenario, files);
        const settled = await settleInterrupted(driver.ports, record);
        expect(settled.phase).toBe("interrupted");
        expect(driver.workspace.contents()).toEqual(files);
        expect(await driver.store.get(record.id)).toEqual(settled);
        const all = settled.files.map(({ outcome }) => outcome?.status ?? "nothing");
        for (const status of all) told.add(status);
        const isOld = JSON.stringify(files) === JSON.stringify(FILES);
        const isNew = JSON.stringify(files) === JSON.stringify(after);
        // Before the first write every file is as it was, after the last one each is as it was to be.
        // A file that is to stay as it is has nothing to be rejected.
        const diffs = settled.files.map(({ outcome }) => outcome?.diff ?? "");
        if (isOld) expect(diffs.join("")).toBe("");
        else if (isNew) expect(new Set(all)).toEqual(new Set(["applied"]));
        else expectTrue(settled, files, after);
      }
      expect(told).toContain("rejected");
      expect(told).toContain("applied");
    });

  for (const [name, scenario] of Object.entries(SCENARIOS))
    it(`the same for an undo: ${name}`, async () => {
      const crashes: Crash[] = [];
      let stored: CallRecord | undefined;
      const inner = memoryStore({ notice: null });
      const driver = driverOf(scenario, FILES, {
        fault: () => ({
          kind: "call",
          run: () => {
            if (stored?.tool === UNDO_TOOL && stored.endedAt === undefined)
              crashes.push({ record: stored, files: driver.workspace.contents() });
          },
        }),
        store: {
          ...inner,
          put: (call: CallRecord) => {
            stored = call;
            return inner.put(call);
          },
        },
      });
      const { callId } = await driver.run(scenario.tool, scenario.input);
      const [before, call] = [driver.workspace.contents(), await inner.get(callId)];
      if (call === undefined) throw new Error("the call is not stored");
      const { signal } = new AbortController();
      const decode = (bytes: Uint8Array): Promise<string> =>
        Promise.resolve(new TextDecoder().decode(bytes));
      await runUndo({ ...driver.ports, decode }, call, {}, signal);
      expect(driver.workspace.contents()).toEqual(FILES);
      expect(crashes.length).toBeGreaterThan(0);
      for (const { record, files } of crashes) {
        const settled = await settleInterrupted(driverOf(scenario, files).ports, record);
        const all = new Set(settled.files.map(({ outcome }) => outcome?.status));
        if (JSON.stringify(files) === JSON.stringify(before))
          expect(all).toEqual(new Set(["rejected"]));
        if (JSON.stringify(files) === JSON.stringify(FILES))
          expect(all).toEqual(new Set(["applied"]));
      }
    });

  it("says that a file was moved and not changed yet", async () => {
    const { crashes } = await crashesOf(SCENARIOS["onto a file that is deleted first"]!);
    const halves: (string | undefined)[] = [];
    for (const { record, files } of crashes) {
      if (files["b.txt"] !== FILES["a.txt"]) continue;
      const settled = await settleInterrupted(createCallDriver({ files }).ports, record);
      halves.push(...settled.files.map(({ outcome }) => outcome?.error?.message));
    }
    expect(halves).toContain(
      "a.txt was moved to b.txt, and the window closed before its text was changed",
    );
  });

  it("calls a file unknown that is neither old nor new", async () => {
    const { crashes } = await crashesOf(SCENARIOS["three files edited"]!);
    const { record } = crashes.at(-1)!;
    const driver = createCallDriver({ files: { ...FILES, "b.txt": "something else\n" } });
    const settled = await settleInterrupted(driver.ports, record);
    expect(settled.files.map(({ outcome }) => outcome?.status)).toEqual([
      "rejected",
      "unknown",
      "rejected",
    ]);
  });

  it.each([
    ["three files edited", {}, ["rejected", "rejected", "rejected"]],
    ["three files edited", { "a.txt": "as planned" }, ["applied", "rejected", "rejected"]],
    ["three files edited", { "a.txt": "x\n" }, ["unknown", "rejected", "rejected"]],
    ["a file deleted", { "a.txt": "as planned" }, ["applied"]],
    ["a file deleted", {}, ["rejected"]],
    ["a name only", { "a.txt": "as planned", "a2.txt": "as planned" }, ["applied"]],
    ["a name only", { "a2.txt": "as planned" }, ["unknown"]],
  ])("tells what was unknown before the crash: %s, now %j", async (name, now, statuses) => {
    const { crashes, after } = await crashesOf(SCENARIOS[name]!);
    const { record } = crashes.at(-1)!;
    const error = { message: "could not be read back", advice: "Look." };
    const [first, ...others] = record.files;
    const { path, operation, movedFrom } = first!;
    const moved = movedFrom === undefined ? {} : { movedFrom };
    const outcome = { path, operation, status: "unknown" as const, error, ...moved };
    const files = [{ ...first!, phase: "done" as const, outcome }, ...others];
    const driver = createCallDriver({ files: FILES });
    for (const [file, text] of Object.entries(now)) {
      const content = text === "as planned" ? after[file] : text;
      if (content === undefined) driver.workspace.delete(file);
      else driver.workspace.put(file, content);
    }
    const settled = await settleInterrupted(driver.ports, { ...record, files });
    expect(settled.files.map((file) => file.outcome?.status)).toEqual(statuses);
    const told = settled.files[0]?.outcome;
    if (told?.status === "unknown") expect(told).toEqual(outcome);
    if (told?.status === "rejected")
      expect(told.error?.message).toBe("not changed: the file holds what it held before");
    if (told?.status === "applied")
      expect([told.diff, told.error]).toEqual([first!.planned, undefined]);
  });

  it("speaks to a person of an undo, and to a model of a call", async () => {
    const { crashes } = await crashesOf(SCENARIOS["three files edited"]!);
    const { record } = crashes.at(-1)!;
    const driver = createCallDriver({ files: { ...FILES, "b.txt": "something else\n" } });
    const advice = async (tool: string): Promise<string> => {
      const { files } = await settleInterrupted(driver.ports, { ...record, tool });
      return files.map(({ outcome }) => outcome?.error?.advice).join(" ");
    };
    expect(await advice(UNDO_TOOL)).not.toMatch(FOR_A_MODEL);
    expect(await advice(record.tool)).toMatch(FOR_A_MODEL);
  });

  it("finds a change that stands in an editor only", async () => {
    const { crashes, after } = await crashesOf(SCENARIOS["three files edited"]!);
    const { record } = crashes.at(-1)!;
    const driver = createCallDriver({ files: FILES });
    driver.workspace.open("a.txt").type(after["a.txt"] ?? "");
    driver.workspace.open("b.txt").type("what the user wrote\n");
    const settled = await settleInterrupted(driver.ports, record);
    expect(settled.files.map(({ outcome }) => [outcome?.status, outcome?.unsaved])).toEqual([
      ["applied", true],
      ["unknown", undefined],
      ["rejected", undefined],
    ]);
  });
});

/** No file that was written is called rejected, and none that is as it was is called applied. */
function expectTrue({ files: told }: CallRecord, now: Files, after: Files): void {
  for (const { path, operation, movedFrom, outcome } of told) {
    const name = path.replace("/ws/", "").replace("alias", "a");
    const places = operation === "move" ? [movedFrom ?? "", name] : [name];
    const is = (state: Files): boolean => places.every((place) => now[place] === state[place]);
    const writes = operation === "move" || outcome?.diff !== "";
    if (outcome?.status === "applied" && writes) expect(is(FILES)).toBe(false);
    if (outcome?.status === "rejected") expect(is(after) && !is(FILES)).toBe(false);
    if (operation === "delete" && now[name] === undefined) expect(outcome?.status).toBe("applied");
  }
}
