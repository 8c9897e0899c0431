import { describe, expect, test } from "vitest";
import { parseGlob } from "../../../src/app/pathGlob.ts";
import { parsePermissionRules } from "../../../src/app/permissionRules.ts";
import { createPermissions, judgeFile, judgeFiles } from "../../../src/app/permissions.ts";
import { createCallDriver, edit } from "../../support/callDriver.ts";
import { expectTruth } from "../../support/callTruth.ts";
import { fileAt, ROOTS } from "./files.ts";

const at = (setting: unknown, path: string, tool = "edit_files"): string =>
  judgeFile(parsePermissionRules(setting), ROOTS, { file: fileAt(path), use: "edit", tool });

describe("a setting that cannot be read is named and never loosens", () => {
  test.each([
    [{ edit_file: "deny" }, 'there is no tool "edit_file"'],
    [{ edit: "alow" }, '"alow" is not allow, ask or deny'],
    [{ edit: { "src/[a": "deny" } }, "a [ is not closed"],
    [{ edit: { "src/{a,b": "deny" } }, "a { is not closed"],
    [{ edit: { "src/a}": "deny" } }, "a } has no {"],
    [{ edit: { "": "deny" } }, "it is empty"],
    [{ edit: { "!src/**": "deny" } }, "a leading !"],
    [{ edit: { "../x/**": "deny" } }, "write an absolute path"],
    [{ edit: { "~/x": "deny" } }, "write the folder out"],
    [{ edit: { "src/**": 7 } }, "7 is not allow, ask or deny"],
    [{ edit: ["src/**"] }, "must be allow, ask, deny or an object"],
    [["deny"], "the whole setting must be an object"],
    [42, "the whole setting must be an object"],
  ])("%j", (setting, problem) => {
    expect(parsePermissionRules(setting).problems.join("\n")).toContain(problem);
    expect(at(setting, "src/a.ts")).toBe("ask");
  });
  test("an allow that cannot be read is dropped", () => {
    expect(at({ "*": "deny", edit: { "src/[": "allow" } }, "src/a.ts")).toBe("deny");
    expect(at({ edti: "allow" }, "src/a.ts")).toBe("allow");
  });
  test("what was readable of the line still limits it", () => {
    expect(at({ edit_file: { "docs/**": "deny" } }, "src/a.ts")).toBe("allow");
    expect(at({ edit_file: { "docs/**": "deny" } }, "docs/a.md")).toBe("ask");
    expect(at({ write: { "src/[": "deny" } }, "src/a.ts", "edit")).toBe("allow");
  });
  test.each([
    [{ patch: "allow", apply_patch: "deny" }, "deny"],
    [{ apply_patch: "deny", patch: "allow" }, "deny"],
    [{ apply_patch: { "./src/**": "ask", "src/**": "allow" } }, "ask"],
    [{ apply_patch: { "*": "deny", "**": "allow" } }, "deny"],
  ])("contradiction %j", (setting, effect) => {
    const [problem] = parsePermissionRules(setting).problems;
    expect(problem).toContain(
      `contradicts another line for the same tool and paths; "${effect}" is used`,
    );
    expect(at(setting, "src/a.ts", "apply_patch")).toBe(effect);
  });
  test("the same twice is no contradiction", () => {
    expect(parsePermissionRules({ patch: "deny", apply_patch: "deny" }).problems).toEqual([]);
  });
  test("a pattern that stands for too many paths is refused, not expanded", () => {
    const many = parseGlob("{a,b}".repeat(40));
    expect(many).toEqual({ ok: false, problem: "it stands for too many paths" });
    expect(parseGlob("[ab]".repeat(40)).ok).toBe(false);
  });
  test("work on a hostile pattern stays bounded", () => {
    const glob = parseGlob(`${"*a".repeat(60)}b`);
    const path = "a".repeat(4_000);
    const started = performance.now();
    expect(glob.ok && glob.value.matches(path, "folded")).toBe(false);
    // 60 tokens times 4,000 characters is a moment; backtracking would take longer than the universe has.
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

test("the strictest of all files of an operation counts", () => {
  const permissions = createPermissions({
    rules: () => parsePermissionRules({ edit: { "b.md": "deny", "c.md": "ask" } }),
    roots: () => ROOTS,
  });
  const move = (from: string, to: string): string =>
    judgeFiles(permissions, [
      { file: fileAt(from), use: "delete", tool: "apply_patch" },
      { file: fileAt(to), use: "create", tool: "apply_patch" },
    ]);
  expect([
    move("a.md", "d.md"),
    move("a.md", "c.md"),
    move("c.md", "b.md"),
    move("b.md", "a.md"),
  ]).toEqual(["allow", "ask", "deny", "deny"]);
});

describe("a result says when the rules themselves are at fault", () => {
  const files = { "src/a.ts": "one\n" };
  const edits = { edits: [edit("/ws/src/a.ts", "one", "two")] };
  const patch = {
    patch: "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-one\n+two\n*** End Patch",
  };
  test.each<[string, object, string]>([
    ["an unknown tool", { edit_file: "deny" }, '"edit_file": there is no tool "edit_file"'],
    ["a pattern that does not parse", { edit: { "src/[a": "deny" } }, "a [ is not closed"],
    ["an unknown word", { edit: "alow" }, '"alow" is not allow, ask or deny'],
    [
      "a contradiction",
      { patch: "allow", apply_patch: "deny" },
      'contradicts another line for the same tool and paths; "deny" is used',
    ],
  ])("%s", async (_, permission, problem) => {
    for (const [tool, input] of [
      ["edit_files", edits],
      ["apply_patch", patch],
    ] as const) {
      const driver = createCallDriver({ files, permission });
      const ran = await driver.run(tool, input);
      await expectTruth(driver, ran);
      expect(ran.structured.status, tool).toBe("error");
      expect(ran.text, tool).toContain("permission rules hold lines that cannot be read");
      expect(ran.text, tool).toContain(problem);
      expect(ran.structured.files[0]!.error, tool).toContain(problem);
      expect(driver.workspace.contents()).toEqual(files);
    }
  });
  test("names a few of many, and nothing where all can be read", async () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`tool${i}`, "deny"]));
    const ran = await createCallDriver({ files, permission: many }).run("edit_files", edits);
    expect(ran.text).toContain("And 47 more.");
    const fine = createCallDriver({ files, permission: { edit: "deny" } });
    const { text } = await fine.run("edit_files", edits);
    expect(text).not.toContain("cannot be read");
  });
});
