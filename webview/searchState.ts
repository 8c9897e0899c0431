import type { CallCard } from "../src/protocol/cards.ts";
import type { ToView } from "../src/protocol/messages.ts";
import { merge } from "./order.ts";

/** What was asked of the host about stored calls that are not in `host.calls`, and what it answered. */
export interface SearchState {
  /** Number of the last question; an answer to another one is stale. */
  readonly count: number;
  /** The question as text; null when nothing is asked. */
  readonly asked: string | null;
  readonly waiting: boolean;
  /** What is asked for goes on from `after`: what is here already stays. */
  readonly goingOn: boolean;
  /** What was found, newest first. While another question waits, it is what the last one found. */
  readonly calls: readonly CallCard[];
  /** Where to go on; null when every stored call was looked at. */
  readonly after: string | null;
  /** Stored calls behind `after` that were not looked at. */
  readonly left: number;
}

export const FIRST_SEARCH: SearchState = {
  count: 0,
  asked: null,
  waiting: false,
  goingOn: false,
  calls: [],
  after: null,
  left: 0,
};

/** What is asked now: the question as text, or null; and whether it goes on from where the last answer ended. */
export interface Asked {
  readonly question: string | null;
  readonly goingOn: boolean;
}

type Found = Extract<ToView, { kind: "found" }>;

export function asked(search: SearchState, { question, goingOn }: Asked): SearchState {
  const next = { ...search, asked: question, waiting: question !== null, goingOn };
  if (question === null) return { ...next, calls: [], after: null, left: 0 };
  return { ...next, count: search.count + 1 };
}

export function takeFound(
  search: SearchState,
  { search: count, calls, after, left }: Found,
): SearchState {
  if (!search.waiting || search.count !== count) return search;
  const known = search.goingOn ? search.calls : [];
  return { ...search, waiting: false, calls: merge(known, calls), after, left };
}

/** The host begins anew, so it is to be asked again; until it answers, what was found stays. */
export function unasked(search: SearchState): SearchState {
  return { ...search, asked: null, waiting: false, after: null, left: 0 };
}

/** One of the calls that were found took a step. */
export function withCall(search: SearchState, call: CallCard): SearchState {
  const at = search.calls.findIndex(({ id }) => id === call.id);
  return at === -1 ? search : { ...search, calls: search.calls.with(at, call) };
}
