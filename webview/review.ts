import type { CallCard, FileCard } from "../src/protocol/cards.ts";

export function filesUndoable(call: CallCard): readonly FileCard[] {
  return call.files.filter(({ undoable }) => undoable === true);
}

/** The files that a waiting call still asks about. */
export function filesUnanswered({ approval, files }: CallCard): readonly FileCard[] {
  if (approval === undefined) return [];
  return files.filter(({ key, phase }) => {
    return phase === "proposed" && approval.answers?.[key] === undefined;
  });
}
