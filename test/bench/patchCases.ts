import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  committedFile,
  notAppliedGroup,
  parsePatch,
  patchPaths,
  patchText,
  planPatch,
  printUnified,
  type PatchFileState,
  type PatchPath,
  type PatchPlan,
} from "../../src/engine/index.ts";
import {
  flat,
  type BenchCase,
  type Files,
  type Outcome,
  type Peers,
  type Way,
  type Work,
} from "./benchCase.ts";
import {
  codeLines,
  equalLines,
  hunksOf,
  numberedLines,
  patchOf,
  spreadSwaps,
  stepsOf,
  swapped,
  textOf,
  unifiedOf,
  type LineSwap,
  type Section,
} from "./texts.ts";

/** Everything about apply_patch that the product promises to be quick at. */
export const PATCH_CASES: readonly BenchCase[] = [
  hunkCase("patch-1", "1 hunk in 100,000 lines", 1, 0.8),
  hunkCase("patch-10", "10 hunks in 100,000 lines", 10),
  hunkCase("patch-100", "100 hunks in 100,000 lines", 100),
  hunkCase("patch-1000", "1,000 hunks in 100,000 lines", 1_000),
  {
    id: "patch-anchored",
    title: "100 hunks with header anchors",
    target: { ofBestPeer: 1 },
    make: (size, peers) => {
      const lines = codeLines(100_000 * size);
      const swaps = spreadSwaps(lines.length, count(100, size));
      return workOf([{ path: "src/a.ts", lines, swaps, anchored: true }], peers);
    },
  },
  {
    id: "patch-files",
    title: "200 files × 3 hunks",
    target: { ofBestPeer: 0.8 },
    make: (size, peers) =>
      workOf(
        Array.from({ length: count(200, size) }, (_, i) => ({
          path: `src/file${i}.ts`,
          lines: codeLines(200),
          swaps: spreadSwaps(200, 3),
        })),
        peers,
      ),
  },
  {
    id: "patch-equal",
    title: "50,000 equal lines, hunk at the end",
    target: { ofBestPeer: 1 },
    make: (size, peers) => {
      const lines = equalLines(lineCount(50_000, size));
      return workOf([{ path: "src/a.ts", lines, swaps: [endSwap(lines)] }], peers);
    },
  },
  {
    id: "patch-equal-miss",
    title: "50,000 equal lines, no match",
    target: { ofBestPeer: 0.5 },
    make: (size, peers) => {
      // A dozen lines fit everywhere, and the end of the file has one of the two others only.
      const lines = equalLines(lineCount(50_000, size));
      const swap = endSwap(lines);
      const stale = new Map([[swap.at - 1, lines[swap.at] ?? ""]]);
      return missOf({ path: "src/a.ts", lines, swaps: [swap], stale, context: 12 }, peers);
    },
  },
  {
    id: "patch-numbered-miss",
    title: "50,000 near-identical lines, no match",
    target: { ofBestPeer: 2 },
    make: (size, peers) => {
      const lines = numberedLines(lineCount(50_000, size));
      const at = Math.floor(lines.length / 2);
      const stale = new Map(
        [-3, -2, -1, 0, 1, 2, 3].map((by) => [
          at + by,
          `  register("handler", ${at + by}x, { once: true });`,
        ]),
      );
      return missOf({ path: "src/a.ts", lines, swaps: [{ at, line: "  // gone" }], stale }, peers);
    },
  },
  {
    id: "patch-stale-miss",
    title: "one line stale in 100,000 lines, no match",
    target: { ofBestPeer: 2 },
    make: (size, peers) => {
      const lines = codeLines(100_000 * size);
      const swaps = spreadSwaps(lines.length, 1);
      const at = swaps[0]?.at ?? 0;
      const stale = new Map([[at + 1, `  const value${at + 1} = formerly(input);`]]);
      return missOf({ path: "src/a.ts", lines, swaps, stale }, peers);
    },
  },
  {
    id: "patch-500000",
    title: "500,000 lines, 1 hunk",
    target: { ofBestPeer: 1 },
    make: (size, peers) => {
      const lines = codeLines(500_000 * size);
      return workOf([{ path: "src/a.ts", lines, swaps: spreadSwaps(lines.length, 1) }], peers);
    },
  },
  { id: "parse-10mb", title: "parse a patch of 10 MB", growthSizes: [0.5, 1], make: parseWork },
];

