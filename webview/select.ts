import type { CallCard, FileCard } from "../src/protocol/cards.ts";
import { filesToReview, isToReview } from "./review.ts";
import { rowKey, rowOf, rowsOfCall, type Row } from "./rows.ts";
import type { Filter, HostState, State, UiState } from "./state.ts";

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

function listOf({ host, ui }: State): CallList {
  const inputs = [ui.scope, ui.search, ui.filter, ui.held];
  const known = remembered.get(host.calls);
  if (known?.inputs.every((input, index) => input === inputs[index])) return known;
  const held = new Set(ui.held);
  const free = host.calls.filter(({ id }) => !held.has(id));
  const shown = inScope(free, ui, host).filter((call) => fitsFilter(call, ui));
  const waiting = host.calls.filter(({ id }) => held.has(id));
  const heldCount = inHeldScope(waiting, ui, host).filter((call) => fitsFilter(call, ui)).length;
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

function inHeldScope(
  calls: readonly CallCard[],
  ui: UiState,
  host: HostState,
): readonly CallCard[] {
  return ui.scope === "last" ? calls.slice(0, 1) : inScope(calls, ui, host);
}

/** Does a call fit what the person searches and filters for? Every word of the search must be found. */
export function fitsFilter(call: CallCard, ui: Pick<UiState, "search" | "filter">): boolean {
  const { review, rejected, attention, tool } = ui.filter;
  if (tool !== null && call.tool !== tool) return false;
  if (review && filesToReview(call).length === 0) return false;
  if (rejected && rejectedCount(call) === 0) return false;
  if (attention && !needsAttention(call)) return false;
  const wanted = ui.search.toLowerCase().split(/\s+/u).filter(Boolean);
  if (wanted.length === 0) return true;
  const texts = [call.tool, call.model ?? "", ...call.files.map(({ path }) => path)];
  const all = texts.join("\n").toLowerCase();
  return wanted.every((word) => all.includes(word));
}

/** Files that were rejected; a call that failed as a whole counts as one. */
export function rejectedCount(call: CallCard): number {
  const files = call.files.filter(({ status }) => status === "rejected").length;
  return files === 0 && call.status === "error" ? 1 : files;
}

export function needsAttention(call: CallCard): boolean {
  if (call.phase === "approval" || call.phase === "interrupted" || call.status === "error")
    return true;
  return call.files.some(fileNeedsAttention);
}

function fileNeedsAttention(file: FileCard): boolean {
  if (file.phase === "proposed" || file.unsaved === true) return true;
  return file.status === "rejected" || file.status === "unknown";
}

export function filtersOn({ review, rejected, attention, tool }: Filter): number {
  return [review, rejected, attention, tool !== null].filter(Boolean).length;
}

export function toolsOf(calls: readonly CallCard[]): readonly string[] {
  return [...new Set(calls.map(({ tool }) => tool))].sort();
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
