import { describe, expect, test } from "vitest";
import { decodeAs } from "../../../src/adapters/node/textBody.ts";
import { contentHash } from "../../../src/app/contentHash.ts";
import type { CallRecord } from "../../../src/app/record.ts";
import { replayOf } from "../../../src/app/replayInput.ts";
import { runUndo } from "../../../src/app/runUndo.ts";
import { memoryStore } from "../../../src/adapters/node/memoryStore.ts";
import { createCallDriver, edit, type CallDriver, type RanCall } from "../../support/callDriver.ts";
import { expectDiffsTrue, expectTruth } from "../../support/callTruth.ts";

/** Orders of calls, the user's own edits, undos and replays in which users of other tools lost text. */

async function stored({ store }: CallDriver, { callId }: RanCall): Promise<CallRecord> {
  const call = await store.get(callId);
  if (call === undefined) throw new Error("the call is not stored");
  return call;
}

async function undo(driver: CallDriver, ran: RanCall): Promise<CallRecord> {
  const decode = async (bytes: Uint8Array, encoding: string): Promise<string | null> =>
    (await decodeAs(encoding, bytes))?.text ?? null;
  const call = await stored(driver, ran);
  const { signal } = new AbortController();
  return driver.runner.exclusive(() => runUndo({ ...driver.ports, decode }, call, {}, signal));
}

const change = (from: string, to: string, path = "/ws/a.txt"): object => ({
  edits: [edit(path, from, to)],
});

describe("the user between two calls", () => {
  test("what the user typed back does not return with the next call", async () => {
    const driver = createCallDriver({ files: { "a.txt": "3\n2\n3\n" } });
    await driver.run("edit", { path: "a.txt", old_string: "2", new_string: "4" });
    driver.workspace.put("a.txt", "3\n2\n1\n");
    const ran = await driver.run("edit_files", change("3\n", "1\n"));
    expect(ran.structured.status).toBe("applied");
    expectDiffsTrue(driver, ran);
    expect(driver.workspace.text("a.txt")).toBe("1\n2\n1\n");
  });

  test("result and diff are of the text that stands in the editor now, typed and unsaved", async () => {
    const driver = createCallDriver({ files: { "a.txt": "alpha\nbeta\ngamma\n" } });
    const first = await driver.run("edit_files", change("beta", "BETA"));
    const document = driver.workspace.open("a.txt");
    document.type("alpha\nbeta\nmy own line\ngamma\n");
    const gone = await driver.run("edit_files", change("BETA\n", "b\n"));
    expect(gone.structured.status).toBe("error");
    const ran = await driver.run("edit_files", change("gamma", "GAMMA"));
    expect(ran.structured.files[0]).toMatchObject({ status: "applied", unsaved: true });
    expect(ran.structured.files[0]?.diff).toContain(" my own line\n-gamma\n+GAMMA");
    expect(document.text).toBe("alpha\nbeta\nmy own line\nGAMMA\n");
    // The same call as the first one is no repeat: its effect does not stand any more.
    expect((await driver.run("edit_files", change("beta", "BETA"))).structured.status).toBe(
      "applied",
    );
    expect(first.structured.status).toBe("applied");
  });

  test("a file with CRLF that nobody touches is never called changed by others", async () => {
    const driver = createCallDriver({ files: { "a.txt": "one\r\ntwo\r\nthree\r\n" } });
    for (const [from, to] of [
      ["one", "1"],
      ["two", "2"],
      ["three", "3"],
    ] as const) {
      const ran = await driver.run("edit", { path: "a.txt", old_string: from, new_string: to });
      expect(ran.structured.status, ran.text).toBe("applied");
    }
    expect(driver.workspace.text("a.txt")).toBe("1\r\n2\r\n3\r\n");
  });
});

describe("undo of one call among others", () => {
  const LINES = "one\ntwo\nthree\nfour\n";

  test("two sessions on one file: the other session's edit stays", async () => {
    const driver = createCallDriver({ files: { "a.txt": LINES } });
    const first = await driver.run("edit_files", change("one", "ONE"), { session: "left" });
    await driver.run("edit_files", change("three", "THREE"), { session: "right" });
    expect((await undo(driver, first)).result?.status).toBe("applied");
    expect(driver.workspace.text("a.txt")).toBe("one\ntwo\nTHREE\nfour\n");
  });

  test("a kept call stays, with its mark still true", async () => {
    const store = memoryStore({ notice: null });
    const driver = createCallDriver({ files: { "a.txt": LINES, "b.txt": LINES }, store });
    const kept = await stored(driver, await driver.run("edit_files", change("one", "ONE")));
    const hash = await contentHash(driver.workspace.bytes("a.txt") ?? "");
    await store.mark({ callId: kept.id, path: "/ws/a.txt", hash, at: 1 });
    const second = await driver.run("edit_files", change("two", "TWO", "/ws/b.txt"));
    expect((await undo(driver, second)).result?.status).toBe("applied");
    expect(driver.workspace.contents()).toEqual({
      "a.txt": LINES.replace("one", "ONE"),
      "b.txt": LINES,
    });
    expect(await store.marks(kept.id)).toEqual([
      { callId: kept.id, path: "/ws/a.txt", hash: kept.files[0]?.hashAfter, at: 1 },
    ]);
  });
});

