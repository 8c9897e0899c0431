import type { ReactNode } from "react";
import type { ErrorCard } from "../src/protocol/cards.ts";
import { CodeLine } from "./CodeLine.tsx";
import { useWords } from "./store.ts";

/** A failure in three parts, in this order: what is wrong, what to do, the nearest lines of the file. */
export function ErrorBlock({ error }: { readonly error: ErrorCard }): ReactNode {
  const words = useWords();
  const near = error.near ?? [];
  return (
    <div className="error">
      <p className="wrong">{error.message}</p>
      {error.advice !== undefined && error.advice !== "" && (
        <p className="advice">{error.advice}</p>
      )}
      {0 < near.length && (
        <div className="near" role="group" aria-label={words.say("error.near")}>
          {near.map(({ number, text }) => (
            <div className="near-line" key={number}>
              <span className="n">{number}</span>
              <span className="code">
                <CodeLine text={text} />
              </span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
