import { describe, expect, test } from "vitest";
import { createApprovals, type Approvals } from "../../../src/app/approvals.ts";
import { confirmationOf } from "../../../src/app/confirmWords.ts";
import { LIMITS } from "../../../src/app/limits.ts";
import type { Preview } from "../../../src/app/preview.ts";
import { createCallDriver, edit, type CallDriver } from "../../support/callDriver.ts";
import { expectDiffsTrue, expectTruth } from "../../support/callTruth.ts";

const RULES = { "*": "allow", edit: { "asked*": "ask", "denied*": "deny" }, write: "ask" };
const never = new AbortController().signal;

/** Counts the questions and says no to each. */
function denier(): { readonly person: Approvals; readonly asked: string[][] } {
  const person = createApprovals({ waitMsMax: null, after: () => () => undefined });
  const asked: string[][] = [];
  person.onChange(() => {
    const [question] = person.open();
    if (question === undefined) return;
    asked.push(question.files.map(({ path }) => path));
    person.answerAll(question.callId, "deny", question.hash);
  });
  return { person, asked };
}

function preview(driver: CallDriver, tool: string, input: unknown): Promise<Preview | null> {
  return driver.runner.preview({ tool, input, session: "s", source: "test" }, never);
}

/** The call, as it comes after a person said yes to its preview. */
function confirmed(driver: CallDriver, tool: string, input: unknown, plan: Preview | null) {
  return driver.runner.execute({ tool, input, session: "s", source: "test" }, never, plan!.hash);
}

const FILES = { "asked.ts": "one\n", "free.ts": "x\n", "denied.ts": "d\n" };
const patch = (...lines: string[]): object => ({
  patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n"),
});
const CALLS: readonly [tool: string, input: object, asked: readonly string[]][] = [
  [
    "edit_files",
    { edits: [edit("/ws/asked.ts", "one", "two"), edit("/ws/free.ts", "x", "y")] },
    ["/ws/asked.ts"],
  ],
  ["edit", { path: "asked.ts", old_string: "one", new_string: "two" }, ["asked.ts"]],
  ["write", { path: "new.ts", content: "fresh\n" }, ["new.ts"]],
  ["delete", { path: "asked.ts" }, ["asked.ts"]],
  [
    "apply_patch",
    patch(
      "*** Update File: free.ts",
      "@@",
      "-x",
      "+y",
      "*** Update File: asked.ts",
      "*** Move to: moved.ts",
      "@@",
      "-one",
      "+two",
    ),
    ["moved.ts"],
  ],
];

describe("a preview", () => {
  test.each(CALLS)(
    "%s: tells what would be asked and touches nothing",
    async (tool, input, asked) => {
      const { person, asked: questions } = denier();
      const driver = createCallDriver({ files: FILES, permission: RULES, person });
      const plan = await preview(driver, tool, input);
      expect(plan!.asked.map(({ path }) => path)).toEqual(asked);
      expect(plan!.asked.every(({ proposed }) => proposed !== undefined)).toBe(true);
      expect(driver.workspace.contents()).toEqual(FILES);
      expect([driver.told, questions, await driver.store.count()]).toEqual([[], [], 0]);
      expect(driver.workspace.operations.filter((one) => !/^(locate|look) /.test(one))).toEqual([]);
    },
  );

  test.each(CALLS)("%s: the same plan is not asked about again", async (tool, input) => {
    const { person, asked } = denier();
    const driver = createCallDriver({ files: FILES, permission: RULES, person });
    const ran = await confirmed(driver, tool, input, await preview(driver, tool, input));
    expect(ran.structured.status).toBe("applied");
    expect(asked).toEqual([]);
  });

  test.each(CALLS)("%s: without it the panel asks", async (tool, input, paths) => {
    const { person, asked } = denier();
    const driver = createCallDriver({ files: FILES, permission: RULES, person });
    await driver.run(tool, input);
    expect(asked).toEqual([paths]);
  });

  test.each(CALLS.filter(([tool]) => tool !== "write" && tool !== "delete"))(
    "%s: what moved since is asked about",
    async (tool, input) => {
      const { person, asked } = denier();
      const driver = createCallDriver({ files: FILES, permission: RULES, person });
      const plan = await preview(driver, tool, input);
      driver.workspace.put("asked.ts", "one\nand more\n");
      const ran = await confirmed(driver, tool, input, plan);
      expect(asked).toHaveLength(1);
      expect(ran.structured.status).not.toBe("applied");
      expect(driver.workspace.text("asked.ts")).toBe("one\nand more\n");
    },
  );

  test("what only a hook wants asked is asked about", async () => {
    const input = { edits: [edit("/ws/asked.ts", "one", "two"), edit("/ws/free.ts", "x", "y")] };
    const { person, asked } = denier();
    const seen: string[] = [];
    const driver = createCallDriver({
      files: FILES,
      permission: RULES,
      person,
      ports: {
        hooks: {
          before: (event) => {
            seen.push(event.tool);
            return Promise.resolve({ kind: "go", ask: true });
          },
          after: () => Promise.resolve({}),
        },
      },
    });
    const plan = await preview(driver, "edit_files", input);
    expect(seen).toEqual([]);
    const ran = await confirmed(driver, "edit_files", input, plan);
    expect(asked).toEqual([["/ws/asked.ts", "/ws/free.ts"]]);
    expect(ran.structured.status).toBe("error");
    expect(driver.workspace.contents()).toEqual(FILES);
  });

  test("a deny stays a deny", async () => {
    const { person } = denier();
    const driver = createCallDriver({ files: FILES, permission: RULES, person });
    const input = { edits: [edit("/ws/asked.ts", "one", "two"), edit("/ws/denied.ts", "d", "e")] };
    const ran = await driver.runner.execute(
      { tool: "edit_files", input, session: "s", source: "test" },
      never,
      (await preview(driver, "edit_files", input))!.hash,
    );
    expect(ran.structured.status).toBe("partial");
    expect(driver.workspace.contents()).toEqual({ ...FILES, "asked.ts": "two\n" });
  });

  test.each<[string, unknown]>([
    ["edit_files", { edits: [edit("/ws/free.ts", "x", "y")] }],
    ["edit_files", { edits: [edit("/ws/asked.ts", "not there", "y")] }],
    ["edit_files", { edits: [edit("/ws/denied.ts", "d", "e")] }],
    ["edit_files", { edits: "rubbish" }],
    ["no_such_tool", {}],
  ])("%s %j asks nobody", async (tool, input) => {
    const driver = createCallDriver({ files: FILES, permission: RULES });
    expect(await preview(driver, tool, input)).toBeNull();
  });

  test("does not wait for a call that waits", async () => {
    const person = createApprovals({ waitMsMax: null, after: () => () => undefined });
    const driver = createCallDriver({ files: FILES, permission: RULES, person });
    const input = { edits: [edit("/ws/asked.ts", "one", "two")] };
    const opened = new Promise<void>((resolve) => void person.onChange(resolve));
    const waits = driver.run("edit_files", input);
    await opened;
    expect((await preview(driver, "edit_files", input))!.asked).toHaveLength(1);
    const [question] = person.open();
    person.answerAll(question!.callId, "approve", question!.hash);
    const ran = await waits;
    await expectTruth(driver, ran);
    expectDiffsTrue(driver, ran);
  });
});

