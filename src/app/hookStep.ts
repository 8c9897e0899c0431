import type { Handler } from "./handler.ts";
import type { Keeper } from "./keeper.ts";
import type { Ports } from "./ports.ts";
import type { CallRecord } from "./record.ts";

export type Hooked =
  | {
      readonly kind: "go";
      readonly args: unknown;
      readonly askAll: boolean;
      readonly modelContext?: string;
    }
  | { readonly kind: "stop"; readonly text: string };

/**
 * The step between decoding and validation: hooks see the presented form and may stop or rewrite the call. An
 * override that does not fit stops it too, since execution uses exactly what a hook approved or nothing.
 */
export async function askHooks(
  handler: Handler,
  args: unknown,
  keeper: Keeper,
  ports: Ports,
  signal: AbortSignal,
): Promise<Hooked> {
  const unasked = { kind: "go" as const, args, askAll: false };
  if (ports.hooks === undefined || signal.aborted) return unasked;
  const { record } = keeper;
  const answer = await ports.hooks.before(eventOf(record, handler.present(args)), signal);
  // An interrupted hook has no opinion; each file is then rejected as interrupted, without a step.
  if (answer.kind === "stop" && answer.by === "failure" && signal.aborted) return unasked;
  if (answer.userMessage !== undefined) keeper.update({ userMessage: answer.userMessage });
  if (answer.kind === "stop") {
    keeper.update({ flags: [...keeper.record.flags, "hook-stopped"] });
    return { kind: "stop", text: answer.text };
  }
  if (answer.askReason !== undefined) keeper.update({ askReason: answer.askReason });
  const go = {
    kind: "go" as const,
    askAll: answer.ask === true,
    ...(answer.modelContext === undefined ? {} : { modelContext: answer.modelContext }),
  };
  if (answer.override === undefined) return { ...go, args };
  const accepted = handler.accept(answer.override);
  if ("problem" in accepted)
    return {
      kind: "stop",
      text: `This tool call was not executed: hook input override for tool ${record.tool}: ${accepted.problem}. Tell the user that a hook of theirs answered with an input that cannot be used.\nNo files were applied.`,
    };
  keeper.update({ args: accepted.args, flags: [...keeper.record.flags, "hook-rewritten"] });
  return { ...go, args: accepted.args };
}

/**
 * Hooks after the call see the input as those before it, and hear what the model will read. What they add for the
 * model is returned. The call is over by then, so a bug here costs only what they would have said.
 */
export async function afterHooks(
  handler: Handler,
  keeper: Keeper,
  { text, isError }: { readonly text: string; readonly isError: boolean },
  { hooks, logBug }: Ports,
): Promise<string | undefined> {
  if (hooks === undefined) return undefined;
  const { record } = keeper;
  try {
    const after = await hooks.after({
      ...eventOf(record, handler.present(record.args)),
      response: text,
      isError,
    });
    const said = [record.userMessage, after.userMessage].filter((one) => one !== undefined);
    if (after.userMessage !== undefined) keeper.update({ userMessage: said.join("\n") });
    return after.modelContext;
  } catch (error) {
    logBug(error);
    return undefined;
  }
}

function eventOf(record: CallRecord, input: unknown) {
  return {
    callId: record.id,
    session: record.session,
    tool: record.tool,
    input,
    ...(record.model === undefined ? {} : { model: record.model }),
  };
}
