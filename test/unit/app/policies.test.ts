import { describe, expect, test } from "vitest";
import { createApprovals, type Approvals } from "../../../src/app/approvals.ts";
import type { HookAnswer, Hooks } from "../../../src/app/ports.ts";
import { createCallDriver, edit, type CallDriver } from "../../support/callDriver.ts";
import { expectDiffsTrue, expectTruth } from "../../support/callTruth.ts";

const NOTE = "repeated approximate-match failures";

/** Somebody who, whenever a question is open, does what the test says. */
function whenAsked(act: (person: Approvals) => void): Approvals {
  const person = createApprovals({ waitMsMax: null, after: () => () => undefined });
  let acting = false;
  person.onChange(() => {
    if (acting || person.open().length === 0) return;
    acting = true;
    act(person);
    acting = false;
  });
  return person;
}

function approveAll(person: Approvals): void {
  for (const { callId, hash } of person.open()) person.answerAll(callId, "approve", hash);
}

const hooksOf = (before: () => Promise<HookAnswer>): Hooks => ({
  before,
  after: () => Promise.resolve({}),
});

describe("the note to read again", () => {
  test.each([
    ["edit_files", { edits: [edit("/ws/a.ts", "nothing", "x")] }],
    ["edit", { path: "a.ts", old_string: "nothing", new_string: "x" }],
  ])("of %s is for the model, from the second miss on, and on no card", async (tool, input) => {
    const driver = createCallDriver({ files: { "a.ts": "one\n" } });
    const [first, second, third] = [
      await driver.run(tool, input),
      await driver.run(tool, input),
      await driver.run(tool, input),
    ];
    expect(first.text).not.toContain(NOTE);
    expect(second.text).toContain(`Note: 2 ${NOTE} for`);
    expect(third.text).toContain(`Note: 3 ${NOTE} for`);
    for (const { record, card, structured } of [second, third]) {
      expect(
        JSON.stringify([card, structured, record!.files, record!.result!.message]),
      ).not.toContain(NOTE);
    }
  });

  test("counts both editing tools together, by file, and not other reasons", async () => {
    const driver = createCallDriver({ files: { "a.ts": "one\none\n", "b.ts": "x\n" } });
    await driver.run("edit", { path: "a.ts", old_string: "nothing", new_string: "x" });
    const twice = await driver.run("edit_files", { edits: [edit("/ws/a.ts", "one", "x")] });
    expect(twice.text).toContain("matches 2 occurrences");
    expect(twice.text).not.toContain(NOTE);
    const other = await driver.run("edit_files", { edits: [edit("/ws/b.ts", "nothing", "x")] });
    expect(other.text).not.toContain(NOTE);
    const again = await driver.run("edit_files", { edits: [edit("/ws/a.ts", "nothing", "x")] });
    expect(again.text).toContain(`Note: 2 ${NOTE} for /ws/a.ts`);
  });
});