function hunkCase(id: string, title: string, hunks: number, ofBestPeer = 1): BenchCase {
  return {
    id,
    title,
    target: { ofBestPeer },
    make: (size, peers) => {
      const lines = codeLines(100_000 * size);
      const swaps = spreadSwaps(lines.length, hunks === 1 ? 1 : count(hunks, size));
      return workOf([{ path: "src/a.ts", lines, swaps }], peers);
    },
  };
}

/** So many at this size, two at least. */
function count(full: number, size: number): number {
  return Math.max(2, Math.round(full * size));
}

/** So many lines at this size, and enough for a hunk with its context. */
function lineCount(full: number, size: number): number {
  return Math.max(40, Math.round(full * size));
}

function endSwap(lines: readonly string[]): LineSwap {
  return { at: lines.length - 2, line: "  finished(list);" };
}

function workOf(sections: readonly Section[], peers: Peers): Work {
  const before = new Map(sections.map(({ path, lines }) => [path, textOf(lines)]));
  const expected = new Map(sections.map(({ path, lines, swaps }) => [path, swapped(lines, swaps)]));
  return withWays(sections, before, expected, peers, [
    ...jsdiffWay(sections, before, peers),
    ...dmpWay(sections, before, peers),
  ]);
}

/** Unified diffs and character patches carry positions, so not to find a place is no work for them. */
function missOf(section: Section, peers: Peers): Work {
  const before = new Map([[section.path, textOf(section.lines)]]);
  return withWays([section], before, null, peers, []);
}

function withWays(
  sections: readonly Section[],
  before: Files,
  expected: Outcome,
  peers: Peers,
  more: readonly Way[],
): Work {
  const patch = patchOf(sections);
  const codex = codexWay(patch, before, peers);
  return {
    ours: oursWay(patch, before, false),
    oursWhole: oursWay(patch, before, true),
    peers: [...codex.ways, ...agentsCoreWay(sections, before, peers), ...more],
    expected,
    dispose: codex.dispose,
  };
}

/** From the text of a patch to what to write, or to what the model reads when there is no place. */
function oursWay(patch: string, before: Files, whole: boolean): Way {
  const snapshot = new Map<string, PatchFileState>();
  for (const [path, text] of before) snapshot.set(`/w/${path}`, { kind: "text", text });
  const run = (): PatchPlan => {
    const parsed = parsePatch(patch);
    const paths = new Map(
      patchPaths(parsed.doc).map((path): [string, PatchPath] => {
        const name = `/w/${path}`;
        return [path, { key: name, name, shown: path }];
      }),
    );
    const plan = planPatch(parsed, paths, snapshot, { ambiguousHunk: "note" });
    if (plan.kind === "planned") finish(plan, whole);
    return plan;
  };
  return {
    name: whole ? "ours, whole" : "ours",
    run,
    outcome: (result) => {
      const plan = result as PatchPlan;
      if (plan.kind === "rejected" || plan.failed.length > 0) return null;
      const after = new Map(before);
      for (const file of plan.files)
        if (file.kind === "update" && file.change !== null)
          after.set(file.path.shown, file.change.after);
      return after;
    },
  };
}

function finish(plan: Extract<PatchPlan, { kind: "planned" }>, whole: boolean): void {
  for (const file of plan.files) {
    if (file.kind !== "update" || file.change === null) continue;
    const { change } = file;
    flat(change.after);
    if (!whole) continue;
    printUnified(change.diff, file.path.shown);
    change.edit.invert(change.before.text);
  }
  if (plan.failed.length > 0 || whole)
    patchText({
      committed: plan.files.map(committedFile),
      failed: plan.failed.map(notAppliedGroup),
      cleaned: new Map(),
      notes: [],
    });
}

