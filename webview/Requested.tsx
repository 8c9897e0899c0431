import { useId, type ReactNode } from "react";
import { cut } from "./diffLines.ts";
import { Icon } from "./parts.tsx";
import { useView, useSelect, useWords } from "./store.ts";
import type { Word } from "./strings.ts";

/** More than this is not laid out; copying gives all of it. */
const REQUESTED_UNITS_MAX = 20_000;

export interface RequestedProps {
  readonly text: string;
  readonly word: Word;
  /** Key under which its folding is kept. */
  readonly part: string;
  /** Unfolded unless a person folds it: while a patch streams, its text is all there is to see. */
  readonly openAtFirst: boolean;
  readonly tabIndex: 0 | -1;
}

/** What the model asked for: plain text, never coloured or laid out as a diff, since none of it was applied. */
export function Requested({ text, word, part, openAtFirst, tabIndex }: RequestedProps): ReactNode {
  const { store } = useView();
  const words = useWords();
  const folded = useSelect((state) => state.ui.folds[part] ?? !openAtFirst);
  const id = useId();
  const shown = cut(text, REQUESTED_UNITS_MAX);
  const left = text.length - shown.length;
  return (
    <div className="requested" data-testid="requested">
      <button
        type="button"
        className="twistie link"
        tabIndex={tabIndex}
        aria-expanded={!folded}
        aria-controls={folded ? undefined : id}
        onClick={() => store.dispatch({ kind: "fold", keys: [part], folded: !folded })}
      >
        <Icon name={folded ? "chevron-right" : "chevron-down"} />
        <span>{words.say(word)}</span>
      </button>
      {!folded && (
        <div id={id}>
          <pre className="requested-text" tabIndex={0} aria-label={words.say(word)} role="group">
            {shown}
          </pre>
          {0 < left && <p className="dim">{words.count("requested.cut", left)}</p>}
        </div>
      )}
    </div>
  );
}