describe("asking a person", () => {
  test("a card shows the proposed server diff while it waits, and only then", async () => {
    const driver: CallDriver = createCallDriver({
      files: { "a.ts": "one\n", "b.ts": "x\n" },
      permission: { "*": { "**": "allow", "a.ts": "ask" } },
      person: whenAsked((person) => {
        const { card } = driver.told.at(-1)!;
        expect(card.phase).toBe("approval");
        expect(card.files.map(({ path, phase }) => [path, phase])).toEqual([
          ["/ws/a.ts", "proposed"],
          ["/ws/b.ts", "waiting"],
        ]);
        expect(card.files[0]!.diff).toMatchObject({ added: 1, removed: 1 });
        expect(driver.workspace.contents()).toEqual({ "a.ts": "one\n", "b.ts": "x\n" });
        approveAll(person);
      }),
    });
    const ran = await driver.run("edit_files", {
      edits: [edit("/ws/a.ts", "one", "two"), edit("/ws/b.ts", "x", "y")],
    });
    await expectTruth(driver, ran);
    expectDiffsTrue(driver, ran);
    expect(ran.structured.status).toBe("applied");
    expect(driver.bugs).toEqual([]);
  });

  test("a yes holds for the diff it was said to, not for what the file became meanwhile", async () => {
    const driver: CallDriver = createCallDriver({
      files: { "a.ts": "one\n", "b.ts": "x\n" },
      permission: { "*": "ask" },
      person: whenAsked((person) => {
        driver.workspace.put("a.ts", "one // of the production keys\n");
        approveAll(person);
      }),
    });
    const ran = await driver.run("edit_files", {
      edits: [edit("/ws/a.ts", "one", "two"), edit("/ws/b.ts", "x", "y")],
    });
    await expectTruth(driver, ran);
    expect(ran.structured.files[0]).toMatchObject({
      path: "/ws/a.ts",
      status: "rejected",
    });
    expect(ran.structured.files[0]!.error).toContain("file changed after the edits were planned");
    expect(driver.workspace.contents()).toEqual({
      "a.ts": "one // of the production keys\n",
      "b.ts": "y\n",
    });
  });

  test("two names of one file are asked about in turn, each with its own diff", async () => {
    const asked: string[][] = [];
    const driver = createCallDriver({
      files: { "real.ts": "one\n" },
      permission: { "*": "ask" },
      person: whenAsked((person) => {
        for (const { files } of person.open()) asked.push(files.map(({ proposed }) => proposed));
        approveAll(person);
      }),
    });
    driver.workspace.link("alias.ts", "real.ts");
    const ran = await driver.run("edit_files", {
      edits: [edit("/ws/real.ts", "one", "two"), edit("/ws/alias.ts", "two", "three")],
    });
    await expectTruth(driver, ran);
    expect(driver.workspace.text("real.ts")).toBe("three\n");
    expect(asked).toEqual([ran.structured.files.map(({ diff }) => diff)]);
  });

  test("where nobody can be asked, nothing that must be asked is applied", async () => {
    const driver = createCallDriver({ files: { "a.ts": "one\n" }, permission: { "*": "ask" } });
    const ran = await driver.run("edit_files", { edits: [edit("/ws/a.ts", "one", "two")] });
    await expectTruth(driver, ran);
    expect(ran.structured.status).toBe("error");
    expect(driver.workspace.text("a.ts")).toBe("one\n");
  });

  test("a hook can make every file of a call be asked about", async () => {
    const driver = createCallDriver({
      files: { "a.ts": "one\n", "b.ts": "x\n" },
      person: whenAsked((person) => {
        const [question] = person.open();
        expect(question!.files.map(({ path }) => path)).toEqual(["/ws/a.ts", "/ws/b.ts"]);
        const [a, b] = question!.files;
        person.answer(question!.callId, a!.key, "approve", question!.hash);
        person.answer(question!.callId, b!.key, "deny", question!.hash);
      }),
      ports: { hooks: hooksOf(() => Promise.resolve({ kind: "go", ask: true })) },
    });
    const ran = await driver.run("edit_files", {
      edits: [edit("/ws/a.ts", "one", "two"), edit("/ws/b.ts", "x", "y")],
    });
    await expectTruth(driver, ran);
    expect(driver.workspace.contents()).toEqual({ "a.ts": "two\n", "b.ts": "x\n" });
    expect(ran.structured.status).toBe("partial");
  });

  test("a hook's ask is never dropped where no rules are configured", async () => {
    const driver = createCallDriver({
      files: { "a.ts": "one\n" },
      ports: { hooks: hooksOf(() => Promise.resolve({ kind: "go", ask: true })) },
    });
    const ran = await driver.run("edit_files", { edits: [edit("/ws/a.ts", "one", "two")] });
    await expectTruth(driver, ran);
    expect(driver.workspace.text("a.ts")).toBe("one\n");
    expect(ran.structured.status).toBe("error");
  });
});

test("a denied file is never looked at, not even for an edit that is refused anyway", async () => {
  const driver = createCallDriver({
    files: { "secret.ts": "one\n" },
    permission: { "*": { "secret.ts": "deny" } },
  });
  for (const edits of [
    [edit("/ws/secret.ts", "one", "two")],
    [edit("/ws/secret.ts", "one", "one")],
    [edit("/ws/secret.ts", "one", "two"), edit("/ws/secret.ts", "", "two")],
  ]) {
    const ran = await driver.run("edit_files", { edits });
    await expectTruth(driver, ran);
    expect(ran.structured.status).toBe("error");
  }
  expect(driver.workspace.operations.filter((one) => !one.startsWith("locate "))).toEqual([]);
});

describe("hooks that go wrong", () => {
  test("a hook before that throws ends the call, nothing is applied", async () => {
    const driver = createCallDriver({
      files: { "a.ts": "one\n" },
      ports: { hooks: hooksOf(() => Promise.reject(new Error("no such port"))) },
    });
    const ran = await driver.run("edit_files", { edits: [edit("/ws/a.ts", "one", "two")] });
    await expectTruth(driver, ran);
    expect(ran.text).toBe(
      "An internal error of Agent Edit Review stopped this call.\nNo files were applied.",
    );
    expect(driver.workspace.operations).toEqual([]);
  });

  test("a hook after that throws takes nothing back and hides nothing", async () => {
    const driver = createCallDriver({
      files: { "a.ts": "one\n" },
      ports: {
        hooks: {
          before: () => Promise.resolve({ kind: "go" }),
          after: () => Promise.reject(new Error("no such port")),
        },
      },
    });
    const ran = await driver.run("edit_files", { edits: [edit("/ws/a.ts", "one", "two")] });
    await expectTruth(driver, ran);
    expectDiffsTrue(driver, ran);
    expect(ran.structured.status).toBe("applied");
    expect(driver.bugs).toHaveLength(1);
  });

  test("a call stopped while its hook is asked is interrupted, not failed by the hook", async () => {
    const driver: CallDriver = createCallDriver({
      files: { "a.ts": "one\n" },
      ports: {
        hooks: hooksOf(() => {
          driver.runner.cancel("call-1");
          return Promise.resolve({ kind: "stop", by: "failure", text: "hook dispatch failed" });
        }),
      },
    });
    const ran = await driver.run("edit_files", { edits: [edit("/ws/a.ts", "one", "two")] });
    await expectTruth(driver, ran);
    expect(ran.text).toContain("not sent because the tool call was interrupted");
    expect(ran.record!.flags).toEqual([]);
    expect(driver.workspace.operations).toEqual([]);
  });
});
