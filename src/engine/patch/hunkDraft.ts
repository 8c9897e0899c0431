import { isAllSpace, trimSpace } from "../text/whitespace.ts";
import { MARKERS } from "./grammar.ts";
import type { Hunk, HunkLine } from "./patchDoc.ts";

interface Header {
  readonly text: string;
  readonly hintNumber: number | null;
}

const RANGE = /^-(\d{1,9})(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@/;

/** What stands behind `@@`: an anchor, a unified-diff range, or both. */
export function readHeader(line: string): Header {
  const text = trimSpace(line.slice(MARKERS.hunk.length));
  const range = RANGE.exec(text);
  if (range === null) return { text, hintNumber: null };
  return { text: trimSpace(text.slice(range[0].length)), hintNumber: Number(range[1]) };
}

/** The line that diff programs write below a last line without line ending. It is no content. */
const NO_NEWLINE = "\\ No newline at end of file";

/** A hunk being read. */
export class HunkDraft {
  readonly number: number;
  readonly #headers: string[];
  #hintNumber: number | null = null;
  readonly #lines: HunkLine[] = [];
  /** Indexes of context lines that came without their leading space. */
  #bare: Set<number> | null = null;
  #unprefixedNumber: number | null = null;
  endOfFile = false;

  constructor(number: number, carried: readonly string[]) {
    this.number = number;
    this.#headers = [...carried];
  }

  get headers(): readonly string[] {
    return this.#headers;
  }

  get hasBody(): boolean {
    return this.#lines.length > 0;
  }

  get changes(): boolean {
    return this.#lines.some((line) => line.kind !== "context");
  }

  /** The text of the hunk's only line when that is a context line, else null. */
  get onlyContextLine(): string | null {
    const [only] = this.#lines;
    return only?.kind === "context" && this.#lines.length === 1 ? only.text : null;
  }

  header({ text, hintNumber }: Header): void {
    if (text !== "") this.#headers.push(text);
    if (hintNumber !== null) this.#hintNumber = hintNumber;
  }

  /** An empty line inside the hunk is an empty context line: editors and models drop its one space. */
  blank(): void {
    this.#lines.push({ kind: "context", text: "" });
  }

  line(line: string, number: number): void {
    const text = line.slice(1);
    switch (line.charAt(0)) {
      case " ":
        this.#lines.push({ kind: "context", text });
        return;
      case "+":
        this.#lines.push({ kind: "added", text });
        return;
      case "-":
        this.#lines.push({ kind: "removed", text });
        return;
      default:
        if (line === NO_NEWLINE) return;
        this.#unprefixedNumber ??= number;
        (this.#bare ??= new Set()).add(this.#lines.length);
        this.#lines.push({ kind: "context", text: line });
    }
  }

  finish(): Hunk {
    return {
      number: this.number,
      headers: this.#headers,
      hintNumber: this.#hintNumber,
      lines: this.#unprefixedNumber === null ? this.#lines : this.#asWritten(),
      endOfFile: this.endOfFile,
      unprefixedNumber: this.#unprefixedNumber,
    };
  }

  /** In a hunk without leading spaces, a context line that seemed to have one keeps it as content. */
  #asWritten(): readonly HunkLine[] {
    return this.#lines.map((line, index) =>
      line.kind !== "context" || this.#bare?.has(index) === true || isAllSpace(line.text)
        ? line
        : { kind: "context", text: ` ${line.text}` },
    );
  }
}
