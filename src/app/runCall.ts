import type { FileOutcome } from "../engine/index.ts";
import { arrivedOf, nestsTooDeep, type Arrival } from "./arrival.ts";
import type { Call, CallResult } from "./call.ts";
import { end, endAfterBug, refuseCall } from "./endCall.ts";
import type { Ended, Handler } from "./handler.ts";
import { afterHooks, askHooks } from "./hookStep.ts";
import { createKeeper, received, unheard, type Keeper } from "./keeper.ts";
import { LIMITS } from "./limits.ts";
import { planFileProblem, planTurnRefusal } from "./planTurn.ts";
import type { Ports } from "./ports.ts";
import { previewOf, type Preview } from "./preview.ts";
import { previousOf } from "./previousCall.ts";
import { createQueue, type Queue } from "./queue.ts";
import { createRetryNotes, type RetryNotes } from "./retryNotes.ts";

const NOTHING = "No files were applied.";

/** The one way of every call: adapters hand over, and nothing else decides the order of steps. */
export interface CallRunner {
  /**
   * Never rejects: whatever happens is a result. `approvedPlan` is the hash of a preview that a person said yes to:
   * if the same plan comes out now, it is not asked about again.
   */
  execute(call: Call, signal?: AbortSignal, approvedPlan?: string): Promise<CallResult>;
  /**
   * What a person would be asked if the call ran now; null when nobody would. Looks at files beside the calls that
   * run, writes nothing, and asks no hook, which would take it for a call.
   */
  preview(call: Call, signal: AbortSignal): Promise<Preview | null>;
  /** Stops a running or queued call; files not started are rejected, what was done stays. */
  cancel(callId: string): void;
  /**
   * Runs other work on files while no call touches any, for example an undo. It does not wait for a call that only
   * waits for its approval: that one looks at its files again before it writes.
   */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
}

export function createCallRunner(world: Ports, handlers: readonly Handler[]): CallRunner {
  const queue = createQueue();
  const ports = pausedWhileAsking(world, queue);
  const retryNotes = createRetryNotes();
  const tools = { ports, handlers, retryNotes };
  const running = new Map<string, AbortController>();
  return {
    async execute(call, outer, approvedPlan) {
      const stop = new AbortController();
      const abort = (): void => stop.abort();
      outer?.addEventListener("abort", abort);
      if (outer?.aborted === true) abort();
      const keeper = createKeeper(
        call.dryRun === true ? unheard(ports) : ports,
        received(call, ports),
      );
      running.set(keeper.record.id, stop);
      try {
        if (queue.length >= LIMITS.queuedCallsMax)
          return await refuse(
            keeper,
            `Send this call again later: ${queue.length} calls are waiting.\n${NOTHING}`,
          );
        const arrived = arrivedOf(call);
        const waits = queue.length > 0;
        if (waits) keeper.update({ phase: "queued" });
        const kept = waits ? keeper.save() : undefined;
        return await queue.run(async () => {
          await kept;
          return live(call, arrived, { ...tools, approvedPlan }, keeper, stop.signal);
        }, stop.signal);
      } catch (error) {
        ports.logBug(error);
        return await bugResult(keeper);
      } finally {
        running.delete(keeper.record.id);
        outer?.removeEventListener("abort", abort);
      }
    },
    preview: (call, signal) =>
      previewOf(world, (planning) => {
        const dry = { ...call, dryRun: true };
        const keeper = createKeeper(unheard(planning), received(dry, planning));
        return live(dry, arrivedOf(dry), { ...tools, ports: planning }, keeper, signal);
      }),
    cancel(callId) {
      running.get(callId)?.abort();
    },
    exclusive: (work) => queue.errand(work),
  };

  function bugResult(keeper: Keeper): Promise<CallResult> {
    return endAfterBug(keeper, ports);
  }

  function refuse(keeper: Keeper, text: string): Promise<CallResult> {
    return refuseCall(keeper, ports, text);
  }
}

/** As long as a call waits for a person's answer, it holds nothing up but the calls behind it. */
function pausedWhileAsking(ports: Ports, queue: Queue): Ports {
  const { permissions } = ports;
  if (permissions === undefined) return ports;
  return {
    ...ports,
    permissions: {
      judge: (...judged) => permissions.judge(...judged),
      problems: () => permissions.problems?.() ?? [],
      ask: (...asked) => queue.pause(() => permissions.ask(...asked)),
    },
  };
}

interface Tools {
  readonly approvedPlan?: string | undefined;
  readonly ports: Ports;
  readonly handlers: readonly Handler[];
  readonly retryNotes: RetryNotes;
}

