import { createContext, useContext, useSyncExternalStore } from "react";
import type { ToHost } from "../src/protocol/messages.ts";
import type { Effect } from "./actions.ts";
import type { RowFocus } from "./rowFocus.ts";
import { callOf, FIRST_STATE, reduce, type Action, type State } from "./state.ts";
import { wordsOf, type Words } from "./strings.ts";

/** The one state of a view. Components read slices of it, so that a moved focus draws two rows and not the list. */
export interface Store {
  readonly get: () => State;
  readonly dispatch: (action: Action) => void;
  readonly subscribe: (told: () => void) => () => void;
}

export function createStore(first: State = FIRST_STATE): Store {
  let state = first;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    dispatch(action) {
      const next = reduce(state, action);
      if (next === state) return;
      state = next;
      for (const told of [...listeners]) told();
    },
    subscribe(told) {
      listeners.add(told);
      return () => listeners.delete(told);
    },
  };
}

/** What every component may use: the state, the way to the host, and the clock (fixed in the gallery). */
export interface View {
  readonly store: Store;
  readonly post: (message: ToHost) => void;
  readonly rowFocus: RowFocus;
  readonly now: () => number;
  readonly language: string;
}

export const ViewContext = createContext<View | null>(null);

export function useView(): View {
  const view = useContext(ViewContext);
  if (view === null) throw new Error("a component of the panel is drawn outside of it");
  return view;
}

/** Does what an action stands for. Going to a call that is not loaded asks for older ones first. */
export function perform({ store, post }: View, effect: Effect | null): void {
  if (effect === null) return;
  if (effect.to === "host") {
    post(effect.message);
    if (effect.then !== undefined) store.dispatch(effect.then);
    return;
  }
  store.dispatch(effect.action);
  if (effect.action.kind !== "goTo") return;
  const state = store.get();
  const isHere = callOf(state, effect.action.row.callId) !== undefined;
  if (0 < state.host.olderCount && !isHere) post({ kind: "loadOlder" });
}

/** A slice of the state. `select` must give equal values (by `Object.is`) while the slice has not changed. */
export function useSelect<T>(select: (state: State) => T): T {
  const { store } = useView();
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}

export function useWords(): Words {
  const { language } = useView();
  const strings = useSelect((state) => state.host.strings);
  const known = wordsByStrings.get(strings);
  if (known?.language === language) return known.words;
  const words = wordsOf(strings, language);
  wordsByStrings.set(strings, { language, words });
  return words;
}

/** Made once for all components: the number formats in them cost more to make than a row costs to draw. */
const wordsByStrings = new WeakMap<
  State["host"]["strings"],
  { readonly language: string; readonly words: Words }
>();
