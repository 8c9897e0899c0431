import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import type { CallRecord } from "../../src/app/record.ts";
import { api } from "../harness/extension.ts";
import { countInReview, screenshot } from "../harness/page.ts";

/** Each file with the bytes before its counter; the counter itself is ASCII in all of them. */
const COUNTERS = [
  ["src/config.ts", Buffer.from("release: ")],
  ["src/legacy.js", Buffer.from("revision = ")],
  ["scripts/deploy.ps1", Buffer.from("$stage = ")],
  ["docs/notes-zh.txt", Buffer.from([0xb0, 0xe6, 0xb1, 0xbe, 0x3a, 0x20])], // GBK
] as const;

describe("sample call", () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  const disk = (name: string): Buffer => readFileSync(join(root, name));

  /** The same bytes with the counter one higher, by a model that knows nothing of text. */
  const counted = (bytes: Buffer, before: Buffer): Buffer => {
    const start = bytes.indexOf(before) + before.length;
    assert.ok(start >= before.length, "the file has its counter");
    let end = start;
    while (/\d/.test(String.fromCharCode(bytes[end] ?? 0))) end++;
    const next = String(Number(bytes.toString("latin1", start, end)) + 1);
    return Buffer.concat([bytes.subarray(0, start), Buffer.from(next), bytes.subarray(end)]);
  };
  const run = async (): Promise<readonly CallRecord[]> => {
    const ended: CallRecord[] = [];
    const listener = (await api()).onDidChangeCall((call) => {
      if (call.source === "sample" && call.phase === "done") ended.push(call);
    });
    try {
      await vscode.commands.executeCommand("agentEditReview.runSampleCall");
    } finally {
      listener.dispose();
    }
    return ended;
  };

  it("edits files that others break, and nothing but their counters", async () => {
    const names = COUNTERS.map(([name]) => name);
    const wanted = COUNTERS.map(([name, before]) => counted(disk(name), before));
    const limits = disk("src/limits.ts");
    const calls = await run();
    assert.deepEqual(
      calls.map(({ result }) => result?.status),
      ["applied", "partial"],
    );
    assert.deepEqual(names.map(disk), wanted);
    assert.deepEqual(disk("src/limits.ts"), limits);
    const statuses = calls[1]?.files.map(({ outcome }) => outcome?.status).sort();
    assert.deepEqual(statuses, ["already_applied", "applied", "applied", "applied", "rejected"]);
  });

  it("shows a card of each kind", async () => {
    const card = '[data-testid="call-card"]';
    await countInReview(card);
    for (const state of ["applied", "rejected", "already_applied"])
      await countInReview(`${card} [data-testid="file-card"][data-state="${state}"]`);
    await screenshot("sample");
  });

  it("can be run as often as one likes", async () => {
    const wanted = COUNTERS.map(([name, before]) => counted(disk(name), before));
    const calls = await run();
    assert.deepEqual(
      calls.map(({ result }) => result?.status),
      ["applied", "partial"],
    );
    assert.deepEqual(
      COUNTERS.map(([name]) => disk(name)),
      wanted,
    );
  });
});
