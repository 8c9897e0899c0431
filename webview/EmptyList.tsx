import type { ReactNode } from "react";
import { useSelect, useView, useWords } from "./store.ts";

/** What the list says when it shows no call: there is none, or all are filtered out. */
export function EmptyList(): ReactNode {
  const { store, post } = useView();
  const words = useWords();
  const loaded = useSelect((state) => state.host.seq !== null);
  const none = useSelect((state) => state.host.calls.length === 0);
  if (!loaded) return <p className="empty dim">{words.say("panel.loading")}</p>;
  return (
    <div className="empty">
      <h2>{words.say(none ? "empty.title" : "empty.noneTitle")}</h2>
      <p>{words.say(none ? "empty.hint" : "empty.noneHint")}</p>
      {none ? (
        <button type="button" className="act primary" onClick={() => post({ kind: "runSample" })}>
          {words.say("empty.sample")}
        </button>
      ) : (
        <button
          type="button"
          className="act bordered"
          onClick={() => store.dispatch({ kind: "clearFilter" })}
        >
          {words.say("bar.clear")}
        </button>
      )}
    </div>
  );
}
