import { describe, expect, test } from "vitest";
import { explainFile } from "../../../src/engine/index.ts";
import { FILE_PROBLEMS } from "../../support/fileProblems.ts";

describe("the sentence for a problem with a file", () => {
  test.each(
    Object.values(FILE_PROBLEMS).map(([problem, words]) => [problem.code, problem, words] as const),
  )("%s says what is wrong and what to do", (_code, problem, words) => {
    const { message, advice } = explainFile(problem);
    expect(message).toContain(words);
    expect(message).not.toMatch(/\n/);
    expect(advice).toMatch(/^[A-Z].*[.]$/);
  });
});
