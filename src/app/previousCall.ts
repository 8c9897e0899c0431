import type { Call } from "./call.ts";
import { previousEdits, undoneEdits, type GuardEdit, type PreviousEdit } from "./guard.ts";
import type { Handler } from "./handler.ts";
import { LIMITS } from "./limits.ts";
import type { Ports } from "./ports.ts";
import type { CallRecord } from "./record.ts";
import { UNDO_TOOL } from "./runUndo.ts";

/** What the guard knows comes from the stored calls of the session; without a store there is no guard. */
export async function previousOf(
  call: Call,
  handler: Handler,
  ports: Pick<Ports, "store" | "logBug">,
): Promise<ReadonlyMap<string, PreviousEdit>> {
  const { tool, replayOf } = call;
  // A person asked for it; only what the very call that is replayed has left is known to be the same work.
  if (call.replay === true && replayOf === undefined) return new Map();
  const { store } = ports;
  const limit = LIMITS.guardCallsMax;
  const editsOf = (args: unknown): readonly GuardEdit[] => handler.guardEdits(args);
  const standing = async (
    session: string,
    calls: readonly CallRecord[],
  ): Promise<ReadonlyMap<string, PreviousEdit>> => {
    const undos = await store.find({ session, tool: UNDO_TOOL, limit });
    const records = [...calls, ...undos].sort((a, b) => b.startedAt - a.startedAt);
    const undone = undoneEdits(records, UNDO_TOOL, editsOf);
    return previousEdits(records, { tool, session, editsOf, undone });
  };
  try {
    const { session } = call;
    const own = await standing(session, await store.find({ session, tool, limit }));
    if (own.size > 0 || replayOf === undefined) return own;
    const replayed = await store.get(replayOf);
    return replayed === undefined ? own : await standing(replayed.session, [replayed]);
  } catch (error) {
    ports.logBug(error);
    return new Map();
  }
}
