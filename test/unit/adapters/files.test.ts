import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
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
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Edit } from "../../../src/engine/index.ts";
import type { FileRef, FileSnapshot, Workspace, WriteReply } from "../../../src/app/ports.ts";
import { createNodeWorkspace } from "../../../src/adapters/node/files.ts";

let top: string;
let root: string;
let workspace: Workspace;

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "files-")));
  root = join(top, "ws");
  mkdirSync(root);
  workspace = createNodeWorkspace({ folders: [root] });
});

afterEach(() => {
  rmSync(top, { recursive: true, force: true });
});

function write(path: string, content: string | Uint8Array): string {
  const full = join(root, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content);
  return full;
}

async function find(path: string, use: "edit" | "create" | "delete" = "edit"): Promise<FileRef> {
  const file = await workspace.locate(path, use, true);
  if (!file.ok) throw new Error(JSON.stringify(file.problem));
  return file.value;
}

async function lookAt(path: string): Promise<FileSnapshot> {
  const snapshot = await workspace.look(await find(path));
  if (!snapshot.ok || snapshot.value.kind !== "file") throw new Error(JSON.stringify(snapshot));
  return snapshot.value;
}

/** Puts `insert` in front of the text that the snapshot shows. */
async function prepend(base: FileSnapshot, insert: string): Promise<WriteReply> {
  if (!base.body.ok) throw new Error(JSON.stringify(base.body.problem));
  const { text, encode } = base.body.value;
  const after = insert + text;
  const afterBytes = encode(after);
  if (!afterBytes.ok) throw new Error("not encodable");
  const edit = Edit.of(text.length, [{ from: 0, to: 0, insert }]);
  const change = { edit, after, afterBytes: afterBytes.value, label: "test" };
  return workspace.update(base, change, new AbortController().signal);
}

const LATIN =
  "Le caf\xe9 est d\xe9j\xe0 ferm\xe9, et la for\xeat \xe9tait tr\xe8s loin de l'h\xf4tel o\xf9 nous \xe9tions.\n";
const DONE = { kind: "done", saved: true, asBytes: true } as const;

async function codeOf(path: string, use: "edit" | "create" | "delete" = "edit"): Promise<string> {
  const file = await workspace.locate(path, use, true);
  if (!file.ok) return file.problem.code;
  const snapshot = await workspace.look(file.value);
  if (!snapshot.ok) return snapshot.problem.code;
  if (snapshot.value.kind === "missing") return "missing";
  return snapshot.value.body.ok ? "text" : snapshot.value.body.problem.code;
}

