import { useSyncExternalStore } from "react";

/** Two columns of code need this much room; zoom makes it less. Also in layout.css, for the button. */
const WIDE = "(min-width: 640px)";

/** Has the panel room for the two sides of a diff beside each other? */
export function useWide(): boolean {
  return useSyncExternalStore(onChange, isWide);
}

function isWide(): boolean {
  return window.matchMedia(WIDE).matches;
}

function onChange(tell: () => void): () => void {
  const query = window.matchMedia(WIDE);
  query.addEventListener("change", tell);
  return () => {
    query.removeEventListener("change", tell);
  };
}
