import {
  dominantEnding,
  type Ending,
  type EndingStyle,
  type SourceText,
} from "../text/sourceText.ts";
import type { LinePair } from "./pairLines.ts";

/**
 * Whether a replacement is meant to change line endings: both sides have one kind of break throughout and not the
 * same one, or nothing else differs. Then it must match byte for byte and is written as sent.
 */
export function wantsOtherEndings(old: SourceText, now: SourceText): boolean {
  const from = blockEnding(old);
  const to = blockEnding(now);
  if (from !== null && to !== null && from !== to) return true;
  if (old.lineCount !== now.lineCount) return false;
  let differs = false;
  for (let i = 0; i < old.lineCount; i++) {
    if (old.line(i) !== now.line(i)) return false;
    const a = old.ending(i);
    const b = now.ending(i);
    if (a === "" ? b !== "" : b === "") return false;
    if (a !== b) differs = true;
  }
  return differs;
}

/** The one ending that all breaks of a block of two or more lines have; null where there is none. */
function blockEnding(block: SourceText): Ending | null {
  if (block.lineCount < 2) return null;
  const ending = block.ending(0);
  const last = block.lineCount - 1;
  for (let i = 1; i <= last; i++)
    if (block.ending(i) !== ending && (i < last || block.ending(i) !== "")) return null;
  return ending;
}

export interface EndingPlace {
  /** The matched part of the file, cut into lines as `old` is. */
  readonly region: SourceText;
  readonly old: SourceText;
  readonly now: SourceText;
  readonly pairs: readonly LinePair[];
  /** How the whole file breaks its lines. */
  readonly style: EndingStyle;
  /** Ending of a line next to the region, for a file with mixed endings. */
  readonly neighbour: Ending;
  /** Set when the region is whole lines; says whether more of the file follows. */
  readonly wholeLines: { readonly moreFollows: boolean } | null;
}

/**
 * The ending of every new line. A line that takes the place of another keeps that one's own ending; a line that is
 * new takes the file's, and where endings are mixed that of its neighbour.
 */
export function newEndings(place: EndingPlace): readonly Ending[] {
  const { region, old, now, pairs, wholeLines } = place;
  const endings: Ending[] = [];
  let previous = place.neighbour;
  pairs.forEach((pair, index) => {
    const sent = now.ending(index);
    const isLast = index === now.lineCount - 1;
    const keeps = !pair.inserted && (old.ending(pair.old) === "") === (sent === "");
    let ending: Ending = sent === "" ? "" : freshEnding(sent, previous, place.style);
    if (keeps && (region.ending(pair.old) !== "" || isLast)) ending = region.ending(pair.old);
    if (isLast && wholeLines !== null)
      ending = lastEnding(ending, pair, place, wholeLines.moreFollows, previous);
    endings.push(ending);
    if (ending !== "") previous = ending;
  });
  return endings;
}

/** A match of whole lines may lack the ending of its last line; then the file's own ending there is not touched. */
function lastEnding(
  ending: Ending,
  pair: LinePair,
  { region, old, now, style }: EndingPlace,
  moreFollows: boolean,
  previous: Ending,
): Ending {
  const sent = now.ending(now.lineCount - 1);
  const present = region.ending(region.lineCount - 1);
  if ((old.ending(old.lineCount - 1) === "") === (sent === "")) return present;
  if (pair.inserted && present === "") return "";
  // Nothing may be glued to the line that follows.
  return ending === "" && moreFollows ? freshEnding("\n", previous, style) : ending;
}

function freshEnding(sent: Ending, neighbour: Ending, style: EndingStyle): Ending {
  // A lone CR in a file that has none is content, for example of a test of terminal output.
  if (sent === "\r" && style.cr === 0) return sent;
  switch (style.kind) {
    case "none":
      return sent;
    case "mixed":
      return neighbour === "" ? dominantEnding(style) : neighbour;
    default:
      return dominantEnding(style);
  }
}
