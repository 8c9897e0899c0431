import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalEncoding, reportedEncoding } from "../../src/engine/index.ts";
import { createCallDriver } from "../support/callDriver.ts";
import {
  ENCODING_NAMES,
  markOf,
  rawBytes,
  REGIONAL_NAMES,
  repertoireOf,
} from "../support/encodings.ts";

/** What cleaning may take out of new text, and what no text file may hold. */
const NOT_NEW = /[\p{Cc}\p{Cf}\p{Mn}\p{Mc}\p{Cn}\p{Co}\ufe00-\ufe0f\u2028\u2029]/u;
const PATH = "/ws/a.txt";

/** One line of a file as it was, and what the call makes of it. Nothing else may change by a byte. */
interface LineEdit {
  readonly head: string;
  readonly before: string;
  readonly old: string;
  readonly now: string;
  readonly after: string;
  readonly tail: string;
}

function character(encoding: string, isNew: boolean): fc.Arbitrary<string> {
  const { held } = repertoireOf(encoding);
  const some = isNew ? held.filter((one) => !NOT_NEW.test(one)) : held;
  const ascii = fc.constantFrom(..."ab\\|~{ $&'\"<>", ...(isNew ? [] : ["\t", "\f"]));
  return some.length === 0 ? ascii : fc.oneof(fc.constantFrom(...some), ascii);
}

/** Lines with every kind of ending, any characters that the encoding holds, and one part that is there once. */
function lineEdit(encoding: string): fc.Arbitrary<LineEdit> {
  const words = (isNew: boolean, minLength = 0): fc.Arbitrary<string> =>
    fc
      .array(character(encoding, isNew), { minLength, maxLength: 8 })
      .map((characters) => characters.join(""));
  const line = fc.tuple(words(false), fc.constantFrom("\n", "\n", "\r\n", "\r"));
  const lines = fc
    .array(line, { maxLength: 4 })
    .map((list) => list.map((parts) => parts.join("")).join(""));
  return fc.record({
    head: lines,
    before: words(false),
    old: words(true, 1).map((text) => `<<${text}>>`),
    now: words(true, 1).map((text) => `[[${text}]]`),
    after: words(false),
    // A patched file ends with a line ending in any case.
    tail: fc.tuple(fc.constantFrom("\n", "\r\n", "\r"), lines).map((parts) => parts.join("")),
  });
}

const TOOLS: Readonly<Record<string, (edit: LineEdit) => readonly [string, unknown]>> = {
  edit: ({ old, now }) => ["edit", { path: PATH, old_string: old, new_string: now }],
  "edit, a batch": ({ old, now }) => [
    "edit",
    { path: PATH, edits: [{ old_string: old, new_string: now }] },
  ],
  edit_files: ({ old, now }) => [
    "edit_files",
    { edits: [{ path: PATH, old_text: old, new_text: now }] },
  ],
  apply_patch: ({ before, old, now, after }) => [
    "apply_patch",
    {
      patch: `*** Begin Patch\n*** Update File: ${PATH}\n@@\n-${before}${old}${after}\n+${before}${now}${after}\n*** End Patch`,
    },
  ],
};

function textOf({ head, before, old, after, tail }: LineEdit): string {
  return head + before + old + after + tail;
}

/** A patch sends whole lines, so what is cleaned out of them would be a change of its own. */
function fits(tool: string, { before, after }: LineEdit): boolean {
  return (
    tool !== "apply_patch" ||
    ![...before, ...after].some((one) => one !== "\t" && NOT_NEW.test(one))
  );
}

