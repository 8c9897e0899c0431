import { FIRST_STATE, NO_FILTER, type State, type UiState } from "./state.ts";

/** What outlives the view: how a person looks at the list, never what is in it. */
export interface Saved {
  readonly scope: UiState["scope"];
  readonly search: string;
  readonly filter: UiState["filter"];
  readonly filterOpen: boolean;
  readonly layout: UiState["layout"];
  readonly folds: UiState["folds"];
}

export function savedOf({ ui }: State): Saved {
  const { scope, search, filter, filterOpen, layout, folds } = ui;
  return { scope, search, filter, filterOpen, layout, folds };
}

export function sameSaved(a: Saved, b: Saved): boolean {
  return (
    a.scope === b.scope &&
    a.search === b.search &&
    a.filter === b.filter &&
    a.filterOpen === b.filterOpen &&
    a.layout === b.layout &&
    a.folds === b.folds
  );
}

/**
 * The first state of a view that was there before. What was saved may come from an older version, so each part is
 * taken only if it has its shape. Law: `stateFrom(savedOf(state)).ui` has the saved parts of `state.ui`.
 */
export function stateFrom(saved: unknown): State {
  if (!isObject(saved)) return FIRST_STATE;
  const first = FIRST_STATE.ui;
  const filter = isObject(saved["filter"]) ? saved["filter"] : {};
  const scope = (["last", "session", "all"] as const).find((known) => known === saved["scope"]);
  const ui: UiState = {
    ...first,
    scope: scope ?? first.scope,
    search: typeof saved["search"] === "string" ? saved["search"] : "",
    filter: {
      review: filter["review"] === true,
      rejected: filter["rejected"] === true,
      attention: filter["attention"] === true,
      tool: typeof filter["tool"] === "string" ? filter["tool"] : NO_FILTER.tool,
      model: typeof filter["model"] === "string" ? filter["model"] : NO_FILTER.model,
    },
    filterOpen: saved["filterOpen"] === true,
    layout: saved["layout"] === "split" ? "split" : "unified",
    folds: foldsFrom(saved["folds"]),
  };
  return { ...FIRST_STATE, ui };
}

function foldsFrom(saved: unknown): UiState["folds"] {
  if (!isObject(saved)) return {};
  const entries = Object.entries(saved);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean"),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