describe("the words of the confirmation", () => {
  const say = (text: string, ...values: (string | number)[]): string =>
    text.replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)]));
  const wordsOf = async (files: Record<string, string>, tool: string, input: unknown) => {
    const driver = createCallDriver({ files, permission: RULES });
    return confirmationOf(tool, (await preview(driver, tool, input))!, true, say);
  };

  test("tell every file, what is asked as its server diff", async () => {
    const input = {
      edits: [
        edit("/ws/asked.ts", "one", "two"),
        edit("/ws/free.ts", "x", "y"),
        edit("/ws/denied.ts", "d", "e"),
      ],
    };
    expect(await wordsOf(FILES, "edit_files", input)).toEqual({
      title: "Let edit_files change a file that needs your approval?",
      message: [
        "Change `asked.ts` (+1 −1)",
        "```diff\n@@ -1 +1 @@\n-one\n+two\n\n```",
        "Changed without approval, as the rules allow: `/ws/free.ts`",
        "Not changed, as these edits do not fit: `/ws/denied.ts`",
        "Edit Review then asks for each of these files.",
      ].join("\n\n"),
    });
  });

  test("name both ends of a move, and what is created and deleted", async () => {
    const { title, message } = await wordsOf(
      { "asked.ts": "one\n", "asked2.ts": "gone\n" },
      "apply_patch",
      patch(
        "*** Update File: asked.ts",
        "*** Move to: moved.ts",
        "*** Add File: askedNew.ts",
        "+n",
        "*** Delete File: asked2.ts",
      ),
    );
    expect(title).toBe("Let apply_patch change 3 files that need your approval?");
    expect(message).toContain("Move `asked.ts` to `moved.ts` (+0 −0)");
    expect(message).toContain("Create `askedNew.ts` (+1 −0)");
    expect(message).toContain("Delete `asked2.ts` (+0 −1)");
  });

  test("nothing in a file or a path is taken for Markdown", async () => {
    const { message } = await wordsOf({}, "write", {
      path: "``[x](command:evil) ![](http://a.test/b.png).md",
      content: "```\n[run](command:evil)\n````diff\n",
    });
    expect(message).toContain("Create ``` ``[x](command:evil) ![](http:/a.test/b.png).md ``` (+3");
    const fence = /^(`+)diff$/m.exec(message)![1]!;
    expect(fence.length).toBeGreaterThan(4);
    expect(message.split("\n").filter((line) => line === fence)).toHaveLength(1);
  });

  test("stay within their bounds and say what was left out", async () => {
    const lines = Array.from({ length: 1_000 }, () => "x".repeat(1_000)).join("\n");
    const { message } = await wordsOf({}, "write", { path: "new.ts", content: `${lines}\n` });
    expect(message).toContain("more lines of the diff");
    expect(message.length).toBeLessThan(
      LIMITS.confirmationRowsMax * (LIMITS.confirmationRowUnitsMax + 2) + 1_000,
    );
    const many = Array.from({ length: 60 }, (_, i) => `*** Add File: asked${i}.ts\n+x`);
    const { title, message: short } = await wordsOf({}, "apply_patch", patch(...many));
    expect(title).toContain("60 files");
    expect(short).toContain("And 40 more files that need approval.");
  });
});
