import { isAllSpace, trimSpace } from "../text/whitespace.ts";
import type { ParseProblem } from "../report/patchProblem.ts";
import { MARKER_START, MARKERS } from "./grammar.ts";
import { HunkDraft, readHeader } from "./hunkDraft.ts";
import type { Hunk, PatchOperation } from "./patchDoc.ts";

/** Bounds of one patch. Far above honest use; what lies beyond is a model that repeats itself. */
export const PATCH_LIMITS = {
  unitsMax: 10 * 1024 * 1024,
  operationsMax: 5_000,
  /** Parsing goes on behind a fault, so that one call reports them all; up to this many. */
  problemsMax: 20,
} as const;

/** An operation as read so far. `to` is the index behind its last line. */
export interface OperationDraft {
  readonly kind: "add" | "delete" | "update";
  readonly path: string;
  readonly number: number;
  readonly fromLine: number;
  toLine: number;
  readonly lines: string[];
  moveTo: string | null;
  readonly hunks: Hunk[];
  /** A fault was found in it, so that what it seems to ask for must not be judged further. */
  faulty: boolean;
}

/**
 * Reads the operations between Begin and End, line by line, so that a whole patch and a patch under way go
 * through the same code. Never throws; work is one step a line.
 */
export class OperationReader {
  readonly operations: OperationDraft[] = [];
  readonly problems: ParseProblem[] = [];
  #open: OperationDraft | null = null;
  #hunk: HunkDraft | null = null;
  /** Empty lines that are content or separators, which the line behind them tells. */
  #blanks = 0;
  #blanksNumber = 0;
  #expect: "move" | "first-hunk" | "hunk" = "move";
  /** A header that a hunk of one context line hands to the next hunk. */
  #carried: readonly string[] = [];
  /** After a fault, lines are passed over up to the next header. */
  #skipping = false;

  /** The hunk under way, which a preview counts already. */
  get openHunk(): HunkDraft | null {
    return this.#hunk;
  }

  line(line: string, number: number): void {
    const open = this.#open;
    if (open === null || line.startsWith(MARKER_START)) return this.#marker(line, number);
    open.toLine = number;
    if (line === "" && open.kind !== "delete") {
      if (this.#blanks === 0) this.#blanksNumber = number;
      this.#blanks++;
      if (this.#expect === "move") this.#expect = "first-hunk";
      return;
    }
    switch (open.kind) {
      case "add":
        return this.#addLine(open, line, number);
      case "delete":
        return this.#marker(line, number);
      case "update":
        return this.#updateLine(open, line, number);
    }
  }

  finish(): void {
    this.#closeOperation();
  }

  /** A line at operation level, or one that ends a body because it starts with the marker's stars. */
  #marker(line: string, number: number): void {
    const text = trimSpace(line);
    const open = this.#open;
    if (open?.kind === "update") {
      if (this.#expect === "move" && text.startsWith(MARKERS.move))
        return this.#move(open, text, number);
      if (text === MARKERS.endOfFile && this.#hunk !== null) {
        this.#blanks = 0;
        this.#hunk.endOfFile = true;
        this.#closeHunk(open, false);
        open.toLine = number;
        return;
      }
    }
    if (text === "") return;
    for (const kind of ["add", "delete", "update"] as const)
      if (text.startsWith(MARKERS[kind]))
        return this.#openOperation(kind, trimSpace(text.slice(MARKERS[kind].length)), number);
    if (!this.#skipping || line.startsWith(MARKER_START)) {
      this.#closeOperation();
      this.#problem({ code: "unknown-operation", number, line: text });
      this.#skipping = true;
    }
  }

  #openOperation(kind: OperationDraft["kind"], path: string, number: number): void {
    this.#closeOperation();
    this.#skipping = false;
    this.#expect = "move";
    const draft: OperationDraft = {
      kind,
      path,
      number,
      fromLine: number,
      toLine: number,
      lines: [],
      moveTo: null,
      hunks: [],
      faulty: path === "",
    };
    if (path === "") this.#problem({ code: "empty-path", number });
    if (this.operations.length === PATCH_LIMITS.operationsMax) {
      this.#problem({ code: "too-many-operations", number, max: PATCH_LIMITS.operationsMax });
      this.#skipping = true;
      return;
    }
    this.operations.push(draft);
    this.#open = draft;
  }

  #move(open: OperationDraft, text: string, number: number): void {
    const path = trimSpace(text.slice(MARKERS.move.length));
    if (path === "") {
      this.#problem({ code: "empty-path", number });
      open.faulty = true;
    } else open.moveTo = path;
    open.toLine = number;
    this.#expect = "first-hunk";
  }

