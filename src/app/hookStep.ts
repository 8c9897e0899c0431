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
  if (ports.hooks === undefined) return { kind: "go", args, askAll: false };
  const { record } = keeper;
  const answer = await ports.hooks.before(eventOf(record, handler.present(args)), signal);
  if (answer.userMessage !== undefined) keeper.update({ userMessage: answer.userMessage });
  if (answer.kind === "stop") {
    keeper.update({ flags: [...keeper.record.flags, "hook-stopped"] });
    return { kind: "stop", text: answer.text };
  }
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

/** Hooks after the call hear what the model will read. What they add for the model is returned. */
export async function afterHooks(
  record: CallRecord,
  text: string,
  isError: boolean,
  ports: Ports,
): Promise<string | undefined> {
  if (ports.hooks === undefined) return undefined;
  const after = await ports.hooks.after({
    ...eventOf(record, record.args),
    response: text,
    isError,
  });
  return after.modelContext;
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
