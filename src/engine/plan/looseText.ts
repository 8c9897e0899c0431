import { at } from "../../base/assert.ts";
import { foldSequence } from "../text/lookAlike.ts";
import type { Splice } from "../text/splice.ts";
import { GRAM_UNITS, GramIndex } from "./gramIndex.ts";

/** Some whole lines of the text. */
interface Chunk {
  readonly index: number;
  text: string;
  /** The text with look-alikes folded and without white space: what no tolerance leaves aside. */
  skeleton: string;
  lineCount: number;
}

/** A part of the text that was taken out, in units of both. */
export interface Excerpt {
  readonly from: number;
  readonly to: number;
  readonly sourceFrom: number;
}

/** The only lines of a text in which another one can stand, apart from each other. */
export interface Excerpts {
  readonly text: string;
  readonly parts: readonly Excerpt[];
}

/** How finely a text is cut, and from which part of it on it is searched as a whole. */
export interface LooseLimits {
  readonly chunkUnits: number;
  readonly shareMax: number;
}

const LIMITS: LooseLimits = { chunkUnits: 4_096, shareMax: 0.25 };
/** With more places than these a search of the whole text is as quick. */
const PLACES_MAX = 64;

/**
 * A text in chunks of whole lines, with an index that tells where another text can stand under any tolerance of white
 * space and look-alike punctuation, so that not every edit has to search the whole text. For texts without CR.
 *
 * Why nothing is missed: folding works line by line, and every step compares the folded lines up to white space. So a
 * place of the other text holds its skeleton, too, and a run of a few units of it.
 */
export class LooseText {
  readonly #chunks: readonly Chunk[];
  readonly #skeletons: ReadonlyMap<string, string>;
  readonly #shareMax: number;
  readonly #grams: GramIndex;
  /** By gram: the chunks in whose skeleton it may start. Entries may be stale, but none is ever missing. */
  readonly #holders = new Map<number, Set<Chunk>>();

  constructor(
    text: string,
    searched: Iterable<string>,
    { chunkUnits, shareMax }: LooseLimits = LIMITS,
  ) {
    this.#shareMax = shareMax;
    const chunks: Chunk[] = [];
    for (let from = 0; from < text.length;) {
      const lf = text.indexOf("\n", from + chunkUnits - 1);
      const to = lf < 0 ? text.length : lf + 1;
      chunks.push({ index: chunks.length, ...content(text.slice(from, to)) });
      from = to;
    }
    this.#chunks = chunks;
    this.#skeletons = new Map(Array.from(searched, (one) => [one, skeletonOf(one)]));
    const whole = chunks.map(({ skeleton }) => skeleton).join("");
    this.#grams = new GramIndex(whole, this.#skeletons.values());
    for (const { index } of chunks) this.#learn(index);
  }

