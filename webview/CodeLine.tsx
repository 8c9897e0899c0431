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
      {pieces.map(part)}
      {0 < unitsAfter && <LeftOut units={unitsAfter} />}
    </>
  );
}

function part({ text, marked, hidden }: Piece, key: number): ReactNode {
  if (marked)
    return <mark key={key}>{hidden === undefined ? text : hiddenCharacter(hidden, 0)}</mark>;
  return hidden === undefined ? text : hiddenCharacter(hidden, key);
}

function hiddenCharacter(name: string, key: number): ReactNode {
  return (
    <span className="hidden-character" key={key}>
      {name}
    </span>
  );
}

/** How much of a very long line is not drawn. */
function LeftOut({ units }: { readonly units: number }): ReactNode {
  const words = useWords();
  return <span className="tail">{words.count("diff.lineCut", units)}</span>;
}
