import { describe, expect, test } from "vitest";
import { planFileProblem, planTurnRefusal } from "../../../src/app/planTurn.ts";

const PLAN = "/home/coder/.plans/7/PLAN.md";
const place = { plan: { path: PLAN }, home: "/home/coder" };

describe("during a plan turn", () => {
  test("only the plan itself, spelled exactly", () => {
    expect(planTurnRefusal("edit_files", [PLAN, PLAN], place)).toBe(null);
    for (const other of [
      "/w/a.ts",
      `${PLAN}.bak`,
      "/home/coder/.plans/7/plan.md",
      "/home/coder/.plans/../.plans/7/PLAN.md",
    ])
      expect(planTurnRefusal("edit_files", [PLAN, other], place)).toBe(
        `Edit only ${PLAN}; during plan turns, edit_files is restricted to that file\nNo files were applied.`,
      );
  });
  test("a plan path that is not known refuses the call", () => {
    expect(planTurnRefusal("edit", [PLAN], { plan: { problem: "no home folder" } })).toBe(
      "resolve chat-specific plan path: no home folder\nNo files were applied.",
    );
  });
  test("a plan that is a link refuses the call, after the paths were looked at", () => {
    const linked = { ...place, resolvesTo: "/etc/passwd" };
    expect(planTurnRefusal("edit", [PLAN], linked)).toBe(
      `the chat-specific plan path ${PLAN} resolves to /etc/passwd; symlinked plan paths are not allowed during plan turns\nNo files were applied.`,
    );
    expect(planTurnRefusal("edit", ["/w/a.ts"], linked)).toContain(`Edit only ${PLAN}`);
    expect(planTurnRefusal("edit", [PLAN], { ...place, resolvesTo: PLAN })).toBe(null);
  });
});

describe("outside plan turns", () => {
  test.each([
    ["plan.md", "Use the chat-specific absolute plan path; plan files must use absolute paths"],
    [
      "docs/Plan.md",
      "Use the chat-specific absolute plan path; plan files must use absolute paths",
    ],
    [
      "/home/coder/plan.md",
      `the plan path /home/coder/plan.md is no longer supported at the home root; use the chat-specific plan path: ${PLAN}`,
    ],
    [
      "/home/coder/PLAN.MD",
      `the plan path /home/coder/PLAN.MD is no longer supported at the home root; use the chat-specific plan path: ${PLAN}`,
    ],
    [PLAN, null],
    ["/w/docs/plan.md", null],
    ["/home/coder/plan.mdx", null],
    ["relative/a.ts", null],
  ])("%s", (path, problem) => {
    expect(planFileProblem(path, place)).toBe(problem);
  });
  test("without a known plan only the old place is refused", () => {
    const unknown = { plan: { problem: "offline" }, home: "/home/coder/" };
    expect(planFileProblem("/home/coder/plan.md", unknown)).toContain(
      "could not be verified because the workspace is currently unavailable",
    );
    expect(planFileProblem("/home/coder/docs/plan.md", unknown)).toBe(null);
  });
  test("a chat's plan in the home folder itself is that chat's plan", () => {
    expect(
      planFileProblem("/home/coder/plan.md", {
        plan: { path: "/home/coder/plan.md" },
        home: "/home/coder",
      }),
    ).toBe(null);
  });
});
