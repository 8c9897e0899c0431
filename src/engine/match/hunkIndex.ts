import type { Hunk } from "../patch/patchDoc.ts";
import { foldedLineText } from "../text/lookAlike.ts";
import type { SourceText } from "../text/sourceText.ts";
import { isSpace, skipSpace, skipSpaceBack } from "../text/whitespace.ts";
import { hashText, lineSample, skeletonHash, skeletonSample } from "./lineHash.ts";
import { matchingWindows } from "./matchingWindows.ts";
import { TextSearch } from "./textSearch.ts";

/** How a file line may differ from a hunk's and still be the line meant. Each step includes the one before. */
export const LINE_STEPS = [
  "exact",
  "trailing-whitespace",
  "surrounding-whitespace",
  "look-alike-punctuation",
] as const;
export type LineStep = (typeof LINE_STEPS)[number];

/** The steps of which the first place in file order is taken. The last step must have one place only. */
export const ORDERED_STEPS: readonly LineStep[] = LINE_STEPS.slice(0, 3);

/** Lines of one step: a hash for each file line that can matter (0 for the others), and where each wanted one stands. */
interface StepLines {
  readonly hashes: Int32Array;
  readonly postings: ReadonlyMap<number, readonly number[]>;
}

/** The answer to the last question for exact places, which the looser steps often ask again. */
interface Answer {
  readonly lines: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly max: number;
  readonly places: readonly number[];
}

/**
 * The lines of one text, ready to be asked where lines of `hunks` stand. Only they get postings, so that a large
 * file costs one look a line and little else.
 *
 * A few exact questions are answered by a search in the text as it stands, before any line is hashed. A step above
 * `exact` is prepared when it is first asked for. All of them start from one skeleton hash a line, which leaves out
 * whatever any step may ignore; only lines whose skeleton is wanted are folded.
 */
export class HunkIndex {
  readonly source: SourceText;
  readonly #hunks: readonly Hunk[];
  #wantedLines: ReadonlySet<string> | null = null;
  readonly #steps: Record<LineStep, StepLines | null> = {
    exact: null,
    "trailing-whitespace": null,
    "surrounding-whitespace": null,
    "look-alike-punctuation": null,
  };
  #skeletons: ReadonlyMap<number, readonly number[]> | null = null;
  /** By the first of several lines with one skeleton: whether all of them are equal to the unit. */
  #uniform: Map<number, boolean> | null = null;
  readonly #search: TextSearch;
  #last: Answer | null = null;

  constructor(source: SourceText, hunks: readonly Hunk[]) {
    this.source = source;
    this.#hunks = hunks;
    let questions = 0;
    for (const { headers } of hunks) questions += 1 + headers.length;
    this.#search = new TextSearch(source, questions);
  }

  /**
   * First lines of the places in `from`..`to` where `lines` stand one after another under `step`, ascending, at
   * most `max`. Work: near linear in the file and the lines asked for.
   */
  places(
    step: LineStep,
    lines: readonly string[],
    from: number,
    to: number,
    max: number,
  ): readonly number[] {
    if (lines.length === 0 || to - from < lines.length) return [];
    if (step !== "exact") {
      // A line that is nowhere even without its spacing is nowhere at any step, which is the usual miss. Lines that
      // stand only as they are asked for stand nowhere else at a looser step.
      if (lines.some((line) => this.alike(line).length === 0)) return [];
      if (!lines.every((line) => this.#standsOnlyAs(line)))
        return this.#hashedPlaces(step, lines, from, to, max);
    }
    const last = this.#last;
    if (last !== null && last.lines === lines && last.from === from && last.to === to) {
      if (last.max === max) return last.places;
      // All places there are, when there were fewer than asked for.
      if (last.places.length < last.max) return last.places.slice(0, max);
    }
    const found = this.#steps.exact !== null ? null : this.#search.places(lines, from, to, max);
    const places = found ?? this.#hashedPlaces("exact", lines, from, to, max);
    this.#last = { lines, from, to, max, places };
    return places;
  }

  #hashedPlaces(
    step: LineStep,
    lines: readonly string[],
    from: number,
    to: number,
    max: number,
  ): readonly number[] {
    const { hashes, postings } = this.#stepLines(step);
    const wanted = new Int32Array(lines.length);
    for (let i = 0; i < wanted.length; i++) {
      const line = lines[i] ?? "";
      wanted[i] = stepHash(step, line, 0, line.length);
    }
    return matchingWindows({ hashes, postings, wanted, from, to, max }, (start) =>
      this.standsAt(step, lines, start),
    );
  }

  /** Whether the lines stand from `start` on. */
  standsAt(step: LineStep, lines: readonly string[], start: number): boolean {
    for (let i = 0; i < lines.length; i++)
      if (!this.matches(step, start + i, lines[i] ?? "")) return false;
    return true;
  }

  /** Whether the file line reads as `line` under `step`. */
  matches(step: LineStep, index: number, line: string): boolean {
    const { text } = this.source;
    const start = this.source.start(index);
    const end = this.source.contentEnd(index);
    switch (step) {
      case "exact":
        return end - start === line.length && text.startsWith(line, start);
      case "trailing-whitespace":
        return sameRange(text, start, skipSpaceBack(text, start, end), line, 0);
      case "surrounding-whitespace": {
        const from = skipSpace(text, start, end);
        const lead = skipSpace(line, 0, line.length);
        return sameRange(text, from, skipSpaceBack(text, from, end), line, lead);
      }
      case "look-alike-punctuation":
        return foldedLineText(text.slice(start, end)) === foldedLineText(line);
    }
  }

  /** Where lines stand that read like `line` once all spacing is left out, ascending. */
  alike(line: string): readonly number[] {
    return this.#skeletonPostings().get(skeletonHash(line, 0, line.length)) ?? [];
  }

  /** Whether every line that reads like this one is this one to the unit. */
  #standsOnlyAs(line: string): boolean {
    const places = this.alike(line);
    const first = places[0] ?? 0;
    const known = (this.#uniform ??= new Map<number, boolean>());
    let isUniform = known.get(first);
    if (isUniform === undefined) {
      const model = this.source.line(first);
      isUniform = places.every((index) => this.matches("exact", index, model));
      known.set(first, isUniform);
    }
    return isUniform && this.matches("exact", first, line);
  }

  get #wanted(): ReadonlySet<string> {
    return (this.#wantedLines ??= wantedLines(this.#hunks));
  }

  #stepLines(step: LineStep): StepLines {
    return (this.#steps[step] ??= step === "exact" ? this.#exactLines() : this.#foldedLines(step));
  }

  /** Only lines with a wanted sample are hashed: most lines of a large file cost a look at four units. */
  #exactLines(): StepLines {
    const { source } = this;
    const { text, lineCount, starts } = source;
    const { postings, filter } = this.#prepared(hashText, lineSample);
    const mask = filter.length - 1;
    const hashes = new Int32Array(lineCount);
    const isLf = source.style.kind === "lf";
    let next = starts[0] ?? 0;
    for (let i = 0; i < lineCount; i++) {
      const start = next;
      next = starts[i + 1] ?? 0;
      const end = isLf && i < lineCount - 1 ? next - 1 : source.contentEnd(i);
      if (filter[lineSample(text, start, end) & mask] === 0) continue;
      const value = hashText(text, start, end);
      hashes[i] = value;
      postings.get(value)?.push(i);
    }
    return { hashes, postings };
  }

  /** By skeleton hash, for the wanted lines: where lines with it stand, ascending. One pass over the text. */
  #skeletonPostings(): ReadonlyMap<number, readonly number[]> {
    if (this.#skeletons !== null) return this.#skeletons;
    const { source } = this;
    const { text, lineCount, starts } = source;
    const { postings, filter } = this.#prepared(skeletonHash, skeletonSample);
    const mask = filter.length - 1;
    let next = starts[0] ?? 0;
    for (let i = 0; i < lineCount; i++) {
      const start = next;
      // With its ending, which a skeleton leaves out.
      next = starts[i + 1] ?? 0;
      if (filter[skeletonSample(text, start, next) & mask] !== 0)
        postings.get(skeletonHash(text, start, next))?.push(i);
    }
    return (this.#skeletons = postings);
  }

  #foldedLines(step: LineStep): StepLines {
    const { source } = this;
    const { text } = source;
    const postings = new Map<number, number[]>();
    for (const line of this.#wanted) postings.set(stepHash(step, line, 0, line.length), []);
    const hashes = new Int32Array(source.lineCount);
    for (const indexes of this.#skeletonPostings().values())
      for (const i of indexes)
        hashes[i] = stepHash(step, text, source.start(i), source.contentEnd(i));
    for (let i = 0; i < hashes.length; i++) {
      const value = hashes[i];
      if (value !== undefined && value !== 0) postings.get(value)?.push(i);
    }
    return { hashes, postings };
  }

  /** Empty postings for the wanted lines, and a flag for the low bits of each one's sample. */
  #prepared(
    hash: LineHash,
    sample: LineHash,
  ): { readonly postings: Map<number, number[]>; readonly filter: Uint8Array } {
    const samples = new Set<number>();
    const postings = new Map<number, number[]>();
    for (const line of this.#wanted) {
      postings.set(hash(line, 0, line.length), []);
      samples.add(sample(line, 0, line.length));
    }
    const filter = filterOf(samples);
    return { postings, filter };
  }
}

