import type { CallCard, FileCard } from "../src/protocol/cards.ts";

/** Does a person still have to look at this change: it stands, can be taken back, and was not kept? */
export function isToReview(call: CallCard, file: FileCard): boolean {
  if (call.undoOf !== undefined || file.status !== "applied") return false;
  return file.undoable === true && file.reviewed !== true && file.undone !== "all";
}

export function filesToReview(call: CallCard): readonly FileCard[] {
  return call.files.filter((file) => isToReview(call, file));
}

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
