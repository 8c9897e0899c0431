import { describe, expect, test } from "vitest";
import {
  hiddenToolText,
  isPatchNative,
  selectSurface,
  type SurfaceCompat,
} from "../../../src/agent/selectSurface.ts";

const ALL = ["edit_files", "edit", "apply_patch", "write", "delete"];
const NATIVE = "gpt-5.5";
const OTHER = "claude-sonnet-5";
const base: SurfaceCompat = { editTool: "edit_files", wire: "responses" };
const without =
  (...denied: readonly string[]) =>
  (tool: string): boolean =>
    ALL.includes(tool) && !denied.includes(tool);

describe("models trained on patches", () => {
  test.each([
    ["gpt-5", true],
    ["gpt-5-mini", true],
    ["gpt-5-nano", true],
    ["gpt-5-codex", true],
    ["gpt-5.3-codex", true],
    ["gpt-5.5", true],
    ["gpt-6-astra", true],
    ["gpt-10", true],
    ["GPT-5", true],
    ["openai/gpt-5.5@2026-01-01", true],
    ["relay/openai/gpt-6", true],
    ["codex-auto-review", true],
    ["openai/codex-auto-review@x", true],
    ["gpt-5x", false],
    ["gpt-oss-120b", false],
    ["gpt-4.1", false],
    ["gpt-4o", false],
    ["gpt-3.5-turbo", false],
    ["gpt-", false],
    ["my-gpt-5", false],
    ["o3", false],
    ["daybreak-codex", false],
    ["codex-auto-review-2", false],
    ["gpt-5/claude", false],
    ["claude-sonnet-5", false],
    ["qwen3", false],
    ["", false],
  ])("%s: %s", (model, native) => {
    expect(isPatchNative(model)).toBe(native);
  });
});

describe("the table of the surface", () => {
  test.each([
    { allowed: "both", patch: true, denied: [], tools: ["apply_patch"] },
    { allowed: "both", patch: false, denied: [], tools: ["edit_files", "write", "delete"] },
    {
      allowed: "only apply_patch",
      patch: true,
      denied: ["edit", "edit_files"],
      tools: ["apply_patch"],
    },
    {
      allowed: "only apply_patch",
      patch: false,
      denied: ["edit", "edit_files"],
      tools: ["apply_patch", "write", "delete"],
    },
    {
      allowed: "only edit",
      patch: true,
      denied: ["apply_patch"],
      tools: ["edit_files", "write", "delete"],
    },
    {
      allowed: "only edit",
      patch: false,
      denied: ["apply_patch"],
      tools: ["edit_files", "write", "delete"],
    },
    {
      allowed: "none",
      patch: true,
      denied: ["apply_patch", "edit", "edit_files"],
      tools: ["write", "delete"],
    },
    {
      allowed: "none, no write",
      patch: false,
      denied: ["apply_patch", "edit", "edit_files", "write"],
      tools: ["delete"],
    },
    { allowed: "both, no write", patch: false, denied: ["write"], tools: ["edit_files", "delete"] },
    {
      allowed: "the other edit tool only",
      patch: false,
      denied: ["edit_files"],
      tools: ["edit", "write", "delete"],
    },
  ])("$allowed allowed, patch surface $patch", ({ patch, denied, tools }) => {
    expect(selectSurface(patch ? NATIVE : OTHER, base, without(...denied)).tools).toEqual(tools);
    // The setting alone makes the same surface, whatever the name.
    const set = { ...base, provider: { enabled: patch } };
    expect(selectSurface(patch ? OTHER : NATIVE, set, without(...denied)).tools).toEqual(tools);
  });
  test("editTool chooses the edit tool", () => {
    expect(selectSurface(OTHER, { ...base, editTool: "edit" }, without()).tools).toEqual([
      "edit",
      "write",
      "delete",
    ]);
  });
  test("the model's setting goes before the provider's", () => {
    const compat = { ...base, provider: { enabled: true }, model: { enabled: false } };
    expect(selectSurface(NATIVE, compat, without()).tools).toEqual([
      "edit_files",
      "write",
      "delete",
    ]);
    expect(
      selectSurface(OTHER, { ...base, provider: { enabled: true }, model: {} }, without()).tools,
    ).toEqual(["apply_patch"]);
  });
});

describe("the wire shape", () => {
  const freeform = (model: string, compat: Partial<SurfaceCompat>): boolean =>
    selectSurface(model, { ...base, provider: { enabled: true }, ...compat }, without()).freeform;
  test.each<[string, string, Partial<SurfaceCompat>, boolean]>([
    ["native over Responses", NATIVE, {}, true],
    ["others over Responses", OTHER, {}, false],
    ["native over chat completions", NATIVE, { wire: "chat" }, false],
    [
      "switched off for the provider",
      NATIVE,
      { provider: { enabled: true, freeform: false } },
      false,
    ],
    ["switched off for the model", NATIVE, { model: { freeform: false } }, false],
    [
      "the model's setting first",
      NATIVE,
      { provider: { enabled: true, freeform: false }, model: { freeform: true } },
      true,
    ],
    ["forced for others", OTHER, { model: { freeform: true } }, true],
    [
      "not even forced where the wire has no such shape",
      NATIVE,
      { wire: "chat", model: { freeform: true } },
      false,
    ],
    ["other wires neither", NATIVE, { wire: "other", model: { freeform: true } }, false],
  ])("%s", (_, model, compat, expected) => {
    expect(freeform(model, compat)).toBe(expected);
  });
  test("no patch tool, no freeform", () => {
    expect(selectSurface(NATIVE, base, without("apply_patch")).freeform).toBe(false);
  });
  test("enabled and freeform are independent", () => {
    expect(
      selectSurface(NATIVE, { ...base, model: { enabled: false, freeform: true } }, without()),
    ).toEqual({
      tools: ["edit_files", "write", "delete"],
      freeform: false,
    });
  });
});

test("a hidden tool is refused with the one to use", () => {
  expect(hiddenToolText("edit", selectSurface(NATIVE, base, without()))).toBe(
    'tool "edit" is not available for the current model. Use "apply_patch" instead.',
  );
  expect(
    hiddenToolText(
      "edit",
      selectSurface(NATIVE, base, () => false),
    ),
  ).toBe('tool "edit" is not available for the current model. No edit tool is allowed here.');
});
