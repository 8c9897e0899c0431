import { describe, expect, test } from "vitest";
import { createApprovals } from "../../../src/app/approvals.ts";
import { createCallDriver, edit } from "../../support/callDriver.ts";
import { expectDiffsTrue, expectTruth } from "../../support/callTruth.ts";

describe("the way of one call", () => {
  test("each phase is told in order, with a card that lives from arrival on", async () => {
    const driver = createCallDriver({ files: { "a.ts": "one\n", "b.ts": "two\n" } });
    const ran = await driver.run("edit_files", {
      edits: [edit("/ws/a.ts", "one", "1"), edit("/ws/b.ts", "two", "2")],
    });
    await expectTruth(driver, ran);
    expectDiffsTrue(driver, ran);
    const steps = driver.told.map(({ card }) => [
      card.phase,
      card.progress.done,
      card.files.map(({ phase }) => phase).join(" "),
    ]);
    const distinct = steps.filter((step, i) => String(step) !== String(steps[i - 1]));
    expect(distinct).toEqual([
      ["received", 0, ""],
      ["received", 0, "waiting waiting"],
      ["planning", 0, "waiting waiting"],
      ["applying", 0, "waiting waiting"],
      ["applying", 0, "running waiting"],
      ["applying", 1, "done waiting"],
      ["applying", 1, "done running"],
      ["applying", 2, "done done"],
      ["done", 2, "done done"],
    ]);
    expect(ran.card).toMatchObject({ added: 2, removed: 2, status: "applied" });
  });

  test("every file is looked at before any is written, and each is read back", async () => {
    const driver = createCallDriver({ files: { "a.ts": "one\n", "b.ts": "two\n" } });
    await driver.run("edit_files", {
      edits: [edit("/ws/a.ts", "one", "1"), edit("/ws/b.ts", "two", "2")],
    });
    expect(driver.workspace.operations).toEqual([
      "locate a.ts",
      "look a.ts",
      "locate b.ts",
      "look b.ts",
      "update a.ts",
      "readBack a.ts",
      "update b.ts",
      "readBack b.ts",
    ]);
  });

  test("the record is in the store before the first byte is written", async () => {
    const phases: string[] = [];
    const driver = createCallDriver({
      files: { "a.ts": "one\n" },
      fault: (_, operation) =>
        operation === "update"
          ? {
              kind: "call",
              run: () => void driver.store.get("call-1").then((call) => phases.push(call!.phase)),
            }
          : undefined,
    });
    await driver.run("edit_files", { edits: [edit("/ws/a.ts", "one", "1")] });
    expect(phases).toEqual(["applying"]);
  });

  test("a call is in the store while a person is asked, and while it waits for its turn", async () => {
    const stored: (string | undefined)[] = [];
    const look = async (): Promise<void> => {
      for (const id of ["call-1", "call-2"]) stored.push((await driver.store.get(id))?.phase);
    };
    const approvals = createApprovals({ waitMsMax: null, after: () => () => undefined });
    const driver = createCallDriver({
      files: { "a.ts": "one\n", "b.ts": "two\n" },
      permission: { edit_files: "ask" },
      person: {
        ...approvals,
        ask: async (_call, files) => {
          await look();
          return files.map(() => "approved" as const);
        },
      },
    });
    await Promise.all([
      driver.run("edit_files", { edits: [edit("/ws/a.ts", "one", "1")] }),
      driver.run("edit_files", { edits: [edit("/ws/b.ts", "two", "2")] }),
    ]);
    expect(stored).toEqual(["approval", "queued", "done", "approval"]);
  });

  test.each([
    ["write", { path: "new.ts", content: "x\n" }, "add"],
    ["write", { path: "a.ts", content: "x\n" }, "update"],
    ["edit", { path: "a.ts", old_string: "one", new_string: "1" }, "update"],
    ["delete", { path: "a.ts" }, "delete"],
  ])("%s tells its operation", async (tool, input, operation) => {
    const driver = createCallDriver({ files: { "a.ts": "one\n" } });
    const ran = await driver.run(tool, input);
    await expectTruth(driver, ran);
    expectDiffsTrue(driver, ran);
    expect(ran.structured).toMatchObject({ status: "applied", files: [{ operation }] });
    expect(ran.card?.files).toMatchObject([{ operation, status: "applied" }]);
  });
});
