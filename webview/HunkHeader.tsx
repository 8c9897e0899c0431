import { useMemo, type ReactNode } from "react";
import type { HunkCard, RowCard } from "../src/protocol/cards.ts";
import { ActionButtons } from "./ActionBar.tsx";
import type { FileSubject } from "./actions.ts";
import { HUNK_ACTIONS } from "./fileActions.ts";
import { Counts, Icon, useIsTabRow, useRowTarget } from "./parts.tsx";
import { isFolded, rowKey } from "./rows.ts";
import { useSelect, useView, useWords } from "./store.ts";
import type { Words } from "./strings.ts";

export interface HunkHeaderProps extends FileSubject {
  readonly hunk: HunkCard;
  readonly index: number;
}

/** The row above the lines of a hunk: where it is, what it adds up to, and what can be done with it alone. */
export function HunkHeader({ call, file, hunk, index }: HunkHeaderProps): ReactNode {
  const { store } = useView();
  const words = useWords();
  const row = { callId: call.id, fileKey: file.key, hunk: index };
  const key = rowKey(row);
  const folded = useSelect((state) => isFolded(row, state.ui.folds, hunk.undone));
  const isTab = useIsTabRow(key);
  const target = useRowTarget(key);
  const [added, removed] = useMemo(() => countsOf(hunk.rows), [hunk]);
  const tabIndex = isTab ? 0 : -1;
  return (
    <div className="row hunk" data-row={key}>
      <button
        type="button"
        ref={target}
        className="hunk-button"
        tabIndex={tabIndex}
        aria-expanded={!folded}
        onClick={() => store.dispatch({ kind: "fold", keys: [key], folded: !folded })}
      >
        <Icon name={folded ? "chevron-right" : "chevron-down"} />
        <span>{placeOfHunk(hunk, words)}</span>
        <Counts added={added} removed={removed} />
        {hunk.undone === true && <span className="pill dim">{words.say("file.undone")}</span>}
      </button>
      <span className="actions">
        <ActionButtons
          table={HUNK_ACTIONS}
          subject={{ call, file, hunk: index }}
          tabIndex={tabIndex}
        />
      </span>
    </div>
  );
}

/** In lines of the new file, or of the old one where nothing is left of it. */
function placeOfHunk(hunk: HunkCard, words: Words): string {
  const isGone = hunk.newCount === 0;
  const count = isGone ? hunk.oldCount : hunk.newCount;
  const from = Math.max(1, isGone ? hunk.oldNumber : hunk.newNumber);
  if (count <= 1) return words.say("diff.line", { n: String(from) });
  return words.say("diff.lines", { from: String(from), to: String(from + count - 1) });
}

function countsOf(rows: readonly RowCard[]): readonly [number, number] {
  const added = rows.filter(({ kind }) => kind === "added").length;
  const removed = rows.filter(({ kind }) => kind === "removed").length;
  return [added, removed];
}
