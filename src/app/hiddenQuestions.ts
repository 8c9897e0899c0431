import type { Approvals, Question } from "./approvals.ts";

/**
 * A question that nobody can see would hold all calls up without a word. `tell` hears of each that opens while no
 * review is visible, once. Gives back the way to stop.
 */
export function onHiddenQuestion(
  approvals: Pick<Approvals, "open" | "onChange">,
  isVisible: () => boolean,
  tell: (question: Question) => void,
): () => void {
  let known = new Set<string>();
  return approvals.onChange(() => {
    const open = approvals.open();
    const fresh = open.filter(({ callId }) => !known.has(callId));
    known = new Set(open.map(({ callId }) => callId));
    if (!isVisible()) for (const question of fresh) tell(question);
  });
}
