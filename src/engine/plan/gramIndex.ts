/** Units that are hashed together. Long enough to be rare in code, short enough that most old texts have one. */
export const GRAM_UNITS = 6;

const FACTOR = 0x01000193;
const FACTOR_TO_THE_LAST = power(FACTOR, GRAM_UNITS - 1);
const TABLE_SIZE = 1 << 16;
/** Old texts are told apart by one of their first grams; more of them would not make it much rarer. */
const OFFSETS_MAX = 400;

/** One searched text: the gram that stands for it, and where in the text that gram starts. */
export interface WantedGram {
  readonly hash: number;
  readonly offset: number;
}

/**
 * Finds, in one pass over a text, where any of many searched texts may be: each is told by its rarest run of a few
 * units. What is found is a hint to be checked, and nothing that is there is ever missed.
 */
export class GramIndex {
  readonly #wanted = new Map<string, WantedGram>();
  readonly #hashes = new Set<number>();
  readonly #filter = new Uint8Array(TABLE_SIZE);

  constructor(text: string, searched: Iterable<string>) {
    const counts = countGrams(text);
    for (const one of searched) {
      if (one.length < GRAM_UNITS || this.#wanted.has(one)) continue;
      const gram = rarestGram(one, counts);
      this.#wanted.set(one, gram);
      this.#hashes.add(gram.hash);
      this.#filter[slot(gram.hash)] = 1;
    }
  }

  wanted(text: string): WantedGram | undefined {
    return this.#wanted.get(text);
  }

  /** Calls back for every place in `text` where a gram of a searched text may start. */
  scan(text: string, found: (hash: number, at: number) => void): void {
    eachGram(text, (hash, at) => {
      if (this.#filter[slot(hash)] === 1 && this.#hashes.has(hash)) found(hash, at);
    });
  }
}

function countGrams(text: string): Uint32Array {
  const counts = new Uint32Array(TABLE_SIZE);
  eachGram(text, (hash) => {
    const at = slot(hash);
    counts[at] = (counts[at] ?? 0) + 1;
  });
  return counts;
}

function rarestGram(text: string, counts: Uint32Array): WantedGram {
  let best: WantedGram = { hash: 0, offset: 0 };
  let least = Infinity;
  eachGram(text.slice(0, OFFSETS_MAX), (hash, offset) => {
    const count = counts[slot(hash)] ?? 0;
    if (count >= least) return;
    least = count;
    best = { hash, offset };
  });
  return best;
}

/** A rolling hash: each step takes one unit in and one out. */
function eachGram(text: string, visit: (hash: number, at: number) => void): void {
  if (text.length < GRAM_UNITS) return;
  let hash = 0;
  for (let i = 0; i < GRAM_UNITS; i++) hash = (Math.imul(hash, FACTOR) + text.charCodeAt(i)) | 0;
  visit(hash, 0);
  for (let i = GRAM_UNITS; i < text.length; i++) {
    const leaving = Math.imul(text.charCodeAt(i - GRAM_UNITS), FACTOR_TO_THE_LAST);
    hash = (Math.imul(hash - leaving, FACTOR) + text.charCodeAt(i)) | 0;
    visit(hash, i - GRAM_UNITS + 1);
  }
}

function slot(hash: number): number {
  return (hash ^ (hash >>> 16)) & (TABLE_SIZE - 1);
}

function power(factor: number, exponent: number): number {
  let result = 1;
  for (let i = 0; i < exponent; i++) result = Math.imul(result, factor);
  return result;
}
