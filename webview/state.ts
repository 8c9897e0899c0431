import type { CallCard } from "../src/protocol/cards.ts";
import type { ToView } from "../src/protocol/messages.ts";
import { fitsFilter, type CallFilter } from "../src/protocol/callFilter.ts";
import type { Layout } from "./diffLines.ts";
import { merge, newestFirst } from "./order.ts";
import { rowKey, rowOf, type Folds, type Row } from "./rows.ts";

import {
  asked,
  FIRST_SEARCH,
  takeFound,
  unasked,
  withCall,
  type Asked,
  type SearchState,
} from "./searchState.ts";

/** The version of the protocol this view speaks; a test compares it with `PROTOCOL_VERSION`. */
export const VIEW_VERSION = 1;

/** What the host said. The view never changes it by itself. */
export interface HostState {
  /** null until the first snapshot. */
  readonly seq: number | null;
  /** A delta was missed: nothing more is taken in until a whole snapshot comes. */
  readonly stale: boolean;
  readonly wrongVersion: boolean;
  /** Newest first. */
  readonly calls: readonly CallCard[];
  readonly olderCount: number;
  readonly trusted: boolean;
  readonly session: string | null;
  readonly storeNotice: string | null;
  readonly strings: Readonly<Record<string, string>>;
  /** Counts snapshots, so that what is drawn anew is not announced as news. */
  readonly snapshots: number;
}

export type Scope = "last" | "session" | "all";

/** All a person looks for but the text, which has a box of its own. */
export type Filter = Omit<CallFilter, "text">;

/** What the person did to the view. Only scope, search, filter, layout and folds outlive it. */
export interface UiState {
  readonly scope: Scope;
  readonly search: string;
  readonly filter: Filter;
  readonly filterOpen: boolean;
  /** How diffs are drawn where there is room for either. */
  readonly layout: Layout;
  readonly folds: Folds;
  /** Key of the row that has, or last had, the focus. */
  readonly active: string | null;
  /** Is the list scrolled to its top? Only then new calls push in. */
  readonly atTop: boolean;
  /** Ids of calls that arrived while the list was not at its top; shown on demand. */
  readonly held: readonly string[];
  /** A call to bring into sight as soon as it is here. `count` tells two wishes for the same call apart. */
  readonly reveal: Reveal | null;
  readonly menu: MenuAt | null;
}

export interface Reveal extends Row {
  readonly takeFocus: boolean;
  readonly count: number;
}

/** An open menu of one row: where, in CSS pixels of the window. */
export interface MenuAt {
  readonly row: string;
  readonly x: number;
  readonly y: number;
}

export interface State {
  readonly host: HostState;
  readonly search: SearchState;
  readonly ui: UiState;
}

export type Action =
  | { readonly kind: "received"; readonly message: ToView }
  /** A question goes to the host: a new one, the same further on, or (null) none any more. */
  | ({ readonly kind: "asked" } & Asked)
  | { readonly kind: "scope"; readonly scope: Scope }
  | { readonly kind: "search"; readonly text: string }
  | { readonly kind: "filter"; readonly filter: Partial<Filter> }
  | { readonly kind: "filterOpen"; readonly open: boolean }
  | { readonly kind: "clearFilter" }
  | { readonly kind: "layout"; readonly layout: Layout }
  | { readonly kind: "fold"; readonly keys: readonly string[]; readonly folded: boolean }
  | { readonly kind: "activate"; readonly row: string }
  | { readonly kind: "scrolled"; readonly atTop: boolean }
  | { readonly kind: "showHeld" }
  | { readonly kind: "goTo"; readonly row: Row }
  | { readonly kind: "menu"; readonly at: MenuAt | null };

export const NO_FILTER: Filter = {
  review: false,
  rejected: false,
  attention: false,
  tool: null,
  model: null,
};