describe("finding a file", () => {
  it("names it in four ways", async () => {
    const full = write("src/a.ts", "");
    symlinkSync(full, join(root, "link.ts"));
    expect(await find(" link.ts ")).toEqual({
      asked: "link.ts",
      absolute: join(root, "link.ts"),
      real: full,
      shown: "link.ts",
      linkTo: "src/a.ts",
    });
  });

  it("gives one file under two names the same real path", async () => {
    write("a.ts", "");
    symlinkSync(root, join(top, "alias"));
    expect((await find(join(root, "b/../a.ts"))).real).toBe((await find("a.ts")).real);
    expect((await find(join(top, "alias", "a.ts"))).real).toBe((await find("a.ts")).real);
  });

  it("tells a link by what it leads to, not a file below a linked folder", async () => {
    write("real/a.ts", "");
    symlinkSync(join(root, "real"), join(root, "folder"));
    symlinkSync("nowhere.ts", join(root, "dangling.ts"));
    expect((await find("folder/a.ts")).linkTo).toBeUndefined();
    expect((await find("folder")).linkTo).toBe("real");
    expect((await find("dangling.ts")).linkTo).toBe("nowhere.ts");
  });

  it("knows hard links of one file from one another's look", async () => {
    const first = write("a.ts", "a\n");
    linkSync(first, join(root, "b.ts"));
    write("c.ts", "a\n");
    const paths = ["a.ts", "b.ts", "c.ts"];
    const identities = await Promise.all(paths.map(async (path) => (await lookAt(path)).identity));
    expect(identities[0]).toMatch(/^\d+:\d+$/);
    expect(identities[1]).toBe(identities[0]);
    expect(identities[2]).toBeUndefined();
  });

  it("follows the deepest existing parent of a new file", async () => {
    mkdirSync(join(root, "real"));
    symlinkSync(join(root, "real"), join(root, "link"));
    expect((await find("link/new/deep.ts")).real).toBe(join(root, "real/new/deep.ts"));
  });

  it.each([
    ["by dots", () => "../secret.txt"],
    ["by an absolute path", () => join(top, "secret.txt")],
    ["by a link to a file", () => "file-link"],
    ["by a link to a folder", () => "folder-link/secret.txt"],
    ["by a new file behind a link", () => "folder-link/new/file.txt"],
    ["by a link to a file that is not there yet", () => "dangling"],
    ["by a neighbour whose name begins alike", () => join(`${root}-other`, "a.txt")],
  ])("does not leave the workspace %s", async (_, path) => {
    writeFileSync(join(top, "secret.txt"), "secret");
    symlinkSync(join(top, "secret.txt"), join(root, "file-link"));
    symlinkSync(top, join(root, "folder-link"));
    symlinkSync("../not-yet.txt", join(root, "dangling"));
    const asked = path();
    const result = await workspace.locate(asked, "edit", true);
    expect(result).toMatchObject({ ok: false, problem: { code: "path-outside", path: asked } });
    const open = createNodeWorkspace({ folders: [root], outside: "allow" });
    expect((await open.locate(asked, "edit", true)).ok).toBe(true);
  });

  it("names the real target of a link that leads outside", async () => {
    writeFileSync(join(top, "secret.txt"), "secret");
    symlinkSync(join(top, "secret.txt"), join(root, "link"));
    const result = await workspace.locate("link", "edit", true);
    expect(result).toMatchObject({ problem: { real: join(top, "secret.txt") } });
  });

  it("is not caught in a circle of links", async () => {
    symlinkSync("b", join(root, "a"));
    symlinkSync("a", join(root, "b"));
    expect(await codeOf("a")).toBe("file-unreadable");
  });

  it("works in a folder that is itself behind a link", async () => {
    write("a.ts", "x");
    symlinkSync(root, join(top, "alias"));
    workspace = createNodeWorkspace({ folders: [join(top, "alias")] });
    const file = await find("a.ts");
    expect([file.real, file.shown]).toEqual([join(root, "a.ts"), "a.ts"]);
  });

  it("takes a relative path from the one folder that has it", async () => {
    const second = join(top, "second");
    mkdirSync(second);
    write("both.ts", "");
    writeFileSync(join(second, "both.ts"), "");
    writeFileSync(join(second, "only.ts"), "");
    workspace = createNodeWorkspace({ folders: [root, second] });
    expect((await find("only.ts")).real).toBe(join(second, "only.ts"));
    expect((await find("second/both.ts")).real).toBe(join(second, "both.ts"));
    expect((await find("new.ts", "create")).real).toBe(join(root, "new.ts"));
    expect((await find("second/new.ts", "create")).real).toBe(join(second, "new.ts"));
    expect(await codeOf("both.ts")).toBe("path-not-absolute");
  });

  it("refuses a file that nobody may write, also as root, but not for reading", async () => {
    chmodSync(write("a.ts", "x"), 0o444);
    expect(await codeOf("a.ts")).toBe("file-read-only");
    expect(await codeOf("a.ts", "delete")).toBe("file-read-only");
    expect((await workspace.locate("a.ts", "read", true)).ok).toBe(true);
  });

  it("does not delete through a link", async () => {
    symlinkSync(write("a.ts", "x"), join(root, "link"));
    expect(await codeOf("link", "delete")).toBe("file-not-regular");
    expect(await codeOf("a.ts", "delete")).toBe("text");
  });
});

