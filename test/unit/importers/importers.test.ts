import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  importTranscript,
  type ImportedCall,
  type ImportOptions,
  type ImportSummary,
} from "../../../src/app/importers/importTranscript.ts";

interface Imported {
  readonly calls: readonly ImportedCall[];
  readonly summary: ImportSummary;
}

async function importText(text: string, options: Partial<ImportOptions> = {}): Promise<Imported> {
  const calls: ImportedCall[] = [];
  const summary = await importTranscript(
    [text],
    { name: "file.jsonl", time: 9_000, ...options },
    (call) => void calls.push(call),
  );
  return { calls, summary };
}

function transcript(name: string): string {
  return readFileSync(new URL(`transcripts/${name}`, import.meta.url), "utf8");
}

function envelope(body: string): string {
  return `*** Begin Patch\n${body}\n*** End Patch`;
}

/** The calls by the id they have in the transcript. */
function byKey({ calls }: Imported): Readonly<Record<string, ImportedCall>> {
  return Object.fromEntries(calls.map((call) => [call.id.split(":").at(-1) ?? "", call]));
}

test("every imported call is stored and unapplied", async () => {
  for (const name of ["codex.jsonl", "claude-code.jsonl", "responses.jsonl", "generic.jsonl"]) {
    const { calls, summary } = await importText(transcript(name));
    expect(calls.length).toBeGreaterThanOrEqual(4);
    expect(summary.calls).toBe(calls.length);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
    for (const call of calls) {
      expect(call).toMatchObject({
        version: 1,
        phase: "done",
        source: "import",
        flags: ["imported"],
      });
      expect(call.result).toBeUndefined();
      expect(call.endedAt).toBe(call.startedAt);
      expect(call.args === undefined).toBe(call.argsRaw !== undefined);
      for (const file of call.files) {
        expect(file.outcome).toBeUndefined();
        expect(file.phase).toBe("waiting");
      }
    }
  }
});

test("importing again gives the same ids", async () => {
  const first = await importText(transcript("codex.jsonl"));
  const again = await importText(transcript("codex.jsonl"), { time: 1 });
  expect(new Set(again.calls.map(({ id }) => id))).toEqual(
    new Set(first.calls.map(({ id }) => id)),
  );
});

describe("Codex rollouts", () => {
  test("patches of every kind, with session, model, folder, time and what was answered", async () => {
    const calls = byKey(await importText(transcript("codex.jsonl")));
    expect(Object.keys(calls).sort()).toEqual(["call_1", "call_2", "call_3", "call_4", "call_5"]);
    expect(calls["call_1"]).toMatchObject({
      tool: "apply_patch",
      session: "import:sess-1",
      model: "gpt-5.2-codex",
      provider: "openai",
      startedAt: Date.parse("2026-03-04T05:06:07.789Z"),
      args: {
        patch: envelope(
          "*** Update File: src/a.ts\n@@\n-price\n+amount\n*** Add File: src/new.ts\n+x",
        ),
      },
      files: [
        { path: "src/a.ts", shown: "src/a.ts", operation: "update" },
        { path: "src/new.ts", operation: "add" },
      ],
      imported: {
        format: "codex",
        line: 8,
        folder: "/home/dev/shop",
        output: "Success. Updated the following files:\nM src/a.ts\n",
        failed: false,
      },
    });
    expect(calls["call_2"]).toMatchObject({
      args: { patch: envelope("*** Delete File: old.ts") },
      files: [{ path: "old.ts", operation: "delete" }],
      imported: { folder: "/home/dev/shop/pkg" },
    });
    expect(calls["call_3"]).toMatchObject({
      args: { patch: envelope("*** Update File: b.ts\n*** Move to: c.ts\n@@\n-1\n+2") },
      files: [
        { path: "b.ts", operation: "update" },
        { path: "c.ts", operation: "move" },
      ],
      imported: { folder: "/home/dev/shop/web", failed: true, output: "error: no match" },
    });
    expect(calls["call_4"]).toMatchObject({ argsRaw: '{"input": "*** Begin Pat', files: [] });
    expect(calls["call_5"]).toMatchObject({ model: "gpt-5.3", files: [{ path: "/etc/hosts" }] });
  });

  test("the preview names what was found and what was not used", async () => {
    const { summary } = await importText(transcript("codex.jsonl"));
    expect(summary).toMatchObject({
      lines: 21,
      calls: 5,
      found: [
        { tool: "apply_patch", model: "gpt-5.2-codex", count: 4 },
        { tool: "apply_patch", model: "gpt-5.3", count: 1 },
      ],
      formats: { codex: 5 },
      malformed: 1,
      repeated: 1,
      broken: { count: 2, lines: [10, 19] },
      oversized: { count: 0, lines: [] },
      otherTools: { count: 1, names: [{ name: "shell", count: 1 }] },
    });
    expect(summary.unknown.count).toBe(2);
    expect(new Set(summary.unknown.names.map(({ name }) => name))).toEqual(
      new Set(["hologram_call", "world_state"]),
    );
  });

  test("the oldest rollouts have bare items", async () => {
    const { calls, summary } = await importText(transcript("codex-old.jsonl"));
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      session: "import:old-1",
      startedAt: 9_000,
      args: { patch: envelope("*** Add File: hello.txt\n+hi") },
      imported: { output: "Success", failed: false },
    });
    expect(summary.unknown.count).toBe(0);
  });
});