describe("replay of a stored call", () => {
  const replay = (driver: CallDriver, call: CallRecord): Promise<RanCall> => {
    const { tool, input, raw } = { input: undefined, raw: undefined, ...replayOf(call)! };
    const how = { replay: true, replayOf: call.id, session: `replay-${call.id}` };
    return raw === undefined ? driver.run(tool, input, how) : driver.run(tool, raw, how);
  };
  const INSERT = change("head\n", "head\nimport x\n");
  const PATCH = [
    "*** Begin Patch",
    "*** Update File: a.txt",
    "@@",
    " head",
    "+import x",
    "*** End Patch",
  ].join("\n");

  for (const [tool, input] of [
    ["edit_files", INSERT],
    ["edit", { path: "a.txt", old_string: "head\n", new_string: "head\nimport x\n" }],
    ["apply_patch", PATCH],
  ] as const)
    test(`an insertion that stands is not made again, however often: ${tool}`, async () => {
      const driver = createCallDriver({ files: { "a.txt": "head\ntail\n" } });
      const call = await stored(driver, await driver.run(tool, input));
      for (let times = 0; times < 3; times++) {
        const ran = await replay(driver, call);
        await expectTruth(driver, ran);
        expect(ran.structured.files.map(({ status }) => status)).toEqual(["already_applied"]);
        expect(ran.card?.files[0]?.appliedBy).toBe(call.id);
        expect(ran.card?.badges).toContain("replay");
        expect(driver.workspace.text("a.txt")).toBe("head\nimport x\ntail\n");
      }
    });

  test("one that was taken back, by undo or by the user, is made again, and only once", async () => {
    const driver = createCallDriver({ files: { "a.txt": "head\ntail\n" } });
    const first = await driver.run("edit_files", INSERT);
    const call = await stored(driver, first);
    for (const back of [
      () => undo(driver, first),
      () => Promise.resolve(driver.workspace.put("a.txt", "head\nmine\ntail\n")),
    ]) {
      await back();
      const statuses: unknown[] = [];
      for (let times = 0; times < 3; times++)
        statuses.push((await replay(driver, call)).structured.files[0]?.status);
      expect(statuses).toEqual(["applied", "already_applied", "already_applied"]);
    }
    expect(driver.workspace.text("a.txt")).toBe("head\nimport x\nmine\ntail\n");
  });

  test("arguments that were no JSON stay their text, fail again by name, and stop no other call", async () => {
    const driver = createCallDriver({ files: { "a.txt": "head\ntail\n" } });
    const broken = await driver.run("edit_files", '{"edits": [{"path": "/ws/a.txt", ');
    const other = await driver.run("edit_files", INSERT);
    // As a restart would find them.
    const there = JSON.parse(JSON.stringify(await driver.store.find({}))) as readonly CallRecord[];
    expect(there).toHaveLength(2);
    const ran = await replay(
      driver,
      there.find(({ id }) => id === broken.callId)!,
    );
    await expectTruth(driver, ran);
    expect(ran.structured.status).toBe("error");
    expect(ran.record?.argsRaw).toContain("/ws/a.txt");
    expect(ran.card?.error?.message).toMatch(/JSON/);
    expect((await undo(driver, other)).result?.status).toBe("applied");
    expect(driver.workspace.text("a.txt")).toBe("head\ntail\n");
  });
});

test("a replacement of all matches in a CRLF file is written as it was previewed", async () => {
  const files = { "a.txt": "x = old;\r\nkeep\r\ny = old;\r\nold = old\r\n" };
  const input = { edits: [edit("/ws/a.txt", "old", "new", true)] };
  const driver = createCallDriver({ files });
  const dry = await driver.run("edit_files", input, { dryRun: true });
  expect(driver.workspace.contents()).toEqual(files);
  const ran = await driver.run("edit_files", input);
  expectDiffsTrue(driver, ran);
  expect(ran.structured.files[0]?.diff).toBe(dry.structured.files[0]?.diff);
  expect(driver.workspace.text("a.txt")).toBe("x = new;\r\nkeep\r\ny = new;\r\nnew = new\r\n");
});