describe("looking at a file", () => {
  it("gives bytes, mode, text and encoding", async () => {
    const bytes = Buffer.from("\ufeffeins\r\nzwei\n");
    chmodSync(write("a.txt", bytes), 0o755);
    const snapshot = await lookAt("a.txt");
    expect(Buffer.from(snapshot.bytes)).toEqual(bytes);
    expect(snapshot.mode).toBe(0o755);
    expect(snapshot.body).toMatchObject({
      ok: true,
      value: { text: "eins\r\nzwei\n", encoding: "utf8bom", source: "disk", version: null },
    });
  });

  it("gives names that look alike where nothing is", async () => {
    for (const name of ["readme.md", "README.txt", "reamde.md", "other.ts"]) write(name, "");
    const snapshot = await workspace.look(await find("Readme.md"));
    expect(snapshot).toMatchObject({
      ok: true,
      value: { kind: "missing", similar: ["readme.md", "README.txt", "reamde.md"] },
    });
    expect(await codeOf("no/such/folder/a.ts")).toBe("missing");
  });

  it.each([
    ["a folder", "file-is-folder", () => void mkdirSync(join(root, "x"))],
    ["a pipe", "file-not-regular", () => void execFileSync("mkfifo", [join(root, "x")])],
    ["a binary file", "file-binary", () => void write("x", "a\0b")],
    ["bytes that are no text", "file-undecodable", () => void write("x", Buffer.from([97, 129]))],
    [
      "a file above the limit",
      "file-too-large",
      () => truncateSync(write("x", ""), 50 * 1024 * 1024 + 1),
    ],
  ])("refuses %s by name: %s", async (_, code, make) => {
    make();
    expect(await codeOf("x")).toBe(code);
  });

  it("refuses a socket", async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(join(root, "x"), done));
    expect(await codeOf("x")).toBe("file-not-regular");
    await new Promise((done) => server.close(done));
  });

  it("takes an encoding from the options", async () => {
    write("a.txt", Buffer.from([0xc4, 0xe3, 0xba, 0xc3]));
    workspace = createNodeWorkspace({ folders: [root], encodings: ["gbk"] });
    expect((await lookAt("a.txt")).body).toMatchObject({
      value: { text: "你好", encoding: "gbk" },
    });
  });
});

