import type { ReactNode } from "react";
import type { Piece } from "./diffLines.ts";

/** A line of code as text: marked parts, and hidden characters by their number. Never anything but text. */
export function Pieces({ pieces }: { readonly pieces: readonly Piece[] }): ReactNode {
  return pieces.map((piece, index) => {
    const text = piece.hidden ?? piece.text;
    const inner =
      piece.hidden === undefined ? text : <span className="hidden-character">{text}</span>;
    return piece.marked ? <mark key={index}>{inner}</mark> : <span key={index}>{inner}</span>;
  });
}