export const FIRST_STATE: State = {
  host: {
    seq: null,
    stale: false,
    wrongVersion: false,
    calls: [],
    olderCount: 0,
    trusted: true,
    session: null,
    storeNotice: null,
    strings: {},
    snapshots: 0,
  },
  search: FIRST_SEARCH,
  ui: {
    scope: "session",
    search: "",
    filter: NO_FILTER,
    filterOpen: false,
    layout: "unified",
    folds: {},
    active: null,
    atTop: true,
    held: [],
    reveal: null,
    menu: null,
  },
};

/**
 * The next state. Law: for every history of deltas without a gap, `host` is the same as after one snapshot of the
 * end (but for `snapshots`, which counts them); after a gap `host` is `stale` and keeps what it had.
 */
export function reduce(state: State, action: Action): State {
  if (action.kind === "received") return receive(state, action.message);
  if (action.kind === "asked") return { ...state, search: asked(state.search, action) };
  const ui = reduceUi(state, action);
  return ui === state.ui ? state : { ...state, ui };
}

function receive(state: State, message: ToView): State {
  switch (message.kind) {
    case "snapshot":
      return takeSnapshot(state, message);
    case "call":
    case "older":
    case "notice":
      return takeDelta(state, message);
    case "found":
      return { ...state, search: takeFound(state.search, message) };
    case "reveal": {
      const row: Row =
        message.fileKey === undefined
          ? { callId: message.callId }
          : { callId: message.callId, fileKey: message.fileKey };
      return { ...state, ui: reveal(state, row, false) };
    }
  }
}

type Snapshot = Extract<ToView, { kind: "snapshot" }>;
type Delta = Extract<ToView, { seq: number }> & { kind: "call" | "older" | "notice" };

function takeSnapshot({ host, search, ui }: State, message: Snapshot): State {
  const calls = merge([], message.calls);
  const next: HostState = {
    seq: message.seq,
    stale: false,
    wrongVersion: message.version !== VIEW_VERSION,
    calls,
    olderCount: message.olderCount,
    trusted: message.trusted,
    session: message.session,
    storeNotice: message.storeNotice ?? null,
    strings: message.strings,
    snapshots: host.snapshots + 1,
  };
  const first = host.calls.length === 0;
  const held = ui.atTop || first ? [] : [...ui.held, ...newerThan(host.calls, calls)];
  return { host: next, search: unasked(search), ui: withHeld(ui, held) };
}

function takeDelta(state: State, message: Delta): State {
  const { host, search, ui } = state;
  if (host.seq === null || host.stale || message.seq <= host.seq) return state;
  if (message.seq !== host.seq + 1) return { ...state, host: { ...host, stale: true } };
  if (message.kind === "notice")
    return { ...state, host: { ...host, seq: message.seq, storeNotice: message.storeNotice } };
  if (message.kind === "call" && isOlder(host, message.call))
    return {
      host: { ...host, seq: message.seq },
      search: withCall(search, message.call),
      ui,
    };
  const incoming = message.kind === "call" ? [message.call] : message.calls;
  const calls = merge(host.calls, incoming);
  const session = calls[0]?.session ?? host.session;
  const next: HostState = { ...host, seq: message.seq, calls, session };
  if (message.kind === "older")
    return { ...state, host: { ...next, olderCount: message.olderCount } };
  const arrived = ui.atTop ? [] : newerThan(host.calls, calls);
  return { host: next, search, ui: withHeld(ui, [...ui.held, ...arrived]) };
}

/** `host.calls` has no holes: a call from before its oldest one comes in with those in between. */
function isOlder({ calls, olderCount }: HostState, call: CallCard): boolean {
  const oldest = calls.at(-1);
  return 0 < olderCount && oldest !== undefined && newestFirst(oldest, call) < 0;
}

/** A call that is here: sent by itself, or found. */
export function callOf({ host, search }: State, id: string): CallCard | undefined {
  return host.calls.find((call) => call.id === id) ?? search.calls.find((call) => call.id === id);
}

