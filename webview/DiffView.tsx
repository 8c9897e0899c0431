import { memo, useMemo, type ReactNode } from "react";
import type { DiffCard, RowCard } from "../src/protocol/cards.ts";
import type { FileSubject } from "./actions.ts";
import { CodeLine } from "./CodeLine.tsx";
import {
  chunksOf,
  DIFF_LIMITS,
  diffLines,
  previewEnd,
  type DiffLine,
  type EndingSign,
  type PairLine,
} from "./diffLines.ts";
import { HunkHeader } from "./HunkHeader.tsx";
import { LazyChunk } from "./LazyChunk.tsx";
import { Icon } from "./parts.tsx";
import { isFolded, partKey, rowOf, type Row } from "./rows.ts";
import { tabRow } from "./select.ts";
import { useSelect, useView, useWords } from "./store.ts";
import { useWide } from "./wide.ts";

export interface DiffViewProps extends FileSubject {
  readonly diff: DiffCard;
  readonly label: string;
  readonly testId: string;
  readonly tabIndex: 0 | -1;
}

/** The server diff of one file, row by row as the host sent it. Nothing here compares texts. */
export function DiffView(props: DiffViewProps): ReactNode {
  const { call, file, diff, label, testId, tabIndex } = props;
  const [callId, fileKey] = [call.id, file.key];
  const { store } = useView();
  const words = useWords();
  const row: Row = { callId, fileKey };
  const wholeKey = partKey(row, "preview");
  const whole = useSelect((state) => state.ui.folds[wholeKey] === false);
  const folds = useSelect((state) => state.ui.folds);
  const chosen = useSelect((state) => state.ui.layout);
  const layout = useWide() ? chosen : "unified";
  const preview = useMemo(() => (whole ? null : previewEnd(diff)), [diff, whole]);
  const lines = useMemo(
    () =>
      diffLines(
        diff,
        (hunk) => isFolded({ callId, fileKey, hunk }, folds, diff.hunks[hunk]?.undone),
        preview !== null,
        layout,
      ),
    [diff, folds, callId, fileKey, preview, layout],
  );
  const showAll = (): void => {
    store.dispatch({ kind: "fold", keys: [wholeKey], folded: false });
  };
  return (
    <div
      className="diff"
      role="group"
      aria-label={label}
      data-testid={testId}
      style={digitsOf(diff)}
    >
      <Lines call={call} file={file} lines={lines} />
      {preview !== null && 0 < preview.rowsHidden && (
        <button type="button" className="show-all link" tabIndex={tabIndex} onClick={showAll}>
          <Icon name="unfold" />
          <span>{words.count("diff.showAll", preview.rowsHidden)}</span>
        </button>
      )}
      {preview === null && 0 < diff.rowsLeftOut && (
        <p className="left-out dim">{words.count("diff.leftOut", diff.rowsLeftOut)}</p>
      )}
    </div>
  );
}

/** Both number columns are as wide as the largest number of the diff. */
function digitsOf(diff: DiffCard): Record<string, string> {
  const last = diff.hunks.at(-1);
  if (last === undefined) return {};
  const largest = Math.max(last.oldNumber + last.oldCount, last.newNumber + last.newCount);
  return { "--digits": String(Math.max(2, String(largest).length)) };
}

interface LinesProps extends FileSubject {
  readonly lines: readonly DiffLine[];
}

/** Short diffs are drawn at once; long ones in chunks that are blank while they are far from sight. */
function Lines({ call, file, lines }: LinesProps): ReactNode {
  const chunks = useMemo(() => chunksOf(lines, DIFF_LIMITS.chunkLines), [lines]);
  const focused = useSelect((state) => focusedHunk(tabRow(state), call.id, file.key));
  if (lines.length <= DIFF_LIMITS.linesWithoutPreview)
    return <Chunk call={call} file={file} lines={lines} />;
  return chunks.map((chunk, index) => (
    <LazyChunk key={index} lines={chunk.length} pinned={holdsHunk(chunk, focused)}>
      {() => <Chunk call={call} file={file} lines={chunk} />}
    </LazyChunk>
  ));
}

function focusedHunk(tab: string | null, callId: string, fileKey: string): number {
  if (tab === null) return -1;
  const now = rowOf(tab);
  return now.callId === callId && now.fileKey === fileKey ? (now.hunk ?? -1) : -1;
}

function holdsHunk(chunk: readonly DiffLine[], hunk: number): boolean {
  return hunk !== -1 && chunk.some((line) => line.kind === "header" && line.index === hunk);
}

function Chunk({ call, file, lines }: LinesProps): ReactNode {
  return lines.map((line, index) => {
    switch (line.kind) {
      case "header":
        return (
          <HunkHeader key={index} call={call} file={file} hunk={line.hunk} index={line.index} />
        );
      case "row":
        return <DiffRow key={index} row={line.row} ending={line.ending} />;
      case "pair":
        return <DiffPair key={index} pair={line} />;
    }
  });
}

const SIGNS = { added: "+", removed: "−", context: " " } as const;

interface DiffRowProps {
  readonly row: RowCard;
  readonly ending: EndingSign | null;
}

const DiffRow = memo(function DiffRow({ row, ending }: DiffRowProps): ReactNode {
  return (
    <div className={`line ${row.kind}`}>
      <span className="n">{row.oldNumber}</span>
      <span className="n">{row.newNumber}</span>
      <span className="s">{SIGNS[row.kind]}</span>
      <RowCode row={row} ending={ending} />
    </div>
  );
});

function RowCode({ row, ending }: DiffRowProps): ReactNode {
  return (
    <span className="code">
      <CodeLine text={row.text} marks={row.marks} />
      {ending !== null && <mark className="ending">{ending}</mark>}
      {row.unterminated === true && <Unterminated />}
    </span>
  );
}

const DiffPair = memo(function DiffPair({ pair }: { readonly pair: PairLine }): ReactNode {
  return (
    <div className="pair">
      {(["old", "now"] as const).map((side) => {
        const signed = pair[side];
        if (signed === null) return <div key={side} className="side none" />;
        const { row, ending } = signed;
        return (
          <div key={side} className={`line side ${row.kind}`}>
            <span className="n">{side === "old" ? row.oldNumber : row.newNumber}</span>
            <span className="s">{SIGNS[row.kind]}</span>
            <RowCode row={row} ending={ending} />
          </div>
        );
      })}
    </div>
  );
});

function Unterminated(): ReactNode {
  const words = useWords();
  return <span className="tail">{words.say("diff.unterminated")}</span>;
}
