import { link, rm, symlink } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { apply as applyCommand } from "../../../src/adapters/node/cliApply.ts";
import { UsageError } from "../../../src/adapters/node/cliUsage.ts";
import { StructuredResult } from "../../../src/protocol/result.ts";
import { TOOLS } from "../../../src/tools/catalogue.ts";
import { bundledCli, folderWith, runCli, SOURCE, type Folder, type Said } from "./commandLine.ts";

/** What --json prints for one call: the structured result and the text beside it, nothing else. */
const Printed = z.strictObject({ ...StructuredResult.shape, text: z.string() });
const Planned = z.strictObject({ dryRun: z.literal(true), ...Printed.shape });

const FILES = { "a.ts": "one\n", "sub/b.ts": "two\n" };
let folder: Folder;
let bundle: string;

beforeAll(async () => {
  bundle = await bundledCli();
});

afterAll(async () => {
  await rm(path.dirname(bundle), { recursive: true, force: true });
});

beforeEach(async () => {
  folder = await folderWith(FILES);
});

afterEach(async () => {
  await folder.remove();
});

const replace = (file: string, old_string: string, new_string: string): object => ({
  tool: "edit",
  input: { path: file, old_string, new_string },
});

const editFiles = (...edits: readonly (readonly [string, string, string])[]): object => ({
  tool: "edit_files",
  input: {
    edits: edits.map(([file, old_text, new_text]) => ({
      path: path.join(folder.root, file),
      old_text,
      new_text,
    })),
  },
});

function cli(words: readonly string[], stdin = "", cwd = folder.root): Promise<Said> {
  return runCli(bundle, words, { stdin, cwd });
}

function apply(call: unknown, ...words: readonly string[]): Promise<Said> {
  return cli(["apply", "--root", folder.root, ...words], JSON.stringify(call));
}

describe("the exit status is that of the last call", () => {
  test("0: applied, and the text is what the model reads", async () => {
    const said = await apply(replace("a.ts", "one", "1"));
    expect(said).toEqual({
      code: 0,
      stdout: "Replaced 1 occurrence (4 bytes -> 2 bytes)\n",
      stderr: "",
    });
    expect(await folder.contents()).toEqual({ ...FILES, "a.ts": "1\n" });
  });

  test("1: a part was applied, 2: nothing was", async () => {
    const partly = await apply(
      editFiles(["a.ts", "one", "1"], ["sub/b.ts", "nothing", "2"]),
      "--json",
    );
    expect(partly.code).toBe(1);
    expect(Printed.parse(JSON.parse(partly.stdout)).status).toBe("partial");
    const nothing = await apply([replace("a.ts", "1", "one"), replace("a.ts", "nothing", "x")]);
    expect(nothing.code).toBe(2);
    expect(await folder.contents()).toEqual(FILES);
  });
});

describe("--json", () => {
  test("prints the structured result of one call, with the text", async () => {
    const said = await apply(editFiles(["sub/b.ts", "two", "2"]), "--json");
    const printed = Printed.parse(JSON.parse(said.stdout));
    expect(printed).toMatchObject({
      status: "applied",
      message: "Applied edits to 1 file.",
      files: [{ path: path.join(folder.root, "sub/b.ts"), status: "applied", operation: "update" }],
    });
    expect(JSON.parse(printed.text)).toMatchObject({ status: "applied" });
  });

  test("prints a list for a list, whose calls run in one session: a repeat is not applied twice", async () => {
    const insert = editFiles(["a.ts", "one\n", "one\nmore\n"]);
    const said = await apply([insert, insert], "--json");
    const printed = z.array(Printed).parse(JSON.parse(said.stdout));
    expect(printed.map(({ files }) => files[0]!.status)).toEqual(["applied", "already_applied"]);
    expect(said.code).toBe(0);
    expect(await folder.contents()).toEqual({ ...FILES, "a.ts": "one\nmore\n" });
    const single = await apply([replace("a.ts", "more", "less")], "--json");
    expect(z.array(Printed).parse(JSON.parse(single.stdout))).toHaveLength(1);
  });

  test("says a refused call in the same shape", async () => {
    const said = await apply({ tool: "edit_files", input: { edits: [] } }, "--json");
    expect(said.code).toBe(2);
    expect(Printed.parse(JSON.parse(said.stdout))).toEqual({
      status: "error",
      message: "Add at least one edit to edits",
      files: [],
      text: "Add at least one edit to edits\nNo files were applied.",
    });
  });
});

test("--dry-run plans the same and writes nothing", async () => {
  const calls = [
    editFiles(["sub/b.ts", "two", "2"]),
    { tool: "write", input: { path: "new/c.ts", content: "x\n" } },
    { tool: "delete", input: { path: "a.ts" } },
  ];
  const dry = await apply(calls, "--dry-run", "--json");
  expect(await folder.contents()).toEqual(FILES);
  expect(dry.code).toBe(0);
  const real = await apply(calls, "--json");
  const planned = z.array(Planned).parse(JSON.parse(dry.stdout));
  const done = z.array(Printed).parse(JSON.parse(real.stdout));
  expect(planned.map(({ files }) => files)).toEqual(done.map(({ files }) => files));
  expect(await folder.contents()).toEqual({ "new/c.ts": "x\n", "sub/b.ts": "2\n" });
});

