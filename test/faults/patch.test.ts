import { describe, expect, it } from "vitest";
import type { CallStore } from "../../src/app/ports.ts";
import type { FileRecord } from "../../src/app/record.ts";
import { createCallDriver } from "../support/callDriver.ts";
import type { Fault, Operation } from "../support/memoryWorkspace.ts";

/** Five independent groups: an update, an add, a delete, a move with a change, and an update of an open dirty file. */
const FILES = {
  "a.txt": "alpha\r\nbravo\r\n",
  "gone.txt": "to be deleted\n",
  "old/name.txt": "one\ntwo\n",
  "open.txt": "saved\n",
};
const PATCH = [
  "*** Begin Patch",
  "*** Update File: a.txt",
  "@@",
  " alpha",
  "-bravo",
  "+BRAVO",
  "*** Add File: new/file.txt",
  "+hello",
  "*** Delete File: gone.txt",
  "*** Update File: old/name.txt",
  "*** Move to: new/name.txt",
  "@@",
  "-one",
  "+ONE",
  "*** Update File: open.txt",
  "@@",
  "-typed",
  "+TYPED",
  "*** End Patch",
].join("\n");

const BEFORE: Readonly<Record<string, string>> = FILES;
const AFTER: Readonly<Record<string, string>> = {
  "a.txt": "alpha\r\nBRAVO\r\n",
  "new/file.txt": "hello\n",
  "new/name.txt": "ONE\ntwo\n",
  "open.txt": "saved\n",
};
/** Paths that belong together: what the patch does to them happens as one. */
const GROUPS: readonly (readonly string[])[] = [
  ["a.txt"],
  ["new/file.txt"],
  ["gone.txt"],
  ["old/name.txt", "new/name.txt"],
];

const KINDS: readonly Fault["kind"][] = ["fail", "fail-after", "fail-half", "throw", "change"];

interface Run {
  readonly files: Readonly<Record<string, string>>;
  readonly statuses: ReadonlyMap<string, string>;
  readonly text: string;
  readonly faulted: boolean;
  readonly struck: { readonly operation: Operation; readonly path: string } | undefined;
  readonly records: readonly FileRecord[];
  readonly store: CallStore;
}

async function runWith(faultOf: (number: number) => Fault | undefined): Promise<Run> {
  let struck: Run["struck"];
  const driver = createCallDriver({
    files: FILES,
    fault(number, operation, path) {
      const fault = faultOf(number);
      if (fault !== undefined) struck = { operation, path };
      return fault;
    },
  });
  driver.workspace.open("open.txt").type("typed\n");
  const ran = await driver.run("apply_patch", PATCH);
  const statuses = new Map<string, string>();
  for (const { path, movedFrom, status } of ran.structured.files) {
    statuses.set(path, status);
    if (movedFrom !== undefined) statuses.set(movedFrom, status);
  }
  expect(ran.record?.phase).toBe("done");
  expect(ran.card?.phase).toBe("done");
  return {
    files: driver.workspace.contents(),
    statuses,
    text: ran.text,
    faulted: driver.workspace.faulted,
    struck,
    records: ran.record?.files ?? [],
    store: driver.store,
  };
}

/** Whether all paths of a group are on one side. A line that a `change` fault appends is somebody else's. */
function sideOf(files: Run["files"], group: readonly string[]): "before" | "after" | "mixed" {
  const plain = (path: string): string | undefined => files[path];
  const on = (side: Readonly<Record<string, string>>): boolean =>
    group.every((path) => {
      const wanted = side[path];
      const there = plain(path);
      if (wanted !== undefined) return there?.startsWith(wanted) === true;
      // A file that somebody else made where there was none is not the patch's doing.
      return (
        there === undefined ||
        !Object.values({ ...BEFORE, ...AFTER }).some((own) => there.startsWith(own))
      );
    });
  if (on(AFTER)) return "after";
  return on(BEFORE) ? "before" : "mixed";
}