describe("updating a file", () => {
  it.each([
    ["LF", Buffer.from("a\nb\n")],
    ["mixed endings and no final newline", Buffer.from("a\r\nb\nc\rd")],
    ["a byte order mark", Buffer.from("\ufeffa\n")],
    ["UTF-16", Buffer.from("\ufeffa\nü\n", "utf16le")],
    ["Latin-1", Buffer.from(LATIN, "latin1")],
  ])("keeps every other byte: %s", async (_, bytes) => {
    const full = write("a.txt", bytes);
    const base = await lookAt("a.txt");
    expect(await prepend(base, "new ")).toMatchObject(DONE);
    const after = readFileSync(full);
    const mark =
      base.body.ok && /bom|utf16/.test(base.body.value.encoding) ? (bytes[0] === 0xef ? 3 : 2) : 0;
    expect(after.subarray(0, mark)).toEqual(bytes.subarray(0, mark));
    const kept = bytes.length - mark;
    expect(after.subarray(after.length - kept)).toEqual(bytes.subarray(mark));
    expect(readdirSync(root)).toEqual(["a.txt"]);
  });

  it("keeps the mode", async () => {
    for (const mode of [0o755, 0o640, 0o600]) {
      const full = write(`m${mode}`, "x");
      chmodSync(full, mode);
      expect(await prepend(await lookAt(`m${mode}`), "y")).toMatchObject(DONE);
      expect(statSync(full).mode & 0o7777).toBe(mode);
    }
  });

  it("writes through a link and leaves it a link", async () => {
    const full = write("real/a.txt", "x");
    symlinkSync("real/a.txt", join(root, "link"));
    expect(await prepend(await lookAt("link"), "y")).toMatchObject(DONE);
    expect(lstatSync(join(root, "link")).isSymbolicLink()).toBe(true);
    expect(readFileSync(full, "utf8")).toBe("yx");
  });

  it("keeps hard links together", async () => {
    const full = write("a.txt", "long old text");
    linkSync(full, join(root, "b.txt"));
    expect(await prepend(await lookAt("b.txt"), "y")).toMatchObject(DONE);
    expect(readFileSync(full, "utf8")).toBe("ylong old text");
    expect(statSync(full).ino).toBe(statSync(join(root, "b.txt")).ino);
  });

  it("gives the file new bytes in one step, so that a reader never sees a part", async () => {
    const full = write("a.txt", "x");
    const before = statSync(full).ino;
    expect(await prepend(await lookAt("a.txt"), "y")).toMatchObject(DONE);
    // A new inode under the old name is how a swap shows; an in-place write would keep it.
    expect(statSync(full).ino).not.toBe(before);
  });

  it.each([
    ["changed", (full: string) => writeFileSync(full, "z")],
    ["removed", (full: string) => rmSync(full)],
    [
      "replaced by a link to another file with the same text",
      (full: string) => {
        rmSync(full);
        writeFileSync(join(top, "trap"), "x");
        symlinkSync(join(top, "trap"), full);
      },
    ],
  ])("does not write over a file that was %s since the look", async (_, disturb) => {
    const full = write("a.txt", "x");
    const base = await lookAt("a.txt");
    disturb(full);
    const seen = existsSync(full) ? readFileSync(full, "utf8") : null;
    expect(await prepend(base, "y")).toEqual({ kind: "moved-on" });
    expect(existsSync(full) ? readFileSync(full, "utf8") : null).toBe(seen);
  });

  it("does not write through a folder that became a link", async () => {
    write("dir/a.txt", "x");
    const base = await lookAt("dir/a.txt");
    mkdirSync(join(top, "trap"));
    writeFileSync(join(top, "trap/a.txt"), "x");
    rmSync(join(root, "dir"), { recursive: true });
    symlinkSync(join(top, "trap"), join(root, "dir"));
    expect(await prepend(base, "y")).toEqual({ kind: "moved-on" });
    expect(readFileSync(join(top, "trap/a.txt"), "utf8")).toBe("x");
  });

  it("writes nothing after a cancel", async () => {
    const full = write("a.txt", "x");
    const base = await lookAt("a.txt");
    const change = {
      edit: Edit.of(1, [{ from: 0, to: 1, insert: "y" }]),
      after: "y",
      afterBytes: Buffer.from("y"),
      label: "test",
    };
    expect(await workspace.update(base, change, AbortSignal.abort())).toMatchObject({
      kind: "failed",
      problem: { code: "interrupted" },
    });
    expect(readFileSync(full, "utf8")).toBe("x");
  });
});

