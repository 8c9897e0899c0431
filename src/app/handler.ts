import type { Explanation, FileOutcome } from "../engine/index.ts";
import type { Call } from "./call.ts";
import type { FileRef } from "./ports.ts";
import type { FileRecord } from "./record.ts";
import type { UnitsContext } from "./runUnits.ts";

/** One tool in the life of a call. `runCall` owns the order of steps; a handler owns what its tool means. */
export interface Handler {
  readonly tool: string;
  /** From what arrived to canonical arguments. Before hooks and storage; reads no file. */
  decode(call: Call): DecodedCall;
  /** What a hook sees of the arguments. */
  present(args: unknown): unknown;
  /** A hook's rewritten input back to canonical arguments; a problem is a sentence without prefix. */
  accept(override: unknown): { readonly args: unknown } | { readonly problem: string };
  /** From canonical arguments to something that can run, or the refusal of the whole call. */
  validate(args: unknown): ValidatedCall;
}

export type DecodedCall =
  | { readonly kind: "args"; readonly args: unknown; readonly stringDecoded: boolean }
  /** `args` when the text was JSON all the same, `raw` when it was not. */
  | {
      readonly kind: "refused";
      readonly text: string;
      readonly args?: unknown;
      readonly raw?: string;
    };

export type ValidatedCall =
  | { readonly kind: "refused"; readonly text: string; readonly error?: Explanation }
  | {
      readonly kind: "ready";
      /** The files of the call as they wait, for the card. */
      readonly files: readonly FileRecord[];
      run(context: UnitsContext): Promise<Ended>;
    };

/** How a call that ran came out. */
export interface Ended {
  readonly outcomes: readonly FileOutcome[];
  readonly changed: readonly FileRef[];
  /** Words the outcomes for the model; `problems` are new errors in the changed files. */
  word(
    outcomes: readonly FileOutcome[],
    problems: readonly string[],
  ): { readonly text: string; readonly isError: boolean; readonly message: string };
}
