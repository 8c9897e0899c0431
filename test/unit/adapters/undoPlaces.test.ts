import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createNodeWorkspace } from "../../../src/adapters/node/files.ts";
import { decodeAs } from "../../../src/adapters/node/textBody.ts";
import type { CallRecord } from "../../../src/app/record.ts";
import { runUndo } from "../../../src/app/runUndo.ts";
import { createCallDriver, type CallDriver } from "../../support/callDriver.ts";

let top: string;
let root: string;
let driver: CallDriver;

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "undo-places-")));
  root = join(top, "ws");
  mkdirSync(root);
  driver = driverOn(root);
});

afterEach(() => {
  rmSync(top, { recursive: true, force: true });
});

function driverOn(folder: string): CallDriver {
  return createCallDriver({ ports: { workspace: createNodeWorkspace({ folders: [folder] }) } });
}

const inRoot = (path: string): string => join(root, path);
const textOf = (path: string): string => readFileSync(inRoot(path), "utf8");

async function called(tool: string, input: unknown): Promise<CallRecord> {
  const ran = await driver.run(tool, input);
  expect(ran.structured.status, ran.text).toBe("applied");
  return ran.record!;
}

async function undo(call: CallRecord): Promise<CallRecord> {
  const decode = async (bytes: Uint8Array, encoding: string): Promise<string | null> =>
    (await decodeAs(encoding, bytes))?.text ?? null;
  const { signal } = new AbortController();
  return runUndo({ ...driver.ports, decode }, call, {}, signal);
}

function patch(...lines: readonly string[]): string {
  return ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
}

function moves(...names: readonly string[]): readonly string[] {
  return names.map((name, i) => `*** ${i % 2 === 0 ? "Update File" : "Move to"}: ${name}`);
}

/** A call of each kind of undo, and the place that the undo is about. */
const CALLS: Readonly<Record<string, readonly [tool: string, input: unknown, place: string]>> = {
  "a changed file": ["edit", { path: "a.txt", old_string: "one", new_string: "ONE" }, "a.txt"],
  "a new file": ["write", { path: "new.txt", content: "new\n" }, "new.txt"],
  "a deleted file": ["delete", { path: "a.txt" }, "a.txt"],
  "a moved file": ["apply_patch", patch(...moves("a.txt", "to.txt")), "to.txt"],
  "the old place of a moved file": ["apply_patch", patch(...moves("a.txt", "to.txt")), "a.txt"],
  "a file of other bytes": [
    "apply_patch",
    patch("*** Delete File: c.bin", "*** Add File: c.bin", "+text"),
    "c.bin",
  ],
};

/** What somebody puts in the file's place; `content` is what the file held, if it was there. */
const PLACED: Readonly<
  Record<string, { put: (content: Uint8Array) => void; reason: RegExp; at: string }>
> = {
  "a link to a file with the same bytes": {
    put: (content) => {
      writeFileSync(inRoot("target"), content);
      symlinkSync("target", inRoot("place"));
    },
    reason: /is a link now, to target/,
    at: "target",
  },
  "a link to nowhere": {
    put: () => symlinkSync("target", inRoot("place")),
    reason: /is a link now, to target/,
    at: "target",
  },
  "a link out of the workspace": {
    put: (content) => {
      writeFileSync(join(top, "outside"), content);
      symlinkSync(join(top, "outside"), inRoot("place"));
    },
    reason: /a link on its path leads to .*outside now/,
    at: "../outside",
  },
  "a folder": {
    put: () => mkdirSync(inRoot("place")),
    reason: /is a folder now/,
    at: "place",
  },
};

