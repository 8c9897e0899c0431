import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createNodeWorkspace } from "../../../src/adapters/node/files.ts";
import { createCallDriver, edit, type CallDriver, type RanCall } from "../../support/callDriver.ts";

/** Files on a real disk on which users of other tools lost modes, links or whole edits. Whole calls, each. */
let top: string;
let root: string;

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "reported-files-")));
  root = join(top, "project");
  mkdirSync(root);
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const at = (name: string): string => join(root, name);
const read = (name: string): string => readFileSync(at(name), "utf8");
function write(name: string, text: string): string {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
  return at(name);
}
function driverOn(...folders: readonly string[]): CallDriver {
  const workspace = createNodeWorkspace({ folders: folders.length === 0 ? [root] : folders });
  return createCallDriver({ ports: { workspace } });
}
const run = (tool: string, input: unknown): Promise<RanCall> => driverOn().run(tool, input);
const patch = (...lines: readonly string[]): string =>
  ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const update = (name: string, from: string, to: string): string =>
  patch(`*** Update File: ${name}`, "@@", `-${from}`, `+${to}`);

/** A group of this process beside its first one, or any, where the process may give files away. */
function otherGroup(gid: number): number {
  const groups = process.getgroups?.() ?? [];
  return groups.find((one) => one !== gid) ?? (process.getuid?.() === 0 ? gid + 1 : gid);
}

describe("modes and owners", () => {
  test.each(["edit", "edit_files", "apply_patch", "write"])("%s leaves them", async (tool) => {
    const inputs: Readonly<Record<string, unknown>> = {
      edit: { path: "tool.sh", old_string: "echo a", new_string: "echo b" },
      edit_files: { edits: [edit(at("tool.sh"), "echo a", "echo b")] },
      apply_patch: update("tool.sh", "echo a", "echo b"),
      write: { path: "tool.sh", content: "echo b\n" },
    };
    for (const mode of [0o755, 0o640]) {
      write("tool.sh", "echo a\n");
      const { uid, gid } = statSync(at("tool.sh"));
      chownSync(at("tool.sh"), uid, otherGroup(gid));
      chmodSync(at("tool.sh"), mode);
      const before = statSync(at("tool.sh"));
      const ran = await run(tool, inputs[tool]);
      expect(ran.structured.status, ran.text).toBe("applied");
      const after = statSync(at("tool.sh"));
      expect([after.mode & 0o7777, after.uid, after.gid]).toEqual([mode, before.uid, before.gid]);
      expect(read("tool.sh")).toBe("echo b\n");
    }
  });

  test("a file that nobody may write is named as read-only, the others of the call are applied", async () => {
    chmodSync(write("locked.ini", "key=1\n"), 0o444);
    write("open.ini", "key=1\n");
    const edits = ["locked.ini", "open.ini"].map((name) => edit(at(name), "key=1", "key=2"));
    const ran = await run("edit_files", { edits });
    expect(ran.structured.status).toBe("partial");
    const [refused] = ran.structured.files;
    expect(refused).toMatchObject({ path: at("locked.ini"), status: "rejected" });
    expect(refused?.error).toMatch(/read-only/);
    expect([read("locked.ini"), read("open.ini")]).toEqual(["key=1\n", "key=2\n"]);
    expect(readdirSync(root).toSorted()).toEqual(["locked.ini", "open.ini"]);
    expect(statSync(at("locked.ini")).mode & 0o777).toBe(0o444);
  });
});

describe("links", () => {
  test("a link stays one, and what it leads to is edited", async () => {
    write("real.conf", "port=80\n");
    symlinkSync("real.conf", at("link.conf"));
    const ran = await run("edit", { path: "link.conf", old_string: "80", new_string: "81" });
    expect(ran.structured.status).toBe("applied");
    expect(lstatSync(at("link.conf")).isSymbolicLink()).toBe(true);
    expect(read("real.conf")).toBe("port=81\n");
  });

  test("a relative link is followed from where it lies, not from the linked folder it was reached by", async () => {
    write("real/conf.json", '{"a":1}\n');
    mkdirSync(at("real/host"));
    symlinkSync("../conf.json", at("real/host/conf.json"));
    symlinkSync("real/host", at("short"));
    const ran = await run("edit_files", { edits: [edit(at("short/conf.json"), "1", "2")] });
    expect(ran.structured.status, ran.text).toBe("applied");
    expect(read("real/conf.json")).toBe('{"a":2}\n');
    expect(lstatSync(at("real/host/conf.json")).isSymbolicLink()).toBe(true);
    expect(readdirSync(root).toSorted()).toEqual(["real", "short"]);
  });

  test("two names of one file in one call: neither edit is lost", async () => {
    write("one.txt", "first\nsecond\n");
    symlinkSync("one.txt", at("alias.txt"));
    const edits = [edit(at("one.txt"), "first", "1"), edit(at("alias.txt"), "second", "2")];
    const ran = await run("edit_files", { edits });
    expect(ran.structured.status).toBe("applied");
    expect(read("one.txt")).toBe("1\n2\n");
  });

  test("a link that leads out of the workspace is refused by the name of its target", async () => {
    const outside = join(top, "outside.txt");
    writeFileSync(outside, "keep\n");
    symlinkSync(outside, at("inside.txt"));
    const ran = await run("apply_patch", update("inside.txt", "keep", "gone"));
    expect(ran.structured.status).toBe("error");
    expect(ran.text).toContain(outside);
    expect(readFileSync(outside, "utf8")).toBe("keep\n");
  });

  test("a hard link to a file outside stays one file", async () => {
    const outside = join(top, "shared.txt");
    writeFileSync(outside, "old\n");
    linkSync(outside, at("shared.txt"));
    const ran = await run("apply_patch", update("shared.txt", "old", "new"));
    expect(ran.structured.status).toBe("applied");
    expect(readFileSync(outside, "utf8")).toBe("new\n");
    expect(statSync(at("shared.txt")).ino).toBe(statSync(outside).ino);
  });
});

describe("folders", () => {
  test("a relative path is one of the workspace, wherever the process was started", async () => {
    // There is a file of this name where the tests run, too.
    const here = readFileSync("package.json", "utf8");
    write("package.json", '{"name":"b"}\n');
    const input = { path: "package.json", old_string: '"name":"b"', new_string: '"name":"c"' };
    expect((await run("edit", input)).structured.status).toBe("applied");
    expect(read("package.json")).toBe('{"name":"c"}\n');
    expect(readFileSync("package.json", "utf8")).toBe(here);
  });

  test("of three folders the one that has the file, and none of two that have it", async () => {
    const folders = ["red", "green", "blue"].map(at);
    for (const name of ["red/both.md", "blue/both.md", "blue/only.md"]) write(name, "text\n");
    mkdirSync(at("green"));
    const driver = driverOn(...folders);
    const change = (path: string): Promise<RanCall> =>
      driver.run("edit", { path, old_string: "text", new_string: "TEXT" });
    expect((await change("only.md")).structured.status).toBe("applied");
    expect(read("blue/only.md")).toBe("TEXT\n");
    const unclear = await change("both.md");
    expect(unclear.structured.status).toBe("error");
    expect([read("red/both.md"), read("blue/both.md")]).toEqual(["text\n", "text\n"]);
    expect((await change("blue/both.md")).structured.status).toBe("applied");
    expect([read("red/both.md"), read("blue/both.md")]).toEqual(["text\n", "TEXT\n"]);
  });
});
