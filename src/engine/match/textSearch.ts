import { Needle } from "../text/needle.ts";
import { dominantEnding, type SourceText } from "../text/sourceText.ts";

/** Passes over the text that all searches together may take: more are dearer than a hash of every line. */
const PASSES_MAX = 12;
/** A longer block is not searched for: the worst case of a search grows with it. */
const BLOCK_UNITS_MAX = 1_024;
/** Hits inside a line, which are no place, before the search is given up. */
const MISHITS_MAX = 32;

/**
 * Exact places of lines by a search for them as one block of text, which is far quicker than looking at every
 * line. Only for texts with one kind of line ending; the work of all searches is bounded.
 */
export class TextSearch {
  readonly #source: SourceText;
  #unitsLeft: number;

  /** `questions`: so many are to come, spread over the text. Where they would cost too much, none is answered. */
  constructor(source: SourceText, questions: number) {
    this.#source = source;
    this.#unitsLeft = questions / 2 > PASSES_MAX ? 0 : PASSES_MAX * source.text.length;
  }

  /** First lines of the places in `from`..`to`, ascending, at most `max`; null where a search is no good. */
  places(lines: readonly string[], from: number, to: number, max: number): number[] | null {
    const { text } = this.#source;
    const { style } = this.#source;
    if (style.kind === "mixed") return null;
    const ending = dominantEnding(style);
    const block = lines.length === 1 ? (lines[0] ?? "") : lines.join(ending);
    if (block === "" || block.length > BLOCK_UNITS_MAX) return null;
    const start = this.#source.start(from);
    this.#unitsLeft -= this.#source.start(to) - start;
    if (this.#unitsLeft < 0) return null;
    const needle = new Needle(block);
    let found: number[] | null = null;
    let mishits = 0;
    for (
      let at = needle.indexIn(text, start);
      at >= 0 && (found === null || found.length < max);
      at = needle.indexIn(text, at + 1)
    ) {
      const index = this.#source.lineAt(at);
      if (index + lines.length > to) break;
      if (!this.#areLines(at, block.length, index, lines.length)) {
        if (++mishits > MISHITS_MAX) return null;
      } else if (found === null) found = [index];
      else found.push(index);
    }
    return found ?? [];
  }

  /** Whether so many units from the offset on are `count` whole lines from `index` on. */
  #areLines(offset: number, units: number, index: number, count: number): boolean {
    const source = this.#source;
    return (
      index + count <= source.lineCount &&
      source.start(index) === offset &&
      source.contentEnd(index + count - 1) === offset + units
    );
  }
}
