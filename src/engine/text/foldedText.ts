/**
 * A text with its typographic look-alikes folded, and the way back: unit `i` of `text` stands for the source
 * from `starts[i]` up to `starts[i + 1]`. The ranges lie side by side, so a range of folded units is a range of
 * the source, and together they cover all of it (of the trimmed line, where it was trimmed). `cores[i]` is where
 * the unit itself stands, without the space or the invisible characters that were merged into its range.
 *
 * Two texts that a reader takes for the same fold to the same `text`: curly and straight quotes, dashes,
 * full-width punctuation with or without the space beside it, zero-width characters, variation selectors.
 */
export interface Folded {
  readonly text: string;
  readonly starts: Uint32Array;
  readonly cores: Uint32Array;
}

/** Takes folded units one by one. A space of its own may be taken back once, by what comes next. */
export interface FoldSink {
  push(unit: number, at: number, isPlainSpace: boolean): void;
  endsInSpace(): boolean;
  dropSpace(): void;
}

/** The folded units under way. A start is fixed when its unit comes; the end of a range is the next start. */
export class FoldedText implements FoldSink {
  readonly #units: Uint16Array;
  readonly #starts: Uint32Array;
  readonly #cores: Uint32Array;
  #count = 0;
  #lastIsSpace = false;
  /** Where the next unit's range starts, when it takes over the range of a dropped space; else -1. */
  #from = -1;

  constructor(capacity: number) {
    this.#units = new Uint16Array(capacity);
    this.#starts = new Uint32Array(capacity + 1);
    this.#cores = new Uint32Array(capacity);
  }

  push(unit: number, at: number, isPlainSpace: boolean): void {
    this.#units[this.#count] = unit;
    this.#starts[this.#count] = this.#from < 0 ? at : this.#from;
    this.#cores[this.#count] = at;
    this.#from = -1;
    this.#count++;
    this.#lastIsSpace = isPlainSpace;
  }

  endsInSpace(): boolean {
    return this.#lastIsSpace;
  }

  /** Takes the last unit back, a space of its own: its range goes to the unit that comes next. */
  dropSpace(): void {
    this.#count--;
    this.#from = this.#starts[this.#count] ?? 0;
  }

  finish(begin: number, end: number): Folded {
    if (this.#count > 0) this.#starts[0] = begin;
    this.#starts[this.#count] = end;
    return {
      text: decodeUnits(this.#units, this.#count),
      starts: this.#starts.subarray(0, this.#count + 1),
      cores: this.#cores.subarray(0, this.#count),
    };
  }
}

/** Compares a rolling hash of the last units with that of the wanted text. */
export class FoldedSearch implements FoldSink {
  readonly #length: number;
  readonly #wanted: number;
  readonly #leaving: number;
  /** The last units, in a ring as long as the wanted text. */
  readonly #ring: Uint16Array;
  #at = 0;
  #count = 0;
  #hash = 0;
  #pendingSpace = false;
  #found = false;

  constructor(wanted: string) {
    this.#length = wanted.length;
    this.#ring = new Uint16Array(Math.max(1, wanted.length));
    let hash = 0;
    let leaving = 1;
    for (let i = 0; i < wanted.length; i++) {
      hash = (Math.imul(hash, HASH_FACTOR) + wanted.charCodeAt(i)) | 0;
      leaving = Math.imul(leaving, HASH_FACTOR);
    }
    this.#wanted = hash;
    this.#leaving = leaving;
  }

  push(unit: number, _at: number, isPlainSpace: boolean): void {
    if (this.#pendingSpace) this.#feed(0x20);
    this.#pendingSpace = isPlainSpace;
    if (!isPlainSpace) this.#feed(unit);
  }

  endsInSpace(): boolean {
    return this.#pendingSpace;
  }

  dropSpace(): void {
    this.#pendingSpace = false;
  }

  finish(): boolean {
    if (this.#pendingSpace) this.#feed(0x20);
    return this.#found;
  }

  #feed(unit: number): void {
    const old = this.#ring[this.#at] ?? 0; // zero until the ring is full, and so without weight
    this.#ring[this.#at] = unit;
    this.#at = this.#at + 1 === this.#length ? 0 : this.#at + 1;
    this.#hash = (Math.imul(this.#hash, HASH_FACTOR) + unit - Math.imul(old, this.#leaving)) | 0;
    this.#count++;
    if (this.#hash === this.#wanted && this.#count >= this.#length) this.#found = true;
  }
}

const HASH_FACTOR = 0x01000193;

/** `String.fromCharCode` takes its units as arguments, so long texts are made in parts. */
function decodeUnits(units: Uint16Array, count: number): string {
  const parts: string[] = [];
  for (let from = 0; from < count; from += 8192) {
    // `apply` takes a typed array for its list, which its type does not say; spreading it is three times slower.
    const part: ArrayLike<number> = units.subarray(from, Math.min(count, from + 8192));
    parts.push(String(Reflect.apply(String.fromCharCode, null, part)));
  }
  return parts.join("");
}
