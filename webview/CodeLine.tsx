import type { ReactNode } from "react";
import { shownLine, type Piece } from "./diffLines.ts";
import { useWords } from "./store.ts";

export interface CodeLineProps {
  readonly text: string;
  readonly marks?: readonly (readonly [number, number])[] | undefined;
}

/** A line of code as text: marked parts, and hidden characters by their number. Never anything but text. */
export function CodeLine({ text, marks }: CodeLineProps): ReactNode {
  const { pieces, unitsBefore, unitsAfter } = shownLine(text, marks);
  return (
    <>
      {0 < unitsBefore && <LeftOut units={unitsBefore} />}
      {pieces.map((piece, index) => (
        <Part key={index} piece={piece} />
      ))}
      {0 < unitsAfter && <LeftOut units={unitsAfter} />}
    </>
  );
}

function Part({ piece: { text, marked, hidden } }: { readonly piece: Piece }): ReactNode {
  const inner = hidden === undefined ? text : <span className="hidden-character">{hidden}</span>;
  return marked ? <mark>{inner}</mark> : inner;
}

/** How much of a very long line is not drawn. */
function LeftOut({ units }: { readonly units: number }): ReactNode {
  const words = useWords();
  return <span className="tail">{words.count("diff.lineCut", units)}</span>;
}
