/** One replacement: the half-open range `from`..`to` of the old text gives way to `insert`. UTF-16 offsets. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/**
 * A set of replacements for a text of one length: sorted, disjoint, checked once. Two splices may touch, and two
 * may not stand at one place (their order would carry meaning that a range cannot tell).
 */
export class Edit {
  readonly length: number;
  readonly splices: readonly Splice[];

  private constructor(length: number, splices: readonly Splice[]) {
    this.length = length;
    this.splices = splices;
  }

  static of(length: number, splices: readonly Splice[]): Edit {
    let free = 0;
    let previous = -1;
    for (const { from, to } of splices) {
      if (from < free || to < from || length < to || from === previous)
        throw new RangeError(`splice ${from}-${to} in a text of ${length}, free from ${free}`);
      free = to;
      previous = from;
    }
    return new Edit(length, splices);
  }

  static none(length: number): Edit {
    return new Edit(length, []);
  }

  get isEmpty(): boolean {
    return this.splices.length === 0;
  }

  /** The new text. `base` must have the edit's length. */
  apply(base: string): string {
    this.#check(base);
    if (this.splices.length === 1) {
      const [only] = this.splices as readonly [Splice];
      return base.slice(0, only.from) + only.insert + base.slice(only.to);
    }
    const parts: string[] = [];
    let done = 0;
    for (const { from, to, insert } of this.splices) {
      parts.push(base.slice(done, from), insert);
      done = to;
    }
    parts.push(base.slice(done));
    return parts.join("");
  }

  /**
   * The edit that takes `apply(base)` back to `base`.
   * Law L2: `e.invert(base).apply(e.apply(base)) === base`, for every base of the edit's length.
   */
  invert(base: string): Edit {
    this.#check(base);
    let shift = 0;
    const splices = this.splices.map(({ from, to, insert }) => {
      const at = from + shift;
      shift += insert.length - (to - from);
      return { from: at, to: at + insert.length, insert: base.slice(from, to) };
    });
    return new Edit(this.length + shift, splices);
  }

  /**
   * One edit that does what this one and then `next` do.
   * Law L2: `a.compose(b).apply(base) === b.apply(a.apply(base))`, and composing is associative in effect.
   */
  compose(next: Edit): Edit {
    if (next.splices.length === 0) return this;
    if (this.splices.length === 0) return next;
    return new Edit(this.length, composeSplices(this.splices, next.splices));
  }

  /** Where an old offset lies in the new text; inside a replaced range it moves to the range's new end. */
  map(offset: number): number {
    let shift = 0;
    for (const { from, to, insert } of this.splices) {
      if (offset < from || (offset === from && to > from)) break;
      if (offset < to) return from + shift + insert.length;
      shift += insert.length - (to - from);
    }
    return offset + shift;
  }

  #check(base: string): void {
    if (base.length !== this.length)
      throw new RangeError(`an edit for ${this.length} units got a text of ${base.length}`);
  }
}

/** Walks both lists once; every run of overlapping splices becomes one splice of the old text. */
function composeSplices(first: readonly Splice[], second: readonly Splice[]): readonly Splice[] {
  const out: Splice[] = [];
  let i = 0;
  let j = 0;
  let shift = 0; // new offset minus old offset, behind all splices of `first` already passed
  while (i < first.length || j < second.length) {
    const a = first[i];
    const b = second[j];
    const aFrom = a === undefined ? Infinity : a.from + shift;
    const bFrom = b === undefined ? Infinity : b.from;
    const aTo = a === undefined ? Infinity : aFrom + a.insert.length;
    // A splice that ends before the other begins stands alone. Touching ones are merged, so order is kept.
    if (a !== undefined && aTo < bFrom) {
      pushSplice(out, a);
      shift += a.insert.length - (a.to - a.from);
      i++;
      continue;
    }
    if (b !== undefined && b.to < aFrom) {
      pushSplice(out, { from: b.from - shift, to: b.to - shift, insert: b.insert });
      j++;
      continue;
    }
    // A run: take splices from both sides as long as they touch what the run covers in the middle text.
    const runFrom = Math.min(aFrom, bFrom);
    const oldFrom = runFrom === aFrom && a !== undefined ? a.from : runFrom - shift;
    let runTo = runFrom;
    const firstOfRun = i;
    const secondOfRun = j;
    let runShift = shift;
    for (;;) {
      const nextA = first[i];
      const nextB = second[j];
      if (nextA !== undefined && nextA.from + runShift <= runTo) {
        runTo = Math.max(runTo, nextA.from + runShift + nextA.insert.length);
        runShift += nextA.insert.length - (nextA.to - nextA.from);
        i++;
      } else if (nextB !== undefined && nextB.from <= runTo) {
        runTo = Math.max(runTo, nextB.to);
        j++;
      } else break;
    }
    // The run's middle text is known only inside `first`'s insertions and, between them, in the old text;
    // old text that both leave alone is kept out by splitting the run's pieces around it.
    pushRun(out, first.slice(firstOfRun, i), second.slice(secondOfRun, j), oldFrom, runFrom);
    shift = runShift;
  }
  return out;
}

