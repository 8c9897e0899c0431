import { fitsFilter, isNarrow, isToReview, rejectedCount } from "../src/protocol/callFilter.ts";
import type { CallCard } from "../src/protocol/cards.ts";
import { merge } from "./order.ts";
import { rowKey, rowOf, rowsOfCall, type Row } from "./rows.ts";
import { filterOf, type Filter, type HostState, type State, type UiState } from "./state.ts";

/** The calls the list shows now: those of the scope that fit search and filter, without the held ones. */
export function shownCalls(state: State): readonly CallCard[] {
  return listOf(state).shown;
}

/** How many calls wait above the list and would show in it. */
export function heldCount(state: State): number {
  return listOf(state).heldCount;
}

interface CallList {
  readonly shown: readonly CallCard[];
  readonly heldCount: number;
}

interface Remembered extends CallList {
  readonly inputs: readonly unknown[];
}

/** One answer is kept per list of calls: components ask many times between two changes. */
const remembered = new WeakMap<readonly CallCard[], Remembered>();

function listOf({ host, search, ui }: State): CallList {
  const inputs = [ui.scope, ui.search, ui.filter, ui.held, search.calls];
  const before = remembered.get(host.calls);
  if (before?.inputs.every((input, index) => input === inputs[index])) return before;
  const held = new Set(ui.held);
  const free = host.calls.filter(({ id }) => !held.has(id));
  const filter = filterOf(ui);
  const known = asksHost(ui) && 0 < search.calls.length ? merge(search.calls, free) : free;
  const shown = inScope(known, ui, host).filter((call) => fitsFilter(call, filter));
  const waiting = host.calls.filter(({ id }) => held.has(id));
  const heldCount = inHeldScope(waiting, ui, host).filter((call) =>
    fitsFilter(call, filter),
  ).length;
  const list = { inputs, shown, heldCount };
  remembered.set(host.calls, list);
  return list;
}

function inScope(calls: readonly CallCard[], ui: UiState, host: HostState): readonly CallCard[] {
  if (ui.scope === "all") return calls;
  if (ui.scope === "last") return calls.slice(0, 1);
  // While calls of a new session are held back, the list stays with the session it shows.
  const session = calls[0]?.session ?? host.session;
  return calls.filter((call) => call.session === session);
}

/** The session that the list shows in its scope. */
export function shownSession({ host, ui }: State): string | null {
  const first = ui.held.length === 0 ? host.calls[0] : firstFree(host.calls, ui.held);
  return first?.session ?? host.session;
}

function firstFree(calls: readonly CallCard[], held: readonly string[]): CallCard | undefined {
  const waiting = new Set(held);
  return calls.find(({ id }) => !waiting.has(id));
}

/** Does the list look for something that may be in calls which are not here? */
export function asksHost(ui: UiState): boolean {
  return ui.scope !== "last" && isNarrow(filterOf(ui));
}

function inHeldScope(
  calls: readonly CallCard[],
  ui: UiState,
  host: HostState,
): readonly CallCard[] {
  return ui.scope === "last" ? calls.slice(0, 1) : inScope(calls, ui, host);
}

export function filtersOn({ review, rejected, attention, tool, model }: Filter): number {
  return [review, rejected, attention, tool !== null, model !== null].filter(Boolean).length;
}

/** The tools or models of calls, each once; with the chosen one, which no call here may have. */
export function choicesOf(
  calls: readonly CallCard[],
  part: "tool" | "model",
  chosen: string | null,
): readonly string[] {
  const names = [chosen, ...calls.map((call) => call[part])];
  return [...new Set(names.filter((name) => name !== null && name !== undefined))].sort();
}

export interface Totals {
  readonly calls: number;
  readonly files: number;
  /** Files with a change that stands and that nobody has kept yet. */
  readonly toReview: number;
  readonly rejected: number;
  readonly added: number;
  readonly removed: number;
}

/** The sums of a list; a file counts once, however many calls touched it. */
export function totalsOf(calls: readonly CallCard[]): Totals {
  const changed = new Set<string>();
  const toReview = new Set<string>();
  let [rejected, added, removed] = [0, 0, 0];
  for (const call of calls) {
    rejected += rejectedCount(call);
    added += call.added;
    removed += call.removed;
    for (const file of call.files) {
      if (file.status === "applied") changed.add(file.path);
      if (isToReview(call, file)) toReview.add(file.path);
    }
  }
  const [files, review] = [changed.size, toReview.size];
  return { calls: calls.length, files, toReview: review, rejected, added, removed };
}

const tabRows = new WeakMap<State, string | null>();

/** The row that Tab goes to: the last active one while it is shown, else its call, else the first. */
export function tabRow(state: State): string | null {
  const known = tabRows.get(state);
  if (known !== undefined) return known;
  const row = findTabRow(state);
  tabRows.set(state, row);
  return row;
}

function findTabRow(state: State): string | null {
  const { active } = state.ui;
  const shown = shownCalls(state);
  const callId = active === null ? null : rowOf(active).callId;
  const call = shown.find(({ id }) => id === callId) ?? shown[0];
  if (call === undefined) return null;
  return active !== null && call.id === callId && hasRow(call, state, active)
    ? active
    : rowKey({ callId: call.id });
}

function hasRow(call: CallCard, { ui }: State, key: string): boolean {
  const { fileKey } = rowOf(key);
  if (fileKey === undefined) return true;
  return rowsOfCall(call, ui.folds).some((row) => rowKey(row) === key);
}

export type Step = "next" | "previous" | "first" | "last";

/** The row one step from the active one; null at the ends and in an empty list. */
export function stepFrom(state: State, step: Step): Row | null {
  const shown = shownCalls(state);
  const edge = step === "first" ? shown[0] : step === "last" ? shown.at(-1) : undefined;
  if (edge !== undefined)
    return rowsOfCall(edge, state.ui.folds).at(step === "first" ? 0 : -1) ?? null;
  const from = tabRow(state);
  if (from === null) return null;
  const at = shown.findIndex(({ id }) => id === rowOf(from).callId);
  const call = shown[at];
  if (call === undefined) return null;
  const rows = rowsOfCall(call, state.ui.folds);
  const within = rows.findIndex((row) => rowKey(row) === from) + (step === "next" ? 1 : -1);
  const neighbour = shown[at + (step === "next" ? 1 : -1)];
  if (rows[within] !== undefined) return rows[within];
  if (neighbour === undefined) return null;
  return rowsOfCall(neighbour, state.ui.folds).at(step === "next" ? 0 : -1) ?? null;
}
