import type { Explanation, FileOperation, FileOutcome, Splice } from "../engine/index.ts";

export type CallPhase =
  "received" | "queued" | "planning" | "approval" | "applying" | "done" | "interrupted";

/** `legacy`: arguments in the old grouped shape; `imported`: came from a transcript and was never run here. */
export type CallFlag =
  "string-decoded" | "hook-rewritten" | "hook-stopped" | "replay" | "legacy" | "imported";

/** One call as it is kept. Plain JSON; `version` grows with its shape, and readers take all older ones. */
export interface CallRecord {
  readonly version: 1;
  readonly id: string;
  readonly session: string;
  readonly tool: string;
  /** Who handed the call over: "lm-tool", "api", "cli", "mcp", "sample", "replay". */
  readonly source: string;
  readonly model?: string;
  readonly provider?: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly phase: CallPhase;
  /** Canonical arguments, after decoding and hook override. Absent when the input was not valid JSON. */
  readonly args?: unknown;
  /** Raw text that was not valid JSON, cut to a bound. Never shown to a model. */
  readonly argsRaw?: string;
  readonly files: readonly FileRecord[];
  /** Set when the call ended. */
  readonly result?: ResultRecord;
  readonly flags: readonly CallFlag[];
  /** What a hook wants the person (not the model) to read. */
  readonly userMessage?: string;
  /** Why a hook wants a person to look at the plan. */
  readonly askReason?: string;
}

/** A file of a call, from the moment it is known. `outcome` is there exactly when its phase is done. */
export interface FileRecord {
  readonly path: string;
  readonly shown: string;
  /** Absolute path, once the file was found. */
  readonly absolute?: string;
  /** Where that path led, every link followed, when the call found it; and the same of where a file moved from. */
  readonly real?: string;
  readonly realFrom?: string;
  readonly operation: FileOperation;
  /** The path it had before, as written, for a move. */
  readonly movedFrom?: string;
  readonly phase: "waiting" | "running" | "proposed" | "done";
  readonly edits?: readonly number[];
  readonly operations?: readonly string[];
  readonly outcome?: FileOutcome;
  /** Planned server diff (unified), while the file waits for a person. */
  readonly proposed?: string;
  /** Planned server diff (unified) from the moment that writing began, in case nobody can tell the outcome. */
  readonly planned?: string;
  /** SHA-256 in hex of the bytes before and after, where known: what a later check compares. */
  readonly hashBefore?: string;
  readonly hashAfter?: string;
  /** Permission bits before the call, where the platform has them: a deleted file comes back with them. */
  readonly modeBefore?: number;
  /** Splices that take the applied text back: offsets into the text after the change. */
  readonly inverse?: readonly Splice[];
  /** The file's part of the request as plain text, cut to a bound, and what to send again. */
  readonly requested?: string;
  readonly resend?: string;
  /** Flat indexes that the guard skipped, and the id of the call that applied them before. */
  readonly skipped?: readonly number[];
  readonly appliedBy?: string;
}

export interface ResultRecord {
  readonly status: "applied" | "partial" | "error";
  readonly isError: boolean;
  /** What the model read. */
  readonly text: string;
  readonly message: string;
  /** A failure of the whole call. */
  readonly error?: Explanation;
}
