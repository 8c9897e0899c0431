import { describe, expect, test } from "vitest";
import { explainUndo, type UndoProblem } from "../../../src/app/undoProblem.ts";
import { UNDO_WORDS } from "../../../src/app/undoWords.ts";
import type { FileProblem } from "../../../src/engine/index.ts";
import { FILE_PROBLEMS } from "../../support/fileProblems.ts";
import { FOR_A_MODEL } from "../../support/undoTexts.ts";

const path = "/w/a.txt";
const UNDO_PROBLEMS: {
  readonly [Code in UndoProblem["code"]]: readonly Extract<UndoProblem, { code: Code }>[];
} = {
  "undo-nothing-done": [
    { code: "undo-nothing-done", path, status: "unknown" },
    { code: "undo-nothing-done", path, status: null },
  ],
  "undo-not-kept": [{ code: "undo-not-kept", path }],
  "undo-already-done": [{ code: "undo-already-done", path }],
  "undo-no-such-hunk": [{ code: "undo-no-such-hunk", path, hunk: 1 }],
  "undo-only-whole": [{ code: "undo-only-whole", path }],
  "undo-store-failed": [{ code: "undo-store-failed", path }],
  "undo-other-place": [
    { code: "undo-other-place", path, is: "link", to: "b.txt" },
    { code: "undo-other-place", path, is: "folder" },
    { code: "undo-other-place", path, is: "other" },
  ],
  "undo-file-missing": [{ code: "undo-file-missing", path }],
  "undo-place-taken": [{ code: "undo-place-taken", path }],
  "undo-changed-since": [{ code: "undo-changed-since", path, number: 3, count: 2, by: [] }],
  "undo-file-differs": [{ code: "undo-file-differs", path, by: [] }],
  "undo-unsaved": [{ code: "undo-unsaved", path }],
  "undo-together": [{ code: "undo-together", path, other: "b.txt" }],
  "undo-unreadable": [],
};

const CAUSES = ["EACCES", "EROFS", "ENOSPC", "ENOTDIR", "Unavailable", "EIO", "the file is gone"];
const FILE: readonly FileProblem[] = [
  ...Object.values(FILE_PROBLEMS).map(([problem]) => problem),
  ...CAUSES.map((cause): FileProblem => ({ code: "write-failed", path, cause })),
  ...CAUSES.map((cause): FileProblem => ({ code: "file-unreadable", path, cause })),
  { code: "file-read-only", path, by: "setting" },
  ...(["rule", "trust", "nobody"] as const).map((by): FileProblem => ({
    code: "denied",
    path,
    by,
  })),
];

describe("what an undo says", () => {
  test.each([
    ...Object.values(UNDO_PROBLEMS).flat(),
    ...FILE.map((problem) => ({ code: "undo-unreadable", path, problem }) as const),
  ])("tells a person what to do: %j", (problem) => {
    const { message, advice } = explainUndo(problem);
    expect(message).toMatch(/\w{3}/);
    expect(advice).toMatch(/^[A-Z].*[.]$/);
    expect(`${message} ${advice}`).not.toMatch(FOR_A_MODEL);
  });

  test("a change on save is told without a word on reading again", () => {
    expect(UNDO_WORDS.changedOnSave(path)).not.toMatch(FOR_A_MODEL);
  });
});
