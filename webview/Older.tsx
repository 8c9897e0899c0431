import { useLayoutEffect, useRef, type ReactNode } from "react";
import { focusList } from "./keyboard.ts";
import { progressOf, searchFurther } from "./searching.ts";
import { asksHost } from "./select.ts";
import { useSelect, useView, useWords } from "./store.ts";

/** Below the list: the way to calls that are stored and not here; where something is looked for, to those that fit. */
export function Older(): ReactNode {
  const { store, post } = useView();
  const words = useWords();
  const looks = useSelect(({ ui }) => asksHost(ui));
  const count = useSelect((state) => (state.ui.scope === "last" ? 0 : state.host.olderCount));
  const progress = useSelect(progressOf);
  const goesOn = useSelect((state) => state.search.goingOn);
  const left = useSelect((state) => state.search.left);
  if (!looks)
    return count === 0 ? null : (
      <OlderButton
        word={words.count("list.older", count)}
        busy={false}
        go={() => post({ kind: "loadOlder" })}
      />
    );
  const busy = progress === "searching" && goesOn;
  if (progress !== "more" && !busy) return null;
  return (
    <OlderButton
      word={busy ? words.say("bar.searching") : words.count("list.further", left)}
      busy={busy}
      go={() => searchFurther(store, post)}
    />
  );
}

interface OlderButtonProps {
  readonly word: string;
  readonly busy: boolean;
  readonly go: () => void;
}

function OlderButton({ word, busy, go }: OlderButtonProps): ReactNode {
  const view = useView();
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const own = button.current;
    return () => {
      // The last page takes the button away; the focus goes back to the list and not to nowhere.
      if (own !== null && own === document.activeElement) queueMicrotask(() => focusList(view));
    };
  }, [view]);
  return (
    <div className="older">
      <button ref={button} type="button" className="act bordered" aria-disabled={busy} onClick={go}>
        {word}
      </button>
    </div>
  );
}
