import { memo, useMemo, type ReactNode } from "react";
import type { DiffCard, HunkCard, RowCard } from "../src/protocol/cards.ts";
import { CodeLine } from "./CodeLine.tsx";
import {
  chunksOf,
  DIFF_LIMITS,
  diffLines,
  previewEnd,
  type DiffLine,
  type EndingSign,
} from "./diffLines.ts";
import { LazyChunk } from "./LazyChunk.tsx";
import { Counts, Icon, useIsTabRow, useRowTarget } from "./parts.tsx";
import { partKey, rowKey, rowOf, type Row } from "./rows.ts";
import { tabRow } from "./select.ts";
import { useSelect, useView, useWords } from "./store.ts";

export interface DiffViewProps {
  readonly callId: string;
  readonly fileKey: string;
  readonly diff: DiffCard;
  readonly label: string;
  readonly testId: string;
  readonly tabIndex: 0 | -1;
}

/** The server diff of one file, row by row as the host sent it. Nothing here compares texts. */
export function DiffView(props: DiffViewProps): ReactNode {
  const { callId, fileKey, diff, label, testId, tabIndex } = props;
  const { store } = useView();
  const words = useWords();
  const row: Row = { callId, fileKey };
  const wholeKey = partKey(row, "preview");
  const whole = useSelect((state) => state.ui.folds[wholeKey] === false);
  const folds = useSelect((state) => state.ui.folds);
  const preview = useMemo(() => (whole ? null : previewEnd(diff)), [diff, whole]);
  const lines = useMemo(
    () =>
      diffLines(
        diff,
        (hunk) => folds[rowKey({ callId, fileKey, hunk })] ?? false,
        preview !== null,
      ),
    [diff, folds, callId, fileKey, preview],
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
      <Lines row={row} lines={lines} />
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

interface LinesProps {
  readonly row: Row;
  readonly lines: readonly DiffLine[];
}

/** Short diffs are drawn at once; long ones in chunks that are blank while they are far from sight. */
function Lines({ row, lines }: LinesProps): ReactNode {
  const chunks = useMemo(() => chunksOf(lines, DIFF_LIMITS.chunkLines), [lines]);
  const focused = useSelect((state) => focusedHunk(tabRow(state), row));
  if (lines.length <= DIFF_LIMITS.linesWithoutPreview) return <Chunk row={row} lines={lines} />;
  return chunks.map((chunk, index) => (
    <LazyChunk key={index} lines={chunk.length} pinned={holdsHunk(chunk, focused)}>
      {() => <Chunk row={row} lines={chunk} />}
    </LazyChunk>
  ));
}

function focusedHunk(tab: string | null, { callId, fileKey }: Row): number {
  if (tab === null) return -1;
  const now = rowOf(tab);
  return now.callId === callId && now.fileKey === fileKey ? (now.hunk ?? -1) : -1;
}

function holdsHunk(chunk: readonly DiffLine[], hunk: number): boolean {
  return hunk !== -1 && chunk.some((line) => line.kind === "header" && line.index === hunk);
}

function Chunk({ row: { callId, fileKey = "" }, lines }: LinesProps): ReactNode {
  return lines.map((line, index) =>
    line.kind === "header" ? (
      <HunkHeader
        key={index}
        callId={callId}
        fileKey={fileKey}
        hunk={line.hunk}
        index={line.index}
      />
    ) : (
      <DiffRow key={index} row={line.row} ending={line.ending} />
    ),
  );
}

interface HunkHeaderProps {
  readonly callId: string;
  readonly fileKey: string;
  readonly hunk: HunkCard;
  readonly index: number;
}

function HunkHeader({ callId, fileKey, hunk, index }: HunkHeaderProps): ReactNode {
  const { store } = useView();
  const words = useWords();
  const key = rowKey({ callId, fileKey, hunk: index });
  const folded = useSelect((state) => state.ui.folds[key] ?? false);
  const isTab = useIsTabRow(key);
  const target = useRowTarget(key);
  const [added, removed] = useMemo(() => countsOf(hunk.rows), [hunk]);
  const count = hunk.newCount === 0 ? hunk.oldCount : hunk.newCount;
  const from = Math.max(1, hunk.newCount === 0 ? hunk.oldNumber : hunk.newNumber);
  const place =
    count <= 1
      ? words.say("diff.line", { n: String(from) })
      : words.say("diff.lines", { from: String(from), to: String(from + count - 1) });
  return (
    <button
      type="button"
      ref={target}
      className="hunk"
      data-row={key}
      tabIndex={isTab ? 0 : -1}
      aria-expanded={!folded}
      onClick={() => store.dispatch({ kind: "fold", keys: [key], folded: !folded })}
    >
      <Icon name={folded ? "chevron-right" : "chevron-down"} />
      <span>{place}</span>
      <Counts added={added} removed={removed} />
    </button>
  );
}

function countsOf(rows: readonly RowCard[]): readonly [number, number] {
  const added = rows.filter(({ kind }) => kind === "added").length;
  const removed = rows.filter(({ kind }) => kind === "removed").length;
  return [added, removed];
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
      <span className="code">
        <CodeLine text={row.text} marks={row.marks} />
        {ending !== null && <mark className="ending">{ending}</mark>}
        {row.unterminated === true && <Unterminated />}
      </span>
    </div>
  );
});

function Unterminated(): ReactNode {
  const words = useWords();
  return <span className="tail">{words.say("diff.unterminated")}</span>;
}