test("--dry-run says before all else that nothing was written", async () => {
  const dry = await apply(replace("a.ts", "one", "1"), "--dry-run");
  expect(dry.stdout).toBe(
    "Dry run, nothing was written. It would come to this:\nWould do: Replaced 1 occurrence (4 bytes -> 2 bytes)\n",
  );
  expect(await folder.contents()).toEqual(FILES);
});

describe("where the calls come from", () => {
  test("a file, standard input by name, or standard input by default; relative to the folder", async () => {
    const file = await folder.put("calls/one.json", JSON.stringify(replace("a.ts", "one", "1")));
    expect((await cli(["apply", "--root", folder.root, file])).code).toBe(0);
    const named = await cli(
      ["apply", "--root", folder.root, "-"],
      JSON.stringify(replace("a.ts", "1", "2")),
    );
    expect(named.code).toBe(0);
    const here = await cli(["apply", "calls/one.json"]);
    expect(here.code).toBe(2);
    const below = await cli(["apply"], JSON.stringify(replace("a.ts", "2", "3")));
    expect(below.code).toBe(0);
    expect((await folder.contents())["a.ts"]).toBe("3\n");
  });

  test("raw text as the model sent it, and with --tool the whole input", async () => {
    const raw = JSON.stringify({
      edits: JSON.stringify([
        { path: path.join(folder.root, "a.ts"), old_text: "one", new_text: "1" },
      ]),
    });
    expect((await apply({ tool: "edit_files", raw })).code).toBe(0);
    const cut = await cli(
      ["apply", "--root", folder.root, "--tool", "edit_files"],
      raw.slice(0, -3),
    );
    expect(cut.code).toBe(2);
    expect(cut.stdout).toMatch(
      /^This tool call was not executed because its input is not valid JSON\./,
    );
    const whole = await cli(
      ["apply", "--root", folder.root, "--tool", "edit", "--json"],
      JSON.stringify({ path: "a.ts", old_string: "1", new_string: "2" }),
    );
    expect(Printed.parse(JSON.parse(whole.stdout)).status).toBe("applied");
  });

  test("an envelope is taken bare", async () => {
    const envelope = [
      "*** Begin Patch",
      "*** Update File: a.ts",
      "@@",
      "-one",
      "+1",
      "*** Add File: new.ts",
      "+x",
      "*** Delete File: sub/b.ts",
      "*** End Patch",
      "",
    ].join("\n");
    const said = await cli(
      ["apply", "--root", folder.root, "--tool", "apply_patch", "--json"],
      envelope,
    );
    expect(Printed.parse(JSON.parse(said.stdout)).status).toBe("applied");
    expect(said.code).toBe(0);
    expect(await folder.contents()).toEqual({ "a.ts": "1\n", "new.ts": "x\n" });
  });
});

test.each([
  ["a hard link", link, "apply_patch contains overlapping operations for a.ts and twin.ts"],
  ["a symbolic link", symlink, "apply_patch contains overlapping operations for a.ts and twin.ts"],
])("a patch that names one file twice, by %s, is refused", async (_, make, message) => {
  await make(path.join(folder.root, "a.ts"), path.join(folder.root, "twin.ts"));
  const patch = [
    "*** Begin Patch",
    "*** Update File: a.ts",
    "@@",
    "-one",
    "+1",
    "*** Update File: twin.ts",
    "@@",
    "-one",
    "+2",
    "*** End Patch",
  ].join("\n");
  const said = await apply({ tool: "apply_patch", input: { patch } });
  expect(said.stdout).toContain(message);
  expect(said.code).toBe(2);
  expect(await folder.contents()).toMatchObject({ "a.ts": "one\n" });
});

test("paths outside the folder are refused, however they are written", async () => {
  const outside = await folderWith({ "secret.ts": "one\n" });
  try {
    await symlink(outside.root, path.join(folder.root, "link"));
    const secret = path.join(outside.root, "secret.ts");
    const calls = [
      replace(secret, "one", "1"),
      replace(path.relative(folder.root, secret), "one", "1"),
      replace("link/secret.ts", "one", "1"),
      { tool: "write", input: { path: "link/new.ts", content: "x" } },
      { tool: "delete", input: { path: `sub/../${path.relative(folder.root, secret)}` } },
    ];
    const said = await apply(calls, "--json");
    const printed = z.array(Printed).parse(JSON.parse(said.stdout));
    expect(
      printed.map(({ files }) => [files[0]?.status, /outside/.test(files[0]?.error ?? "")]),
    ).toEqual(calls.map(() => ["rejected", true]));
    expect(said.code).toBe(2);
    expect(await outside.contents()).toEqual({ "secret.ts": "one\n" });
  } finally {
    await outside.remove();
  }
});

