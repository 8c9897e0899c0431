import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCallDriver } from "../support/callDriver.ts";

// With every break read as LF a mixed file is a plain text, and an edit of it must come to what it would come to
// there: no break is cut in two, and no two melt into one where a CR comes to stand before an LF.

const PATH = "/ws/a.txt";
const lf = (text: string): string => text.replaceAll(/\r\n|\r/g, () => "\n");

const brk = fc.constantFrom("\n", "\r\n", "\r");
const word = fc.constantFrom("", "", "a", "bb", "x = 1;", "}", "\u2028", "😀");
const lines = (max: number): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(word, brk), { maxLength: max })
    .map((all) => all.map((parts) => parts.join("")).join(""));

const TOOLS: Readonly<Record<string, (old: string, now: string) => readonly [string, unknown]>> = {
  edit_files: (old, now) => [
    "edit_files",
    { edits: [{ path: PATH, old_text: old, new_text: now }] },
  ],
  edit: (old, now) => ["edit", { path: PATH, old_string: old, new_string: now }],
  "edit batch": (old, now) => [
    "edit",
    { path: PATH, edits: [{ old_string: old, new_string: now }] },
  ],
};

describe.each(Object.entries(TOOLS))("%s", (_name, call) => {
  test("of a part of a file with mixed endings", async () => {
    const part = fc.tuple(word, lines(2), word).map((parts) => parts.join(""));
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(lines(4), part, lines(4), part, async (head, old, tail, now) => {
        const file = head + old + tail;
        const plain = lf(file);
        const wanted = lf(old);
        // Where the cut falls into a CRLF, the part that was meant is not this one.
        fc.pre(wanted !== "" && wanted !== lf(now) && lf(head) + wanted + lf(tail) === plain);
        fc.pre(plain.indexOf(wanted) === plain.lastIndexOf(wanted) && file.includes("\r"));
        const driver = createCallDriver({ files: { [PATH]: file } });
        const { structured } = await driver.run(...call(wanted, lf(now)));
        const after = driver.workspace.text("a.txt") ?? "";
        if (structured.status === "error") return void expect(after).toBe(file);
        if (structured.files[0]?.tolerance?.some((one) => one !== "line-endings") === true) return;
        applied++;
        expect(lf(after)).toBe(lf(head) + lf(now) + lf(tail));
      }),
      { numRuns: 500 },
    );
    expect(applied).toBeGreaterThan(50);
  });
});

test("apply_patch, of whole lines of a file with mixed endings", async () => {
  let applied = 0;
  await fc.assert(
    fc.asyncProperty(lines(4), word, lines(4), lines(3), async (head, old, tail, now) => {
      const mark = `<${old}>`;
      fc.pre(!tail.startsWith("\n"));
      const file = `${head}${mark}\r${tail}`;
      const added = lf(now)
        .split("\n")
        .slice(0, -1)
        .map((line) => `+${line}\n`)
        .join("");
      const patch = `*** Begin Patch\n*** Update File: a.txt\n@@\n-${mark}\n${added}*** End Patch`;
      const driver = createCallDriver({ files: { [PATH]: file } });
      const { structured, text } = await driver.run("apply_patch", { patch });
      expect(structured.status, text).toBe("applied");
      applied++;
      expect(lf(driver.workspace.text("a.txt") ?? "")).toBe(lf(head) + lf(now) + lf(tail));
    }),
    { numRuns: 300 },
  );
  expect(applied).toBeGreaterThan(50);
});
