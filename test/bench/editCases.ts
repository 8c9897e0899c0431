import {
  Edit,
  explainEdit,
  explainReplace,
  planEdits,
  planReplace,
  printUnified,
  serverDiff,
  SourceText,
  type IndexedEdit,
  type TextChange,
} from "../../src/engine/index.ts";
import { createCallDriver, edit as editArgument } from "../support/callDriver.ts";
import { flat, type BenchCase, type Outcome, type Way, type Work } from "./benchCase.ts";
import { codeLines, numberedLines, spreadSwaps, swapped, textOf, type LineSwap } from "./texts.ts";

/** edit_files, edit and the diff. The floor to compare with is what any exact replacement must do: two searches. */
export const EDIT_CASES: readonly BenchCase[] = [
  {
    id: "edits-1",
    title: "edit_files: 1 edit in 100,000 lines",
    make: (size) => editsWork(100_000 * size, 1),
  },
  {
    id: "edits-1000",
    title: "edit_files: 1,000 edits in 100,000 lines",
    make: (size) => editsWork(100_000 * size, Math.max(2, Math.round(1_000 * size))),
  },
  {
    id: "edits-tolerant",
    title: "edit_files: 100 edits in 100,000 lines, each under a tolerance",
    make: (size) => tolerantWork(100_000 * size, Math.max(3, Math.round(100 * size))),
  },
  {
    id: "replace-10mb",
    title: "edit: one replacement in 10 MB",
    target: { ofBestPeer: 3 },
    make: replaceWork,
  },
  {
    id: "edits-miss",
    title: "edit_files: no match in 50,000 near-identical lines, with hints",
    make: (size) => {
      const { text, stale } = staleIn(size);
      const wanted = [{ oldText: stale, newText: "gone", replaceAll: false, index: 0 }];
      return missWork(() => {
        const plan = planEdits(SourceText.of(text), wanted);
        return plan.ok ? plan.value.after : plan.problem.map(explainEdit);
      });
    },
  },
  {
    id: "replace-miss",
    title: "edit: no match in 50,000 near-identical lines, with hints",
    make: (size) => {
      const { text, stale } = staleIn(size);
      const wanted = { oldString: stale, newString: "gone", replaceAll: false };
      return missWork(() => {
        const plan = planReplace(SourceText.of(text), wanted);
        return plan.ok ? plan.value.change.after : [explainReplace(plan.problem)];
      });
    },
  },
  { id: "edits-files", title: "edit_files: 200 files planned", make: filesWork },
  {
    id: "edits-files-call",
    title: "edit_files: 200 files as a whole call, over memory",
    make: callWork,
  },
  { id: "diff-10000", title: "server diff of 10,000 hunks", make: diffWork },
];

/** An edit that shows the line before the one it changes and the one behind. */
function editsFor(lines: readonly string[], swaps: readonly LineSwap[]): IndexedEdit[] {
  return swaps.map(({ at, line }, index) => {
    const [above, old, below] = [lines[at - 1] ?? "", lines[at] ?? "", lines[at + 1] ?? ""];
    return {
      oldText: `${above}\n${old}\n${below}`,
      newText: `${above}\n${line}\n${below}`,
      replaceAll: false,
      index,
    };
  });
}

function editsWork(lineCount: number, count: number): Work {
  const lines = codeLines(lineCount);
  const swaps = spreadSwaps(lineCount, count);
  const text = textOf(lines);
  const edits = editsFor(lines, swaps);
  const plan = (): TextChange => {
    const planned = planEdits(SourceText.of(text), edits);
    if (!planned.ok) throw new Error(JSON.stringify(planned.problem));
    flat(planned.value.after);
    return planned.value;
  };
  const floor: Way = {
    name: "two indexOf an edit",
    run: () => {
      let now = text;
      for (const { oldText, newText } of edits) now = replacedOnce(now, oldText, newText) ?? now;
      return now;
    },
    outcome: (after) => oneFile(after as string),
  };
  return { ...changeWays(plan), peers: [floor], expected: oneFile(swapped(lines, swaps)) };
}

/** Old texts with spaces at their end, with another indentation, and with plain quotes for typographic ones. */
function tolerantWork(lineCount: number, count: number): Work {
  const lines = codeLines(lineCount).map((line) => line.replace(/input \*/, () => "“input” *"));
  const swaps = spreadSwaps(lineCount, count);
  const disguises = [
    (line: string) => `${line}  `,
    (line: string) => line.replace(/^ +/, "\t"),
    (line: string) => line.replaceAll(/[“”]/g, () => '"'),
  ];
  const edits = swaps.map(({ at }, index): IndexedEdit => {
    const oldText = disguises[index % disguises.length]?.(lines[at] ?? "") ?? "";
    const newText = oldText.replace("const", () => "let");
    return { oldText, newText, replaceAll: false, index };
  });
  const after = [...lines];
  for (const { at } of swaps) after[at] = (after[at] ?? "").replace("const", () => "let");
  const text = textOf(lines);
  const plan = (): TextChange => {
    const planned = planEdits(SourceText.of(text), edits);
    if (!planned.ok) throw new Error(JSON.stringify(planned.problem));
    flat(planned.value.after);
    return planned.value;
  };
  return { ...changeWays(plan), peers: [], expected: oneFile(textOf(after)) };
}

function changeWays(plan: () => TextChange): Pick<Work, "ours" | "oursWhole"> {
  const outcome = (change: unknown): Outcome => oneFile((change as TextChange).after);
  return {
    ours: { name: "ours", run: plan, outcome },
    oursWhole: {
      name: "ours, whole",
      run: () => {
        const change = plan();
        printUnified(change.diff, "a.ts");
        change.edit.invert(change.before.text);
        return change;
      },
      outcome,
    },
  };
}