  #addLine(open: OperationDraft, line: string, number: number): void {
    if (this.#blanks > 0) this.#badAddLine(open, this.#blanksNumber);
    this.#blanks = 0;
    if (line.startsWith("+")) open.lines.push(line.slice(1));
    else this.#badAddLine(open, number);
  }

  #badAddLine(open: OperationDraft, number: number): void {
    this.#problem({ code: "add-line-without-plus", number });
    open.faulty = true;
  }

  #updateLine(open: OperationDraft, line: string, number: number): void {
    if (this.#expect === "move") {
      if (trimSpace(line).startsWith(MARKERS.move))
        return this.#move(open, trimSpace(line), number);
      this.#expect = "first-hunk";
    }
    if (line.startsWith(MARKERS.hunk)) return this.#header(open, line, number);
    if (this.#hunk === null) {
      if (this.#expect !== "first-hunk" || !" +-".includes(line.charAt(0))) {
        if (this.#expect !== "hunk" || !this.#skipping)
          this.#problem({ code: "hunk-header-expected", number });
        open.faulty = true;
        this.#expect = "hunk";
        this.#skipping = true;
        return;
      }
      this.#hunk = new HunkDraft(this.#blanks > 0 ? this.#blanksNumber : number, []);
      this.#expect = "hunk";
    }
    for (; this.#blanks > 0; this.#blanks--) this.#hunk.blank();
    this.#hunk.line(line, number);
  }

  #header(open: OperationDraft, line: string, number: number): void {
    this.#blanks = 0;
    this.#skipping = false;
    this.#expect = "hunk";
    if (this.#hunk?.hasBody === true) this.#closeHunk(open, true);
    this.#hunk ??= new HunkDraft(number, this.#carried);
    this.#carried = [];
    this.#hunk.header(readHeader(line));
  }

  /** `beforeHunk`: another hunk follows at once, so that a lone context line is its anchor and no hunk. */
  #closeHunk(open: OperationDraft, beforeHunk: boolean): void {
    const hunk = this.#hunk;
    this.#hunk = null;
    if (hunk === null) return;
    const { path } = open;
    if (!hunk.hasBody) {
      this.#problem({ code: "empty-hunk", number: hunk.number, path });
      open.faulty = true;
      return;
    }
    const only = hunk.onlyContextLine;
    if (beforeHunk && only !== null && !isAllSpace(only) && !hunk.endOfFile) {
      this.#carried = [...hunk.headers, trimSpace(only)];
      return;
    }
    if (!hunk.changes && open.moveTo === null) {
      this.#problem({ code: "context-only-hunk", number: hunk.number, path });
      open.faulty = true;
      return;
    }
    open.hunks.push(hunk.finish());
  }

  #closeOperation(): void {
    const open = this.#open;
    if (open === null) return;
    this.#closeHunk(open, false);
    this.#open = null;
    this.#blanks = 0;
    this.#carried = [];
    const { path, number } = open;
    if (open.faulty) return;
    if (open.kind === "add" && open.lines.length === 0)
      this.#fault(open, { code: "add-without-content", number, path });
    if (open.kind === "update" && open.hunks.length === 0 && open.moveTo === null)
      this.#fault(open, { code: "update-without-hunk", number, path });
  }

  #fault(open: OperationDraft, problem: ParseProblem): void {
    this.#problem(problem);
    open.faulty = true;
  }

  #problem(problem: ParseProblem): void {
    if (this.problems.length < PATCH_LIMITS.problemsMax) this.problems.push(problem);
  }
}

/** The finished operation; `raw` are its own lines. */
export function finishOperation(draft: OperationDraft, raw: string): PatchOperation {
  const { path, number } = draft;
  switch (draft.kind) {
    case "add":
      return { kind: "add", path, number, raw, lines: draft.lines };
    case "delete":
      return { kind: "delete", path, number, raw };
    case "update":
      return { kind: "update", path, number, raw, moveTo: draft.moveTo, hunks: draft.hunks };
  }
}
