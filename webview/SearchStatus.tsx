import type { ReactNode } from "react";
import { isNarrow } from "../src/protocol/callFilter.ts";
import { progressOf } from "./searching.ts";
import { shownCalls } from "./select.ts";
import { filterOf } from "./state.ts";
import { useSelect, useWords } from "./store.ts";

/** Tells those who do not see the list what a search or filter has come to. */
export function SearchStatus(): ReactNode {
  const words = useWords();
  const progress = useSelect(progressOf);
  const narrow = useSelect(({ ui }) => isNarrow(filterOf(ui)));
  const count = useSelect((state) => shownCalls(state).length);
  const text = (): string => {
    if (!narrow) return "";
    if (progress === "searching") return words.say("bar.searching");
    if (progress === "more")
      return count === 0 ? words.say("empty.soFarTitle") : words.count("live.foundSoFar", count);
    return count === 0 ? words.say("empty.noneTitle") : words.count("live.found", count);
  };
  return (
    <div className="unseen" role="status" aria-live="polite" data-testid="search-status">
      {text()}
    </div>
  );
}
