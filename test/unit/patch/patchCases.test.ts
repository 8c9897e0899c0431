import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { PatchFileState } from "../../../src/engine/index.ts";
import { runPatch, type PatchFiles } from "../../support/patchWorkspace.ts";

/** A file as a case writes it: its text, or a file that is no text. */
type CaseFile = string | { readonly undecodable: string };

interface PatchCase {
  readonly name: string;
  /** What must hold. */
  readonly rule: string;
  readonly before: Readonly<Record<string, CaseFile>>;
  /** The patch as lines; or the raw text of the call; or its input as the host parsed it. */
  readonly patch?: readonly string[];
  readonly raw?: string;
  readonly input?: unknown;
  readonly ambiguousHunk?: "note" | "reject";
  readonly status: "applied" | "partial" | "rejected";
  /** The whole folder afterwards. */
  readonly after: Readonly<Record<string, CaseFile>>;
  /** Parts of what the model reads, and parts that must not be in it. */
  readonly says?: readonly string[];
  readonly notSays?: readonly string[];
  /** All of it. */
  readonly text?: string;
  /** Names of the tolerances of all files. */
  readonly tolerance?: readonly string[];
}

const folder = new URL("../../cases/apply_patch/", import.meta.url);
const areas = readdirSync(folder).filter((name) => name.endsWith(".json"));
const cases = areas.flatMap((area) => {
  const list = JSON.parse(readFileSync(new URL(area, folder), "utf8")) as readonly PatchCase[];
  return list.map((test) => ({ title: `${area.slice(0, -5)}/${test.name}`, test }));
});

function filesOf(tree: Readonly<Record<string, CaseFile>>): PatchFiles {
  return new Map(
    Object.entries(tree).map(([path, file]): [string, string | PatchFileState] => [
      path,
      typeof file === "string"
        ? file
        : { kind: "undecodable", explanation: { message: file.undecodable } },
    ]),
  );
}

describe("apply_patch cases", () => {
  it("are all there", () => {
    expect(cases.length).toBeGreaterThanOrEqual(190);
  });

  it.each(cases)("$title", ({ test }) => {
    const before = filesOf(test.before);
    const arrived =
      test.patch !== undefined
        ? { input: { patch: test.patch.join("\n") } }
        : test.raw !== undefined
          ? { raw: test.raw }
          : { input: test.input };
    const run = runPatch(before, arrived, { ambiguousHunk: test.ambiguousHunk ?? "note" });

    expect({ rule: test.rule, status: run.status, text: run.text }).toMatchObject({
      status: test.status,
    });
    expect(Object.fromEntries(run.after)).toEqual(Object.fromEntries(filesOf(test.after)));
    for (const part of test.says ?? []) expect(run.text).toContain(part);
    for (const part of test.notSays ?? []) expect(run.text).not.toContain(part);
    if (test.text !== undefined) expect(run.text).toBe(test.text);
    if (test.tolerance !== undefined)
      expect(run.files.flatMap((file) => file.tolerance)).toEqual(test.tolerance);
    // What holds for every case: the edit gives the text, its inverse the old one, and the diff tells it.
    for (const file of run.files) {
      if (file.kind !== "update" && file.kind !== "move") continue;
      if (file.change === null) continue;
      const { before: source, edit, after, diff } = file.change;
      expect(edit.apply(source.text)).toBe(after);
      expect(edit.invert(source.text).apply(after)).toBe(source.text);
      expect(diff.added + diff.removed).toBeGreaterThan(0);
    }
  });
});
