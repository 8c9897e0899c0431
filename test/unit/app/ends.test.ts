import { describe, expect, test } from "vitest";
import type { Call } from "../../../src/app/call.ts";
import type { Workspace } from "../../../src/app/ports.ts";
import { createCallDriver, edit, type CallDriver, type RanCall } from "../../support/callDriver.ts";
import { expectDiffsTrue, expectTruth } from "../../support/callTruth.ts";

const INTERRUPTED = "not sent because the tool call was interrupted";

async function run(
  driver: CallDriver,
  tool: string,
  input: unknown,
  more: Partial<Call> = {},
): Promise<RanCall> {
  const ran = await driver.run(tool, input, more);
  await expectTruth(driver, ran);
  return ran;
}

/** The error of one file of a result. */
function errorOf({ structured }: RanCall, path: string): string | undefined {
  return structured.files.find((file) => file.path === path)?.error;
}

describe("calls one after another", () => {
  test("a second call waits, is shown as queued, and sees the result of the first", async () => {
    const driver = createCallDriver({ files: { "a.ts": "one\n" } });
    const first = driver.run("edit_files", { edits: [edit("/ws/a.ts", "one", "two")] });
    const second = driver.run("edit_files", { edits: [edit("/ws/a.ts", "two", "three")] });
    const third = driver.run("write", { path: "a.ts", content: "four\n" });
    for (const ran of await Promise.all([first, second, third])) {
      await expectTruth(driver, ran);
      expect(ran.structured.status).toBe("applied");
    }
    expect(driver.workspace.text("a.ts")).toBe("four\n");
    const phases = (id: string): string[] => [
      ...new Set(driver.told.filter(({ card }) => card.id === id).map(({ card }) => card.phase)),
    ];
    expect(phases("call-1")).toEqual(["received", "planning", "applying", "done"]);
    expect(phases("call-2")).toEqual(["received", "queued", "planning", "applying", "done"]);
    const order = driver.workspace.operations.filter((one) => one.startsWith("update"));
    expect(order).toHaveLength(3);
  });

  test("a call that a bug ended lets the next one run", async () => {
    const driver = createCallDriver({
      files: { "a.ts": "one\n" },
      fault: (number) => (number === 1 ? { kind: "throw" } : undefined),
    });
    const [first, second] = await Promise.all([
      driver.run("edit", { path: "a.ts", old_string: "one", new_string: "1" }),
      driver.run("edit", { path: "a.ts", old_string: "one", new_string: "2" }),
    ]);
    expect(first.structured.status).toBe("error");
    expect(second.structured.status).toBe("applied");
    expect(driver.workspace.text("a.ts")).toBe("2\n");
  });

  test("a cancelled call that waits rejects every file, and touches none", async () => {
    const driver = createCallDriver({ files: { "a.ts": "one\n", "b.ts": "two\n" } });
    const first = driver.run("edit", { path: "a.ts", old_string: "one", new_string: "1" });
    const second = driver.run("edit_files", {
      edits: [edit("/ws/a.ts", "1", "x"), edit("/ws/b.ts", "two", "x")],
    });
    driver.runner.cancel("call-2");
    await first;
    const ran = await second;
    await expectTruth(driver, ran);
    expect(ran.structured.files.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    for (const path of ["/ws/a.ts", "/ws/b.ts"]) expect(errorOf(ran, path)).toContain(INTERRUPTED);
    expect(driver.workspace.contents()).toEqual({ "a.ts": "1\n", "b.ts": "two\n" });
  });

  test("a signal that is aborted before the call arrives ends it the same way, hooks unasked", async () => {
    const stop = new AbortController();
    stop.abort();
    const driver = createCallDriver({ files: { "a.ts": "one\n" }, hook: () => ({}) });
    const input = { path: "a.ts", old_string: "one", new_string: "1" };
    const ran = await driver.run("edit", input, {}, stop.signal);
    await expectTruth(driver, ran);
    expect(ran.text).toContain(INTERRUPTED);
    expect(driver.hooked.filter(({ type }) => type === "pre_tool_use")).toEqual([]);
    expect(driver.workspace.operations).toEqual([]);
  });

  test("a cancelled call that runs keeps what is done and rejects the rest", async () => {
    const files = { "a.ts": "one\n", "b.ts": "one\n", "c.ts": "one\n" };
    const driver = createCallDriver({
      files,
      fault: (_, operation, path) =>
        operation === "readBack" && path === "/ws/a.ts"
          ? { kind: "call", run: () => driver.runner.cancel("call-1") }
          : undefined,
    });
    const ran = await run(driver, "edit_files", {
      edits: ["a", "b", "c"].map((name) => edit(`/ws/${name}.ts`, "one", "1")),
    });
    expectDiffsTrue(driver, ran);
    expect(driver.workspace.contents()).toEqual({ ...files, "a.ts": "1\n" });
    expect(ran.structured.status).toBe("partial");
    expect(errorOf(ran, "/ws/b.ts")).toContain(INTERRUPTED);
    expect(errorOf(ran, "/ws/c.ts")).toContain(INTERRUPTED);
    expect(ran.text).toContain("Applied 1 file.");
  });
});

describe("a dry run", () => {
  const files = { "a.ts": "one\n", "b.ts": "two\n", "c.ts": "same\nsame\n" };
  test.each<[string, string, unknown]>([
    [
      "all files",
      "edit_files",
      { edits: [edit("/ws/a.ts", "one", "1"), edit("/ws/b.ts", "two", "2")] },
    ],
    [
      "a part",
      "edit_files",
      { edits: [edit("/ws/a.ts", "one", "1"), edit("/ws/c.ts", "same", "2")] },
    ],
    [
      "nothing",
      "edit_files",
      { edits: [edit("/ws/c.ts", "same", "2"), edit("/ws/d.ts", "x", "y")] },
    ],
    [
      "two edits of a file",
      "edit_files",
      { edits: [edit("/ws/a.ts", "one", "1"), edit("/ws/a.ts", "1", "uno")] },
    ],
    [
      "two names of a file",
      "edit_files",
      { edits: [edit("/ws/a.ts", "one", "1"), edit("/ws/./a.ts", "1", "uno")] },
    ],
    ["a refused call", "edit_files", { edits: [] }],
    ["an edit", "edit", { path: "a.ts", old_string: "one", new_string: "1" }],
    ["a miss", "edit", { path: "a.ts", old_string: "nothing", new_string: "1" }],
    ["a new file", "write", { path: "n.ts", content: "new\n" }],
    ["a replaced file", "write", { path: "a.ts", content: "new\n" }],
    ["text that UTF-8 cannot hold", "write", { path: "n.ts", content: "\ud800" }],
    ["a deletion", "delete", { path: "a.ts" }],
  ])("of %s writes nothing and says what the run then says", async (_, tool, input) => {
    const driver = createCallDriver({ files });
    const dry = await run(driver, tool, input, { dryRun: true });
    expect(driver.workspace.contents()).toEqual(files);
    expect(driver.workspace.operations.filter((one) => !/^(locate|look) /.test(one))).toEqual([]);
    expect(driver.told).toEqual([]);
    expect(await driver.store.count()).toBe(0);
    const real = await run(driver, tool, input);
    expect(withoutWould(dry.text)).toBe(real.text);
    expect(dry.structured.files).toEqual(real.structured.files);
    expect(dry.structured.status).toBe(real.structured.status);
    expectDiffsTrue(driver, real);
  });

  test("is not what a guard remembers", async () => {
    const driver = createCallDriver({ files: { "a.ts": "a b\n" } });
    const input = { edits: [edit("/ws/a.ts", "a", "b")] };
    await run(driver, "edit_files", input, { dryRun: true });
    expect((await run(driver, "edit_files", input)).structured.files[0]!.status).toBe("applied");
    expect(driver.workspace.text("a.ts")).toBe("b b\n");
  });

  test("asks nobody, hears no hook afterwards and counts as no miss", async () => {
    const driver = createCallDriver({
      files,
      hook: () => ({}),
      permission: { "*": "ask" },
      ports: { diagnose: () => Promise.reject(new Error("nothing was changed")) },
    });
    const miss = { path: "a.ts", old_string: "nothing", new_string: "1" };
    for (let i = 0; i < 3; i++) {
      const ran = await run(driver, "edit", miss, { dryRun: true });
      expect(ran.text).not.toContain("repeated approximate-match failures");
    }
    await run(
      driver,
      "edit",
      { path: "a.ts", old_string: "one", new_string: "1" },
      { dryRun: true },
    );
    expect(driver.hooked.map(({ type }) => type)).toEqual(Array(4).fill("pre_tool_use"));
    expect(driver.bugs).toEqual([]);
  });
});

function withoutWould(text: string): string {
  return text.replace(/^Would do: /, "");
}

describe("a file that moves on", () => {
  test("is planned again on its present text", async () => {
    const driver = createCallDriver({
      files: { "a.ts": "first\ntail\n" },
      fault: (number, operation) =>
        operation === "update" && number < 5 ? { kind: "change" } : undefined,
    });
    const ran = await run(driver, "edit_files", { edits: [edit("/ws/a.ts", "first", "1")] });
    expect(ran.structured.status).toBe("applied");
    expect(driver.workspace.text("a.ts")).toBe("1\ntail\n// someone else\n");
    expect(ran.structured.files[0]!.diff).toContain(" // someone else");
  });

  test("keeps what a formatter made of it between look and write", async () => {
    const driver = createCallDriver({
      files: { "a.ts": "const a=1\nfirst\nlet  b\n" },
      fault: (number, operation) =>
        operation === "update" && number < 5
          ? {
              kind: "call",
              run: () => driver.workspace.put("a.ts", "const a = 1;\nfirst\nlet b;\n"),
            }
          : undefined,
    });
    const ran = await run(driver, "edit_files", { edits: [edit("/ws/a.ts", "first", "1")] });
    expect(ran.structured.status).toBe("applied");
    expect(driver.workspace.text("a.ts")).toBe("const a = 1;\n1\nlet b;\n");
    expect(ran.structured.files[0]!.diff).toContain(" let b;");
  });

  test("is given up after three tries, unwritten", async () => {
    const driver = createCallDriver({
      files: { "a.ts": "first\n" },
      fault: (_, operation) => (operation === "update" ? { kind: "change" } : undefined),
    });
    const ran = await run(driver, "edit_files", { edits: [edit("/ws/a.ts", "first", "1")] });
    expect(errorOf(ran, "/ws/a.ts")).toContain("file kept changing: planned 3 times");
    expect(driver.workspace.operations.filter((one) => one.startsWith("update"))).toHaveLength(3);
    expect(driver.workspace.text("a.ts")).toBe(`first\n${"// someone else\n".repeat(3)}`);
    expect(ran.record!.files[0]).not.toHaveProperty("hashAfter");
  });

  test("is rejected with the new reason when the edit does not fit any more", async () => {
    const driver = createCallDriver({
      files: { "a.ts": "first\n" },
      fault: (_, operation) =>
        operation === "update"
          ? { kind: "call", run: () => driver.workspace.put("a.ts", "first\nfirst\n") }
          : undefined,
    });
    const ran = await run(driver, "edit_files", { edits: [edit("/ws/a.ts", "first", "1")] });
    expect(errorOf(ran, "/ws/a.ts")).toContain("matches 2 occurrences");
    expect(driver.workspace.text("a.ts")).toBe("first\nfirst\n");
  });
});

describe("saving", () => {
  test("what a save action changed further is told, with the diff to what is on disk", async () => {
    const driver = createCallDriver({
      files: { "a.ts": "one\ntwo  \n" },
      onSave: (_, text) => text.replaceAll(/ +$/gm, ""),
    });
    const ran = await run(driver, "edit_files", { edits: [edit("/ws/a.ts", "one", "1")] });
    expectDiffsTrue(driver, ran);
    expect(driver.workspace.text("a.ts")).toBe("1\ntwo\n");
    expect(ran.structured.files[0]).toMatchObject({ status: "applied" });
    expect(ran.structured.files[0]!.note).toMatch(
      /^Changed on save: .* Re-read \/ws\/a\.ts before/,
    );
    expect(ran.text).toContain("Changed on save");
    const { hashAfter } = ran.record!.files[0]!;
    expect(await driver.store.content(hashAfter!)).toEqual(driver.workspace.bytes("a.ts"));
  });

  test("a file that is not saved is applied, and the result says so", async () => {
    const driver = createCallDriver({ files: { "a.ts": "one\n" }, save: "never" });
    const ran = await run(driver, "edit_files", { edits: [edit("/ws/a.ts", "one", "1")] });
    expect(driver.workspace.text("a.ts")).toBe("one\n");
    expect(driver.workspace.open("a.ts").text).toBe("1\n");
    expect(ran.structured.files[0]).toMatchObject({ status: "applied", unsaved: true });
    expect(ran.text).toContain("(unsaved)");
    expect(ran.card!.badges).toEqual(["unsaved"]);
  });

  test("a file with unsaved changes is planned on them and stays unsaved", async () => {
    const driver = createCallDriver({ files: { "a.ts": "one\n" } });
    const document = driver.workspace.open("a.ts");
    document.type("typed\n");
    const ran = await run(driver, "edit", { path: "a.ts", old_string: "typed", new_string: "T" });
    expect(document).toMatchObject({ text: "T\n", dirty: true });
    expect(driver.workspace.text("a.ts")).toBe("one\n");
    expect(ran.text).toContain("(unsaved)");
    expect(ran.structured.files[0]).toMatchObject({ status: "applied", unsaved: true });
  });

  test("what was neither old nor new when read back is called unknown", async () => {
    const driver = createCallDriver({
      files: { "a.ts": "one two three\n", "b.ts": "x\n" },
      fault: (_, operation, path) =>
        operation === "update" && path === "/ws/a.ts" ? { kind: "fail-half" } : undefined,
    });
    const ran = await run(driver, "edit_files", {
      edits: [edit("/ws/a.ts", "one", "1"), edit("/ws/b.ts", "x", "y")],
    });
    expect(ran.structured.files.map(({ path, status }) => [path, status])).toEqual([
      ["/ws/a.ts", "unknown"],
      ["/ws/b.ts", "applied"],
    ]);
    expect(ran.structured.message).toContain(
      "It is unknown whether /ws/a.ts was applied (edits[0]): re-read /ws/a.ts before resending its edits.",
    );
  });

  test("what stands behind a write of bytes is nobody's save action", async () => {
    const driver = createCallDriver({ files: { "a.ts": "one\n" } });
    const { workspace } = driver.ports;
    const update: Workspace["update"] = async (...sent) => {
      const reply = await workspace.update(...sent);
      driver.workspace.put("a.ts", "somebody else's\n");
      return reply.kind === "done" ? { ...reply, asBytes: true } : reply;
    };
    const { runner } = createCallDriver({
      ports: { ...driver.ports, workspace: { ...workspace, update } },
    });
    const input = { edits: [edit("/ws/a.ts", "one", "1")] };
    const ran = await runner.execute({ tool: "edit_files", input, session: "s", source: "test" });
    expect(ran.structured.files).toMatchObject([{ status: "unknown" }]);
    expect(ran.text).not.toContain("Changed on save");
  });

  test("a call of which nothing is known for sure says so in its first line", async () => {
    const driver = createCallDriver({
      files: { "a.ts": "one two three\n" },
      fault: (_, operation) => (operation === "readBack" ? { kind: "fail" } : undefined),
    });
    const ran = await run(driver, "edit_files", { edits: [edit("/ws/a.ts", "one", "1")] });
    expect(ran.text).toMatch(
      /^No files were applied, except that files marked unknown may have been\.\n- \/ws\/a\.ts \(edits\[0\]\): unknown whether applied \(/,
    );
  });

  test("a write whose answer was lost is applied when the file shows it", async () => {
    const driver = createCallDriver({
      files: { "a.ts": "one\n" },
      fault: (_, operation) => (operation === "update" ? { kind: "fail-after" } : undefined),
    });
    const ran = await run(driver, "edit", { path: "a.ts", old_string: "one", new_string: "1" });
    expectDiffsTrue(driver, ran);
    expect(ran.structured.status).toBe("applied");
  });
});

describe("one file under two names", () => {
  test("the second sees the result of the first, though it does not fit before", async () => {
    const driver = createCallDriver({ files: { "real.ts": "one\n" } });
    driver.workspace.link("alias.ts", "real.ts");
    const ran = await run(driver, "edit_files", {
      edits: [edit("/ws/real.ts", "one", "two"), edit("/ws/alias.ts", "two", "three")],
    });
    expect(ran.structured.status).toBe("applied");
    expect(driver.workspace.text("real.ts")).toBe("three\n");
    expect(ran.structured.files.map(({ diff }) => diff)).toEqual([
      "--- /ws/real.ts\n+++ /ws/real.ts\n@@ -1 +1 @@\n-one\n+two\n",
      "--- /ws/alias.ts\n+++ /ws/alias.ts\n@@ -1 +1 @@\n-two\n+three\n",
    ]);
  });

  test("the second is rejected when the first was not written", async () => {
    const driver = createCallDriver({
      files: { "real.ts": "one\n" },
      fault: (number, operation) =>
        operation === "update" && number <= 5 ? { kind: "fail" } : undefined,
    });
    driver.workspace.link("alias.ts", "real.ts");
    const ran = await run(driver, "edit_files", {
      edits: [edit("/ws/real.ts", "one", "two"), edit("/ws/alias.ts", "two", "three")],
    });
    expect(ran.structured.status).toBe("error");
    expect(errorOf(ran, "/ws/alias.ts")).toContain("not found");
    expect(driver.workspace.text("real.ts")).toBe("one\n");
  });
});

describe("whole calls that cannot run", () => {
  test("in a workspace that is not trusted nothing is applied, whatever the tool", async () => {
    const driver = createCallDriver({
      files: { "a.ts": "one\n" },
      trusted: false,
      hook: () => ({}),
    });
    for (const [tool, input] of [
      ["edit_files", { edits: [edit("/ws/a.ts", "one", "1")] }],
      ["edit", { path: "a.ts", old_string: "one", new_string: "1" }],
      ["write", { path: "n.ts", content: "" }],
      ["delete", { path: "a.ts" }],
    ] as const) {
      const ran = await run(driver, tool, input);
      expect(ran.text).toBe(
        "Ask the user to trust this workspace first: edits are not applied in Restricted Mode.\nNo files were applied.",
      );
      expect(ran.card!.error!.message).toContain("trust this workspace");
    }
    expect(driver.workspace.operations).toEqual([]);
    expect(driver.hooked).toEqual([]);
  });

  test("an unknown tool is named, within bounds, beside those there are", async () => {
    const driver = createCallDriver();
    const ran = await run(driver, `edit_${"x".repeat(10_000)}`, {});
    expect(ran.text.length).toBeLessThan(500);
    expect(ran.text).toMatch(
      /^Use one of the tools edit_files, .*delete.*; there is no tool "edit_x+"/,
    );
    expect(ran.text).toMatch(/\nNo files were applied\.$/);
  });

  test("input that is not JSON is kept as text and shown on the card, cut to a bound", async () => {
    const driver = createCallDriver();
    const raw = `{"edits":[{"path":"${"x".repeat(300_000)}`;
    const ran = await run(driver, "edit_files", raw);
    expect(ran.text).toBe(
      "This tool call was not executed because its input is not valid JSON. Retry with a well-formed JSON object matching the tool schema.\nNo files were applied.",
    );
    expect(ran.record!.argsRaw).toBe(raw.slice(0, 262_144));
    expect(ran.record!.args).toBeUndefined();
    expect(ran.card!.requested!.length).toBe(20_000);
  });

  test("200 files are one call", async () => {
    const names = Array.from({ length: 200 }, (_, i) => `f${i}.ts`);
    const driver = createCallDriver({
      files: Object.fromEntries(names.map((name) => [name, `one ${name}\n`])),
    });
    const ran = await run(driver, "edit_files", {
      edits: names.map((name) => edit(`/ws/${name}`, "one", "1")),
    });
    expectDiffsTrue(driver, ran);
    expect(ran.structured.message).toBe("Applied edits to 200 files.");
  });

  test("more files than a call may name are refused as a whole", async () => {
    const driver = createCallDriver({ files: { "f0.ts": "one\n" } });
    const edits = Array.from({ length: 1_001 }, (_, i) => edit(`/ws/f${i}.ts`, "one", "1"));
    const ran = await run(driver, "edit_files", { edits });
    expect(ran.text).toBe(
      "Send fewer files in one call: this one names 1001, the limit is 1000.\nNo files were applied.",
    );
    expect(driver.workspace.operations).toEqual([]);
  });
});

describe("bugs around a call", () => {
  test.each(["locate", "look"])(
    "a %s that throws ends the call with every file told",
    async (name) => {
      const files = { "a.ts": "one\n", "b.ts": "one\n", "c.ts": "one\n" };
      const driver = createCallDriver({
        files,
        fault: (_, operation, path) =>
          operation === name && path === "/ws/b.ts" ? { kind: "throw" } : undefined,
      });
      const ran = await run(driver, "edit_files", {
        edits: ["a", "b", "c"].map((one) => edit(`/ws/${one}.ts`, "one", "1")),
      });
      expect(driver.workspace.contents()).toEqual(files);
      expect(ran.structured.files.map(({ status }) => status)).toEqual(Array(3).fill("rejected"));
      expect(ran.text).toMatch(/^An internal error of Agent Edit Review stopped this call\./);
      expect(driver.bugs).toHaveLength(1);
    },
  );

  test("an update that throws is told from what the file shows, and the others go on", async () => {
    const driver = createCallDriver({
      files: { "a.ts": "one\n", "b.ts": "one\n" },
      fault: (_, operation, path) =>
        operation === "update" && path === "/ws/a.ts" ? { kind: "throw" } : undefined,
    });
    const ran = await run(driver, "edit_files", {
      edits: ["a", "b"].map((one) => edit(`/ws/${one}.ts`, "one", "1")),
    });
    expectDiffsTrue(driver, ran);
    expect(ran.structured.files.map(({ path, status }) => [path, status])).toEqual([
      ["/ws/a.ts", "rejected"],
      ["/ws/b.ts", "applied"],
    ]);
    expect(driver.bugs).toHaveLength(1);
  });

  test("diagnostics that throw cost only the diagnostics", async () => {
    const driver = createCallDriver({
      files: { "a.ts": "one\n" },
      ports: { diagnose: () => Promise.reject(new Error("no language server")) },
    });
    const ran = await run(driver, "edit_files", { edits: [edit("/ws/a.ts", "one", "1")] });
    expect(ran.structured.status).toBe("applied");
    expect(ran.text).not.toContain("language server");
    expect(driver.bugs).toHaveLength(1);
  });

  test("new errors are appended once per call", async () => {
    const driver = createCallDriver({
      files: { "a.ts": "one\n", "b.ts": "one\n" },
      ports: {
        diagnose: (files) => Promise.resolve(files.map(({ shown }) => `${shown}:1: unknown name`)),
      },
    });
    const edits = [edit("/ws/a.ts", "one", "1"), edit("/ws/b.ts", "one", "1")];
    const many = await run(driver, "edit_files", { edits });
    expect(JSON.parse(many.text)).toMatchObject({
      diagnostics: ["a.ts:1: unknown name", "b.ts:1: unknown name"],
    });
    const single = await run(driver, "write", { path: "c.ts", content: "x\n" });
    expect(single.text).toMatch(/\nNew problems in the changed file:\n- c\.ts:1: unknown name$/);
  });

  test("a listener that throws is logged, and the call goes on", async () => {
    const driver = createCallDriver({
      files: { "a.ts": "one\n" },
      ports: {
        onCall: () => {
          throw new Error("panel");
        },
      },
    });
    const ran = await driver.run("edit", { path: "a.ts", old_string: "one", new_string: "1" });
    expect(ran.structured.status).toBe("applied");
    expect(driver.bugs.length).toBeGreaterThan(3);
  });

  test.each(["put", "find", "keep"] as const)(
    "a store whose %s fails fails no call",
    async (broken) => {
      const driver = createCallDriver({ files: { "a.ts": "one\n", "b.ts": "x\n" } });
      Object.assign(driver.store, { [broken]: () => Promise.reject(new Error("disk full")) });
      const ran = await driver.run("edit_files", {
        edits: [edit("/ws/a.ts", "one", "1"), edit("/ws/b.ts", "x", "y")],
      });
      expect(ran.structured.status).toBe("applied");
      expect(ran.text).not.toContain("disk full");
      expect(driver.bugs.length).toBeGreaterThan(0);
      expect(ran.card).toMatchObject({ phase: "done", status: "applied" });
      const gone = await driver.run("delete", { path: "a.ts" });
      expect(gone.structured.status).toBe("applied");
    },
  );
});
