export interface WindowSearch {
  /** One hash for each line of the text; 0 where a line cannot match. */
  readonly hashes: Int32Array;
  /** Where each wanted hash stands, ascending. */
  readonly postings: ReadonlyMap<number, readonly number[]>;
  /** The hashes to be found one after another. */
  readonly wanted: Int32Array;
  readonly from: number;
  readonly to: number;
  readonly max: number;
}

/** Above this many comparisons for each line of the text, the search that never looks back is cheaper. */
const COMPARISONS_PER_LINE = 4;

/**
 * Windows of `from`..`to` whose hashes are the wanted ones and that `verify` confirms, ascending. Looks only where
 * the rarest wanted line stands; where even that one is everywhere, walks the lines once.
 */
export function matchingWindows(
  search: WindowSearch,
  verify: (start: number) => boolean,
): number[] {
  const rarest = rarestLine(search);
  if (rarest === null) return [];
  const { at, indexes, first } = rarest;
  const { hashes, wanted, from, to, max } = search;
  const comparisons = (indexes.length - first) * wanted.length;
  if (comparisons > COMPARISONS_PER_LINE * (to - from) + 256) return walked(search, verify);
  const found: number[] = [];
  for (let k = first; k < indexes.length && found.length < max; k++) {
    const start = (indexes[k] ?? 0) - at;
    if (start + wanted.length > to) break;
    if (start >= from && sameHashes(hashes, wanted, start) && verify(start)) found.push(start);
  }
  return found;
}

function rarestLine({ postings, wanted, from }: WindowSearch): {
  readonly at: number;
  readonly indexes: readonly number[];
  readonly first: number;
} | null {
  let best: { at: number; indexes: readonly number[]; first: number } | null = null;
  let least = Infinity;
  for (let at = 0; at < wanted.length; at++) {
    const indexes = postings.get(wanted[at] ?? 0);
    if (indexes === undefined || indexes.length === 0) return null;
    const first = lowerBound(indexes, from + at);
    const count = indexes.length - first;
    if (count === 0) return null;
    if (count < least) {
      least = count;
      best = { at, indexes, first };
    }
  }
  return best;
}

/** Index of the first item that is not below `value`. */
export function lowerBound(items: readonly number[], value: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((items[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sameHashes(hashes: Int32Array, wanted: Int32Array, start: number): boolean {
  for (let i = 0; i < wanted.length; i++) if (hashes[start + i] !== wanted[i]) return false;
  return true;
}

/** Knuth, Morris and Pratt over line hashes: each line is looked at once, whatever the repetitions. */
function walked(
  { hashes, wanted, from, to, max }: WindowSearch,
  verify: (start: number) => boolean,
): number[] {
  const back = borders(wanted);
  const found: number[] = [];
  let matched = 0;
  let failed = 0;
  for (let i = from; i < to && found.length < max; i++) {
    while (matched > 0 && hashes[i] !== wanted[matched]) matched = back[matched - 1] ?? 0;
    if (hashes[i] === wanted[matched]) matched++;
    if (matched < wanted.length) continue;
    const start = i - wanted.length + 1;
    if (verify(start)) found.push(start);
    // Equal hashes of unequal lines are chance; many of them are an attack, which ends the search.
    else if (++failed > 64) break;
    matched = back[matched - 1] ?? 0;
  }
  return found;
}

/** For each prefix the length of its longest proper prefix that is also its suffix. */
function borders(wanted: Int32Array): Int32Array {
  const back = new Int32Array(wanted.length);
  for (let i = 1, length = 0; i < wanted.length; i++) {
    while (length > 0 && wanted[i] !== wanted[length]) length = back[length - 1] ?? 0;
    if (wanted[i] === wanted[length]) length++;
    back[i] = length;
  }
  return back;
}
