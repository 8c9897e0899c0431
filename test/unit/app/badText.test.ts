import { describe, expect, test } from "vitest";
import { createCallDriver, type RanCall } from "../../support/callDriver.ts";
import { PATH, WAYS, type Sent } from "../../support/waysToWrite.ts";

const FILE = "alpha\nbravo \n\n  charlie\n";

const ALL = Object.keys(WAYS);
const WITH_OLD = ["edit_files", "edit", "edit batch"];
const OLD_OR_HUNK = [...WITH_OLD, "apply_patch update"];

/** What is sent, what the model must read of it, and by which ways it can be sent at all. */
const BAD: readonly (readonly [string, Sent, RegExp, readonly string[]])[] = [
  ["NUL in new text", { old: "alpha", now: "a\0b" }, /U\+0000/, ALL],
  ["a control character in new text", { old: "alpha", now: "a\u0007b" }, /U\+0007/, ALL],
  ["escape in new text", { old: "alpha", now: "a\u001b[0m" }, /U\+001B/, ALL],
  ["half a pair in new text", { old: "alpha", now: "a\ud83d" }, /U\+D83D, one half of/, ALL],
  ["the other half in new text", { old: "alpha", now: "\ude00b" }, /U\+DE00, one half of/, ALL],
  ["NUL in old text", { old: "al\0pha", now: "x" }, /U\+0000|not found/, OLD_OR_HUNK],
  ["half a pair in old text", { old: "alpha\ud83d", now: "x" }, /U\+D83D|not found/, OLD_OR_HUNK],
  ["empty old text", { old: "", now: "x" }, /must not be empty|is required/, WITH_OLD],
  ["white space that is nowhere", { old: "\t\t\n", now: "x" }, /not found/, WITH_OLD],
  ["white space that is in many places", { old: " ", now: "x" }, /3 (times|occurrences)/, WITH_OLD],
  [
    "nothing but invisible old text",
    { old: "\u200b\u2060", now: "x" },
    /invisible|not found/,
    WITH_OLD,
  ],
];

describe.each(
  BAD.flatMap(([name, sent, says, ways]) => ways.map((way) => [name, way, sent, says] as const)),
)("%s by %s", (_name, way, sent, says) => {
  test("is refused with the reason, and nothing is written", async () => {
    const driver = createCallDriver({ files: { [PATH]: FILE } });
    const ran = await driver.run(...(WAYS[way]?.(sent) ?? ["", {}]));
    expect(ran.text).toMatch(says);
    expectRefused(ran);
    expect(driver.workspace.contents()).toEqual({ "a.txt": FILE });
    expect(writes(driver.workspace.operations)).toEqual([]);
    expect(driver.bugs).toEqual([]);
  });
});

test.each(WITH_OLD)("half a character is not exchanged for another by %s", async (way) => {
  // Both halves of the result would be whole characters again.
  const driver = createCallDriver({ files: { [PATH]: "smile \u{1f600}\n" } });
  const ran = await driver.run(...(WAYS[way]?.({ old: "\ude00", now: "\ude01" }) ?? ["", {}]));
  expect(ran.text).toContain("U+DE00, one half of a surrogate pair");
  expectRefused(ran);
  expect(driver.workspace.text("a.txt")).toBe("smile \u{1f600}\n");
});

describe("a setting that names no encoding", () => {
  test.each(["no-such-encoding", "", "utf-7", "iso-2022-jp", "hz"])("%s", async (name) => {
    const text = "café über\nalpha\n";
    const readable = createCallDriver({ files: { [PATH]: text }, encodings: [name] });
    const call = { path: PATH, old_string: "alpha", new_string: "beta" };
    expect((await readable.run("edit", call)).structured.status).toBe("applied");
    expect(readable.workspace.text("a.txt")).toBe("café über\nbeta\n");
    // 0x81 0x00-free bytes that neither UTF-8 nor a guess reads.
    const bytes = Uint8Array.from([0x61, 0x81, 0x0a, 0x61, 0x6c, 0x70, 0x68, 0x61, 0x0a]);
    const other = createCallDriver({ files: { [PATH]: bytes }, encodings: [name] });
    const ran = await other.run("edit", call);
    expectRefused(ran);
    expect(ran.text).toContain("could not be read in another encoding without loss");
    expect(other.workspace.bytes("a.txt")).toEqual(bytes);
  });
});

function expectRefused(ran: RanCall): void {
  expect(ran.structured.status).toBe("error");
  expect(ran.isError).toBe(true);
}

function writes(operations: readonly string[]): readonly string[] {
  return operations.filter((one) => /^(update|create|remove|rename) /.test(one));
}