/** All lines that may be asked for. */
function wantedLines(hunks: readonly Hunk[]): ReadonlySet<string> {
  const wanted = new Set<string>();
  for (const { headers, lines } of hunks) {
    for (const header of headers) wanted.add(header);
    for (const { kind, text } of lines) if (kind !== "added") wanted.add(text);
  }
  return wanted;
}

/** A flag for the low bits of each sample; its length is a power of two. */
function filterOf(samples: ReadonlySet<number>): Uint8Array {
  let size = 256;
  while (size < 8 * samples.size && size < 1 << 16) size *= 2;
  const filter = new Uint8Array(size);
  for (const sample of samples) filter[sample & (size - 1)] = 1;
  return filter;
}

type LineHash = (text: string, from: number, to: number) => number;

/** Equal text under `step` has an equal hash. Never 0. */
function stepHash(step: LineStep, text: string, from: number, to: number): number {
  switch (step) {
    case "exact":
      return hashText(text, from, to);
    case "trailing-whitespace":
      return hashText(text, from, skipSpaceBack(text, from, to));
    case "surrounding-whitespace": {
      const start = skipSpace(text, from, to);
      return hashText(text, start, skipSpaceBack(text, start, to));
    }
    case "look-alike-punctuation": {
      const folded = foldedLineText(text.slice(from, to));
      return hashText(folded, 0, folded.length);
    }
  }
}

/** Whether `text` from `from` to `to`, trimmed, is what `line` holds from `lead` on, spaces at its end aside. */
function sameRange(text: string, from: number, to: number, line: string, lead: number): boolean {
  const end = lead + to - from;
  if (end > line.length) return false;
  for (let i = line.length; i > end; i--) if (!isSpace(line.charCodeAt(i - 1))) return false;
  return text.startsWith(lead === 0 && end === line.length ? line : line.slice(lead, end), from);
}