function oneFile(text: string): Outcome {
  return new Map([["a.ts", text]]);
}

/** What a tool does that only looks whether the text is there, and there once. */
function replacedOnce(text: string, old: string, next: string): string | null {
  const at = text.indexOf(old);
  if (at < 0 || text.indexOf(old, at + 1) >= 0) return null;
  return flat(text.slice(0, at) + next + text.slice(at + old.length));
}

function replaceWork(size: number): Work {
  const lines = codeLines(Math.ceil(265_000 * size));
  const swaps = spreadSwaps(lines.length, 1);
  const text = textOf(lines);
  const [wanted] = editsFor(lines, swaps);
  const oldString = wanted?.oldText ?? "";
  const newString = wanted?.newText ?? "";
  const plan = (): TextChange => {
    const planned = planReplace(SourceText.of(text), { oldString, newString, replaceAll: false });
    if (!planned.ok) throw new Error(planned.problem.code);
    flat(planned.value.change.after);
    return planned.value.change;
  };
  const floor: Way = {
    name: "two indexOf",
    run: () => replacedOnce(text, oldString, newString),
    outcome: (after) => oneFile(after as string),
  };
  return { ...changeWays(plan), peers: [floor], expected: oneFile(swapped(lines, swaps)) };
}

/** Three lines that were near the middle, one of them as it is nowhere. */
function staleIn(size: number): { readonly text: string; readonly stale: string } {
  const lines = numberedLines(Math.max(40, 50_000 * size));
  const at = Math.floor(lines.length / 2);
  const stale = [lines[at], `  register("handler", ${at}, { once: false });`, lines[at + 2]];
  return { text: textOf(lines), stale: stale.join("\n") };
}

function missWork(run: () => unknown): Work {
  const outcome = (result: unknown): Outcome =>
    typeof result === "string" ? oneFile(result) : null;
  return { ours: { name: "ours", run, outcome }, peers: [], expected: null };
}

interface SomeFile {
  readonly path: string;
  readonly text: string;
  readonly after: string;
  readonly edits: readonly IndexedEdit[];
}

function someFiles(size: number): readonly SomeFile[] {
  const lines = codeLines(200);
  const swaps = spreadSwaps(lines.length, 3);
  const text = textOf(lines);
  return Array.from({ length: Math.max(2, Math.round(200 * size)) }, (_, i) => ({
    path: `src/file${i}.ts`,
    text: `// ${i}\n${text}`,
    after: `// ${i}\n${swapped(lines, swaps)}`,
    edits: editsFor(lines, swaps),
  }));
}

function filesWork(size: number): Work {
  const files = someFiles(size);
  const plan = (): readonly TextChange[] =>
    files.map(({ text, edits }) => {
      const planned = planEdits(SourceText.of(text), edits);
      if (!planned.ok) throw new Error(JSON.stringify(planned.problem));
      flat(planned.value.after);
      return planned.value;
    });
  const outcome = (changes: unknown): Outcome =>
    new Map(
      (changes as readonly TextChange[]).map(({ after }, i) => [files[i]?.path ?? "", after]),
    );
  return {
    ours: { name: "ours", run: plan, outcome },
    oursWhole: {
      name: "ours, whole",
      run: () => {
        const changes = plan();
        for (const { diff, edit, before } of changes) {
          printUnified(diff, "a.ts");
          edit.invert(before.text);
        }
        return changes;
      },
      outcome,
    },
    peers: [
      {
        name: "two indexOf an edit",
        run: () =>
          new Map(
            files.map(({ path, text, edits }) => [
              path,
              edits.reduce(
                (now, { oldText, newText }) => replacedOnce(now, oldText, newText) ?? now,
                text,
              ),
            ]),
          ),
        outcome: (after) => after as Outcome,
      },
    ],
    expected: new Map(files.map(({ path, after }) => [path, after])),
  };
}

/** Decoded, looked at, planned, written, read back, recorded and told, with a card drawn at each step. */
function callWork(size: number): Work {
  const files = someFiles(size);
  const before = Object.fromEntries(files.map(({ path, text }) => [`/ws/${path}`, text]));
  const edits = files.flatMap(({ path, edits }) =>
    edits.map(({ oldText, newText }) => editArgument(`/ws/${path}`, oldText, newText)),
  );
  // The panel draws a running call a few times a second, not at each of its steps; cards have a case of their own.
  const ports = { onCall: () => undefined };
  let driver = createCallDriver({ files: before, ports });
  return {
    ours: {
      name: "ours",
      prepare: () => {
        driver = createCallDriver({ files: before, ports });
      },
      run: async () => {
        const { structured } = await driver.run("edit_files", { edits });
        return structured;
      },
      outcome: () => new Map(Object.entries(driver.workspace.contents())),
    },
    peers: [],
    expected: new Map(files.map(({ path, after }) => [path, after])),
  };
}

function diffWork(size: number): Work {
  const lines = codeLines(100_000 * size);
  const swaps = spreadSwaps(lines.length, Math.max(2, Math.round(10_000 * size)));
  const source = SourceText.of(textOf(lines));
  const edit = Edit.of(
    source.text.length,
    swaps.map(({ at, line }) => ({
      from: source.start(at),
      to: source.contentEnd(at),
      insert: line,
    })),
  );
  return {
    ours: {
      name: "ours",
      run: () => {
        const diff = serverDiff(source, edit);
        return [diff.added, diff.removed, printUnified(diff, "a.ts").length > 0];
      },
      outcome: (result) => new Map([["added, removed, printed", String(result)]]),
    },
    peers: [],
    expected: new Map([["added, removed, printed", `${swaps.length},${swaps.length},true`]]),
  };
}
