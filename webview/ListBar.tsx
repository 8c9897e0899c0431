import type { KeyboardEvent, ReactNode } from "react";
import { filesToReview, SEARCH_UNITS_MAX } from "../src/protocol/callFilter.ts";
import type { CallCard } from "../src/protocol/cards.ts";
import { keepCall } from "./callActions.ts";
import { Counts, Icon } from "./parts.tsx";
import { focusList, SEARCH_ID } from "./keyboard.ts";
import { SearchStatus } from "./SearchStatus.tsx";
import { progressOf } from "./searching.ts";
import { choicesOf, filtersOn, shownCalls, totalsOf } from "./select.ts";
import type { Scope } from "./state.ts";
import { perform, useSelect, useView, useWords } from "./store.ts";
import type { Word } from "./strings.ts";

const SCOPES: readonly Scope[] = ["last", "session", "all"];

/** Above the list: which calls, and what they add up to. */
export function ListBar(): ReactNode {
  const filterOpen = useSelect((state) => state.ui.filterOpen);
  return (
    <div className="bar">
      <div className="bar-line">
        <ScopeSwitch />
        <Search />
        <FilterButton />
        <LayoutButton />
      </div>
      {filterOpen && <FilterLine />}
      <Totals />
      <SearchStatus />
    </div>
  );
}

function ScopeSwitch(): ReactNode {
  const { store } = useView();
  const words = useWords();
  const scope = useSelect((state) => state.ui.scope);
  return (
    <span className="switch" role="group" aria-label={words.say("bar.scope")}>
      {SCOPES.map((one) => (
        <button
          type="button"
          key={one}
          aria-pressed={one === scope}
          onClick={() => store.dispatch({ kind: "scope", scope: one })}
        >
          {words.say(`bar.${one}`)}
        </button>
      ))}
    </span>
  );
}

function Search(): ReactNode {
  const view = useView();
  const words = useWords();
  const text = useSelect((state) => state.ui.search);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && text !== "") view.store.dispatch({ kind: "search", text: "" });
    else if (event.key === "Escape" || event.key === "ArrowDown") focusList(view);
    else return;
    event.preventDefault();
  };
  return (
    <input
      id={SEARCH_ID}
      className="search"
      type="search"
      value={text}
      placeholder={words.say("bar.search")}
      aria-label={words.say("bar.search")}
      aria-keyshortcuts="/"
      spellCheck={false}
      maxLength={SEARCH_UNITS_MAX}
      onChange={(event) => view.store.dispatch({ kind: "search", text: event.target.value })}
      onKeyDown={onKeyDown}
    />
  );
}

function FilterButton(): ReactNode {
  const { store } = useView();
  const words = useWords();
  const open = useSelect((state) => state.ui.filterOpen);
  const on = useSelect((state) => filtersOn(state.ui.filter));
  const label = on === 0 ? words.say("bar.filter") : words.say("bar.filterCount", { n: on });
  return (
    <button
      type="button"
      className="act filter-button"
      title={label}
      aria-label={label}
      aria-expanded={open}
      onClick={() => store.dispatch({ kind: "filterOpen", open: !open })}
    >
      <Icon name={on === 0 ? "filter" : "filter-filled"} />
      {0 < on && <span>{words.number(on)}</span>}
    </button>
  );
}

/** Only where there is room for two columns. */
function LayoutButton(): ReactNode {
  const { store } = useView();
  const words = useWords();
  const isSplit = useSelect((state) => state.ui.layout === "split");
  const layout = isSplit ? "unified" : "split";
  return (
    <button
      type="button"
      className="act layout-button"
      title={words.say("bar.split")}
      aria-label={words.say("bar.split")}
      aria-pressed={isSplit}
      onClick={() => store.dispatch({ kind: "layout", layout })}
    >
      <Icon name="split-horizontal" />
    </button>
  );
}

function FilterLine(): ReactNode {
  const { store } = useView();
  const words = useWords();
  const filter = useSelect((state) => state.ui.filter);
  return (
    <div className="bar-line filters" role="group" aria-label={words.say("bar.filter")}>
      {(["review", "rejected", "attention"] as const).map((one) => (
        <button
          type="button"
          className="chip"
          key={one}
          aria-pressed={filter[one]}
          onClick={() => store.dispatch({ kind: "filter", filter: { [one]: !filter[one] } })}
        >
          {words.say(`bar.${one}`)}
        </button>
      ))}
      <Choice part="tool" any="bar.anyTool" />
      <Choice part="model" any="bar.anyModel" />
      {0 < filtersOn(filter) && (
        <button
          type="button"
          className="act"
          onClick={() => store.dispatch({ kind: "clearFilter" })}
        >
          {words.say("bar.clear")}
        </button>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly part: "tool" | "model";
  readonly any: Word;
}

/** One tool or model of those that the calls here have. */
function Choice({ part, any }: ChoiceProps): ReactNode {
  const { store } = useView();
  const words = useWords();
  const chosen = useSelect((state) => state.ui.filter[part]);
  const calls = useSelect((state) => state.host.calls);
  const found = useSelect((state) => state.search.calls);
  return (
    <select
      className="choice"
      aria-label={words.say(`bar.${part}`)}
      value={chosen ?? ""}
      onChange={({ target: { value } }) =>
        store.dispatch({ kind: "filter", filter: { [part]: value === "" ? null : value } })
      }
    >
      <option value="">{words.say(any)}</option>
      {choicesOf([...calls, ...found], part, chosen).map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

function Totals(): ReactNode {
  const words = useWords();
  const shown = useSelect(shownCalls);
  const searching = useSelect((state) => progressOf(state) === "searching");
  // How many calls a session has is not known here, how many there are at all is.
  const all = useSelect(({ host, ui }) =>
    ui.scope === "all" ? host.calls.length + host.olderCount - ui.held.length : 0,
  );
  if (shown.length === 0) return null;
  const { calls, files, toReview, rejected, added, removed } = totalsOf(shown);
  return (
    <div className="totals">
      <span>
        {calls < all
          ? words.say("bar.callsOf", { n: calls, total: all })
          : words.count("bar.calls", calls)}
      </span>
      {searching && <span>{words.say("bar.searching")}</span>}
      {0 < files && toReview === 0 && <span>{words.count("bar.files", files)}</span>}
      {0 < toReview && <span className="to-review">{words.count("bar.toReview", toReview)}</span>}
      {0 < rejected && <span className="wrong">{words.count("bar.rejectedCount", rejected)}</span>}
      <Counts added={added} removed={removed} />
      {0 < toReview && <KeepAll calls={shown} />}
    </div>
  );
}

/** Keeps what the list shows, and nothing that search or filter hide. */
function KeepAll({ calls }: { readonly calls: readonly CallCard[] }): ReactNode {
  const view = useView();
  const words = useWords();
  const keep = (): void => {
    for (const call of calls) if (0 < filesToReview(call).length) perform(view, keepCall(call));
  };
  return (
    <button type="button" className="act keep-all" onClick={keep}>
      {words.say("bar.keepAll")}
    </button>
  );
}
