import type { ClosestBlock, DifferingLines } from "../match/closestBlock.ts";
import type { NearMiss } from "../match/nearMiss.ts";

/** An argument that holds text, by the name the model knows. */
export type TextField = "old_string" | "new_string" | "content";

/** Code points that were taken out of an argument, with how often. */
export type CleanedPoints = ReadonlyMap<number, number>;

/** Why one text argument cannot be used, whatever the file holds. */
export type TextProblem =
  | { readonly code: "missing"; readonly field: TextField; readonly batch: boolean }
  | {
      readonly code: "only-invisible";
      readonly field: TextField;
      /** How many characters were taken out. */
      readonly count: number;
    }
  | { readonly code: "control-character"; readonly field: TextField; readonly codePoint: number }
  | { readonly code: "lone-surrogate"; readonly field: TextField; readonly codePoint: number };

/** How a text that matches more than once was looked for. */
export type AmbiguousStep = "exact" | "line-endings" | "look-alike-punctuation";

/** Why one replacement cannot be planned. Line numbers count from 1. */
export type ReplaceProblem =
  | TextProblem
  | {
      readonly code: "identical";
      /** True when the two differ as sent, in line endings only. */
      readonly endingsOnly: boolean;
    }
  | { readonly code: "not-found"; readonly miss: StringMiss }
  | {
      readonly code: "ambiguous";
      readonly step: AmbiguousStep;
      readonly count: number;
      /** Lines of the places, each once, ascending, cut to a bound; `linesLeft` more are not named. */
      readonly numbers: readonly number[];
      readonly linesLeft: number;
      /** True when the places overlap, so that replacing all of them is no way out. */
      readonly overlapping: boolean;
    }
  | { readonly code: "too-many"; readonly countMax: number }
  /** The file would become longer than files that are edited. */
  | { readonly code: "too-long"; readonly unitsMax: number }
  /** A look-alike match whose unchanged punctuation cannot be told from the changed one. */
  | { readonly code: "not-preservable"; readonly number: number };

/** What a reader needs to see why a text is not there. */
export interface StringMiss {
  /** Of the text that is not there, cut to a bound. */
  readonly firstLine: string;
  /** The line on which all of it stands but for the break it ends in: there the line goes on. */
  readonly goesOn: number | null;
  readonly near: NearMiss | null;
  readonly closest: ClosestBlock | null;
  /** The first line that differs from the nearest place in spaces at its ends only. */
  readonly spacing: DifferingLines | null;
  /** True when old_string breaks its lines with CRLF or CR and the file with LF only. */
  readonly foreignEndings: boolean;
}

/** Why a batch as a whole cannot be planned: every failing entry, with its index as sent. */
export interface BatchProblem {
  readonly code: "batch";
  readonly failing: readonly FailingEntry[];
  /** Entries that would have been applied. */
  readonly passed: readonly number[];
  /** Entries whose two texts are identical. */
  readonly skipped: readonly number[];
}

export interface FailingEntry {
  readonly index: number;
  readonly problem: ReplaceProblem | { readonly code: "overlap"; readonly peer: number };
}