function codexWay(
  patch: string,
  before: Files,
  { codex }: Peers,
): { readonly ways: readonly Way[]; readonly dispose: () => void } {
  if (codex === null) return { ways: [], dispose: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), "bench-codex-"));
  const way: Way = {
    name: "codex",
    isProcess: true,
    prepare: () => {
      for (const [path, text] of before) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
    },
    // The program under the name apply_patch reads the patch from its input.
    run: () => spawnSync(codex.binary, { argv0: "apply_patch", cwd: folder, input: patch }).status,
    outcome: (status) =>
      status === 0
        ? new Map(
            [...before.keys()].map((path) => [path, readFileSync(join(folder, path), "utf8")]),
          )
        : null,
  };
  return { ways: [way], dispose: () => rmSync(folder, { recursive: true, force: true }) };
}

/** It takes the hunks of one file at a time; taking the envelope apart is spared to it. */
function agentsCoreWay(
  sections: readonly Section[],
  before: Files,
  { agentsCore }: Peers,
): readonly Way[] {
  if (agentsCore === null) return [];
  const diffs = sections.map((section) => [section.path, hunksOf(section)] as const);
  return [textWay("agents-core", diffs, before, agentsCore)];
}

function jsdiffWay(sections: readonly Section[], before: Files, { jsdiff }: Peers): readonly Way[] {
  if (jsdiff === null) return [];
  const diffs = sections.map((section) => [section.path, unifiedOf(section)] as const);
  return [
    textWay("jsdiff", diffs, before, (text, diff) => {
      const after = jsdiff(text, diff);
      if (after === false) throw new Error("no place");
      return after;
    }),
  ];
}

/** Its time grows with hunks times text: from 100 hunks in 100,000 lines on a run would take minutes. */
const DMP_HUNKS_MAX = 10;

function dmpWay(sections: readonly Section[], before: Files, { dmp }: Peers): readonly Way[] {
  const hunks = Math.max(...sections.map(({ swaps }) => swaps.length));
  if (dmp === null || hunks > DMP_HUNKS_MAX) return [];
  const diffs = sections.map(
    (section) =>
      [
        section.path,
        dmp.patch_toText(dmp.patch_make(textOf(section.lines), stepsOf(section).slice())),
      ] as const,
  );
  return [
    textWay("dmp", diffs, before, (text, diff) => {
      const [after, applied] = dmp.patch_apply(dmp.patch_fromText(diff), text);
      if (applied.includes(false)) throw new Error("no place");
      return after;
    }),
  ];
}

/** A peer that is a function from text and diff to text, and throws when it refuses. */
function textWay(
  name: string,
  diffs: readonly (readonly [path: string, diff: string])[],
  before: Files,
  apply: (text: string, diff: string) => string,
): Way {
  return {
    name,
    run: () => {
      try {
        return new Map(
          diffs.map(([path, diff]) => [path, flat(apply(before.get(path) ?? "", diff))]),
        );
      } catch {
        return null;
      }
    },
    outcome: (result) => result as Outcome,
  };
}

/** Half added lines, half hunks. */
function parseWork(size: number): Work {
  const units = 10_000_000 * size;
  const added = codeLines(Math.ceil(units / 80)).map((line) => `+${line}`);
  const lines = codeLines(Math.max(40, Math.ceil(units / 500)));
  const section = {
    path: "src/a.ts",
    lines,
    swaps: spreadSwaps(lines.length, Math.ceil(lines.length / 20)),
  };
  const hunks = hunksOf(section);
  const updates: string[] = [];
  let length = added.join("\n").length;
  for (let i = 0; length + hunks.length < units; i++) {
    updates.push(`*** Update File: src/b${i}.ts`, hunks);
    length += hunks.length + 30;
  }
  const patch = [
    "*** Begin Patch",
    "*** Add File: src/new.ts",
    ...added,
    ...updates,
    "*** End Patch",
  ].join("\n");
  const operations = 1 + updates.length / 2;
  return {
    ours: {
      name: "ours",
      run: () => parsePatch(patch),
      outcome: (result) => {
        const { doc, problems } = result as ReturnType<typeof parsePatch>;
        return problems.length > 0
          ? null
          : new Map([["operations", String(doc.operations.length)]]);
      },
    },
    peers: [],
    expected: new Map([["operations", String(operations)]]),
  };
}