  /**
   * The lines around every place where `searched` can stand, with as many more as it has itself; null where the index
   * cannot tell, or would save nothing.
   */
  excerpts(searched: string, lineCount: number): Excerpts | null {
    const skeleton = this.#skeletons.get(searched);
    const ranges = skeleton === undefined ? null : this.#ranges(skeleton, lineCount);
    if (ranges === null || ranges.length === 0) return null;
    const separator = `${absentFrom(searched)}\n`;
    const parts: Excerpt[] = [];
    let text = "";
    let sourceFrom = 0;
    let index = 0;
    let total = 0;
    for (const chunk of this.#chunks) total += chunk.text.length;
    for (const { from, to } of ranges) {
      for (; index < from; index++) sourceFrom += at(this.#chunks, index).text.length;
      // A line that is nowhere keeps the parts apart, and stands for the line before.
      if (index > 0) text += separator;
      const start = text.length;
      for (; index < to; index++) text += at(this.#chunks, index).text;
      parts.push({ from: start, to: text.length, sourceFrom });
      sourceFrom += text.length - start;
      if (text.length > total * this.#shareMax) return null;
    }
    if (index < this.#chunks.length) text += separator;
    return { text, parts };
  }

  /** The text from its start on, at least so many lines of it where it has them. */
  head(lineCount: number): string {
    let text = "";
    let lines = 0;
    for (const chunk of this.#chunks) {
      if (lines >= lineCount) break;
      text += chunk.text;
      lines += chunk.lineCount;
    }
    return text;
  }

  /** Takes splices in units of the present text; sorted, and apart from each other. */
  apply(splices: readonly Splice[]): void {
    for (const splice of splices.toReversed()) this.#splice(splice);
  }

  #splice({ from, to, insert }: Splice): void {
    const last = this.#chunks.length - 1;
    let first = 0;
    let start = 0;
    for (; first < last; first++) {
      const next = start + at(this.#chunks, first).text.length;
      if (from <= next) break;
      start = next;
    }
    let end = first;
    let text = at(this.#chunks, first).text;
    while (start + text.length < to && end < last) text += at(this.#chunks, ++end).text;
    text = text.slice(0, from - start) + insert + text.slice(to - start);
    // A line that lost its end goes on in the next chunk.
    while (text !== "" && !text.endsWith("\n") && end < last) text += at(this.#chunks, ++end).text;
    Object.assign(at(this.#chunks, first), content(text));
    for (let i = first + 1; i <= end; i++) Object.assign(at(this.#chunks, i), content(""));
    this.#learn(first);
  }

  /** Looks for grams that touch a chunk's skeleton. */
  #learn(index: number): void {
    const around = GRAM_UNITS - 1;
    const before = this.#before(index, around);
    const text = before + at(this.#chunks, index).skeleton + this.#behind(index, around);
    const first = this.#chunkAt(index, -before.length);
    this.#grams.scan(text, (hash) => {
      for (let i = first; i <= index; i++) this.#hold(hash, at(this.#chunks, i));
    });
  }

  #hold(hash: number, chunk: Chunk): void {
    const holders = this.#holders.get(hash);
    if (holders === undefined) this.#holders.set(hash, new Set([chunk]));
    else holders.add(chunk);
  }

  /** Chunks, half-open and apart, around every place of a skeleton. */
  #ranges(skeleton: string, lineCount: number): readonly { from: number; to: number }[] | null {
    const gram = this.#grams.wanted(skeleton);
    if (gram === undefined) return null;
    const found: { from: number; to: number }[] = [];
    for (const { index, skeleton: own } of this.#holders.get(gram.hash) ?? []) {
      const before = this.#before(index, gram.offset);
      const text = before + own + this.#behind(index, skeleton.length - gram.offset);
      for (let at = text.indexOf(skeleton); at >= 0; at = text.indexOf(skeleton, at + 1)) {
        const start = at - before.length;
        if (start + gram.offset < 0 || start + gram.offset >= own.length) continue;
        if (found.length === PLACES_MAX) return null;
        const last = this.#chunkAt(index, start + skeleton.length - 1);
        found.push(this.#widened(this.#chunkAt(index, start), last, lineCount));
      }
    }
    found.sort((a, b) => a.from - b.from);
    const ranges: { from: number; to: number }[] = [];
    for (const range of found) {
      const last = ranges.at(-1);
      if (last !== undefined && range.from <= last.to) last.to = Math.max(last.to, range.to);
      else ranges.push(range);
    }
    return ranges;
  }

  /** Blank lines at either end of a text leave nothing in its skeleton. */
  #widened(first: number, last: number, lineCount: number): { from: number; to: number } {
    let from = first;
    for (let lines = 0; from > 0 && lines <= lineCount;)
      lines += at(this.#chunks, --from).lineCount;
    let to = last + 1;
    for (let lines = 0; to < this.#chunks.length && lines <= lineCount;)
      lines += at(this.#chunks, to++).lineCount;
    return { from, to };
  }

  /** The chunk of a place in skeletons, counted from the start of a chunk's own. */
  #chunkAt(index: number, offset: number): number {
    let chunk = index;
    let rest = offset;
    while (rest < 0 && chunk > 0) rest += at(this.#chunks, --chunk).skeleton.length;
    while (chunk < this.#chunks.length - 1 && rest >= at(this.#chunks, chunk).skeleton.length)
      rest -= at(this.#chunks, chunk++).skeleton.length;
    return chunk;
  }

  #before(index: number, count: number): string {
    let text = "";
    for (let i = index - 1; i >= 0 && text.length < count; i--)
      text = at(this.#chunks, i).skeleton + text;
    return text.slice(Math.max(0, text.length - count));
  }

  #behind(index: number, count: number): string {
    let text = "";
    for (let i = index + 1; i < this.#chunks.length && text.length < count; i++)
      text += at(this.#chunks, i).skeleton;
    return text.slice(0, Math.max(0, count));
  }
}

function content(text: string): Omit<Chunk, "index"> {
  let lineCount = 0;
  for (let lf = text.indexOf("\n"); lf >= 0; lf = text.indexOf("\n", lf + 1)) lineCount++;
  return { text, skeleton: skeletonOf(text), lineCount };
}

/** All that `isSpace` knows. */
const SPACES = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;

function skeletonOf(text: string): string {
  return foldSequence(text).text.replace(SPACES, "");
}

/** A character for private use that the text does not hold; no two lines with it are taken for one. */
function absentFrom(text: string): string {
  let point = 0xe000;
  while (text.includes(String.fromCharCode(point))) point++;
  return String.fromCharCode(point);
}
