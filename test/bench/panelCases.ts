import { callCard } from "../../src/app/card.ts";
import type { CallRecord } from "../../src/app/record.ts";
import { Edit, printUnified, serverDiff, SourceText } from "../../src/engine/index.ts";
import type { CallCard } from "../../src/protocol/cards.ts";
import type { BenchCase, Work } from "./benchCase.ts";
import { codeLines, spreadSwaps, textOf } from "./texts.ts";

/** What the host does before the panel can draw. */
export const PANEL_CASES: readonly BenchCase[] = [
  { id: "cards-500", title: "cards for 500 calls of 3 files", make: cardsWork },
];

function cardsWork(size: number): Work {
  const calls = Math.max(2, Math.round(500 * size));
  const diff = someDiff();
  // Cards are remembered by record, so each run needs records that nobody has seen.
  let records: readonly CallRecord[] = [];
  return {
    ours: {
      name: "ours",
      prepare: () => {
        records = Array.from({ length: calls }, (_, i) => someCall(i, diff));
      },
      run: () => records.map(callCard),
      outcome: (result) => {
        const cards = result as readonly CallCard[];
        const added = cards.reduce((sum, card) => sum + card.added, 0);
        return new Map([["cards, added", `${cards.length},${added}`]]);
      },
    },
    peers: [],
    expected: new Map([["cards, added", `${calls},${calls * 3 * 2}`]]),
  };
}

function someDiff(): string {
  const lines = codeLines(100);
  const source = SourceText.of(textOf(lines));
  const splices = spreadSwaps(lines.length, 2).map(({ at, line }) => ({
    from: source.start(at),
    to: source.contentEnd(at),
    insert: line,
  }));
  return printUnified(serverDiff(source, Edit.of(source.text.length, splices)), "src/a.ts");
}

function someCall(number: number, diff: string): CallRecord {
  return {
    version: 1,
    id: `call-${number}`,
    session: "s",
    tool: "edit_files",
    source: "api",
    startedAt: number,
    endedAt: number + 1,
    phase: "done",
    files: [0, 1, 2].map((i) => ({
      path: `/ws/src/file${i}.ts`,
      shown: `src/file${i}.ts`,
      operation: "update",
      phase: "done",
      edits: [i],
      outcome: {
        path: `/ws/src/file${i}.ts`,
        status: "applied",
        operation: "update",
        edits: [i],
        diff,
      },
    })),
    result: { status: "applied", isError: false, text: "done", message: "done" },
    flags: [],
  };
}