export function filterOf({ search, filter }: Pick<UiState, "search" | "filter">): CallFilter {
  return { ...filter, text: search };
}

/** Ids of calls that were not there before and stand above one that was. */
function newerThan(before: readonly CallCard[], after: readonly CallCard[]): readonly string[] {
  const known = new Set(before.map(({ id }) => id));
  const lastKnown = after.findLastIndex(({ id }) => known.has(id));
  return after.slice(0, Math.max(0, lastKnown)).flatMap(({ id }) => (known.has(id) ? [] : [id]));
}

function withHeld(ui: UiState, held: readonly string[]): UiState {
  if (held.length === 0 && ui.held.length === 0) return ui;
  return { ...ui, held: [...new Set(held)] };
}

function reduceUi(state: State, action: Exclude<Action, { kind: "received" | "asked" }>): UiState {
  const { ui } = state;
  switch (action.kind) {
    case "scope":
      return { ...ui, scope: action.scope, held: [] };
    case "search":
      return { ...ui, search: action.text };
    case "filter":
      return { ...ui, filter: { ...ui.filter, ...action.filter } };
    case "filterOpen":
      return { ...ui, filterOpen: action.open };
    case "clearFilter":
      return { ...ui, filter: NO_FILTER, search: "" };
    case "layout":
      return { ...ui, layout: action.layout };
    case "fold":
      return fold(ui, action.keys, action.folded);
    case "activate":
      return ui.active === action.row ? ui : { ...ui, active: action.row };
    case "scrolled":
      if (ui.atTop === action.atTop) return ui;
      return { ...ui, atTop: action.atTop, held: action.atTop ? [] : ui.held };
    case "showHeld":
      return { ...ui, held: [] };
    case "goTo":
      return reveal(state, action.row, true);
    case "menu":
      return { ...ui, menu: action.at };
  }
}

/** Above this, the oldest folds are forgotten: the saved state must stay small. */
const FOLDS_MAX = 2_000;

function fold(ui: UiState, keys: readonly string[], folded: boolean): UiState {
  const kept = Object.entries(ui.folds).filter(([key]) => !keys.includes(key));
  const entries = [...kept, ...keys.map((key) => [key, folded] as const)].slice(-FOLDS_MAX);
  const active = folded ? keys.reduce(rowAfterFold, ui.active) : ui.active;
  return { ...ui, folds: Object.fromEntries(entries), active };
}

/** Brings a row into sight: opens what is folded above it, and drops a scope or filter that hides its call. */
function reveal(state: State, row: Row, takeFocus: boolean): UiState {
  const { host, ui } = state;
  const count = (ui.reveal?.count ?? 0) + 1;
  const opened = fold(ui, [rowKey({ callId: row.callId })], false);
  const call = callOf(state, row.callId);
  const fits = call !== undefined && fitsFilter(call, filterOf(ui));
  const inScope =
    ui.scope === "all" ||
    (ui.scope === "session" && call?.session === sessionOf(host)) ||
    (ui.scope === "last" && call === host.calls[0]);
  return {
    ...opened,
    scope: inScope ? ui.scope : "all",
    filter: fits ? ui.filter : NO_FILTER,
    search: fits ? ui.search : "",
    held: ui.held.includes(row.callId) ? [] : ui.held,
    reveal: { ...row, takeFocus, count },
  };
}

/** The session that the scope switch means: that of the newest call here. */
export function sessionOf(host: HostState): string | null {
  return host.calls[0]?.session ?? host.session;
}

/** Folding something whose inside has the focus would lose it: the row that keeps it. */
function rowAfterFold(active: string | null, folded: string): string | null {
  if (active === null || active === folded) return active;
  const { callId, fileKey } = rowOf(folded);
  const now = rowOf(active);
  const inside = now.callId === callId && (fileKey === undefined || now.fileKey === fileKey);
  return inside ? folded : active;
}
