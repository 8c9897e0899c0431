import type { FileOutcome } from "../engine/index.ts";
import type { GuardEdit } from "./guard.ts";
import type { FileRef } from "./ports.ts";
import type { FileRecord } from "./record.ts";
import type { UnitsContext } from "./runUnits.ts";
import type { Tool } from "../tools/tool.ts";

/** One tool in the life of a call. `runCall` owns the order of steps; a handler owns what its tool means. */
export interface Handler {
  /** The tool's words and schema, and its decoding from what arrived to canonical arguments. */
  readonly tool: Pick<Tool<unknown>, "name" | "decode">;
  /** What a hook sees of the arguments. */
  present(args: unknown): unknown;
  /** A hook's rewritten input back to canonical arguments; a problem is a sentence without prefix. */
  accept(override: unknown): { readonly args: unknown } | { readonly problem: string };
  /** The edits of canonical arguments as the guard compares them; none when repeats are not guarded. */
  guardEdits(args: unknown): readonly GuardEdit[];
  /** From canonical arguments to something that can run, or the refusal of the whole call. */
  validate(args: unknown): ValidatedCall;
}

export type ValidatedCall =
  | { readonly kind: "refused"; readonly text: string }
  | {
      readonly kind: "ready";
      /** The files of the call as they wait, for the card. */
      readonly files: readonly FileRecord[];
      /** Every path of the call, where there are more than those of `files` (targets of moves). */
      readonly paths?: readonly string[];
      run(context: UnitsContext): Promise<Ended>;
    };

/** How a call that ran came out. */
export interface Ended {
  readonly outcomes: readonly FileOutcome[];
  readonly changed: readonly FileRef[];
  readonly missed: readonly FileRef[];
  /**
   * Words the outcomes for the model; `problems` are new errors in the changed files, `notes` what it is told once
   * more after repeated misses, which the outcomes' advice has already.
   */
  word(
    outcomes: readonly FileOutcome[],
    problems: readonly string[],
    notes: readonly string[],
  ): { readonly text: string; readonly isError: boolean; readonly message: string };
}
