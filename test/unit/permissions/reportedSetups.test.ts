import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hookCommandIn } from "../../../src/adapters/node/hookCommand.ts";
import { createApprovals, type Approvals } from "../../../src/app/approvals.ts";
import { createHooks } from "../../../src/app/hooks.ts";
import type { Hooks } from "../../../src/app/ports.ts";
import { createCallDriver, edit } from "../../support/callDriver.ts";
import { expectDiffsTrue, expectTruth } from "../../support/callTruth.ts";

/** Setups in which users of other tools were let down by their rules, hooks or approvals, or waited for long. */

const envelope = (...lines: string[]): object => ({
  patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n"),
});

/** Counts the questions and answers each of them. */
function person(act: (desk: Approvals) => void): { desk: Approvals; readonly asked: string[][] } {
  const desk = createApprovals({ waitMsMax: null, after: () => () => undefined });
  const asked: string[][] = [];
  let acting = false;
  desk.onChange(() => {
    const [question] = desk.open();
    if (acting || question === undefined) return;
    acting = true;
    asked.push(question.files.map(({ path: name }) => name));
    act(desk);
    acting = false;
  });
  return { desk, asked };
}

const approve = (desk: Approvals): void => {
  for (const { callId, hash } of desk.open()) desk.answerAll(callId, "approve", hash);
};

describe("a file that is denied to edit", () => {
  const files = { "handbook.md": "rule one\nrule two\n", "other.md": "free\n" };
  const change = envelope("*** Update File: handbook.md", "@@", "-rule one", "+no rule");
  const move = ["*** Move to: handbook.md", "@@", "-free", "+FREE"];
  test.each<[string, string, object]>([
    ["one edit", "edit", { path: "handbook.md", old_string: "rule one", new_string: "no rule" }],
    [
      "several edits",
      "edit",
      {
        path: "handbook.md",
        edits: [
          { old_string: "rule one", new_string: "1" },
          { old_string: "rule two", new_string: "2" },
        ],
      },
    ],
    ["edit_files", "edit_files", { edits: [edit("/ws/handbook.md", "rule one", "no rule")] }],
    ["an update", "apply_patch", change],
    ["a deletion by patch", "apply_patch", envelope("*** Delete File: handbook.md")],
    ["an addition over it", "apply_patch", envelope("*** Add File: handbook.md", "+new")],
    ["a move onto it", "apply_patch", envelope("*** Update File: other.md", ...move)],
    [
      "deleted and moved onto in one patch",
      "apply_patch",
      envelope("*** Delete File: handbook.md", "*** Update File: other.md", ...move),
    ],
    [
      "a move away from it",
      "apply_patch",
      envelope("*** Update File: handbook.md", "*** Move to: elsewhere.md"),
    ],
    ["write", "write", { path: "handbook.md", content: "mine\n" }],
    ["delete", "delete", { path: "handbook.md" }],
  ])("is refused without a question: %s", async (_, tool, input) => {
    const { desk, asked } = person(approve);
    const permission = { edit: { "handbook.md": "deny" } };
    const driver = createCallDriver({ files, permission, person: desk });
    const ran = await driver.run(tool, input);
    await expectTruth(driver, ran);
    expect(ran.structured.status).toBe("error");
    expect(ran.text).toContain("denied by a permission rule");
    expect(asked).toEqual([]);
    expect(driver.workspace.contents()).toEqual(files);
  });

  test.each([
    "lib\\core-parser.ts",
    "LIB/core-parser.ts",
    "lib/CORE-Parser.TS",
    ".\\lib\\core-parser.ts",
    "Lib\\Core-Parser.ts",
  ])("by a pattern, under a Windows spelling: %s", async (asked) => {
    const before = { "lib/core-parser.ts": "parse\n", "LIB/core-parser.ts": "parse\n" };
    const permission = { edit: { "lib/*-parser.ts": "deny" } };
    for (const input of [
      { tool: "edit", input: { path: asked, old_string: "parse", new_string: "x" } },
      { tool: "write", input: { path: asked, content: "x\n" } },
      {
        tool: "apply_patch",
        input: envelope(`*** Update File: ${asked}`, "@@", "-parse", "+x"),
      },
    ]) {
      const driver = createCallDriver({ files: before, permission });
      const ran = await driver.run(input.tool, input.input);
      expect(ran.structured.status, input.tool).toBe("error");
      expect(ran.text, input.tool).toContain("denied by a permission rule");
      expect(driver.workspace.contents()).toEqual(before);
    }
  });
});

