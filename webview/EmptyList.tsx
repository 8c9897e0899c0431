import type { ReactNode } from "react";
import { progressOf } from "./searching.ts";
import { useSelect, useView, useWords } from "./store.ts";

/** What the list says when it shows no call: there is none, none was found yet, or all are filtered out. */
export function EmptyList(): ReactNode {
  const { store, post } = useView();
  const words = useWords();
  const loaded = useSelect((state) => state.host.seq !== null);
  const none = useSelect((state) => state.host.calls.length === 0);
  const progress = useSelect(progressOf);
  const left = useSelect((state) => state.search.left);
  if (!loaded) return <p className="empty dim">{words.say("panel.loading")}</p>;
  if (none)
    return (
      <div className="empty">
        <h2>{words.say("empty.title")}</h2>
        <p>{words.say("empty.hint")}</p>
        <button type="button" className="act primary" onClick={() => post({ kind: "runSample" })}>
          {words.say("empty.sample")}
        </button>
      </div>
    );
  if (progress === "searching") return <p className="empty dim">{words.say("bar.searching")}</p>;
  const isPart = progress === "more";
  return (
    <div className="empty">
      <h2>{words.say(isPart ? "empty.soFarTitle" : "empty.noneTitle")}</h2>
      <p>{isPart ? words.count("empty.soFarHint", left) : words.say("empty.noneHint")}</p>
      <button
        type="button"
        className="act bordered"
        onClick={() => store.dispatch({ kind: "clearFilter" })}
      >
        {words.say("bar.clear")}
      </button>
    </div>
  );
}
