import type { CallCard } from "../src/protocol/cards.ts";

/** Puts calls in by id; a call that is there already is replaced. Newest first, ids break ties. */
export function merge(
  calls: readonly CallCard[],
  incoming: readonly CallCard[],
): readonly CallCard[] {
  const single = incoming.length === 1 ? incoming[0] : undefined;
  const at = single === undefined ? -1 : calls.findIndex(({ id }) => id === single.id);
  const known = calls[at];
  if (single !== undefined && known?.startedAt === single.startedAt) return calls.with(at, single);
  const byId = new Map([...calls, ...incoming].map((call) => [call.id, call]));
  return [...byId.values()].sort(newestFirst);
}

export function newestFirst(a: CallCard, b: CallCard): number {
  if (a.startedAt !== b.startedAt) return b.startedAt - a.startedAt;
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}
