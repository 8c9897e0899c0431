import type { FileOutcome } from "../engine/index.ts";
import type { CallResult } from "./call.ts";
import type { Keeper } from "./keeper.ts";
import type { Ports } from "./ports.ts";
import { statusOf, structuredResult } from "./structured.ts";

/** A call of which no file can be told: the text begins with what to change. */
export function refuseCall(keeper: Keeper, ports: Ports, text: string): Promise<CallResult> {
  const [message = text, ...rest] = text.split("\n");
  const advice = rest.join("\n");
  return end(keeper, ports, {
    text,
    isError: true,
    message,
    outcomes: [],
    error: advice === "" ? { message } : { message, advice },
  });
}

/** Our own bug ended the call. What was written before stays told; a file under way is called unknown. */
export async function endAfterBug(keeper: Keeper, ports: Ports): Promise<CallResult> {
  const outcomes = keeper.record.files.map((file, index): FileOutcome => {
    if (file.outcome !== undefined) return file.outcome;
    const under = file.phase === "running";
    const outcome: FileOutcome = {
      path: file.path,
      operation: file.operation,
      status: under ? "unknown" : "rejected",
      ...(file.edits === undefined ? {} : { edits: file.edits }),
      error: under
        ? {
            message:
              "an internal error of Agent Edit Review stopped the call while this file was written",
            advice: `Re-read ${file.path} before resending its edits.`,
          }
        : {
            message:
              "an internal error of Agent Edit Review stopped the call before this file was written",
            advice: "Send its edits again.",
          },
    };
    keeper.finishFile(index, outcome);
    return outcome;
  });
  const lines = outcomes.map(
    ({ path, status, error }) =>
      `- ${path}: ${status}${error === undefined ? "" : `: ${error.message}. ${error.advice ?? ""}`}`,
  );
  const applied = outcomes.some(({ status }) => status === "applied");
  const message = "An internal error of Agent Edit Review stopped this call.";
  const text = [
    message,
    ...(outcomes.length === 0 ? ["No files were applied."] : lines),
    ...(applied ? ["Files called applied are written; do not resend them."] : []),
  ].join("\n");
  return end(keeper, ports, {
    text,
    isError: statusOf(outcomes) === "error",
    message,
    outcomes,
    error: { message },
  });
}

export interface End {
  readonly text: string;
  readonly isError: boolean;
  readonly message: string;
  readonly outcomes: readonly FileOutcome[];
  readonly error?: { readonly message: string; readonly advice?: string };
}

/** The one end of every call: the record says done, is stored, and becomes the result. */
export async function end(keeper: Keeper, ports: Ports, done: End): Promise<CallResult> {
  const status = statusOf(done.outcomes);
  const { text, isError, message, error } = done;
  keeper.update({
    phase: "done",
    endedAt: ports.clock.now(),
    result: { status, isError, text, message, ...(error === undefined ? {} : { error }) },
  });
  await keeper.save();
  return {
    callId: keeper.record.id,
    text,
    isError,
    structured: structuredResult(status, message, done.outcomes),
  };
}
