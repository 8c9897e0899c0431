import { readdirSync, readFileSync } from "node:fs";
import { applyPatch } from "diff";
import { describe, expect, test } from "vitest";
import { printUnified } from "../../../src/engine/index.ts";
import { runReplaceCall, type Files } from "../../support/replaceWorld.ts";

type Content = string | { readonly base64: string } | null;

/** One call on one file, `a.txt`. Without `after` the call is rejected and the file stays as it is. */
interface ReplaceCase {
  readonly name: string;
  readonly rule: string;
  /** null: there is no file. */
  readonly file: Content;
  readonly tool?: "write" | "delete";
  readonly call?: unknown;
  readonly raw?: string;
  readonly after?: Content;
  /** The file is deleted. */
  readonly gone?: true;
  readonly tolerance?: readonly string[];
  readonly says?: readonly string[];
  readonly never?: readonly string[];
}

const KEYS = new Set("name rule file tool call raw after gone tolerance says never".split(" "));
const root = new URL("../../cases/", import.meta.url);
const CASES_MIN = 220;
let count = 0;

for (const folder of ["edit", "write"])
  for (const name of readdirSync(new URL(`${folder}/`, root)).sort()) {
    const cases = JSON.parse(
      readFileSync(new URL(`${folder}/${name}`, root), "utf8"),
    ) as ReplaceCase[];
    describe(`${folder}/${name}`, () => {
      for (const one of cases) {
        count++;
        test(one.name, () => check(one));
      }
    });
  }

test("no case was lost", () => {
  expect(count).toBeGreaterThanOrEqual(CASES_MIN);
});

async function check(one: ReplaceCase): Promise<void> {
  for (const key of Object.keys(one)) expect(KEYS).toContain(key);
  const files: Files = new Map();
  const before = bytesOf(one.file);
  if (before !== null) files.set("a.txt", before);
  const arrived = one.raw === undefined ? { input: one.call } : { raw: one.raw };
  const reply = await runReplaceCall(files, { tool: one.tool ?? "edit", ...arrived });
  const changes = one.after !== undefined || one.gone === true;
  expect({ applied: reply.applied, text: reply.text }).toEqual({
    applied: changes,
    text: reply.text,
  });
  const expected = one.gone === true ? null : changes ? bytesOf(one.after ?? null) : before;
  expect(hex(files.get("a.txt"))).toBe(hex(expected));
  expect([...files.keys()]).toEqual(expected === null ? [] : ["a.txt"]);
  if (one.tolerance !== undefined) expect(reply.tolerance).toEqual(one.tolerance);
  for (const words of one.says ?? []) expect(reply.text).toContain(words);
  for (const words of one.never ?? []) expect(reply.text).not.toContain(words);
  const { change } = reply;
  if (change === null) return;
  // Whatever the case expects, a plan must be true to itself.
  expect(change.edit.apply(change.before.text)).toBe(change.after);
  expect(change.edit.invert(change.before.text).apply(change.after)).toBe(change.before.text);
  const printed = printUnified(change.diff, "a.txt");
  if (change.after === change.before.text) expect(printed).toBe("");
  else if (!/\r(?!\n)/.test(change.before.text + change.after))
    expect(applyPatch(change.before.text, printed, { autoConvertLineEndings: false })).toBe(
      change.after,
    );
}

function bytesOf(content: Content): Uint8Array | null {
  if (content === null) return null;
  return typeof content === "string"
    ? new TextEncoder().encode(content)
    : new Uint8Array(Buffer.from(content.base64, "base64"));
}

function hex(bytes: Uint8Array | null | undefined): string | null {
  return bytes === null || bytes === undefined ? null : Buffer.from(bytes).toString("latin1");
}