describe.each(Object.entries(CALLS))("undo of %s", (_, [tool, input, place]) => {
  test.each(Object.entries(PLACED))(
    "refuses %s in its place",
    async (_name, { put, reason, at }) => {
      writeFileSync(inRoot("a.txt"), "one\ntwo\n");
      writeFileSync(inRoot("c.bin"), "\0c\n");
      const call = await called(tool, input);
      let content: Uint8Array = new TextEncoder().encode("one\ntwo\n");
      if (statSync(inRoot(place), { throwIfNoEntry: false }) !== undefined) {
        content = readFileSync(inRoot(place));
        rmSync(inRoot(place));
      }
      put(content);
      renameSync(inRoot("place"), inRoot(place));
      const seen = (): unknown => {
        const path = at === "place" ? place : at;
        const stats = statSync(inRoot(path), { throwIfNoEntry: false });
        return [
          lstatSync(inRoot(place)).mode,
          stats?.isFile() === true ? readFileSync(inRoot(path)) : stats?.isDirectory(),
        ];
      };
      const before = seen();
      const undone = await undo(call);
      const [file] = undone.files;
      expect(file?.outcome, JSON.stringify(undone.files)).toMatchObject({ status: "rejected" });
      expect(file?.outcome?.error?.message).toMatch(reason);
      expect(file?.outcome?.error?.message).toContain(place);
      expect(file?.outcome?.error?.advice).toMatch(/then undo it again/);
      expect(seen()).toEqual(before);
    },
  );
});

describe("links of the call's own time", () => {
  test("a change through a link goes back through it, until it leads elsewhere", async () => {
    writeFileSync(inRoot("target.txt"), "one\n");
    writeFileSync(inRoot("other.txt"), "ONE\n");
    symlinkSync("target.txt", inRoot("link.txt"));
    const input = { path: "link.txt", old_string: "one", new_string: "ONE" };
    const call = await called("edit", input);
    const undone = await undo(call);
    expect(undone.result?.status).toBe("applied");
    expect(textOf("target.txt")).toBe("one\n");
    const redone = await undo(undone);
    expect(redone.result?.status).toBe("applied");
    rmSync(inRoot("link.txt"));
    symlinkSync("other.txt", inRoot("link.txt"));
    const refused = await undo(call);
    expect(refused.files[0]?.outcome?.error?.message).toContain("is a link now, to other.txt");
    expect([textOf("target.txt"), textOf("other.txt")]).toEqual(["ONE\n", "ONE\n"]);
    rmSync(inRoot("link.txt"));
    writeFileSync(inRoot("link.txt"), "ONE\n");
    expect((await undo(call)).files[0]?.outcome?.status).toBe("rejected");
    expect(textOf("link.txt")).toBe("ONE\n");
  });

  test("a file that the call made behind a link to nothing goes, and the link stays", async () => {
    mkdirSync(inRoot("sub"));
    symlinkSync("sub/target.txt", inRoot("link.txt"));
    const isThere = (): boolean => existsSync(inRoot("sub/target.txt"));
    const call = await called("write", { path: "link.txt", content: "new\n" });
    expect(textOf("sub/target.txt")).toBe("new\n");
    const undone = await undo(call);
    expect(undone.result?.status, JSON.stringify(undone.files)).toBe("applied");
    expect(undone.files[0]?.shown).toBe("sub/target.txt");
    expect([isThere(), readlinkSync(inRoot("link.txt"))]).toEqual([false, "sub/target.txt"]);
    const redone = await undo(undone);
    expect(redone.result?.status).toBe("applied");
    expect(textOf("link.txt")).toBe("new\n");
    expect((await undo(redone)).result?.status).toBe("applied");
    expect([isThere(), readlinkSync(inRoot("link.txt"))]).toEqual([false, "sub/target.txt"]);
  });

  test("a file made behind a link to nothing stays when the link leads elsewhere since", async () => {
    symlinkSync("target.txt", inRoot("link.txt"));
    const call = await called("write", { path: "link.txt", content: "new\n" });
    rmSync(inRoot("link.txt"));
    writeFileSync(inRoot("other.txt"), "new\n");
    symlinkSync("other.txt", inRoot("link.txt"));
    const refused = await undo(call);
    expect(refused.files[0]?.outcome?.error?.message).toContain("is a link now, to other.txt");
    expect([textOf("target.txt"), textOf("other.txt")]).toEqual(["new\n", "new\n"]);
  });

  test("a workspace that is itself reached through a link is no obstacle", async () => {
    symlinkSync(root, join(top, "alias"));
    driver = driverOn(join(top, "alias"));
    writeFileSync(inRoot("a.txt"), "one\n");
    const call = await called("edit", { path: "a.txt", old_string: "one", new_string: "1" });
    const moved = await called("apply_patch", patch(...moves("a.txt", "sub/b.txt")));
    for (const one of [moved, call]) expect((await undo(one)).result?.status).toBe("applied");
    expect(textOf("a.txt")).toBe("one\n");
  });

  test("a folder on the way that became a link since leads no undo into another one", async () => {
    for (const folder of ["real", "other"]) mkdirSync(inRoot(folder));
    writeFileSync(inRoot("real/a.txt"), "one\n");
    writeFileSync(inRoot("other/a.txt"), "ONE\n");
    const input = { path: "real/a.txt", old_string: "one", new_string: "ONE" };
    const call = await called("edit", input);
    renameSync(inRoot("real"), inRoot("moved"));
    symlinkSync("other", inRoot("real"));
    const refused = await undo(call);
    expect(refused.files[0]?.outcome?.error?.message).toMatch(/leads to .*other\/a.txt now/);
    expect(textOf("other/a.txt")).toBe("ONE\n");
  });

  test("a record without the real place refuses a link, and takes a file", async () => {
    writeFileSync(inRoot("a.txt"), "one\n");
    const call = await called("edit", { path: "a.txt", old_string: "one", new_string: "1" });
    expect(call.files[0]?.real).toBe(inRoot("a.txt"));
    const old = JSON.parse(JSON.stringify(call, dropReal)) as CallRecord;
    renameSync(inRoot("a.txt"), inRoot("b.txt"));
    symlinkSync("b.txt", inRoot("a.txt"));
    const refused = await undo(old);
    expect(refused.files[0]?.outcome?.error?.message).toContain("is a link now, to b.txt");
    rmSync(inRoot("a.txt"));
    renameSync(inRoot("b.txt"), inRoot("a.txt"));
    expect((await undo(old)).result?.status).toBe("applied");
    expect(textOf("a.txt")).toBe("one\n");
  });
});

