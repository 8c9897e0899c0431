import { describe, expect, test } from "vitest";
import {
  HOOK_CAPS,
  readHookAnswer,
  repeatedKey,
  type HookOpinion,
} from "../../../src/app/hookAnswer.ts";

const read = (value: unknown, form: "http" | "command" = "http"): HookOpinion => {
  const answer = readHookAnswer(JSON.stringify(value), form);
  if (!answer.ok) throw new Error(answer.problem);
  return answer.value;
};
const wrong = (text: string, form: "http" | "command" = "http"): string => {
  const answer = readHookAnswer(text, form);
  return answer.ok ? "no problem" : answer.problem;
};
const json = JSON.stringify;

describe("the plain form", () => {
  test.each(["", " \n", "{}", " {} \n"])("%j is no opinion", (text) => {
    for (const form of ["http", "command"] as const)
      expect(readHookAnswer(text, form)).toEqual({ ok: true, value: {} });
  });
  test("all fields", () => {
    expect(
      read({
        permission: { decision: "deny", reason: "r" },
        model_context: "m",
        user_message: "u",
      }),
    ).toEqual({
      decision: "deny",
      reason: "r",
      modelContext: "m",
      userMessage: "u",
    });
    expect(read({ permission: { decision: "allow" }, input_override: { files: [] } })).toEqual({
      decision: "allow",
      override: { value: { files: [] } },
    });
    expect(read({ user_message: "only this" })).toEqual({ userMessage: "only this" });
  });
  test.each([
    ["not JSON", "no", "not JSON"],
    ["half", '{"permission":', "not JSON"],
    ["trailing data", "{} {}", "not JSON"],
    ["trailing word", '{"user_message":"x"} ok', "not JSON"],
    ["null", "null", "wrong shape"],
    ["a list", "[]", "wrong shape"],
    ["a text", '"allow"', "wrong shape"],
    ["an unknown field", '{"permissions":{}}', "wrong shape"],
    ["an unknown field inside", '{"permission":{"decision":"deny","why":"x"}}', "wrong shape"],
    ["a case variant", '{"Permission":{"decision":"deny"}}', "wrong shape"],
    ["__proto__", '{"__proto__":{"permission":{"decision":"deny"}}}', "wrong shape"],
    ["no decision", '{"permission":{}}', "wrong shape"],
    ["ask", '{"permission":{"decision":"ask"}}', "wrong shape"],
    ["a reason that is no text", '{"permission":{"decision":"deny","reason":1}}', "wrong shape"],
    ["null for a message", '{"user_message":null}', "wrong shape"],
    ["allow without override", '{"permission":{"decision":"allow"}}', "needs an input_override"],
    ["override without allow", '{"input_override":{}}', "needs permission.decision allow"],
    [
      "deny with override",
      '{"permission":{"decision":"deny"},"input_override":{}}',
      "needs permission.decision allow",
    ],
    ["a key twice", '{"user_message":"a","user_message":"b"}', 'repeats the key "user_message"'],
    [
      "a key twice, once escaped",
      '{"user_message":"a","user\\u005fmessage":"b"}',
      'repeats the key "user_message"',
    ],
    [
      "a key twice in the override",
      '{"permission":{"decision":"allow"},"input_override":{"files":[{"path":"/a","path":"/b","edits":[]}]}}',
      'repeats the key "path"',
    ],
    [
      "the other form over HTTP",
      '{"hookSpecificOutput":{"permissionDecision":"deny"}}',
      "wrong shape",
    ],
  ])("%s", (_, text, problem) => {
    expect(wrong(text)).toContain(problem);
  });
});

