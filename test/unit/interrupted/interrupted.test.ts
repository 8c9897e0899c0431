import { describe, expect, it } from "vitest";
import { settleInterrupted } from "../../../src/app/interruptedCalls.ts";
import type { CallRecord } from "../../../src/app/record.ts";
import { createCallDriver } from "../../support/callDriver.ts";

const FILES = { "a.txt": "alpha\n", "b.txt": "bravo\n", "c.txt": "charlie\n" };
const EDITS = ["a", "b", "c"].map((name) => ({
  path: `/ws/${name}.txt`,
  old_text: FILES[`${name}.txt` as keyof typeof FILES].trim(),
  new_text: `${name}!`,
}));

/** The records of a call as a crash at each step would leave them in the store, with the files of that moment. */
async function crashes(): Promise<{ record: CallRecord; files: Record<string, string> }[]> {
  const moments: { record: CallRecord; files: Record<string, string> }[] = [];
  const driver = createCallDriver({ files: FILES });
  const { onCall } = driver.ports;
  const crashing = createCallDriver({
    files: FILES,
    ports: {
      onCall(record) {
        onCall(record);
        moments.push({ record, files: { ...crashing.workspace.contents() } });
      },
    },
  });
  await crashing.run("edit_files", { edits: EDITS });
  return moments.filter(({ record }) => record.phase === "applying");
}

describe("a call that a crash cut short", () => {
  it("tells each file from its bytes, at every moment of the crash", async () => {
    const moments = await crashes();
    expect(moments.length).toBeGreaterThan(6);
    for (const { record, files } of moments) {
      const driver = createCallDriver({ files });
      const settled = await settleInterrupted(driver.ports, record);
      expect(settled.phase).toBe("interrupted");
      for (const file of settled.files) {
        const name = file.path.replace("/ws/", "") as keyof typeof FILES;
        const wanted = files[name] === FILES[name] ? "rejected" : "applied";
        expect(file.outcome?.status).toBe(wanted);
        if (wanted === "applied") expect(file.outcome?.diff).toContain(`+${name[0]}!`);
      }
      expect(driver.workspace.contents()).toEqual(files);
      expect(await driver.store.get(record.id)).toEqual(settled);
    }
  });

  it("calls a file unknown that is neither old nor new", async () => {
    const [first] = await crashes();
    const driver = createCallDriver({ files: { ...FILES, "b.txt": "something else\n" } });
    const settled = await settleInterrupted(driver.ports, first!.record);
    expect(settled.files.map(({ outcome }) => outcome?.status)).toEqual([
      "rejected",
      "unknown",
      "rejected",
    ]);
  });
});
