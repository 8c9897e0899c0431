import { describe, expect, test } from "vitest";
import { encoderOf } from "../../../src/adapters/node/textBody.ts";
import type { CallRecord } from "../../../src/app/record.ts";
import { createUndoWorld, replacing, type Step, type UndoWorld } from "./undoWorld.ts";

const LINES = Array.from({ length: 30 }, (_, i) => `line ${String(i + 1).padStart(2, "0")}`);
const LF = LINES.map((line) => `${line}\n`).join("");

async function encoded(text: string, encoding: string): Promise<Uint8Array> {
  const bytes = (await encoderOf(encoding))(text);
  if (!bytes.ok) throw new Error(`${encoding} cannot hold the text`);
  return bytes.value;
}

function outcome({ files }: CallRecord): NonNullable<CallRecord["files"][number]["outcome"]> {
  const [file] = files;
  if (file?.outcome === undefined) throw new Error("the undo has no outcome");
  return file.outcome;
}

describe("encodings", () => {
  const texts: Readonly<Record<string, string>> = {
    utf8: "é 1\nline 5\nend\n",
    utf8bom: "é 1\nline 5\nend\n",
    utf16le: "é 1\r\nline 5\r\nend\r\n",
    utf16be: "é 1\nline 5\nend",
    windows1252: "é 1\nline 5\nend\n",
    gb18030: "你好\nline 5\nend\n",
    shiftjis: "こんにちは\nline 5\nend\n",
  };
  const steps: Readonly<Record<string, Step>> = {
    edit: { kind: "edit", splices: replacing(["line 5", "FIVE"]) },
    delete: { kind: "delete" },
    move: { kind: "move", to: "b.txt" },
    "move and edit": { kind: "move", to: "b.txt", splices: replacing(["line 5", "FIVE"]) },
  };
  for (const [encoding, text] of Object.entries(texts))
    test(`${encoding}: byte for byte, and each undo names the encoding and shows the text`, async () => {
      for (const [name, step] of Object.entries(steps)) {
        const bytes = await encoded(text, encoding);
        const encodings = /^(windows|gb|shift)/.test(encoding) ? [encoding] : [];
        const world = createUndoWorld({ "a.txt": bytes }, { encodings });
        const call = await world.call({ "a.txt": step });
        // As the life of a call records it.
        const files = call.files.map((file) => ({
          ...file,
          outcome: { ...outcome(call), ...(encoding === "utf8" ? {} : { encoding }) },
        }));
        const undo = await world.undo({ ...call, files });
        expect(outcome(undo).status, name).toBe("applied");
        expect(world.workspace.bytes("a.txt"), name).toEqual(bytes);
        expect(outcome(undo).encoding, name).toBe(encoding === "utf8" ? undefined : encoding);
        const shown = outcome(undo).diff ?? "";
        if (name.includes("edit")) expect(shown).toMatch(/^-FIVE\r?\n\+line 5\r?$/m);
        if (name === "delete") {
          const added = text.split(/\r?\n/).filter((line) => line !== "");
          expect(shown.match(/^\+(?!\+).*/gm)?.map((line) => line.slice(1).trim())).toEqual(added);
        }
        const redo = await world.undo(undo);
        expect(outcome(redo).status, name).toBe("applied");
        await world.undo(redo);
        expect(world.workspace.bytes("a.txt"), name).toEqual(bytes);
      }
    });
});

describe("a file in another encoding than the call had", () => {
  const text = "é é é\nline 5\n你 é\n";
  const changed = text.replace("line 5", "FIVE");
  const edit: Step = { kind: "edit", splices: replacing(["line 5", "FIVE"]) };

  for (const [had, has] of [
    ["utf8", "utf8bom"],
    ["utf8bom", "utf8"],
    ["utf8", "utf16le"],
    ["utf16be", "utf8"],
  ] as const)
    for (const scope of [{}, { file: 0, hunk: 0 }])
      test(`${had}, saved as ${has} since: ${"hunk" in scope ? "a hunk" : "the file"} goes back in that`, async () => {
        const world = createUndoWorld({ "a.txt": await encoded(text, had) });
        const call = await world.call({ "a.txt": edit });
        world.workspace.put("a.txt", await encoded(changed, has));
        const undo = await world.undo(call, scope);
        expect(outcome(undo).error).toBeUndefined();
        expect(world.workspace.bytes("a.txt")).toEqual(await encoded(text, has));
        await world.undo(undo);
        expect(world.workspace.bytes("a.txt")).toEqual(await encoded(changed, has));
      });

  test("the same bytes, read in another encoding since: no byte beside the call's own changes", async () => {
    const encodings: string[] = [];
    const world = createUndoWorld({ "a.txt": text }, { encodings });
    const call = await world.call({ "a.txt": edit });
    encodings.push("windows1252");
    for (const scope of [{}, { file: 0, hunk: 0 }]) {
      world.workspace.put("a.txt", changed);
      const undo = await world.undo(call, scope);
      expect(world.workspace.text("a.txt")).toBe(
        outcome(undo).status === "applied" ? text : changed,
      );
    }
  });
});

