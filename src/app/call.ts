import type { PlanPlace } from "./planTurn.ts";
import type { StructuredResult } from "../protocol/result.ts";

/** A call as an adapter hands it over. Exactly one of `input` (already parsed) and `raw` (as sent) is there. */
export interface Call {
  readonly tool: string;
  readonly input?: unknown;
  readonly raw?: string;
  /** Calls of one session share guard and retry notes. */
  readonly session: string;
  readonly source: string;
  readonly model?: string;
  readonly provider?: string;
  /** Plan only: nothing is written, outcomes say what would happen. */
  readonly dryRun?: boolean;
  /** Marks a call that was made from a stored one. */
  readonly replay?: boolean;
  /** Id of that stored call: what it wrote and still stands is not written once more. */
  readonly replayOf?: string;
  /**
   * For agents that have plan turns: where their plan file is. During such a turn (`turn`) nothing else may be
   * edited; outside of one, plan files at retired places are refused.
   */
  readonly plan?: PlanPlace & { readonly turn: boolean };
  /** A person is shown the plan of every file and has to approve it, whatever the rules say. */
  readonly confirm?: boolean;
}

/** What a caller gets: text for the model, and the same as data. */
export interface CallResult {
  readonly callId: string;
  readonly text: string;
  readonly isError: boolean;
  readonly structured: StructuredResult;
}