async function live(
  call: Call,
  arrival: Arrival,
  tools: Tools,
  keeper: Keeper,
  signal: AbortSignal,
): Promise<CallResult> {
  const { ports, handlers } = tools;
  const handler = handlers.find(({ tool }) => tool.name === call.tool);
  if (handler === undefined) {
    const known = handlers.map(({ tool }) => tool.name).join(", ");
    return refuseCall(
      keeper,
      ports,
      `Use one of the tools ${known}; there is no tool "${call.tool.slice(0, 100)}".\n${NOTHING}`,
    );
  }
  if (arrival.kind === "too-large") {
    keeper.update({ argsRaw: arrival.start });
    return refuseCall(
      keeper,
      ports,
      `Send smaller arguments: these have ${arrival.units} characters, the limit is ${LIMITS.argumentUnitsMax}.\n${NOTHING}`,
    );
  }
  if (arrival.kind === "no-json")
    return refuseCall(
      keeper,
      ports,
      `Send the input as plain JSON; it holds values that JSON cannot.\n${NOTHING}`,
    );
  const { arrived } = arrival;
  const decoded = handler.tool.decode(arrived);
  if (decoded.stringDecoded === true)
    keeper.update({ flags: [...keeper.record.flags, "string-decoded"] });
  const deep = nestsTooDeep(decoded.args);
  if (decoded.kind === "refused" || deep) {
    const raw = arrived.raw?.slice(0, LIMITS.argsRawUnitsMax);
    if (decoded.args !== undefined && !deep) keeper.update({ args: decoded.args });
    else if (raw !== undefined) keeper.update({ argsRaw: raw });
    const flat = `Send arguments that nest no deeper than the tool's schema; these nest more than ${LIMITS.argumentDepthMax} levels deep.\n${NOTHING}`;
    return refuseCall(keeper, ports, decoded.kind === "refused" ? decoded.text : flat);
  }
  keeper.update({ args: decoded.args });
  // A hook, a person or the disk may take long, and a window may close meanwhile: then this is found and told.
  await keeper.save();
  if (!ports.workspace.trusted())
    return refuseCall(
      keeper,
      ports,
      `Ask the user to trust this workspace first: edits are not applied in Restricted Mode.\n${NOTHING}`,
    );
  const hooked = await askHooks(handler, decoded.args, keeper, ports, signal);
  if (hooked.kind === "stop") return refuseCall(keeper, ports, hooked.text);
  const valid = handler.validate(hooked.args);
  if (valid.kind === "refused") return refuseCall(keeper, ports, valid.text);
  if (valid.files.length > LIMITS.filesPerCallMax)
    return refuseCall(
      keeper,
      ports,
      `Send fewer files in one call: this one names ${valid.files.length}, the limit is ${LIMITS.filesPerCallMax}.\n${NOTHING}`,
    );
  const { plan } = call;
  if (plan?.turn === true) {
    const paths = valid.paths ?? valid.files.map(({ path }) => path);
    const restricted = planTurnRefusal(call.tool, paths, plan);
    if (restricted !== null) return refuseCall(keeper, ports, restricted);
  }
  keeper.update({ files: valid.files });
  const ended = await valid.run({
    ports,
    keeper,
    signal,
    tool: call.tool,
    dryRun: call.dryRun === true,
    previous: await previousOf(call, handler, ports),
    askAll: hooked.askAll || call.confirm === true,
    pathProblem: (path) => (plan === undefined ? null : planFileProblem(path, plan)),
    ...(tools.approvedPlan === undefined ? {} : { approvedPlan: tools.approvedPlan }),
  });
  return finish(keeper, tools, { call, handler, ended, signal, modelContext: hooked.modelContext });
}

interface Finish {
  readonly call: Call;
  readonly handler: Handler;
  readonly ended: Ended;
  readonly signal: AbortSignal;
  readonly modelContext: string | undefined;
}

async function finish(
  keeper: Keeper,
  { ports, retryNotes }: Tools,
  { call, handler, ended, signal, modelContext }: Finish,
): Promise<CallResult> {
  const dryRun = call.dryRun === true;
  const problems = await newProblems(ended, ports, signal);
  const { outcomes, notes } = dryRun
    ? { outcomes: ended.outcomes, notes: [] }
    : withRetryNotes(ended, call.session, retryNotes);
  const { text, isError } = ended.word(outcomes, problems, notes);
  const { message } = ended.word(ended.outcomes, [], []);
  const after = dryRun ? undefined : await afterHooks(handler, keeper, { text, isError }, ports);
  const words = [text, modelContext, after].filter((one) => one !== undefined).join("\n\n");
  return end(keeper, ports, { text: words, isError, message, outcomes: ended.outcomes });
}

/** What the files came to is known by now: a bug of whoever looks for new errors takes nothing of it away. */
async function newProblems(
  { changed }: Ended,
  { diagnose, logBug }: Ports,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (diagnose === undefined || changed.length === 0 || signal.aborted) return [];
  try {
    return (await diagnose(changed, signal)).slice(0, LIMITS.diagnosticsMax);
  } catch (error) {
    logBug(error);
    return [];
  }
}

/** The re-read note is for the model only: it goes into the words, not into the outcomes that are kept. */
function withRetryNotes(
  { outcomes, changed, missed }: Ended,
  session: string,
  retryNotes: RetryNotes,
): { readonly outcomes: readonly FileOutcome[]; readonly notes: readonly string[] } {
  for (const { real } of changed) retryNotes.succeeded(session, real);
  const notes = new Map<string, string>();
  for (const { real, asked } of missed) {
    const note = retryNotes.failed({ session, file: real, path: asked });
    if (note !== null) notes.set(asked, note);
  }
  const noted = outcomes.map((outcome) => {
    const note = notes.get(outcome.path);
    if (note === undefined || outcome.error === undefined) return outcome;
    const advice = outcome.error.advice === undefined ? note : `${outcome.error.advice} ${note}`;
    return { ...outcome, error: { ...outcome.error, advice } };
  });
  return { outcomes: noted, notes: [...notes.values()] };
}
