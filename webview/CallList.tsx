import { defaultRangeExtractor, useVirtualizer, type Range } from "@tanstack/react-virtual";
import {
  useCallback,
  useEffect,
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from "react";
import { CallCard } from "./CallCard.tsx";
import { CardGuard } from "./CardGuard.tsx";
import { EmptyList } from "./EmptyList.tsx";
import { heightOf } from "./heights.ts";
import { onListKey } from "./keyboard.ts";
import { Older } from "./Older.tsx";
import { rowKey, rowOf } from "./rows.ts";
import { heldCount, shownCalls, tabRow } from "./select.ts";
import { useSelect, useView, useWords } from "./store.ts";

/** Pixels from the top within which the list still counts as at its top. */
const TOP_PIXELS = 4;
const GAP_PIXELS = 8;

/** The calls, newest first; only those near what is in sight are in the page. */
export function CallList(): ReactNode {
  const view = useView();
  const words = useWords();
  const { store } = view;
  const scroller = useRef<HTMLDivElement>(null);
  const calls = useSelect(shownCalls);
  const folds = useSelect((state) => state.ui.folds);
  const pinned = usePinned();
  const list = useVirtualizer({
    count: calls.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(calls[index], folds),
    getItemKey: (index) => calls[index]?.id ?? index,
    rangeExtractor: useCallback((range: Range) => withPinned(range, pinned), [pinned]),
    overscan: 2,
    gap: GAP_PIXELS,
    paddingStart: GAP_PIXELS,
    paddingEnd: GAP_PIXELS,
  });
  useScrollHome(scroller);
  useReveal();
  const onScroll = (): void => {
    const atTop = (scroller.current?.scrollTop ?? 0) <= TOP_PIXELS;
    store.dispatch({ kind: "scrolled", atTop });
  };
  const onFocus = (event: { readonly target: EventTarget }): void => {
    const row = rowAround(event.target);
    if (row !== null) store.dispatch({ kind: "activate", row });
  };
  const onContextMenu = (event: MouseEvent): void => {
    const row = rowAround(event.target);
    const selecting = window.getSelection()?.isCollapsed === false;
    if (row === null || selecting) return;
    event.preventDefault();
    store.dispatch({ kind: "menu", at: { row, x: event.clientX, y: event.clientY } });
  };
  return (
    <div className="list">
      <NewCalls scroller={scroller} />
      <div
        className="scroller"
        ref={scroller}
        onScroll={onScroll}
        onFocus={onFocus}
        onContextMenu={onContextMenu}
        onKeyDown={(event: KeyboardEvent) => onListKey(event, view)}
      >
        {calls.length === 0 ? (
          <EmptyList />
        ) : (
          <div
            className="calls"
            role="list"
            aria-label={words.say("list.label")}
            style={{ height: `${list.getTotalSize()}px` }}
          >
            {list.getVirtualItems().map(({ key, index, start }) => {
              const call = calls[index];
              return (
                call !== undefined && (
                  // Placed by `top`, not by a transform, which the sticky rows of files would not see.
                  <div
                    className="slot"
                    role="listitem"
                    key={key}
                    ref={list.measureElement}
                    data-index={index}
                    aria-setsize={calls.length}
                    aria-posinset={index + 1}
                    style={{ top: `${start}px` }}
                  >
                    <CardGuard words={words}>
                      <CallCard call={call} />
                    </CardGuard>
                  </div>
                )
              );
            })}
          </div>
        )}
        <Older />
      </div>
    </div>
  );
}

/** The row an event came from, by key. */
function rowAround(target: EventTarget): string | null {
  if (!(target instanceof Element)) return null;
  const own = target.closest<HTMLElement>("[data-row]");
  const inCard = own ?? target.closest("[data-testid=file-card], [data-testid=call-card]");
  const row = own ?? inCard?.querySelector<HTMLElement>("[data-row]");
  return row?.dataset["row"] ?? null;
}

/** Indexes of calls that stay in the page wherever the list is: with the focus, or about to be shown. */
function usePinned(): string {
  return useSelect((state) => {
    const shown = shownCalls(state);
    const tab = tabRow(state);
    const ids = [tab === null ? null : rowOf(tab).callId, state.ui.reveal?.callId];
    return ids.map((wanted) => shown.findIndex(({ id }) => id === wanted)).join(",");
  });
}

function withPinned(range: Range, pinned: string): number[] {
  const indexes = new Set(defaultRangeExtractor(range));
  for (const text of pinned.split(",")) {
    const index = Number(text);
    if (0 <= index && index < range.count) indexes.add(index);
  }
  return [...indexes].sort((a, b) => a - b);
}

/** Another scope, search or filter is another list: it starts at its top. */
function useScrollHome(scroller: React.RefObject<HTMLDivElement | null>): void {
  const look = useSelect(({ ui }) => JSON.stringify([ui.scope, ui.search, ui.filter]));
  const before = useRef(look);
  useEffect(() => {
    if (before.current === look) return;
    before.current = look;
    if (scroller.current !== null) scroller.current.scrollTop = 0;
  }, [look, scroller]);
}

/** Brings what the host or a person wants to see into sight, once its call is here. */
function useReveal(): void {
  const { rowFocus } = useView();
  const reveal = useSelect((state) => state.ui.reveal);
  const isHere = useSelect(
    (state) => reveal !== null && shownCalls(state).some(({ id }) => id === reveal.callId),
  );
  useEffect(() => {
    if (reveal === null || !isHere) return;
    rowFocus.show(rowKey(reveal), { takeFocus: reveal.takeFocus, block: "start" });
  }, [reveal, isHere, rowFocus]);
}

interface NewCallsProps {
  readonly scroller: React.RefObject<HTMLDivElement | null>;
}

/** Calls that came while the list was read wait here, so that nothing moves under the eyes. */
function NewCalls({ scroller }: NewCallsProps): ReactNode {
  const { store, rowFocus } = useView();
  const words = useWords();
  const waiting = useSelect(heldCount);
  if (waiting === 0) return null;
  const show = (): void => {
    store.dispatch({ kind: "showHeld" });
    if (scroller.current !== null) scroller.current.scrollTop = 0;
    const first = shownCalls(store.get())[0];
    if (first === undefined) return;
    const row = rowKey({ callId: first.id });
    store.dispatch({ kind: "activate", row });
    rowFocus.show(row, { takeFocus: true, block: "nearest" });
  };
  return (
    <button type="button" className="new-calls" data-testid="new-calls" onClick={show}>
      <span className="codicon codicon-arrow-up" aria-hidden="true" />
      {words.count("list.new", waiting)}
    </button>
  );
}