describe("endings", () => {
  const texts: Readonly<Record<string, string>> = {
    LF,
    CRLF: LF.replaceAll("\n", "\r\n"),
    "CR only": LF.replaceAll("\n", "\r"),
    mixed: LINES.map((line, i) => line + ["\n", "\r\n", "\r"][i % 3]).join(""),
    "no final newline": LF.trimEnd(),
    "mixed, no final newline": LINES.map((line, i) => line + ["\r\n", "\n"][i % 2])
      .join("")
      .trimEnd(),
  };
  const splices = replacing(
    ["line 01", "one\nuno"],
    ["line 12", ""],
    ["line 20", "twenty"],
    ["line 30", "thirty\n30"],
  );
  const changed = async (text: string): Promise<[UndoWorld, CallRecord]> => {
    const world = createUndoWorld({ "a.txt": text });
    const call = await world.call({ "a.txt": { kind: "edit", splices } });
    return [world, call];
  };
  for (const [name, text] of Object.entries(texts))
    test(`${name}: hunk by hunk in any order the file comes to be as before, and back again`, async () => {
      for (const order of orders([0, 1, 2, 3])) {
        const [world, call] = await changed(text);
        const after = world.workspace.text("a.txt");
        const undos: CallRecord[] = [];
        for (const hunk of order) undos.push(await world.undo(call, { file: 0, hunk }));
        expect(undos.map((undo) => outcome(undo).status)).toEqual(order.map(() => "applied"));
        expect(world.workspace.text("a.txt")).toBe(text);
        // The undos are taken back in the order in which they came, not in reverse.
        for (const undo of undos) expect(outcome(await world.undo(undo)).status).toBe("applied");
        expect(world.workspace.text("a.txt")).toBe(after);
        await world.undo(call);
        expect(world.workspace.text("a.txt")).toBe(text);
      }
    });
});

describe("a file whose line endings were all changed since", () => {
  const splices = replacing(
    ["line 05\n", "FIVE\nfive\n"],
    ["line 20\n", ""],
    ["line 30", "thirty"],
  );
  for (const ending of ["\r\n", "\r"])
    for (const text of [LF, LF.trimEnd()])
      test(`LF to ${JSON.stringify(ending)}${text === LF ? "" : ", no final newline"}: the call goes back, the endings stay`, async () => {
        const inNew = (lines: string): string => lines.replaceAll("\n", ending);
        const world = createUndoWorld({ "a.txt": text });
        const call = await world.call({ "a.txt": { kind: "edit", splices } });
        const after = world.workspace.text("a.txt") ?? "";
        world.workspace.put("a.txt", inNew(after).replace("line 10", "mine"));
        const undos = [await world.undo(call, { file: 0, hunk: 1 }), await world.undo(call)];
        expect(undos.map((undo) => outcome(undo).status)).toEqual(["applied", "applied"]);
        expect(world.workspace.text("a.txt")).toBe(inNew(text).replace("line 10", "mine"));
        // Back to what they were, and the undos go back in those.
        world.workspace.put("a.txt", text);
        for (const undo of undos.toReversed()) await world.undo(undo);
        expect(world.workspace.text("a.txt")).toBe(after);
        world.workspace.put("a.txt", inNew(after.replace("five", "5")));
        const refused = await world.undo(call);
        expect(outcome(refused).error?.message).toMatch(/^Lines? \d+( to \d+)? of a\.txt changed/);
      });

  test("a call that did nothing else has nothing left to take back", async () => {
    const world = createUndoWorld({ "a.txt": LF });
    const crlf = LF.replaceAll("\n", "\r\n");
    const whole: Step = {
      kind: "edit",
      splices: (text) => [{ from: 0, to: text.length, insert: crlf }],
    };
    const call = await world.call({ "a.txt": whole });
    world.workspace.put("a.txt", LF);
    expect(outcome(await world.undo(call)).error?.message).toContain("already as it was");
    world.workspace.put("a.txt", crlf.replace("line 10", "mine"));
    expect(outcome(await world.undo(call)).status).toBe("rejected");
  });
});

test("an empty file, before or after", async () => {
  const world = createUndoWorld({ "a.txt": "", "b.txt": LF });
  const fill = await world.call({
    "a.txt": { kind: "edit", splices: () => [{ from: 0, to: 0, insert: LF }] },
  });
  const empty = await world.call({
    "b.txt": { kind: "edit", splices: (text) => [{ from: 0, to: text.length, insert: "" }] },
  });
  const gone = await world.call({ "b.txt": { kind: "delete" } });
  const undone = await world.undo(gone);
  expect(world.workspace.text("b.txt")).toBe("");
  await world.undo(undone);
  await world.undo(gone);
  const undos = [await world.undo(fill), await world.undo(empty)];
  expect(world.workspace.contents()).toEqual({ "a.txt": "", "b.txt": LF });
  for (const undo of undos) await world.undo(undo);
  expect(world.workspace.contents()).toEqual({ "a.txt": LF, "b.txt": "" });
});

function orders(left: readonly number[]): readonly (readonly number[])[] {
  return left.length < 2
    ? [left]
    : left.flatMap((first) =>
        orders(left.filter((one) => one !== first)).map((rest) => [first, ...rest]),
      );
}
