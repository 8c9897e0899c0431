import type { KeyboardEvent } from "react";
import type { ActionOf, FileSubject } from "./actions.ts";
import { CALL_ACTIONS } from "./callActions.ts";
import { FILE_ACTIONS, HUNK_ACTIONS, openEffect } from "./fileActions.ts";
import { hasBody, isFileFolded, isFolded, rowKey, rowOf, type Row } from "./rows.ts";
import { stepFrom, tabRow, type Step } from "./select.ts";
import { callOf } from "./state.ts";
import { perform, type View } from "./store.ts";

const STEPS: Readonly<Record<string, Step>> = {
  ArrowDown: "next",
  ArrowUp: "previous",
  Home: "first",
  End: "last",
};

export const SEARCH_ID = "search";

/** The keys of the list. They work on the row that holds the focus, whichever of its buttons has it. */
export function onListKey(event: KeyboardEvent, view: View): void {
  const menuKey = event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey);
  const withModifier = event.ctrlKey || event.metaKey || event.altKey;
  if (withModifier || isEditable(event.target)) return;
  if (menuKey ? openMenu(view) : onPlainKey(event, view)) {
    event.preventDefault();
    event.stopPropagation();
  }
}

function isEditable(target: EventTarget): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // Requested text scrolls with the arrows like any text box.
  return target.matches("input, select, textarea, pre");
}

/** Did the key do something? */
function onPlainKey(event: KeyboardEvent, view: View): boolean {
  const step = STEPS[event.key];
  if (step !== undefined) return moveTo(view, stepFrom(view.store.get(), step));
  switch (event.key) {
    case "ArrowLeft":
      return foldOrLeave(view);
    case "ArrowRight":
      return unfoldOrEnter(view);
    case "Enter":
      return openHunk(event, view);
    case "/":
      return focusSearch();
    case ".":
      return openMenu(view);
    default:
      return doByKey(event.key, view);
  }
}

function moveTo({ store, rowFocus }: View, row: Row | null): boolean {
  if (row === null) return true;
  const key = rowKey(row);
  store.dispatch({ kind: "activate", row: key });
  rowFocus.show(key, { takeFocus: true, block: "nearest" });
  return true;
}

function foldOrLeave(view: View): boolean {
  const { store } = view;
  const row = currentRow(view);
  if (row === null) return false;
  if (isOpen(view, row)) {
    store.dispatch({ kind: "fold", keys: [rowKey(row)], folded: true });
    return true;
  }
  if (row.fileKey === undefined) return true;
  const { callId, fileKey } = row;
  return moveTo(view, row.hunk === undefined ? { callId } : { callId, fileKey });
}

function unfoldOrEnter(view: View): boolean {
  const row = currentRow(view);
  if (row === null) return false;
  if (isOpen(view, row)) {
    const child = stepFrom(view.store.get(), "next");
    return moveTo(view, child !== null && isInside(child, row) ? child : null);
  }
  view.store.dispatch({ kind: "fold", keys: [rowKey(row)], folded: false });
  return true;
}

function isInside(child: Row, { callId, fileKey, hunk }: Row): boolean {
  if (hunk !== undefined || child.callId !== callId) return false;
  return fileKey === undefined ? true : child.fileKey === fileKey && child.hunk !== undefined;
}

function isOpen(view: View, row: Row): boolean {
  const { folds } = view.store.get().ui;
  if (row.fileKey === undefined) return !isFolded(row, folds);
  const subject = fileSubject(view, row);
  if (subject === null) return false;
  const { call, file } = subject;
  if (row.hunk !== undefined) return !isFolded(row, folds, file.diff?.hunks[row.hunk]?.undone);
  return hasBody(file) && !isFileFolded(call, file, folds);
}

/** Enter on a hunk opens the file there. Elsewhere it presses the button that has the focus. */
function openHunk(event: KeyboardEvent, view: View): boolean {
  const row = currentRow(view);
  const onHunk = event.target instanceof HTMLElement && event.target.matches(".hunk-button");
  const subject = row?.hunk === undefined || !onHunk ? null : fileSubject(view, row);
  if (subject === null) return false;
  perform(view, openEffect(subject, row?.hunk));
  return true;
}

function doByKey(key: string, view: View): boolean {
  const row = currentRow(view);
  if (row === null || key.length !== 1) return false;
  const letter = key.toUpperCase();
  if (row.fileKey === undefined) {
    const call = callOf(view.store.get(), row.callId);
    return call !== undefined && doFirst(CALL_ACTIONS, call, letter, view);
  }
  const subject = fileSubject(view, row);
  if (subject === null) return false;
  // What a hunk can do by itself goes before what its file does by the same key.
  const { hunk } = row;
  if (hunk !== undefined && doFirst(HUNK_ACTIONS, { ...subject, hunk }, letter, view)) return true;
  return doFirst(FILE_ACTIONS, subject, letter, view);
}

function doFirst<Subject>(
  table: readonly ActionOf<Subject>[],
  subject: Subject,
  letter: string,
  view: View,
): boolean {
  const action = table.find(({ key, offered }) => key === letter && offered(subject));
  if (action === undefined) return false;
  perform(view, action.effect(subject));
  return true;
}

function fileSubject({ store }: View, { callId, fileKey }: Row): FileSubject | null {
  const call = callOf(store.get(), callId);
  const file = call?.files.find(({ key }) => key === fileKey);
  return call === undefined || file === undefined ? null : { call, file };
}

function currentRow({ store }: View): Row | null {
  const key = tabRow(store.get());
  return key === null ? null : rowOf(key);
}

function openMenu(view: View): boolean {
  const row = tabRow(view.store.get());
  const target = row === null ? undefined : view.rowFocus.elementOf(row);
  if (row === null || target === undefined) return false;
  const box = target.getBoundingClientRect();
  view.store.dispatch({ kind: "menu", at: { row, x: box.left, y: box.bottom } });
  return true;
}

function focusSearch(): boolean {
  const search = document.getElementById(SEARCH_ID);
  search?.focus();
  return search !== null;
}

/** From the search back to the list. */
export function focusList({ store, rowFocus }: View): void {
  const row = tabRow(store.get());
  if (row !== null) rowFocus.show(row, { takeFocus: true, block: "nearest" });
}
