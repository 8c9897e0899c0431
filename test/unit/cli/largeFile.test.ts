import { spawnSync } from "node:child_process";
import { readFile, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundledCli, folderWith, type Folder } from "./commandLine.ts";

/** Files near the limit of 50 MiB: they work within this heap and this time, or are refused before they are read. */
const HEAP_MB_MAX = 1_024;
const WAIT_MS_MAX = 120_000;
const LINES = 900_000;
const LIMIT = 50 * 1024 * 1024;

const line = (i: number): string => `const value${i} = compute(${i}, offset); // note\n`;
const OLD = "const value450000 = compute(450000, offset);";
const STALE = "const value450000 = computed(450000, offset);";

let cli: string;
let folder: Folder;
/** What is around line 450,000. */
let above: Buffer;
let below: Buffer;

beforeAll(async () => {
  cli = await bundledCli();
  const lines = Array.from({ length: LINES }, (_, i) => line(i));
  above = Buffer.from(lines.slice(0, 450_000).join(""));
  below = Buffer.from(lines.slice(450_001).join(""));
  const large = lines.join("");
  expect(large.length).toBeGreaterThan(0.8 * LIMIT);
  expect(large.length).toBeLessThanOrEqual(LIMIT);
  folder = await folderWith({ "large.ts": large });
  await writeFile(at("over.ts"), "");
  await truncate(at("over.ts"), 2 * LIMIT);
}, 150_000);

afterAll(async () => folder.remove());

/** Runs one call in a process of its own with a bounded heap. */
function apply(
  tool: string,
  input: unknown,
): { readonly text: string; readonly code: number | null } {
  const done = spawnSync(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB_MAX}`, cli, "apply", "--root", folder.root, "-"],
    { input: JSON.stringify({ tool, input }), encoding: "utf8", timeout: WAIT_MS_MAX },
  );
  expect(done.signal).toBeNull();
  return { text: done.stdout + done.stderr, code: done.status };
}

const at = (name: string): string => path.join(folder.root, name);
const patch = (name: string, old: string): string =>
  `*** Begin Patch\n*** Update File: ${name}\n@@\n-${old} // note\n+patched\n*** End Patch`;

describe("a file near 50 MiB", () => {
  test.each([
    [
      "edit_files",
      () => ({ edits: [{ path: at("large.ts"), old_text: OLD, new_text: "one" }] }),
      "one // note\n",
    ],
    [
      "edit",
      () => ({ path: "large.ts", old_string: "one // note", new_string: `${OLD} // note` }),
      `${OLD} // note\n`,
    ],
    ["apply_patch", () => ({ patch: patch("large.ts", OLD) }), "patched\n"],
  ] as const)(
    "is changed by %s",
    async (tool, input, becomes) => {
      expect(apply(tool, input())).toMatchObject({ code: 0 });
      const now = await readFile(at("large.ts"));
      expect(now.subarray(0, above.length).equals(above)).toBe(true);
      expect(now.subarray(now.length - below.length).equals(below)).toBe(true);
      expect(now.toString("utf8", above.length, now.length - below.length)).toBe(becomes);
    },
    150_000,
  );

  test("is not changed by a text that it does not have, and told so", () => {
    const { code, text } = apply("edit", { path: "large.ts", old_string: STALE, new_string: "x" });
    expect(code).toBe(2);
    expect(text).toContain("not found");
  }, 150_000);
});

describe("a file above the limit", () => {
  test.each([
    ["edit_files", () => ({ edits: [{ path: at("over.ts"), old_text: OLD, new_text: "one" }] })],
    ["edit", () => ({ path: "over.ts", old_string: OLD, new_string: "one" })],
    ["write", () => ({ path: "over.ts", content: "one" })],
    ["apply_patch", () => ({ patch: patch("over.ts", OLD) })],
  ] as const)("is refused by %s before it is read", (tool, input) => {
    const { code, text } = apply(tool, input());
    expect(code).toBe(2);
    expect(text).toContain(`more than the limit of ${LIMIT}`);
  });
});