describe("creating, removing, renaming", () => {
  it("makes parent folders and takes a mode", async () => {
    const file = await find("new/deep/run.sh", "create");
    expect(await workspace.create(file, Buffer.from("echo\n"), 0o755, "test")).toMatchObject(DONE);
    expect(readFileSync(file.real, "utf8")).toBe("echo\n");
    expect(statSync(file.real).mode & 0o7777).toBe(0o755);
    expect(readdirSync(dirname(file.real))).toEqual(["run.sh"]);
  });

  it("gives a new file the usual mode when none is asked for", async () => {
    const file = await find("a", "create");
    await workspace.create(file, Buffer.from(""), null, "test");
    writeFileSync(join(root, "usual"), "");
    expect(statSync(file.real).mode).toBe(statSync(join(root, "usual")).mode);
  });

  it.each([
    ["a file", () => void write("a", "old")],
    ["a folder", () => void mkdirSync(join(root, "a"))],
  ])("never creates over %s", async (_, make) => {
    const file = await find("a", "create");
    make();
    expect(await workspace.create(file, Buffer.from("new"), null, "test")).toMatchObject({
      kind: "failed",
      problem: { code: "file-exists" },
    });
    expect(readdirSync(root)).toEqual(["a"]);
  });

  it("tells why a file cannot be made", async () => {
    write("a", "");
    const file = await find("a/b", "create");
    expect(await workspace.create(file, Buffer.from(""), null, "test")).toMatchObject({
      kind: "failed",
      problem: { code: "write-failed", cause: "ENOTDIR" },
    });
  });

  it("finds nothing below a file, and says so before anything is written", async () => {
    write("a", "");
    expect(await codeOf("a/b", "create")).toBe("file-unreadable");
    expect(await codeOf("a/b/c")).toBe("file-unreadable");
    expect(await codeOf("b/a", "create")).toBe("missing");
  });

  it("makes and changes a file whose name is as long as a name can be", async () => {
    for (const name of ["n".repeat(255), "\u4e2d".repeat(85), "\u{1f600}".repeat(63)]) {
      const file = await find(name, "create");
      expect(await workspace.create(file, Buffer.from("x"), null, "test")).toMatchObject(DONE);
      const { ino } = statSync(file.real);
      expect(await prepend(await lookAt(name), "y")).toMatchObject(DONE);
      expect(readFileSync(file.real, "utf8")).toBe("yx");
      // In one step: the file is another one now.
      expect(statSync(file.real).ino).not.toBe(ino);
    }
  });

  it("takes away the folders of a file that could not be made, and no other", async () => {
    mkdirSync(join(root, "there"));
    const name = "n".repeat(250);
    const draft = await find(`there/new/deep/${name}`, "create");
    // The draft's own name is too long for the disk.
    const base = { ...draft, real: `${draft.real}${"n".repeat(10)}` };
    write("a", "x");
    expect(await workspace.rename(await lookAt("a"), base, "test")).toMatchObject({
      problem: { code: "write-failed", cause: "ENAMETOOLONG" },
    });
    expect(readdirSync(root).sort()).toEqual(["a", "there"]);
    expect(readdirSync(join(root, "there"))).toEqual([]);
  });

  it("removes only what was looked at", async () => {
    const full = write("a", "x");
    const base = await lookAt("a");
    writeFileSync(full, "y");
    expect(await workspace.remove(base, "test")).toEqual({ kind: "moved-on" });
    expect(readFileSync(full, "utf8")).toBe("y");
    expect(await workspace.remove(await lookAt("a"), "test")).toMatchObject(DONE);
    expect(existsSync(full)).toBe(false);
  });

  it("renames with bytes and mode, never over something", async () => {
    chmodSync(write("a", "a\0b"), 0o750);
    write("taken", "t");
    const taken = await find("taken", "create");
    expect(await workspace.rename(await lookAt("a"), taken, "test")).toMatchObject({
      problem: { code: "file-exists" },
    });
    const target = await find("new/b", "create");
    expect(await workspace.rename(await lookAt("a"), target, "test")).toMatchObject(DONE);
    expect(readFileSync(target.real, "latin1")).toBe("a\0b");
    expect(statSync(target.real).mode & 0o7777).toBe(0o750);
    expect(readdirSync(root).sort()).toEqual(["new", "taken"]);
  });
});

describe("reading back", () => {
  it("tells bytes and mode, and a missing file", async () => {
    chmodSync(write("a", "x"), 0o700);
    expect(await workspace.readBack(await find("a"))).toEqual({
      ok: true,
      value: { disk: Uint8Array.from(Buffer.from("x")), mode: 0o700, document: null },
    });
    expect(await workspace.readBack(await find("b"))).toEqual({
      ok: true,
      value: { disk: null, mode: null, document: null },
    });
  });
});
