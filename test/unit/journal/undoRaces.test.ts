import { expect, test } from "vitest";
import { memoryStore } from "../../../src/adapters/node/memoryStore.ts";
import { decodeAs } from "../../../src/adapters/node/textBody.ts";
import type { CallRecord } from "../../../src/app/record.ts";
import { runUndo, type RunUndoPorts } from "../../../src/app/runUndo.ts";
import { createCallDriver, edit, type CallDriver } from "../../support/callDriver.ts";
import { waitingWorkspace } from "../../support/waitingWorkspace.ts";

const TEXT = Array.from({ length: 12 }, (_, i) => `line ${i + 1}\n`).join("");
const FILES = { "a.txt": TEXT, "b.txt": `b\n${TEXT}`, "c.bin": "\u0000c\n", "d.bin": "\u0000d\n" };

function patch(...lines: readonly string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}

const CALLS: Readonly<Record<string, readonly [tool: string, input: unknown]>> = {
  "a change of two files": [
    "edit_files",
    { edits: [edit("/ws/a.txt", "line 2\n", "2\n"), edit("/ws/b.txt", "line 9\n", "")] },
  ],
  "a new file": ["write", { path: "new.txt", content: "new\n" }],
  "a deleted file": ["delete", { path: "a.txt" }],
  "a moved file": ["apply_patch", patch("*** Update File: a.txt", "*** Move to: e.txt")],
  "a moved and changed file": [
    "apply_patch",
    patch("*** Update File: a.txt", "*** Move to: e.txt", "@@", "-line 7", "+SEVEN"),
  ],
  "two files that changed places": [
    "apply_patch",
    patch(
      ...["a.txt", "aside", "b.txt", "a.txt", "aside", "b.txt"].map(
        (name, i) => `*** ${i % 2 === 0 ? "Update File" : "Move to"}: ${name}`,
      ),
    ),
  ],
  "bytes onto bytes": [
    "apply_patch",
    patch("*** Delete File: c.bin", "*** Update File: d.bin", "*** Move to: c.bin"),
  ],
};

interface World {
  readonly driver: CallDriver;
  readonly call: CallRecord;
}

async function called([tool, input]: readonly [string, unknown]): Promise<World> {
  const driver = createCallDriver({ files: FILES });
  const ran = await driver.run(tool, input);
  expect(ran.structured.status, ran.text).toBe("applied");
  const call = await driver.store.get(ran.callId);
  if (call === undefined) throw new Error("the call is not stored");
  return { driver, call };
}

/** Both windows have all contents, and records of their own. */
async function atOnce(
  { driver, call }: World,
  waits: readonly number[],
): Promise<readonly CallRecord[]> {
  const { signal } = new AbortController();
  const decode: RunUndoPorts["decode"] = async (bytes, encoding) =>
    (await decodeAs(encoding, bytes))?.text ?? null;
  let serial = 0;
  const records = memoryStore({ notice: null });
  const second: RunUndoPorts = {
    ...driver.ports,
    decode,
    store: { ...driver.store, put: (record) => records.put(record) },
    newId: () => `other-${++serial}`,
    workspace: waitingWorkspace(driver.workspace, waits),
  };
  return Promise.all([
    runUndo({ ...driver.ports, decode }, call, {}, signal),
    runUndo(second, call, {}, signal),
  ]);
}

for (const [name, made] of Object.entries(CALLS))
  test(`${name}: two windows undo it at once, each tells only what it did itself`, async () => {
    for (let wait = 0; wait < 40; wait++) {
      const world = await called(made);
      // One window is behind from its first step on, or comes to be in the middle.
      const undos = await atOnce(world, wait < 20 ? [wait] : [0, 1, 0, wait - 20]);
      const what = `wait ${wait}: ${JSON.stringify(undos, null, 1)}`;
      expect(world.driver.workspace.contents(), what).toEqual(FILES);
      expect(world.driver.bugs).toEqual([]);
      const applied = undos.flatMap(({ files }) =>
        files.filter(({ outcome }) => outcome?.status === "applied").map(({ shown }) => shown),
      );
      expect(new Set(applied).size, what).toBe(applied.length);
      expect(applied.length, what).toBeGreaterThan(0);
    }
  });