describe("a patch of five groups, each operation failing once", () => {
  it("runs clean without a fault", async () => {
    const { files, statuses } = await runWith(() => undefined);
    expect(files).toEqual(AFTER);
    expect([...new Set(statuses.values())]).toEqual(["applied"]);
  });

  for (const kind of KINDS)
    it(`leaves every file wholly old or wholly new and named: ${kind}`, async () => {
      let reached = 0;
      for (let number = 1; ; number++) {
        const run = await runWith((at) => (at === number ? ({ kind } as Fault) : undefined));
        if (!run.faulted) break;
        reached++;
        for (const group of GROUPS) {
          const side = sideOf(run.files, group);
          const told = group.flatMap((path) => run.statuses.get(path) ?? []);
          const where = `${kind} at ${number} (${run.struck?.operation} ${run.struck?.path}), ${group.join(" → ")}: ${side}, told ${told.join()}`;
          if (told.includes("applied")) expect(side, where).toBe("after");
          if (told.length > 0 && told.every((status) => status === "rejected"))
            expect(side, where).toBe("before");
          // Nothing is left that is neither old nor new unless it is called unknown.
          if (side === "mixed") expect(told, where).toContain("unknown");
          for (const path of group)
            if (side !== "before") expect(run.text, where).toContain(path.split("/").at(-1));
        }
        expect(run.text).not.toMatch(/\n\s+at /);
      }
      expect(reached).toBeGreaterThan(15);
    });

  it("keeps both sides of a file that nobody knows the state of, and only of that one", async () => {
    const clean = new Map(
      (await runWith(() => undefined)).records.map((file) => [file.path, file]),
    );
    const unknown = new Set<string>();
    for (let number = 1; ; number++) {
      const run = await runWith((at) => (at === number ? { kind: "fail-half" } : undefined));
      if (!run.faulted) break;
      const isRolledBack = ![...run.statuses.values()].includes("applied");
      for (const file of run.records) {
        const { hashBefore, hashAfter, path, outcome } = file;
        const kept = [hashBefore, hashAfter];
        if (outcome?.status !== "unknown") {
          if (isRolledBack) expect(kept, `${number}: ${path}`).toEqual([undefined, undefined]);
          continue;
        }
        unknown.add(path);
        const planned = clean.get(path)!;
        expect(kept, `${number}: ${path}`).toEqual([planned.hashBefore, planned.hashAfter]);
        for (const hash of kept)
          if (hash !== undefined) expect(await run.store.content(hash)).toBeDefined();
      }
    }
    expect([...unknown].sort()).toEqual([
      "a.txt",
      "gone.txt",
      "new/file.txt",
      "new/name.txt",
      "open.txt",
    ]);
  });

  it("stops between files when it is cancelled, and says which were not started", async () => {
    let cancelled = 0;
    for (let number = 1; ; number++) {
      const stop = new AbortController();
      const driver = createCallDriver({
        files: FILES,
        fault: (at) => (at === number ? { kind: "call", run: () => stop.abort() } : undefined),
      });
      driver.workspace.open("open.txt").type("typed\n");
      const ran = await driver.run("apply_patch", PATCH, {}, stop.signal);
      if (!driver.workspace.faulted) break;
      // What was done stays: a stop is no failure of the file under way.
      expect(ran.text, `stopped at ${number}`).not.toMatch(/rolled back/i);
      for (const { path, status, error, movedFrom } of ran.structured.files) {
        const group = GROUPS.find((one) => one.includes(movedFrom ?? path)) ?? [];
        if (group.length === 0) continue;
        expect(sideOf(driver.workspace.contents(), group)).toBe(
          status === "applied" ? "after" : "before",
        );
        if (status !== "applied") {
          cancelled++;
          expect(error).toContain("interrupted");
        }
      }
    }
    expect(cancelled).toBeGreaterThan(5);
  });
});
