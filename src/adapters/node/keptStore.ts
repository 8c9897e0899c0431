import type { CallStore } from "../../app/ports.ts";
import type { CallRecord } from "../../app/record.ts";

/** A store that outlives the window: it also knows what a crash cut short and what a person has reviewed. */
export interface KeptStore extends CallStore {
  /**
   * Calls that were under way when their process ended, phase "interrupted", newest first. They were claimed for
   * this window when the store was opened, so no two windows check the same ones. A call leaves the list when it
   * is put again with `endedAt`: the host looks at each file first (its hash against before and after).
   */
  interrupted(): Promise<readonly CallRecord[]>;
  /** Marks one file of a call as reviewed. The mark is bound to the content it was given for. */
  mark(mark: ReviewMark): Promise<void>;
  unmark(callId: string, path: string): Promise<void>;
  /** Marks of one call, in no order. A mark whose hash is not the file's present one is no longer true. */
  marks(callId: string): Promise<readonly ReviewMark[]>;
}

export interface ReviewMark {
  readonly callId: string;
  /** `path` of the call's file record. */
  readonly path: string;
  /** SHA-256 (hex) of the content that was reviewed; null where the file was deleted. */
  readonly hash: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}
