import { at } from "../../base/assert.ts";
import { joinSplices } from "../text/minimalSplices.ts";
import { Edit, type Splice } from "../text/splice.ts";
import { GRAM_UNITS, GramIndex } from "./gramIndex.ts";

/** A part of the text: what it was, what it is, and the way from one to the other. */
interface Chunk {
  readonly index: number;
  readonly baseFrom: number;
  text: string;
  edit: Edit;
}

/** A place in the present text: units from the start of a chunk. */
export interface ChunkPlace {
  readonly chunk: number;
  readonly offset: number;
}

const CHUNK_UNITS = 8_192;

/**
 * A text that takes many edits one after another without being copied or searched as a whole for each. It is kept in
 * chunks; an index knows in which of them a searched text can be, and learns what edits put in.
 * Law: `text()` is what the edits taken so far make of the base, and `edit()` leads there.
 */
export class WorkingText {
  readonly #base: string;
  readonly #chunks: readonly Chunk[];
  readonly #grams: GramIndex;
  /** By gram: the chunks where it may start. Entries may be stale, but none is ever missing. */
  readonly #holders = new Map<number, Set<Chunk>>();
  #flat: string | undefined;

  constructor(base: string, searched: Iterable<string>, chunkUnits: number = CHUNK_UNITS) {
    this.#base = base;
    this.#flat = base;
    const chunks: Chunk[] = [];
    for (let from = 0; from < base.length || chunks.length === 0; from += chunkUnits) {
      const text = base.slice(from, from + chunkUnits);
      chunks.push({ index: chunks.length, baseFrom: from, text, edit: Edit.none(text.length) });
    }
    this.#chunks = chunks;
    this.#grams = new GramIndex(base, searched);
    this.#grams.scan(base, (hash, from) =>
      this.#hold(hash, at(chunks, Math.floor(from / chunkUnits))),
    );
  }

  /** The present text as one string. */
  text(): string {
    return (this.#flat ??= this.#chunks.map((chunk) => chunk.text).join(""));
  }

  /** Where a place lies in the present text as a whole. */
  offsetOf({ chunk, offset }: ChunkPlace): number {
    let start = 0;
    for (let i = 0; i < chunk; i++) start += at(this.#chunks, i).text.length;
    return start + offset;
  }

  /** Everything done so far as one edit of the base. */
  edit(): Edit {
    const splices: Splice[] = [];
    for (const { baseFrom, edit } of this.#chunks)
      for (const { from, to, insert } of edit.splices)
        splices.push({ from: baseFrom + from, to: baseFrom + to, insert });
    return Edit.of(this.#base.length, joinSplices(splices));
  }

  /** The places of a searched text, two at most, overlapping ones too; null where the index cannot tell. */
  find(searched: string): readonly ChunkPlace[] | null {
    const gram = this.#grams.wanted(searched);
    if (gram === undefined) return null;
    const places: ChunkPlace[] = [];
    for (const chunk of this.#holders.get(gram.hash) ?? []) {
      const before = this.#before(chunk.index, gram.offset);
      const window = before + chunk.text + this.#behind(chunk.index, searched.length - gram.offset);
      for (
        let found = window.indexOf(searched);
        found >= 0;
        found = window.indexOf(searched, found + 1)
      ) {
        const gramAt = found + gram.offset - before.length;
        if (gramAt < 0 || gramAt >= chunk.text.length) continue;
        places.push(this.#normal(chunk.index, found - before.length));
        if (places.length === 2) return places;
      }
    }
    return places;
  }

  /** Takes splices whose offsets count from the start of a chunk; they may reach into the ones behind it. */
  apply(firstChunk: number, splices: readonly Splice[]): void {
    this.#flat = undefined;
    let index = firstChunk;
    let start = 0; // of chunk `index`, counted as the splices are
    let own: Splice[] = [];
    const flush = (): void => {
      this.#applyInside(at(this.#chunks, index), own);
      own = [];
    };
    for (const splice of splices) {
      let { from, insert } = splice;
      for (;;) {
        const length = at(this.#chunks, index).edit.newLength;
        const isLast = index === this.#chunks.length - 1;
        if (from > start + length || (from === start + length && splice.to > from && !isLast)) {
          flush();
          start += length;
          index++;
          continue;
        }
        const to = Math.min(splice.to, start + length);
        own.push({ from: from - start, to: to - start, insert });
        if (to === splice.to) break;
        from = to;
        insert = "";
      }
    }
    flush();
  }

  /** `own` is in units of the chunk's present text. */
  #applyInside(chunk: Chunk, own: readonly Splice[]): void {
    if (own.length === 0) return;
    const next = Edit.of(chunk.text.length, joinSplices(own));
    chunk.text = next.apply(chunk.text);
    chunk.edit = chunk.edit.compose(next);
    let shift = 0;
    for (const { from, to, insert } of next.splices) {
      this.#learn(chunk, from + shift, from + shift + insert.length);
      shift += insert.length - (to - from);
    }
  }

  /** Looks for grams that touch a part of a chunk that has just changed. */
  #learn(chunk: Chunk, from: number, to: number): void {
    const around = GRAM_UNITS - 1;
    const text =
      (from < around ? this.#before(chunk.index, around - from) : "") +
      chunk.text.slice(Math.max(0, from - around), to + around) +
      (to + around > chunk.text.length
        ? this.#behind(chunk.index, to + around - chunk.text.length)
        : "");
    // A gram that starts before the chunk starts in one of those that the text was taken from.
    const first = from < around ? this.#normal(chunk.index, from - around).chunk : chunk.index;
    this.#grams.scan(text, (hash) => {
      for (let index = first; index <= chunk.index; index++)
        this.#hold(hash, at(this.#chunks, index));
    });
  }

  #hold(hash: number, chunk: Chunk): void {
    const holders = this.#holders.get(hash);
    if (holders === undefined) this.#holders.set(hash, new Set([chunk]));
    else holders.add(chunk);
  }

  #before(index: number, count: number): string {
    let text = "";
    for (let i = index - 1; i >= 0 && text.length < count; i--)
      text = at(this.#chunks, i).text + text;
    return text.slice(Math.max(0, text.length - count));
  }

  #behind(index: number, count: number): string {
    let text = "";
    for (let i = index + 1; i < this.#chunks.length && text.length < count; i++)
      text += at(this.#chunks, i).text;
    return text.slice(0, count);
  }

  /** The same place, counted from the chunk it lies in; before the first chunk it is its start. */
  #normal(index: number, offset: number): ChunkPlace {
    let chunk = index;
    let rest = offset;
    while (rest < 0 && chunk > 0) {
      chunk--;
      rest += at(this.#chunks, chunk).text.length;
    }
    return { chunk, offset: Math.max(0, rest) };
  }
}
