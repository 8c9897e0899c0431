import { describe, expect, it } from "vitest";
import { Edit } from "../../../src/engine/index.ts";
import type { FileSnapshot, WriteReply } from "../../../src/app/ports.ts";
import {
  createMemoryWorkspace,
  faultAt,
  type Fault,
  type MemoryWorkspace,
} from "../../support/memoryWorkspace.ts";

async function lookAt(workspace: MemoryWorkspace, path: string): Promise<FileSnapshot> {
  const file = await workspace.locate(path, "edit", true);
  if (!file.ok) throw new Error(JSON.stringify(file.problem));
  const snapshot = await workspace.look(file.value);
  if (!snapshot.ok || snapshot.value.kind !== "file") throw new Error(JSON.stringify(snapshot));
  return snapshot.value;
}

function replaceAll(
  workspace: MemoryWorkspace,
  base: FileSnapshot,
  after: string,
): Promise<WriteReply> {
  if (!base.body.ok) throw new Error(JSON.stringify(base.body.problem));
  const { text } = base.body.value;
  const edit = Edit.of(text.length, [{ from: 0, to: text.length, insert: after }]);
  const change = { edit, after, afterBytes: new TextEncoder().encode(after), label: "test" };
  return workspace.update(base, change, new AbortController().signal);
}

describe("the memory workspace", () => {
  it("keeps the contract of a clean file, a dirty one and one that moved on", async () => {
    const workspace = createMemoryWorkspace({ files: { "a.ts": "one\n", "b.ts": "two\n" } });
    expect(await replaceAll(workspace, await lookAt(workspace, "a.ts"), "1\n")).toEqual({
      kind: "done",
      saved: true,
    });
    const document = workspace.open("b.ts");
    document.type("typed\n");
    const dirty = await lookAt(workspace, "b.ts");
    expect(dirty.body).toMatchObject({ value: { text: "typed\n", source: "document" } });
    expect(await replaceAll(workspace, dirty, "2\n")).toEqual({ kind: "done", saved: false });
    expect(document.text).toBe("2\n");
    expect(await replaceAll(workspace, dirty, "3\n")).toEqual({ kind: "moved-on" });
    expect(workspace.contents()).toEqual({ "a.ts": "1\n", "b.ts": "two\n" });
  });

  it("counts its operations", async () => {
    const workspace = createMemoryWorkspace({ files: { "a.ts": "one\n" } });
    await replaceAll(workspace, await lookAt(workspace, "a.ts"), "1\n");
    expect(workspace.operations).toEqual(["locate a.ts", "look a.ts", "update a.ts"]);
    expect(workspace.faulted).toBe(false);
  });

  it.each<[string, Fault, string, string]>([
    ["fail", { kind: "fail" }, "failed", "abcdef"],
    ["fail after the write", { kind: "fail-after" }, "failed", "ABCDEF"],
    ["fail half way", { kind: "fail-half" }, "failed", "ABC"],
    ["find the file changed", { kind: "change" }, "moved-on", "abcdef// someone else\n"],
  ])("makes a write %s", async (_, fault, kind, text) => {
    const workspace = createMemoryWorkspace({
      files: { "a.ts": "abcdef" },
      fault: faultAt(3, fault),
    });
    const reply = await replaceAll(workspace, await lookAt(workspace, "a.ts"), "ABCDEF");
    expect(reply.kind).toBe(kind);
    expect(workspace.text("a.ts")).toBe(text);
    expect(workspace.faulted).toBe(true);
  });

  it("lets a test act, or an adapter break, at any operation", async () => {
    const seen: string[] = [];
    const watched = createMemoryWorkspace({
      files: { "a.ts": "x" },
      fault: (number, operation, path) =>
        number === 2
          ? { kind: "call", run: () => void seen.push(`${operation} ${path}`) }
          : undefined,
    });
    await lookAt(watched, "a.ts");
    expect(seen).toEqual(["look /ws/a.ts"]);
    const broken = createMemoryWorkspace({ fault: faultAt(1, { kind: "throw" }) });
    await expect(broken.locate("/ws/a.ts", "edit", false)).rejects.toThrow("fault at operation 1");
  });

  it("has links, modes, a boundary and save participants", async () => {
    const workspace = createMemoryWorkspace({
      files: { "a.ts": "one\n", "/etc/hosts": "h\n" },
      onSave: (_, text) => text.toUpperCase(),
    });
    workspace.link("alias.ts", "a.ts");
    workspace.link("out", "/etc/hosts");
    await replaceAll(workspace, await lookAt(workspace, "alias.ts"), "new\n");
    expect(workspace.text("a.ts")).toBe("NEW\n");
    expect(await workspace.locate("out", "edit", true)).toMatchObject({
      problem: { code: "path-outside", real: "/etc/hosts" },
    });
    const file = await workspace.locate("run.sh", "create", true);
    if (!file.ok) throw new Error("not found");
    await workspace.create(file.value, new TextEncoder().encode("x"), 0o755, "test");
    expect(workspace.mode("run.sh")).toBe(0o755);
    expect(await workspace.create(file.value, new Uint8Array(), null, "test")).toMatchObject({
      problem: { code: "file-exists" },
    });
  });
});
