import { useCallback, type ReactNode } from "react";
import { tabRow } from "./select.ts";
import { useSelect, useView, useWords } from "./store.ts";

/** A codicon. It never says anything alone, so screen readers skip it. */
export function Icon({ name }: { readonly name: string }): ReactNode {
  return <span className={`codicon codicon-${name}`} aria-hidden="true" />;
}

export interface CountsProps {
  readonly added: number;
  readonly removed: number;
}

/** `+a −r`, with the numbers in words for those who do not see them; nothing when nothing changed. */
export function Counts({ added, removed }: CountsProps): ReactNode {
  const words = useWords();
  if (added === 0 && removed === 0) return null;
  return (
    <span className="counts" role="img" aria-label={words.say("changes.label", { added, removed })}>
      {0 < added && <span className="plus">{`+${words.number(added)}`}</span>}
      {0 < removed && <span className="minus">{`−${words.number(removed)}`}</span>}
    </span>
  );
}

/** Is this the row that Tab goes to? Its buttons are the only ones of the list in the tab order. */
export function useIsTabRow(key: string): boolean {
  return useSelect((state) => tabRow(state) === key);
}

/** The ref of a row's focus target: what the arrows move to. */
export function useRowTarget(key: string): (target: HTMLElement | null) => void {
  const { rowFocus } = useView();
  return useCallback((target: HTMLElement | null) => rowFocus.attach(key, target), [rowFocus, key]);
}