describe.each(ENCODING_NAMES)("%s", (encoding) => {
  test("any edit by any tool leaves every byte outside it as it was", async () => {
    const tool = fc.constantFrom(...Object.keys(TOOLS));
    await fc.assert(
      fc.asyncProperty(tool, lineEdit(encoding), async (name, edit) => {
        fc.pre(fits(name, edit));
        const head = Buffer.concat([markOf(encoding), rawBytes(encoding, edit.head + edit.before)]);
        const tail = rawBytes(encoding, edit.after + edit.tail);
        const bytes = Buffer.concat([head, rawBytes(encoding, edit.old), tail]);
        const driver = createCallDriver({ files: { [PATH]: bytes }, encodings: [encoding] });
        const ran = await driver.run(...(TOOLS[name]?.(edit) ?? ["", {}]));
        expect(ran.text, textOf(edit)).toMatch(/^(Replaced|Applied|\{"status":"applied")/);
        const wanted = Buffer.concat([head, rawBytes(encoding, edit.now), tail]);
        expect(hex(driver.workspace.bytes("a.txt"))).toBe(hex(wanted));
        expect(canonicalEncoding(ran.structured.files[0]?.encoding ?? "utf8")).toBe(
          canonicalEncoding(encoding),
        );
      }),
      { numRuns: 24 },
    );
  });

  test("bytes that no text of it would make are kept, or the file is refused", async () => {
    let kept = 0;
    await fc.assert(
      fc.asyncProperty(anyBytes(), anyBytes(), async (headBytes, tailBytes) => {
        const head = Buffer.concat([markOf(encoding), headBytes, rawBytes(encoding, "\n")]);
        const tail = Buffer.concat([rawBytes(encoding, "\n"), tailBytes]);
        const bytes = Buffer.concat([head, rawBytes(encoding, "<<one>>"), tail]);
        const driver = createCallDriver({ files: { [PATH]: bytes }, encodings: [encoding] });
        const call = { path: PATH, old_string: "<<one>>", new_string: "[[two]]" };
        const { structured } = await driver.run("edit", call);
        const applied = structured.status === "applied";
        if (applied) kept++;
        expect(hex(driver.workspace.bytes("a.txt"))).toBe(
          hex(applied ? Buffer.concat([head, rawBytes(encoding, "[[two]]"), tail]) : bytes),
        );
      }),
      { numRuns: 60, examples: [[new Uint8Array(), new Uint8Array([0x0a])]] },
    );
    expect(kept).toBeGreaterThan(0);
  });
});

const LIMITED = REGIONAL_NAMES.filter((encoding) => repertoireOf(encoding).missing !== null);

describe.each(LIMITED)("%s cannot hold everything", (encoding) => {
  const { missing, held } = repertoireOf(encoding);
  const file = `${held
    .filter((one) => !NOT_NEW.test(one))
    .slice(0, 20)
    .join("")}\n<<one>>\n`;

  test.each([
    ...Object.entries(TOOLS),
    ["write", ({ now }: LineEdit) => ["write", { path: PATH, content: `${now}\n` }] as const],
  ] as const)("by %s: the file is refused with the character, and stays", async (_, call) => {
    const bytes = rawBytes(encoding, file);
    const driver = createCallDriver({ files: { [PATH]: bytes }, encodings: [encoding] });
    const edit = {
      head: "",
      before: "",
      old: "<<one>>",
      now: `two ${missing}`,
      after: "",
      tail: "",
    };
    const ran = await driver.run(...call(edit));
    expect(ran.structured.status).toBe("error");
    const point = missing?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
    expect(ran.text).toContain(`U+${point}`);
    expect(ran.text).toContain(reportedEncoding(encoding));
    expect(hex(driver.workspace.bytes("a.txt"))).toBe(hex(bytes));
    expect(driver.workspace.operations.filter((one) => /^(update|create)/.test(one))).toEqual([]);
  });
});

test("all encodings but Unicode and GB18030 are limited", () => {
  expect(REGIONAL_NAMES.filter((one) => !LIMITED.includes(one))).toEqual(["gb18030"]);
  expect(LIMITED.length).toBeGreaterThanOrEqual(20);
});

test("a patch of several files fails only for the one that cannot hold its text", async () => {
  const files = {
    "/ws/a.txt": rawBytes("windows1252", "café\none\n"),
    "/ws/b.txt": rawBytes("windows1252", "forêt\none\n"),
    "/ws/c.txt": rawBytes("windows1252", "hôtel\none\n"),
  };
  const driver = createCallDriver({ files, encodings: ["windows1252"] });
  const part = (name: string, line: string, move = ""): string =>
    `*** Update File: ${name}\n${move}@@\n-one\n+${line}\n`;
  const patch = `*** Begin Patch\n${part("a.txt", "two é")}${part("b.txt", "two 漢")}${part("c.txt", "two ☃", "*** Move to: d.txt\n")}*** End Patch`;
  const ran = await driver.run("apply_patch", { patch });
  expect(ran.structured.status).toBe("partial");
  expect(ran.text).toContain("1 change committed, 2 file groups not applied: b.txt, c.txt");
  expect(ran.text).toContain(
    "- b.txt: new text contains U+6F22, which encoding windows-1252 of the file cannot hold; use characters",
  );
  expect(ran.text).toContain("- c.txt: new text contains U+2603, which encoding windows-1252");
  expect(hex(driver.workspace.bytes("a.txt"))).toBe(hex(rawBytes("windows1252", "café\ntwo é\n")));
  for (const name of ["b.txt", "c.txt"] as const)
    expect(hex(driver.workspace.bytes(name))).toBe(hex(files[`/ws/${name}`]));
  expect(driver.workspace.bytes("d.txt")).toBeUndefined();
});

/** ASCII, single high bytes, and pairs as multi-byte encodings make them, good and bad. */
function anyBytes(): fc.Arbitrary<Uint8Array> {
  const high = fc.integer({ min: 0x81, max: 0xfe });
  const piece = fc.oneof(
    fc.integer({ min: 0x20, max: 0x7e }).map((byte) => [byte]),
    high.map((byte) => [byte]),
    fc.tuple(high, fc.integer({ min: 0x40, max: 0xfe })),
    fc.tuple(high, fc.constant(0x5c)),
    fc.tuple(
      high,
      fc.integer({ min: 0x30, max: 0x39 }),
      high,
      fc.integer({ min: 0x30, max: 0x39 }),
    ),
  );
  return fc.array(piece, { maxLength: 3 }).map((list) => Uint8Array.from(list.flat()));
}

function hex(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString("hex");
}