function dropReal(key: string, value: unknown): unknown {
  return key === "real" ? undefined : value;
}

const SWAP = patch(...moves("a", "aside", "b", "a", "aside", "b"));

test.each([
  ["two texts", "aaa\n", "bbb\n"],
  ["two binaries", "\0a\n", "\0b\n"],
  ["a text and a binary", "aaa\n", "\0b\n"],
  ["texts of two encodings", "aaa\n", "\ufeffbbb\n"],
])(
  "a swap of %s moves content and mode, and its undo brings back both",
  async (_, first, second) => {
    const seen = (): unknown =>
      ["a", "b"].map((name) => [textOf(name), (statSync(inRoot(name)).mode & 0o7777).toString(8)]);
    for (const [name, text, mode] of [
      ["a", first, 0o751] as const,
      ["b", second, 0o604] as const,
    ]) {
      writeFileSync(inRoot(name), text);
      chmodSync(inRoot(name), mode);
    }
    const before = seen();
    const call = await called("apply_patch", SWAP);
    const after = seen();
    expect(after).toEqual([
      [second, "604"],
      [first, "751"],
    ]);
    const undone = await undo(call);
    expect(undone.result?.status).toBe("applied");
    expect(seen()).toEqual(before);
    const redone = await undo(undone);
    expect(redone.result?.status).toBe("applied");
    expect(seen()).toEqual(after);
    await undo(redone);
    expect(seen()).toEqual(before);
  },
);

test("a ring of texts, one of them changed on its way, moves modes too, and all go back", async () => {
  const names = ["a", "b", "c"];
  const seen = (): unknown =>
    names.map((name) => [textOf(name), (statSync(inRoot(name)).mode & 0o7777).toString(8)]);
  for (const [i, name] of names.entries()) {
    writeFileSync(inRoot(name), `${name}\nshared\n`);
    chmodSync(inRoot(name), [0o640, 0o755, 0o600][i]!);
  }
  const before = seen();
  const ring = moves("a", "aside", "c", "a", "b", "c", "aside", "b");
  const call = await called("apply_patch", patch(...ring, "@@", "-a", "+A"));
  const after = seen();
  expect(after).toEqual([
    ["c\nshared\n", "600"],
    ["A\nshared\n", "640"],
    ["b\nshared\n", "755"],
  ]);
  const undone = await undo(call);
  expect(undone.result?.status).toBe("applied");
  expect(seen()).toEqual(before);
  expect((await undo(undone)).result?.status).toBe("applied");
  expect(seen()).toEqual(after);
});