/** Merges one run. `second`'s ranges speak of the middle text, `first`'s of the old text. */
function pushRun(
  out: Splice[],
  first: readonly Splice[],
  second: readonly Splice[],
  oldFrom: number,
  middleFrom: number,
): void {
  // Cut the run into pieces of the middle text: inserted by `first` (with its text) or kept (old range).
  interface Piece {
    readonly from: number;
    readonly to: number;
    readonly old: number;
    readonly oldTo: number;
    readonly text: string | null;
  }
  const pieces: Piece[] = [];
  let middle = middleFrom;
  let old = oldFrom;
  for (const a of first) {
    if (a.from > old) {
      pieces.push({ from: middle, to: middle + a.from - old, old, oldTo: a.from, text: null });
      middle += a.from - old;
    }
    const to = middle + a.insert.length;
    pieces.push({ from: middle, to, old: a.from, oldTo: a.to, text: a.insert });
    middle = to;
    old = a.to;
  }
  const last = second.at(-1);
  if (last !== undefined && last.to > middle)
    pieces.push({ from: middle, to: last.to, old, oldTo: old + last.to - middle, text: null });

  let from = oldFrom;
  let to = oldFrom;
  let insert = "";
  let j = 0;
  let at = middleFrom;
  const flush = (keptTo: number): void => {
    if (to > from || insert !== "") pushSplice(out, { from, to, insert });
    from = keptTo;
    to = keptTo;
    insert = "";
  };
  // Replacements that stand at one place are taken in the middle text's order.
  const takeInsertions = (place: number): void => {
    for (let b = second[j]; b !== undefined && b.from === place && at <= place; b = second[j]) {
      insert += b.insert;
      at = Math.max(at, b.to);
      j++;
    }
  };
  for (const piece of pieces) {
    if (piece.text !== null) to = Math.max(to, piece.oldTo);
    let place = piece.from;
    takeInsertions(place);
    while (place < piece.to) {
      if (at > place) {
        // Removed by `second`: kept old text is removed as well, inserted text is dropped.
        const end = Math.min(at, piece.to);
        if (piece.text === null) to = piece.old + end - piece.from;
        place = end;
        takeInsertions(place);
        continue;
      }
      const end = Math.min(piece.to, second[j]?.from ?? Infinity);
      if (piece.text === null) flush(piece.old + end - piece.from);
      else insert += piece.text.slice(place - piece.from, end - piece.from);
      place = end;
      at = Math.max(at, place);
      takeInsertions(place);
    }
    if (piece.text !== null) to = Math.max(to, piece.oldTo);
  }
  for (let b = second[j]; b !== undefined; b = second[++j]) insert += b.insert;
  if (to > from || insert !== "") pushSplice(out, { from, to, insert });
}

/** Two splices that touch at an insertion point are one, so that no two ever stand at one place. */
function pushSplice(out: Splice[], next: Splice): void {
  const previous = out.at(-1);
  if (previous !== undefined && previous.to === next.from) {
    out[out.length - 1] = {
      from: previous.from,
      to: next.to,
      insert: previous.insert + next.insert,
    };
  } else out.push(next);
}