describe("input that two readers could take for different calls is not run", () => {
  const latin1 = Buffer.from(JSON.stringify(replace("a.ts", "one", "caf\u00e9")), "latin1");
  const twice = '{"tool":"edit","tool":"write","input":{"path":"a.ts","content":"gone"}}';
  test.each([
    ["bytes that are not UTF-8", latin1, [], /^Standard input is not UTF-8 text\./],
    [
      "the same as raw input",
      Buffer.from("*** Begin Patch\n*** Add File: n\n+caf\u00e9\n*** End Patch", "latin1"),
      ["--tool", "apply_patch"],
      /^Standard input is not UTF-8 text\./,
    ],
    ["a repeated key", twice, [], /^FILE is ambiguous: input repeats the key "tool"\./],
    [
      "a repeated key of the input",
      '[{"tool":"delete","input":{"path":"a.ts","path":"sub/b.ts"}}]',
      [],
      /^FILE is ambiguous: input repeats the key "\[\]\.input\.path"\./,
    ],
  ])("%s", async (_, stdin, words, refusal) => {
    const said = await runCli(bundle, ["apply", "--root", folder.root, ...words], { stdin });
    expect(said).toMatchObject({ code: 3, stdout: "" });
    expect(said.stderr).toMatch(refusal);
    expect(await folder.contents()).toEqual(FILES);
  });

  test("a byte order mark is none of the text", async () => {
    const file = await folder.put(
      "one.json",
      `\ufeff${JSON.stringify(replace("a.ts", "one", "1"))}`,
    );
    expect((await cli(["apply", file])).code).toBe(0);
    expect((await folder.contents())["a.ts"]).toBe("1\n");
  });
});

describe("3: words or input that do not fit, said on standard error", () => {
  const WRONG: readonly (readonly [string, readonly string[], string, RegExp])[] = [
    ["no command", [], "", /^Name a command\./],
    ["an unknown command", ["aply"], "", /^There is no command "aply"\./],
    ["an unknown option", ["apply", "--rot", "."], "", /--rot/],
    [
      "a folder that is not there",
      ["apply", "--root", "no/where"],
      '{"tool":"edit","raw":"{}"}',
      /^There is no folder no\/where\./,
    ],
    ["text that is no JSON", ["apply"], "{", /^FILE is not JSON; with --tool NAME/],
    ["a schema of no tool", ["schema", "edti"], "", /^There is no tool "edti"\./],
  ];
  test("each by a sentence, then the usage", { timeout: 60_000 }, async () => {
    for (const [name, words, stdin, stderr] of WRONG) {
      const said = await cli(words, stdin);
      expect({ name, code: said.code, stdout: said.stdout }).toEqual({ name, code: 3, stdout: "" });
      expect(said.stderr).toMatch(stderr);
      expect(said.stderr).toContain("Usage: agent-edit-review COMMAND");
      expect(said.stderr).not.toMatch(/^\s+at /m);
    }
    expect(await folder.contents()).toEqual(FILES);
  });

  test.each([
    ["an empty list", "[]"],
    ["no tool", '{"input":{}}'],
    ["both input and raw", '{"tool":"edit","input":{},"raw":""}'],
    ["neither", '{"tool":"edit"}'],
    ["an unknown key", '{"tool":"edit","input":{},"root":"/"}'],
    ["a good call beside a bad one", '[{"tool":"delete","input":{"path":"a.ts"}},{"tool":"edit"}]'],
  ])("%s is no list of calls, and runs none", async (_, text) => {
    const file = await folder.put("calls.json", text);
    const refusal = applyCommand(["--root", folder.root, file]);
    await expect(refusal).rejects.toThrow(/^FILE must hold/);
    await expect(refusal).rejects.toBeInstanceOf(UsageError);
    expect(await folder.contents()).toEqual({ ...FILES, "calls.json": text });
  });

  test("two files, and one that is not there", async () => {
    await expect(applyCommand(["a.json", "b.json"])).rejects.toThrow("Name at most one FILE.");
    await expect(applyCommand(["no.json"])).rejects.toThrow("FILE no.json cannot be read.");
  });
});

test("an unknown tool is a call that was not applied", async () => {
  const said = await apply({ tool: "edti", input: {} });
  expect(said.code).toBe(2);
  expect(said.stdout).toMatch(
    /^Use one of the tools .*; there is no tool "edti"\.\nNo files were applied\.\n$/,
  );
});

test("schema prints the names of the tools, and the schema of each", async () => {
  const names = await cli(["schema"]);
  expect(names).toEqual({
    code: 0,
    stdout: `${TOOLS.map(({ name }) => name).join("\n")}\n`,
    stderr: "",
  });
  for (const tool of TOOLS.slice(0, 2)) {
    const said = await cli(["schema", tool.name]);
    expect(JSON.parse(said.stdout)).toEqual(tool.jsonSchema());
  }
});

test("help goes to standard output, from the sources too", async () => {
  const said = await runCli(SOURCE, ["--help"]);
  expect(said.code).toBe(0);
  expect(said.stdout).toMatch(/^Usage: agent-edit-review COMMAND/);
});
