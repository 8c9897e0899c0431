import { describe, expect, it } from "vitest";
import { createCallDriver } from "../../support/callDriver.ts";

const PLAN = { plan: { path: "/ws/plans/plan.md" }, turn: true } as const;
const FILES = { "plans/plan.md": "one\n", "a.txt": "a\n" };

describe("a plan turn", () => {
  it("lets nothing but the plan be edited, and says which file that is", async () => {
    const driver = createCallDriver({ files: FILES });
    const edits = [
      { path: "/ws/plans/plan.md", old_text: "one", new_text: "two" },
      { path: "/ws/a.txt", old_text: "a", new_text: "b" },
    ];
    const both = await driver.run("edit_files", { edits }, { plan: PLAN });
    expect(both.text).toBe(
      "Edit only /ws/plans/plan.md; during plan turns, edit_files is restricted to that file\nNo files were applied.",
    );
    expect(driver.workspace.contents()).toEqual(FILES);
    const plan = await driver.run("edit_files", { edits: edits.slice(0, 1) }, { plan: PLAN });
    expect(plan.structured.status).toBe("applied");
  });

  it("does not let a patch move the plan elsewhere", async () => {
    const driver = createCallDriver({ files: FILES });
    const patch = [
      "*** Begin Patch",
      "*** Update File: /ws/plans/plan.md",
      "*** Move to: /ws/b.md",
      "*** End Patch",
    ].join("\n");
    const ran = await driver.run("apply_patch", patch, { plan: PLAN });
    expect(ran.text).toContain("Edit only /ws/plans/plan.md");
    expect(driver.workspace.contents()).toEqual(FILES);
  });

  it("over, refuses only the plan file at a retired place", async () => {
    const driver = createCallDriver({ files: { ...FILES, "PLAN.md": "old\n" } });
    const edits = [
      { path: "/ws/PLAN.md", old_text: "old", new_text: "new" },
      { path: "/ws/a.txt", old_text: "a", new_text: "b" },
    ];
    const plan = { ...PLAN, turn: false, home: "/ws" };
    const ran = await driver.run("edit_files", { edits }, { plan });
    expect(ran.structured.status).toBe("partial");
    expect(ran.text).toContain("no longer supported at the home root");
    expect(driver.workspace.text("a.txt")).toBe("b\n");
    expect(driver.workspace.text("PLAN.md")).toBe("old\n");
  });
});
