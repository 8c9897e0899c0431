import { at } from "../../base/assert.ts";
import { foldSequence, type Folded } from "../text/lookAlike.ts";
import type { SourceText } from "../text/sourceText.ts";

/** Whitespace but for the plain space; all of one unit, so offsets stay. */
const OTHER_SPACE = /[\t\n\v\f\r\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g;

/** As `edit` folds, and every kind of space the same. Runs of spaces stay: the matcher does not fold them either. */
export function foldForReader(line: string): Folded {
  const folded = foldSequence(line);
  const text = folded.text.replace(OTHER_SPACE, () => " ");
  return text === folded.text ? folded : { ...folded, text };
}

/** Lines without the blank ones at the end, folded one by one when first asked for. */
export class BlockLines {
  readonly count: number;
  /** Lines with the blank ones, but without the break the text ends in. */
  readonly height: number;
  readonly #source: SourceText;
  readonly #texts: string[] = [];
  readonly #points: (Uint32Array | undefined)[] = [];
  #places: Map<string, number[]> | undefined;

  private constructor(source: SourceText, count: number) {
    this.#source = source;
    this.count = count;
    this.height = source.lineCount;
  }

  static of(source: SourceText): BlockLines {
    let count = source.lineCount;
    while (count > 0 && source.line(count - 1) === "") count--;
    const lines = new BlockLines(source, count);
    for (let i = 0; i < count; i++) lines.#texts.push(foldForReader(source.line(i)).text);
    return lines;
  }

  raw(index: number): string {
    return this.#source.line(index);
  }

  text(index: number): string {
    return at(this.#texts, index);
  }

  texts(from: number, to: number): readonly string[] {
    return this.#texts.slice(from, to);
  }

  /** Indexes of the lines that read `text`. */
  places(text: string): readonly number[] {
    if (this.#places === undefined) {
      const places = new Map<string, number[]>();
      this.#texts.forEach((line, index) => {
        const known = places.get(line);
        if (known === undefined) places.set(line, [index]);
        else known.push(index);
      });
      this.#places = places;
    }
    return this.#places.get(text) ?? [];
  }

  /** Code points of lines `from`..`to` with breaks between them. */
  length(from: number, to: number): number {
    let sum = to - from - 1;
    for (let i = from; i < to; i++) sum += this.#pointsOf(i).length;
    return sum;
  }

  joined(from: number, to: number): Uint32Array {
    if (from >= to) return new Uint32Array(0);
    const all = new Uint32Array(this.length(from, to));
    let free = 0;
    for (let i = from; i < to; i++) {
      if (i > from) all[free++] = 10;
      const points = this.#pointsOf(i);
      all.set(points, free);
      free += points.length;
    }
    return all;
  }

  #pointsOf(index: number): Uint32Array {
    return (this.#points[index] ??= Uint32Array.from(
      this.text(index),
      (c) => c.codePointAt(0) ?? 0,
    ));
  }
}
