import { describe, expect, it } from "vitest";
import {
  changedAfterPlanningText,
  commitFailedText,
  explainEnvelope,
  isMatchFailure,
  notAppliedGroup,
  parsePatch,
  patchPaths,
  patchText,
  planPatch,
  type PatchFileState,
  type PatchPath,
  type PatchPlan,
} from "../../../src/engine/index.ts";

function planAt(
  lines: readonly string[],
  resolve: (path: string) => PatchPath,
  files: Readonly<Record<string, PatchFileState>>,
): PatchPlan {
  const parsed = parsePatch(["*** Begin Patch", ...lines, "*** End Patch"].join("\n"));
  const paths = new Map(patchPaths(parsed.doc).map((path) => [path, resolve(path)]));
  return planPatch(parsed, paths, new Map(Object.entries(files)), { ambiguousHunk: "note" });
}

const text = (content: string): PatchFileState => ({ kind: "text", text: content });
const update = (path: string): readonly string[] => [`*** Update File: ${path}`, "@@", "-x", "+y"];

describe("planPatch", () => {
  it("refuses one file under two names", () => {
    const linked = (path: string): PatchPath => ({
      key: "/w/real",
      name: `/w/${path}`,
      shown: path,
    });
    const plan = planAt([...update("a.txt"), ...update("link.txt")], linked, {
      "/w/real": text("x\n"),
    });
    expect(plan).toEqual({
      kind: "rejected",
      problem: { code: "overlap", first: "a.txt", second: "link.txt" },
    });
  });

  it("refuses a move to another name of the same file", () => {
    const folded = (path: string): PatchPath => ({
      key: `/w/${path.toLowerCase()}`,
      name: `/w/${path}`,
      shown: path,
    });
    const plan = planAt(["*** Update File: readme.md", "*** Move to: README.md"], folded, {
      "/w/readme.md": text("x\n"),
    });
    expect(plan.kind === "rejected" && explainEnvelope(plan.problem).message).toContain(
      "move source and target are the same",
    );
  });

  it("knows folders by either separator", () => {
    const windows = (path: string): PatchPath => ({
      key: `c:\\w\\${path}`,
      name: `c:\\w\\${path}`,
      shown: path,
    });
    const plan = planAt(["*** Add File: a", "+1", "*** Add File: a\\b", "+2"], windows, {});
    expect(plan.kind).toBe("rejected");
  });

  it("lets a path that may not be touched fail with its own reason, and what depends on it", () => {
    const plain = (path: string): PatchPath => ({
      key: `/w/${path}`,
      name: `/w/${path}`,
      shown: path,
    });
    const plan = planAt(
      ["*** Update File: a", "*** Move to: secret", ...update("secret"), ...update("b")],
      plain,
      {
        "/w/a": text("x\n"),
        "/w/b": text("x\n"),
        "/w/secret": { kind: "blocked", explanation: { message: "denied by the user" } },
      },
    );
    if (plan.kind !== "planned") throw new Error("not planned");
    expect(plan.files.map((file) => file.path.shown)).toEqual(["b"]);
    const failed = plan.failed.map(notAppliedGroup);
    expect(failed.map(({ shown }) => shown)).toEqual(["a", "secret"]);
    expect(failed[0]?.root).toEqual({ message: "denied by the user" });
    expect(failed[1]?.root).toBeNull();
  });

  it("carries the first root cause, not what followed from it", () => {
    const plain = (path: string): PatchPath => ({
      key: `/w/${path}`,
      name: `/w/${path}`,
      shown: path,
    });
    const plan = planAt([...update("a"), "*** Update File: a", "@@", "-zzz", "+q"], plain, {
      "/w/a": text("x\n"),
    });
    if (plan.kind !== "planned") throw new Error("not planned");
    const { message } = patchText({
      committed: [],
      failed: plan.failed.map(notAppliedGroup),
      cleaned: new Map(),
      notes: [],
    });
    expect(message).toMatch(
      /^apply_patch failed: 1 file group not applied: hunk not found \(1\/1\)/,
    );
    const problems = plan.failed.flatMap((group) => group.operations.map(({ problem }) => problem));
    expect(problems.map(isMatchFailure)).toEqual([false, true]);
  });
});

describe("texts of a commit that did not happen", () => {
  it("say that nothing was written", () => {
    expect(changedAfterPlanningText("move target", "b.txt").message).toBe(
      "apply_patch move target changed after planning: b.txt. No files were modified",
    );
    expect(commitFailedText("disk full", []).text).toBe(
      "apply_patch commit failed: disk full; all changes were rolled back\nNo files were modified.",
    );
  });

  it("name files that could not be put back", () => {
    expect(commitFailedText("disk full", ["a.txt", "b.txt"]).message).toBe(
      "apply_patch commit failed: disk full; rollback also failed: a.txt, b.txt",
    );
  });
});
