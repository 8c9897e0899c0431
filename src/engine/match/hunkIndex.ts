import { foldedLineText } from "../text/lookAlike.ts";
import type { SourceText } from "../text/sourceText.ts";
import { isSpace, skipSpace, skipSpaceBack } from "../text/whitespace.ts";
import { hashText, lineSample, skeletonHash, skeletonSample } from "./lineHash.ts";
import { matchingWindows } from "./matchingWindows.ts";

type LineHash = (text: string, from: number, to: number) => number;

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

/**
 * The lines of one text, ready to be asked where a run of lines stands. `wanted` are all lines that will be
 * asked for: only they get postings, so that a large file costs one hash a line and little else.
 *
 * A step above `exact` is prepared when it is first asked for. All of them start from one skeleton hash a line,
 * which leaves out whatever any step may ignore; only lines whose skeleton is wanted are folded.
 */
export class HunkIndex {
  readonly source: SourceText;
  readonly #wanted: ReadonlySet<string>;
  readonly #steps = new Map<LineStep, StepLines>();
  #skeletons: StepLines | null = null;
  /** How often the text may still be searched as it stands, before its lines are hashed. */
  #scansLeft: number;

  constructor(source: SourceText, wanted: ReadonlySet<string>) {
    this.source = source;
    this.#wanted = wanted;
    this.#scansLeft = source.text.length <= SCAN_UNITS_MAX ? SCANS_MAX : 0;
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
  ): number[] {
    if (lines.length === 0 || to - from < lines.length) return [];
    if (step === "exact" && this.#scansLeft > 0 && !this.#steps.has(step)) {
      const found = this.#scan(lines, from, to, max);
      if (found !== null) return found;
    }
    // A line that is nowhere even without its spacing is nowhere at any step, and nothing need be folded.
    if (step !== "exact" && lines.some((line) => this.alike(line).length === 0)) return [];
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

  /** The exact places by a search for the longest line; null when that line is no good to search for. */
  #scan(lines: readonly string[], from: number, to: number, max: number): number[] | null {
    this.#scansLeft--;
    const { source } = this;
    let at = 0;
    lines.forEach((line, i) => {
      if (line.length > (lines[at] ?? "").length) at = i;
    });
    const wanted = lines[at] ?? "";
    if (wanted === "") return null;
    const found: number[] = [];
    let offset = source.text.indexOf(wanted, source.start(from + at));
    for (let tries = 0; offset >= 0 && found.length < max; tries++) {
      if (tries === SCAN_TRIES_MAX) return null;
      const line = source.lineAt(offset);
      if (line - at + lines.length > to) break;
      if (this.standsAt("exact", lines, line - at)) found.push(line - at);
      offset = source.text.indexOf(wanted, source.start(line + 1));
    }
    return found;
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

  /** Where lines stand that read like `line` once all spacing is left out, ascending. For hints only. */
  alike(line: string): readonly number[] {
    return this.#skeletonLines().postings.get(skeletonHash(line, 0, line.length)) ?? [];
  }

  #stepLines(step: LineStep): StepLines {
    let lines = this.#steps.get(step);
    if (lines === undefined) {
      lines = step === "exact" ? this.#allLines(hashText, lineSample) : this.#foldedLines(step);
      this.#steps.set(step, lines);
    }
    return lines;
  }

  #skeletonLines(): StepLines {
    return (this.#skeletons ??= this.#allLines(skeletonHash, skeletonSample));
  }

  /** Only lines with a wanted sample are hashed: most lines of a large file cost a look at four units. */
  #allLines(hash: LineHash, sample: LineHash): StepLines {
    const { source } = this;
    const { text, lineCount } = source;
    const postings = new Map<number, number[]>();
    const mask = filterMask(this.#wanted.size);
    const filter = new Uint8Array(mask + 1);
    for (const line of this.#wanted) {
      postings.set(hash(line, 0, line.length), []);
      filter[sample(line, 0, line.length) & mask] = 1;
    }
    const hashes = new Int32Array(lineCount);
    const isLf = source.style.kind === "lf";
    let next = source.start(0);
    for (let i = 0; i < lineCount; i++) {
      const start = next;
      next = source.start(i + 1);
      const end = isLf && i < lineCount - 1 ? next - 1 : source.contentEnd(i);
      if (filter[sample(text, start, end) & mask] === 0) continue;
      const value = hash(text, start, end);
      hashes[i] = value;
      postings.get(value)?.push(i);
    }
    return { hashes, postings };
  }

  #foldedLines(step: LineStep): StepLines {
    const { source } = this;
    const { text } = source;
    const postings = new Map<number, number[]>();
    for (const line of this.#wanted) postings.set(stepHash(step, line, 0, line.length), []);
    const hashes = new Int32Array(source.lineCount);
    const exact = this.#stepLines("exact").hashes;
    // Repeated lines are folded once. Should two lines share a hash by chance, the later is looked for in vain.
    const known = new Map<number, number>();
    for (const indexes of this.#skeletonLines().postings.values())
      for (const i of indexes) {
        const start = source.start(i);
        const end = source.contentEnd(i);
        const same = exact[i] === 0 ? hashText(text, start, end) : (exact[i] ?? 0);
        let value = known.get(same);
        if (value === undefined) {
          value = stepHash(step, text, start, end);
          known.set(same, value);
        }
        hashes[i] = value;
      }
    for (let i = 0; i < hashes.length; i++) {
      const value = hashes[i];
      if (value !== undefined && value !== 0) postings.get(value)?.push(i);
    }
    return { hashes, postings };
  }
}

/** In a small text a few searches are cheaper than a hash of every line. */
const SCAN_UNITS_MAX = 65_536;
const SCANS_MAX = 8;
/** A line that stands more often than this is no good to search for. */
const SCAN_TRIES_MAX = 32;

function filterMask(wanted: number): number {
  let size = 256;
  while (size < 8 * wanted && size < 1 << 16) size *= 2;
  return size - 1;
}

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