describe("caps are in bytes, and over them is a wrong answer", () => {
  const fits = (bytes: number): string => "é".repeat(bytes / 2);
  test.each([
    [
      "reason",
      (text: string) => ({ permission: { decision: "deny", reason: text } }),
      HOOK_CAPS.reasonBytesMax,
    ],
    ["model_context", (text: string) => ({ model_context: text }), HOOK_CAPS.messageBytesMax],
    ["user_message", (text: string) => ({ user_message: text }), HOOK_CAPS.messageBytesMax],
  ])("%s", (_, answer, max) => {
    expect(readHookAnswer(json(answer(fits(max))), "http").ok).toBe(true);
    expect(wrong(json(answer(`${fits(max)}x`)))).toContain(`longer than ${max} bytes`);
  });
  test("input_override", () => {
    const answer = (size: number): string =>
      json({ permission: { decision: "allow" }, input_override: "x".repeat(size - 2) });
    expect(readHookAnswer(answer(HOOK_CAPS.overrideBytesMax), "http").ok).toBe(true);
    expect(wrong(answer(HOOK_CAPS.overrideBytesMax + 1))).toContain("longer than 262144 bytes");
  });
  test("the whole answer", () => {
    expect(wrong(`{}${" ".repeat(HOOK_CAPS.bodyBytesMax)}`)).toContain("longer than 1048576 bytes");
  });
  test("an override nested without end is refused, not crashed on", () => {
    const deep = `{"permission":{"decision":"allow"},"input_override":${"[".repeat(400_000)}${"]".repeat(400_000)}}`;
    expect(readHookAnswer(deep, "http").ok).toBe(false);
  });
});

describe("the form of VS Code's and Claude Code's hooks, from commands", () => {
  test.each<[string, object, HookOpinion]>([
    [
      "deny",
      {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "deny",
          permissionDecisionReason: "r",
        },
      },
      { decision: "deny", reason: "r" },
    ],
    ["ask", { hookSpecificOutput: { permissionDecision: "ask" } }, { decision: "ask" }],
    [
      "a bare allow",
      { hookSpecificOutput: { permissionDecision: "allow" } },
      { decision: "allow" },
    ],
    [
      "a rewrite",
      {
        hookSpecificOutput: {
          permissionDecision: "allow",
          updatedInput: { files: [] },
          additionalContext: "c",
        },
      },
      { decision: "allow", override: { value: { files: [] } }, modelContext: "c" },
    ],
    [
      "a rewrite without a decision",
      { hookSpecificOutput: { updatedInput: { a: 1 } } },
      { override: { value: { a: 1 } } },
    ],
    [
      "a denied rewrite",
      { hookSpecificOutput: { permissionDecision: "deny", updatedInput: {} } },
      { decision: "deny" },
    ],
    ["stop", { continue: false, stopReason: "enough" }, { decision: "deny", reason: "enough" }],
    [
      "stop beats allow",
      { continue: false, hookSpecificOutput: { permissionDecision: "allow" } },
      { decision: "deny" },
    ],
    ["block", { decision: "block", reason: "no" }, { decision: "deny", reason: "no" }],
    ["go on", { continue: true, suppressOutput: true }, {}],
    ["a message for the user", { systemMessage: "hello" }, { userMessage: "hello" }],
    ["the plain form too", { permission: { decision: "deny" } }, { decision: "deny" }],
  ])("%s", (_, answer, opinion) => {
    expect(read(answer, "command")).toEqual(opinion);
  });
  test.each([
    '{"hookSpecificOutput":{"permissionDecision":"maybe"}}',
    '{"hookSpecificOutput":{"permissionDecision":"deny","extra":1}}',
    '{"hookSpecificOutput":{"hookEventName":"Stop"}}',
    '{"hookSpecificOutput":[]}',
    '{"hookSpecificOutput":{"permissionDecision":"deny"},"permission":{"decision":"deny"}}',
    '{"continue":"no"}',
  ])("%s is a wrong answer", (text) => {
    expect(wrong(text, "command")).toContain("wrong shape");
  });
});

test.each([
  ['{"a":{"b":1},"b":{"a":1}}', null],
  ['[{"a":1},{"a":2}]', null],
  ['{"a":"b","b":"a"}', null],
  ['{"a":["a","a"]}', null],
  ['{"a" : 1 , "b" : { "c" : 1 , "c" : 2 } }', "c"],
  ['{"x":"\\"a\\":1,","a":1}', null],
  ['{"a":{"a":{"a":1}}}', null],
  ['{"":1,"":2}', ""],
])("the repeated key of %s", (text, key) => {
  expect(repeatedKey(text)).toBe(key);
});
