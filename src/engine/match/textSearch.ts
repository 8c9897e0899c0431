import type { SourceText } from "../text/sourceText.ts";

/** Passes over the text that all searches together may take: more are dearer than a hash of every line. */
const PASSES_MAX = 8;
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

  constructor(source: SourceText) {
    this.#source = source;
    this.#unitsLeft = PASSES_MAX * source.text.length;
  }

  /** First lines of the places in `from`..`to`, ascending, at most `max`; null where a search is no good. */
  places(lines: readonly string[], from: number, to: number, max: number): number[] | null {
    const { text } = this.#source;
    const ending = this.#ending();
    if (ending === null) return null;
    // With the break above it: few places of a text are breaks, and a hit starts a line.
    const block = ending + lines.join(ending);
    if (block.length === ending.length || block.length > BLOCK_UNITS_MAX) return null;
    const start = this.#source.start(from);
    this.#unitsLeft -= this.#source.start(to) - start;
    if (this.#unitsLeft < 0) return null;
    const found: number[] = [];
    if (from === 0 && this.#isWhole(0, lines.length, block.length - ending.length))
      if (text.startsWith(lines.join(ending))) found.push(0);
    let mishits = 0;
    let at = text.indexOf(block, Math.max(0, start - ending.length));
    while (at >= 0 && found.length < max) {
      const index = this.#source.lineAt(at + ending.length);
      if (index + lines.length > to) break;
      if (this.#isWhole(index, lines.length, block.length - ending.length)) found.push(index);
      else if (++mishits > MISHITS_MAX) return null;
      at = text.indexOf(block, at + 1);
    }
    return found;
  }

  /** Whether so many lines from `index` on have so many units. */
  #isWhole(index: number, count: number, units: number): boolean {
    const { lineCount } = this.#source;
    if (index + count > lineCount) return false;
    return this.#source.contentEnd(index + count - 1) - this.#source.start(index) === units;
  }

  #ending(): "\n" | "\r\n" | "\r" | null {
    switch (this.#source.style.kind) {
      case "none":
      case "lf":
        return "\n";
      case "crlf":
        return "\r\n";
      case "cr":
        return "\r";
      case "mixed":
        return null;
    }
  }
}
