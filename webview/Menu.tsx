import { useEffect, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import { menuWordOf } from "./ActionBar.tsx";
import type { ActionOf, Effect } from "./actions.ts";
import { CALL_ACTIONS } from "./callActions.ts";
import { FILE_ACTIONS, HUNK_ACTIONS } from "./fileActions.ts";
import { rowOf } from "./rows.ts";
import { callOf, type MenuAt, type State } from "./state.ts";
import { perform, useSelect, useView, useWords } from "./store.ts";
import type { Words } from "./strings.ts";

interface Item {
  readonly id: string;
  readonly word: string;
  readonly key: string | undefined;
  readonly effect: Effect;
}

/** The menu of one row: all that can be done with it, with its keys. Behind `⋯`, right click and `.`. */
export function Menu(): ReactNode {
  const at = useSelect((state) => state.ui.menu);
  return at === null ? null : <OpenMenu key={`${at.row}${at.x}${at.y}`} at={at} />;
}

function OpenMenu({ at }: { readonly at: MenuAt }): ReactNode {
  const view = useView();
  const words = useWords();
  const box = useRef<HTMLDivElement>(null);
  const items = itemsOf(view.store.get(), at.row, words);
  const close = (giveFocusBack: boolean): void => {
    view.store.dispatch({ kind: "menu", at: null });
    if (giveFocusBack) view.rowFocus.elementOf(at.row)?.focus({ preventScroll: true });
  };
  usePlace(box, at);
  useCloseOutside(box, close);
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === "Escape" || event.key === "Tab") close(true);
    else if (!moveInMenu(box.current, event.key)) return;
    event.preventDefault();
  };
  return (
    <div
      className="menu"
      role="menu"
      ref={box}
      aria-label={words.say("action.more")}
      onKeyDown={onKeyDown}
    >
      {items.map(({ id, word, key, effect }) => (
        <button
          type="button"
          role="menuitem"
          className="menu-item"
          key={id}
          tabIndex={-1}
          aria-keyshortcuts={key}
          onClick={() => {
            close(true);
            perform(view, effect);
          }}
        >
          <span>{word}</span>
          {key !== undefined && (
            <span className="menu-key" aria-hidden="true">
              {key}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}

function itemsOf(state: State, row: string, words: Words): readonly Item[] {
  const { callId, fileKey, hunk } = rowOf(row);
  const call = callOf(state, callId);
  if (call === undefined) return [];
  if (fileKey === undefined) return itemsFrom(CALL_ACTIONS, call, words);
  const file = call.files.find(({ key }) => key === fileKey);
  if (file === undefined) return [];
  const ofFile = itemsFrom(FILE_ACTIONS, { call, file }, words);
  if (hunk === undefined) return ofFile;
  const ofHunk = itemsFrom(HUNK_ACTIONS, { call, file, hunk }, words);
  // A key does the hunk's action where both have it, so only that one shows it.
  const keys = new Set(ofHunk.map(({ key }) => key));
  return [
    ...ofHunk,
    ...ofFile.map((item) => (keys.has(item.key) ? { ...item, key: undefined } : item)),
  ];
}

function itemsFrom<Subject>(
  table: readonly ActionOf<Subject>[],
  subject: Subject,
  words: Words,
): readonly Item[] {
  return table
    .filter((action) => action.offered(subject))
    .map((action) => ({
      id: action.id,
      word: menuWordOf(action, words),
      key: action.key,
      effect: action.effect(subject),
    }));
}

const EDGE_PIXELS = 4;

/** At the point that was asked for, or as near to it as the window lets the whole menu be seen. */
function usePlace(box: React.RefObject<HTMLDivElement | null>, { x, y }: MenuAt): void {
  useLayoutEffect(() => {
    const menu = box.current;
    if (menu === null) return;
    const { offsetWidth, offsetHeight } = menu;
    const { clientWidth, clientHeight } = document.documentElement;
    const left = Math.max(EDGE_PIXELS, Math.min(x, clientWidth - offsetWidth - EDGE_PIXELS));
    const top = Math.max(EDGE_PIXELS, Math.min(y, clientHeight - offsetHeight - EDGE_PIXELS));
    menu.style.left = `${left}px`;
    menu.style.top = `${top}px`;
    menu.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  }, [box, x, y]);
}

function useCloseOutside(
  box: React.RefObject<HTMLDivElement | null>,
  close: (giveFocusBack: boolean) => void,
): void {
  useEffect(() => {
    const onDown = (event: PointerEvent): void => {
      if (event.target instanceof Node && box.current?.contains(event.target) === false)
        close(false);
    };
    const onAway = (): void => close(false);
    document.addEventListener("pointerdown", onDown, true);
    document.addEventListener("scroll", onAway, true);
    window.addEventListener("resize", onAway);
    window.addEventListener("blur", onAway);
    return () => {
      document.removeEventListener("pointerdown", onDown, true);
      document.removeEventListener("scroll", onAway, true);
      window.removeEventListener("resize", onAway);
      window.removeEventListener("blur", onAway);
    };
  });
}

/** Moves the focus among the items; false when the key is none of the menu's. */
function moveInMenu(menu: HTMLElement | null, key: string): boolean {
  const items = [...(menu?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
  const at = items.findIndex((item) => item === document.activeElement);
  const last = items.length - 1;
  const to: Readonly<Record<string, number>> = {
    ArrowDown: at === last ? 0 : at + 1,
    ArrowUp: at <= 0 ? last : at - 1,
    Home: 0,
    End: last,
  };
  const index = to[key];
  if (index === undefined) return false;
  items[index]?.focus();
  return true;
}
