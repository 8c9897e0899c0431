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

  /** Length of the text that `apply` gives. */
  get newLength(): number {
    return this.splices.reduce((sum, s) => sum + s.insert.length - (s.to - s.from), this.length);
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
    if (this.newLength !== next.length)
      throw new RangeError(
        `an edit for ${next.length} units behind one that leaves ${this.newLength}`,
      );
    if (next.isEmpty) return this;
    if (this.isEmpty) return next;
    const out = new SpliceWriter();
    composeSteps(
      new StepReader(this.length, this.splices),
      new StepReader(next.length, next.splices),
      out,
    );
    out.close();
    return new Edit(this.length, out.splices);
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

/** One step over a text: some units stay, some go, or some come in. */
type Step =
  | { readonly kind: "keep"; readonly length: number }
  | { readonly kind: "drop"; readonly length: number }
  | { readonly kind: "add"; readonly text: string };

/**
 * Walks the middle text, which `first` has made and `second` reads, in pieces on which both do one thing. What is
 * added by `first` and dropped by `second` was never there; all other steps are put down in their order.
 */
function composeSteps(first: StepReader, second: StepReader, out: SpliceWriter): void {
  for (;;) {
    const a = first.peek();
    const b = second.peek();
    if (a?.kind === "drop") {
      out.drop(a.length);
      first.take(a.length);
    } else if (b?.kind === "add") {
      out.add(b.text);
      second.take(b.text.length);
    } else if (a === undefined || b === undefined) {
      return;
    } else {
      const length = Math.min(lengthOf(a), lengthOf(b));
      if (a.kind === "add") {
        if (b.kind === "keep") out.add(a.text.slice(0, length));
      } else if (b.kind === "keep") out.keep(length);
      else out.drop(length);
      first.take(length);
      second.take(length);
    }
  }
}

function lengthOf(step: Step): number {
  return step.kind === "add" ? step.text.length : step.length;
}

/** Hands out an edit's steps one by one; a step may be taken in part. */
class StepReader {
  readonly #steps: readonly Step[];
  #index = 0;
  #taken = 0;

  constructor(length: number, splices: readonly Splice[]) {
    const steps: Step[] = [];
    let done = 0;
    for (const { from, to, insert } of splices) {
      if (from > done) steps.push({ kind: "keep", length: from - done });
      if (to > from) steps.push({ kind: "drop", length: to - from });
      if (insert !== "") steps.push({ kind: "add", text: insert });
      done = to;
    }
    if (length > done) steps.push({ kind: "keep", length: length - done });
    this.#steps = steps;
  }

  peek(): Step | undefined {
    const step = this.#steps[this.#index];
    if (step === undefined || this.#taken === 0) return step;
    return step.kind === "add"
      ? { kind: "add", text: step.text.slice(this.#taken) }
      : { kind: step.kind, length: step.length - this.#taken };
  }

  take(length: number): void {
    const step = this.#steps[this.#index];
    this.#taken += length;
    if (step !== undefined && this.#taken === lengthOf(step)) {
      this.#index++;
      this.#taken = 0;
    }
  }
}

/** Steps back into splices: what is dropped and added with nothing kept between is one splice. */
class SpliceWriter {
  readonly splices: Splice[] = [];
  #at = 0;
  #from = 0;
  #added: string[] = [];

  keep(length: number): void {
    this.close();
    this.#at += length;
    this.#from = this.#at;
  }

  drop(length: number): void {
    this.#at += length;
  }

  add(text: string): void {
    this.#added.push(text);
  }

  close(): void {
    if (this.#at === this.#from && this.#added.length === 0) return;
    this.splices.push({
      from: this.#from,
      to: this.#at,
      insert: this.#added.join(""),
    });
    this.#from = this.#at;
    this.#added = [];
  }
}
