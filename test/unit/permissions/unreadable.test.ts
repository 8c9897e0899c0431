import { describe, expect, test } from "vitest";
import { parseGlob } from "../../../src/app/pathGlob.ts";
import { parsePermissionRules } from "../../../src/app/permissionRules.ts";
import { createPermissions, judgeFile, judgeFiles } from "../../../src/app/permissions.ts";
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
