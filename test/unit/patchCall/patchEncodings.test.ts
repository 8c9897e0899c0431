import { expect, test } from "vitest";
import { decodeAs, encoderOf } from "../../../src/adapters/node/textBody.ts";
import type { CallRecord } from "../../../src/app/record.ts";
import { runUndo } from "../../../src/app/runUndo.ts";
import { createCallDriver, type CallDriver } from "../../support/callDriver.ts";

const patch = (...lines: readonly string[]): string =>
  ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const moves = (...names: readonly string[]): readonly string[] =>
  names.map((name, i) => `*** ${i % 2 === 0 ? "Update File" : "Move to"}: ${name}`);

async function bytesOf(text: string, encoding: string): Promise<Uint8Array> {
  const bytes = (await encoderOf(encoding))(text);
  if (!bytes.ok) throw new Error(`${encoding} cannot hold ${text}`);
  return bytes.value;
}

const WIDE = "wide\r\nsecond\r\n";
const MARKED = "marked\n";
const PLAIN = "plain ☃\n";
const OLD = "old é\n";

/** Files of four encodings; the one that names itself by nothing is the second choice of the workspace. */
async function driverOf(): Promise<CallDriver> {
  const driver = createCallDriver({ encodings: ["utf8", "windows1252"] });
  driver.workspace.put("wide.txt", await bytesOf(WIDE, "utf16le"), 0o755);
  driver.workspace.put("marked.txt", await bytesOf(MARKED, "utf8bom"));
  driver.workspace.put("plain.txt", PLAIN, 0o600);
  driver.workspace.put("old.txt", await bytesOf(OLD, "windows1252"));
  return driver;
}

function bytesIn({ workspace }: CallDriver): ReadonlyMap<string, Uint8Array | undefined> {
  return new Map(Object.keys(workspace.contents()).map((path) => [path, workspace.bytes(path)]));
}

function undo(driver: CallDriver, call: CallRecord): Promise<CallRecord> {
  const decode = async (bytes: Uint8Array, encoding: string): Promise<string | null> =>
    (await decodeAs(encoding, bytes))?.text ?? null;
  return runUndo({ ...driver.ports, decode }, call, {}, new AbortController().signal);
}

// Each with the files it leaves: path, text, encoding.
const patches: readonly (readonly [
  name: string,
  lines: readonly string[],
  left: readonly (readonly [path: string, text: string, encoding: string])[],
])[] = [
  [
    "a swap",
    moves("wide.txt", "aside", "plain.txt", "wide.txt", "aside", "plain.txt"),
    [
      ["plain.txt", WIDE, "utf16le"],
      ["wide.txt", PLAIN, "utf8"],
    ],
  ],
  [
    "a swap with a text that the other encoding cannot hold",
    moves("old.txt", "aside", "plain.txt", "old.txt", "aside", "plain.txt"),
    [
      ["plain.txt", OLD, "windows1252"],
      ["old.txt", PLAIN, "utf8"],
    ],
  ],
  [
    "a ring, changed on the way",
    [
      ...moves("wide.txt", "aside", "marked.txt"),
      "*** Move to: wide.txt",
      ...moves("plain.txt", "marked.txt", "aside"),
      "*** Move to: plain.txt",
      "@@",
      "-second",
      "+zweite Ü",
    ],
    [
      ["wide.txt", MARKED, "utf8bom"],
      ["marked.txt", PLAIN, "utf8"],
      ["plain.txt", "wide\r\nzweite Ü\r\n", "utf16le"],
    ],
  ],
  [
    "a move away, and a new file in the place",
    [...moves("wide.txt", "far.txt"), "*** Add File: wide.txt", "+new"],
    [["far.txt", WIDE, "utf16le"]],
  ],
  [
    "onto a file that is deleted",
    ["*** Delete File: plain.txt", ...moves("old.txt", "plain.txt")],
    [["plain.txt", OLD, "windows1252"]],
  ],
];

for (const [name, lines, left] of patches)
  test(`${name}: each text keeps its encoding, and undo gives every byte back`, async () => {
    const driver = await driverOf();
    const before = bytesIn(driver);
    const ran = await driver.run("apply_patch", patch(...lines));
    expect(ran.structured.status, ran.text).toBe("applied");
    for (const [path, text, encoding] of left)
      expect(driver.workspace.bytes(path), path).toEqual(await bytesOf(text, encoding));
    for (const { path, operation, encoding, diff } of ran.structured.files) {
      const known = left.find(([one]) => path.endsWith(one))?.[2];
      if (known === undefined || operation === "delete") continue;
      expect(encoding, path).toBe(known === "utf8" ? undefined : known);
      if (operation !== "move") expect(diff, path).toMatch(/^@@/m);
    }
    const after = bytesIn(driver);
    let last = await driver.store.get(ran.callId);
    for (const expected of [before, after, before]) {
      if (last === undefined) throw new Error("the call is not stored");
      last = await undo(driver, last);
      expect(last.files.flatMap(({ outcome }) => outcome?.error ?? [])).toEqual([]);
      expect(bytesIn(driver)).toEqual(expected);
    }
    expect(driver.bugs).toEqual([]);
  });

test("new text that the moved file's own encoding cannot hold fails before anything is written", async () => {
  const driver = await driverOf();
  const before = driver.workspace.contents();
  const ran = await driver.run(
    "apply_patch",
    patch(
      ...moves("old.txt", "aside", "plain.txt", "old.txt", "aside", "plain.txt"),
      "@@",
      "-old é",
      "+old ☃",
    ),
  );
  expect(ran.structured.status).toBe("error");
  expect(ran.text).toMatch(/windows-1252.*cannot hold/);
  expect(driver.workspace.contents()).toEqual(before);
});
