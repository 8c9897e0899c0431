import { SEARCH_UNITS_MAX } from "../src/protocol/callFilter.ts";
import type { SearchMessage, ToHost } from "../src/protocol/messages.ts";
import { asksHost, shownSession } from "./select.ts";
import { filterOf, type State } from "./state.ts";
import type { Store } from "./store.ts";

/** A question waits this long for the next key. */
const TYPING_MS = 150;

type Question = Pick<SearchMessage, "filter" | "session">;

/** What to ask of the calls that are stored and not here; null while there is nothing to ask. */
export function questionOf(state: State): Question | null {
  const { host, ui } = state;
  if (host.seq === null || host.stale || host.olderCount === 0 || !asksHost(ui)) return null;
  const filter = filterOf(ui);
  return {
    filter: { ...filter, text: filter.text.slice(0, SEARCH_UNITS_MAX) },
    session: ui.scope === "session" ? shownSession(state) : null,
  };
}

/** `searching` from the first key on, `more` where stored calls were not looked at yet. */
export type Progress = "none" | "searching" | "more" | "whole";

export function progressOf(state: State): Progress {
  const question = questionOf(state);
  if (question === null) return "none";
  const { asked, waiting, after } = state.search;
  if (waiting || asked !== JSON.stringify(question)) return "searching";
  return after === null ? "whole" : "more";
}

/** Asks the host whenever there is something else to ask, once the typing rests. Gives back the way to stop. */
export function askWhileTyping(store: Store, post: (message: ToHost) => void): () => void {
  let next: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = store.subscribe(() => {
    const question = questionOf(store.get());
    const text = question === null ? null : JSON.stringify(question);
    const { asked } = store.get().search;
    if (text === (next ?? asked)) return;
    clearTimeout(timer);
    next = text === asked ? null : text;
    if (text === null) store.dispatch({ kind: "asked", question: null, goingOn: false });
    else if (next !== null)
      timer = setTimeout(() => {
        next = null;
        ask(store, post, false);
      }, TYPING_MS);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

/** Looks further back for what was found so far. */
export function searchFurther(store: Store, post: (message: ToHost) => void): void {
  if (progressOf(store.get()) === "more") ask(store, post, true);
}

function ask(store: Store, post: (message: ToHost) => void, goingOn: boolean): void {
  const question = questionOf(store.get());
  if (question === null) return;
  store.dispatch({ kind: "asked", question: JSON.stringify(question), goingOn });
  const { count, after } = store.get().search;
  post({ kind: "search", search: count, ...question, after: goingOn ? after : null });
}