test("Claude Code", async () => {
  const imported = await importText(transcript("claude-code.jsonl"));
  const calls = byKey(imported);
  expect(calls["toolu_1"]).toMatchObject({
    tool: "edit",
    session: "import:c-1",
    model: "claude-sonnet-4-5",
    args: { path: "/Users/ann/app/src/a.ts", old_string: "a", new_string: "b", replace_all: false },
    files: [{ path: "/Users/ann/app/src/a.ts", shown: "src/a.ts", operation: "update" }],
    imported: { failed: false, line: 4, folder: "/Users/ann/app" },
  });
  expect(calls["toolu_2"]).toMatchObject({
    tool: "edit",
    args: {
      path: "/Users/ann/app/b.ts",
      edits: [
        { old_string: "1", new_string: "2" },
        { old_string: "3", new_string: "", replace_all: true },
      ],
    },
    imported: {
      failed: true,
      output: "<tool_use_error>String to replace not found</tool_use_error>",
    },
  });
  expect(calls["toolu_3"]).toMatchObject({
    tool: "write",
    args: { path: "/Users/ann/app/c.ts", content: "c\n" },
    imported: { output: "File created" },
  });
  expect(calls["toolu_6"]).toMatchObject({
    tool: "edit_files",
    files: [{ shown: "a.ts" }, { shown: "d.ts" }],
  });
  expect(imported.summary).toMatchObject({
    calls: 4,
    broken: { count: 1, lines: [9] },
    unknown: { count: 1, names: [{ name: "teleport", count: 1 }] },
    otherTools: { count: 2 },
    formats: { "claude-code": 4 },
  });
});

test("Responses items, whole responses and streamed events", async () => {
  const imported = await importText(transcript("responses.jsonl"));
  const calls = byKey(imported);
  expect(Object.keys(calls).sort()).toEqual(["k1", "k2", "k3", "k4", "k5", "k6", "k9"]);
  expect(calls["k1"]).toMatchObject({
    tool: "edit_files",
    model: "gpt-5.1",
    args: { edits: [{ path: "/p/a.ts", old_text: "1", new_text: "2" }] },
    imported: { output: '{"edits_applied":1}' },
  });
  expect(calls["k2"]).toMatchObject({ tool: "edit_files", argsRaw: '{"edits":[{"path":' });
  expect(calls["k4"]).toMatchObject({
    tool: "apply_patch",
    args: { patch: envelope("*** Update File: lib/fib.py\n@@\n-def fib(n):\n+def fibonacci(n):") },
    imported: { failed: true },
  });
  expect(calls["k5"]?.args).toEqual({ patch: envelope("*** Delete File: x.py") });
  expect(calls["k6"]?.args).toEqual({ patch: envelope("*** Add File: n.txt\n+n") });
  expect(imported.summary).toMatchObject({
    repeated: 1,
    otherTools: { count: 1, names: [{ name: "get_weather", count: 1 }] },
    unknown: { count: 1, names: [{ name: "quantum_call", count: 1 }] },
  });
});

test("one document over many lines", async () => {
  const { calls, summary } = await importText(transcript("responses-pretty.json"));
  expect(calls.map(({ args }) => args)).toEqual([{ path: "a", old_string: "x", new_string: "y" }]);
  expect(summary.broken.count).toBe(0);
  // A file that only begins like one is read line by line after all.
  const broken = await importText(`{\n${transcript("generic.jsonl")}`);
  expect(broken.summary.calls).toBe(6);
  expect(broken.summary.broken.lines[0]).toBe(1);
});

test("generic lines", async () => {
  const imported = await importText(transcript("generic.jsonl"));
  const [first, second, third, fourth, fifth, sixth] = imported.calls;
  expect(first).toMatchObject({
    id: "import:generic:g1:one",
    session: "import:g1",
    model: "m1",
    startedAt: Date.parse("2026-03-04T03:06:07Z"),
  });
  expect(second).toMatchObject({ startedAt: 1_772_600_000_000, session: "import:file.jsonl" });
  expect(second?.args).toEqual({ patch: envelope("*** Update File: a.ts\n@@\n-1\n+2") });
  expect(third?.args).toEqual({ patch: envelope("*** Update File: b.ts\n@@\n-1\n+2") });
  expect(fourth).toMatchObject({ tool: "edit", argsRaw: '{"path": "a' });
  expect(fifth).toMatchObject({
    startedAt: 1_772_600_000_123,
    files: [{ path: "gone.txt", operation: "delete" }],
  });
  expect(sixth).toMatchObject({ tool: "write", args: { path: "w.txt", content: "w" } });
  expect(imported.calls).toHaveLength(6);
  expect(imported.summary).toMatchObject({
    lines: 11,
    broken: { count: 1, lines: [12] },
    unknown: { count: 4 },
    otherTools: { count: 1, names: [{ name: "launch", count: 1 }] },
  });
});

test("calls without a time come in the order of the transcript", async () => {
  const line = (n: number): string => JSON.stringify({ tool: "delete", input: { path: `${n}` } });
  const { calls } = await importText([1, 2, 3].map(line).join("\n"));
  expect(calls.map(({ startedAt }) => startedAt)).toEqual([9_000, 9_001, 9_002]);
});

test("formats may be mixed in one file", async () => {
  const all = ["codex", "claude-code", "responses", "generic"]
    .map((n) => transcript(`${n}.jsonl`))
    .join("");
  const { summary } = await importText(all);
  expect(summary.formats).toEqual({ codex: 5, "claude-code": 4, responses: 7, generic: 6 });
});