describe("a hook that is a program", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "reported-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const hooksWith = (script: string): Hooks =>
    createHooks({
      hooks: () => [
        {
          kind: "command",
          target: `"${process.execPath}" -e ${JSON.stringify(script)}`,
          timeoutMs: 20_000,
          events: ["pre_tool_use"],
          tools: null,
          failure: "closed",
          label: "hooks[0] command",
        },
      ],
      http: () => Promise.reject(new Error("there is no HTTP hook here")),
      command: hookCommandIn(folder),
      folder,
      newId: () => "dispatch",
      logBug: (error) => {
        throw error;
      },
    });

  test.each([
    ["exit code 2", "console.error('release week'); process.exit(2)"],
    [
      "an answer",
      "console.log(JSON.stringify({permission: {decision: 'deny', reason: 'release week'}}))",
    ],
    [
      "the answer of a PreToolUse hook",
      "console.log(JSON.stringify({hookSpecificOutput: {hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'release week'}}))",
    ],
  ])("refuses a patch by %s", async (_, script) => {
    const hooks = hooksWith(script);
    const driver = createCallDriver({ files: { "a.ts": "one\n" }, ports: { hooks } });
    const patch = envelope("*** Update File: a.ts", "@@", "-one", "+two");
    const ran = await driver.run("apply_patch", patch);
    await expectTruth(driver, ran);
    expect(ran.structured.status).toBe("error");
    expect(ran.text).toContain("release week");
    expect(driver.workspace.contents()).toEqual({ "a.ts": "one\n" });
  });

  test("rewrites a call: what it made of it is what is shown, kept and written", async () => {
    const hooks = hooksWith(
      "const e = JSON.parse(require('fs').readFileSync(0, 'utf8')); e.tool_input.files[0].edits[0].new_text = 'licensed'; console.log(JSON.stringify({permission: {decision: 'allow'}, input_override: e.tool_input}))",
    );
    const { desk } = person(approve);
    const driver = createCallDriver({
      files: { "a.ts": "one\n" },
      permission: "ask",
      person: desk,
      ports: { hooks },
    });
    const ran = await driver.run("edit_files", { edits: [edit("/ws/a.ts", "one", "two")] });
    await expectTruth(driver, ran);
    expectDiffsTrue(driver, ran);
    const shown = driver.told.find(({ record }) => record.phase === "approval")!;
    expect(shown.record.files[0]!.proposed).toContain("+licensed");
    expect(shown.record.files[0]!.proposed).not.toContain("+two");
    expect(driver.workspace.text("a.ts")).toBe("licensed\n");
    const stored = await driver.store.get(ran.callId);
    expect(JSON.stringify(stored!.args)).toContain("licensed");
    expect(stored!.flags).toContain("hook-rewritten");
    expect(ran.card!.badges).toContain("policy");
  });
});

test("a file allowed for the session is not asked about again, neither for several edits nor by another tool", async () => {
  const { desk, asked } = person((open) => {
    approve(open);
    const call = driver.told.at(-1)!.record;
    if (asked.length === 1) open.allowForSession(call, 0);
  });
  const driver = createCallDriver({
    files: { "a.ts": "one\ntwo\nthree\n", "b.ts": "x\n" },
    permission: { edit: "ask" },
    person: desk,
  });
  await driver.run("edit", { path: "a.ts", old_string: "one", new_string: "1" });
  const edits = [
    { old_string: "two", new_string: "2" },
    { old_string: "three", new_string: "3" },
  ];
  await driver.run("edit", { path: "a.ts", edits });
  await driver.run("edit_files", { edits: [edit("/ws/a.ts", "1", "I")] });
  expect(asked).toEqual([["a.ts"]]);
  expect(driver.workspace.text("a.ts")).toBe("I\n2\n3\n");
  await driver.run("edit", { path: "b.ts", old_string: "x", new_string: "y" });
  expect(asked).toEqual([["a.ts"], ["b.ts"]]);
});

describe("time", () => {
  test("a text of 40 lines that is not in a file of 5,000 is told within a second", async () => {
    const line = (i: number): string =>
      `  const value${i % 97} = compute(${i}, "name ${i % 13}");\n`;
    const text = Array.from({ length: 5_000 }, (_, i) => line(i)).join("");
    const driver = createCallDriver({ files: { "big.ts": text } });
    const missing = Array.from({ length: 40 }, (_, i) =>
      line(2_000 + i).replace("compute", "calc"),
    );
    const started = performance.now();
    const input = { path: "big.ts", old_string: missing.join(""), new_string: "" };
    const ran = await driver.run("edit", input);
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(ran.structured.status).toBe("error");
    expect(driver.workspace.text("big.ts")).toBe(text);
  });

  test("a patch over nearly all of a 15 KB file with one wrong line ends within two seconds", async () => {
    const lines = Array.from({ length: 400 }, (_, i) => `    return table[${i}].map(row => row);`);
    const driver = createCallDriver({ files: { "page.tsx": `${lines.join("\n")}\n` } });
    const hunk = lines.slice(2, 398).flatMap((line, i) => {
      const old = i === 200 ? line.replace("row => row", "cell => cell.text") : line;
      return [`-${old}`, `+${line.replace("row => row", "(row) => row.id")}`];
    });
    const heap = process.memoryUsage().heapUsed;
    const started = performance.now();
    const ran = await driver.run(
      "apply_patch",
      envelope("*** Update File: page.tsx", "@@", ...hunk),
    );
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(process.memoryUsage().heapUsed - heap).toBeLessThan(200_000_000);
    expect(ran.structured.status).toBe("error");
    expect(driver.workspace.text("page.tsx")).toBe(`${lines.join("\n")}\n`);
  });
});
