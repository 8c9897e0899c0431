import { spawn, type StdioOptions } from "node:child_process";
import { open, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { StructuredResult } from "../../../src/protocol/result.ts";
import { waitFor } from "../../harness/wait.ts";
import { bundledCli, folderWith, type Folder } from "./commandLine.ts";

// What the command line does as a process: signals, and output that nobody takes.

const COUNT = 300;
const name = (index: number): string => `f${index}.txt`;
const text = (word: string): string => `${word}\n${"a line that stays\n".repeat(500)}`;

let bundle: string;
let folder: Folder;

beforeAll(async () => {
  bundle = await bundledCli();
});
afterAll(() => rm(path.dirname(bundle), { recursive: true, force: true }));
beforeEach(async () => {
  folder = await folderWith(
    Object.fromEntries(Array.from({ length: COUNT }, (_, index) => [name(index), text("old")])),
  );
});
afterEach(() => folder.remove());

function start(words: readonly string[], stdio: StdioOptions = "pipe") {
  const child = spawn(process.execPath, [bundle, ...words], { stdio, cwd: folder.root });
  const said = { stdout: "", stderr: "" };
  child.stdout?.on("data", (part: Buffer) => (said.stdout += part.toString()));
  child.stderr?.on("data", (part: Buffer) => (said.stderr += part.toString()));
  child.stdin?.on("error", () => undefined);
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { child, said, closed };
}

const everyFile = {
  edit_files: () => ({
    edits: Array.from({ length: COUNT }, (_, index) => ({
      path: path.join(folder.root, name(index)),
      old_text: "old",
      new_text: "new",
    })),
  }),
  apply_patch: () => ({
    patch: [
      "*** Begin Patch",
      ...Array.from({ length: COUNT }, (_, index) => [
        `*** Update File: ${name(index)}`,
        "@@",
        "-old",
        "+new",
      ]).flat(),
      "*** End Patch",
    ].join("\n"),
  }),
};

test.each([
  ["SIGINT", "edit_files"],
  ["SIGTERM", "edit_files"],
  ["SIGHUP", "edit_files"],
  ["SIGTERM", "apply_patch"],
] as const)(
  "%s within %s: whole files, no drafts, and the result says how far it came",
  async (signal, tool) => {
    const { child, said, closed } = start(["apply", "--json"]);
    child.stdin!.end(JSON.stringify({ tool, input: everyFile[tool]() }));
    const isNew = async (): Promise<true | undefined> => {
      const texts = [0, 1].map((index) => readFile(path.join(folder.root, name(index)), "utf8"));
      return (await Promise.all(texts)).includes(text("new")) || undefined;
    };
    await waitFor("a file to change", 15_000, isNew, 2);
    child.kill(signal);
    // Null would be the signal's own end, in the middle of a file.
    expect([0, 1]).toContain(await closed);
    const { files } = StructuredResult.parse(JSON.parse(said.stdout));
    const contents = await folder.contents();
    expect(Object.keys(contents)).toHaveLength(COUNT);
    for (const file of files)
      expect(contents[path.relative(folder.root, path.resolve(folder.root, file.path))]).toBe(
        text(file.status === "applied" ? "new" : "old"),
      );
  },
);

test("a server that is told to end finishes its file", async () => {
  for (const signal of ["SIGTERM", "SIGHUP"] as const) {
    const { child, closed } = start(["mcp"]);
    child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`);
    await new Promise((resolve) => child.stdout!.once("data", resolve));
    child.kill(signal);
    expect(await closed).toBe(0);
  }
});

test("a result that cannot be printed is status 3 and one sentence", async () => {
  // Open for reading only: writing to it fails.
  const output = await open(bundle, "r");
  try {
    const { said, closed } = start(["schema", "edit"], ["ignore", output.fd, "pipe"]);
    expect(await closed).toBe(3);
    expect(said.stderr).toMatch(/^agent-edit-review could not print its result: .*\n$/);
  } finally {
    await output.close();
  }
});
