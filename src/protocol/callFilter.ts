import type { CallCard, FileCard } from "./cards.ts";

/**
 * What a person looks for in the list of calls; all parts must hold. One rule for both ends: the view asks it of the
 * cards it has, the host of the stored calls that the view has not.
 */
export interface CallFilter {
  /** Words between spaces; each must be found in tool, model or a shown path, in any case. */
  readonly text: string;
  readonly tool: string | null;
  readonly model: string | null;
  /** Only calls with a change that nobody has kept yet. */
  readonly review: boolean;
  readonly rejected: boolean;
  readonly attention: boolean;
}

/** UTF-16 units of a search, so that its words stay few enough for any store. */
export const SEARCH_UNITS_MAX = 200;

export function fitsFilter(call: CallCard, filter: CallFilter): boolean {
  const { review, rejected, attention, tool, model } = filter;
  if (tool !== null && call.tool !== tool) return false;
  if (model !== null && call.model !== model) return false;
  if (review && filesToReview(call).length === 0) return false;
  if (rejected && rejectedCount(call) === 0) return false;
  if (attention && !needsAttention(call)) return false;
  const wanted = wordsOfSearch(filter.text);
  if (wanted.length === 0) return true;
  const paths = call.files.flatMap(({ folder, name, movedFrom }) => [folder + name, movedFrom]);
  const all = [call.tool, call.model, ...paths].join("\n").toLowerCase();
  return wanted.every((word) => all.includes(word));
}

/** The words of a search, in lower case. */
export function wordsOfSearch(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/u).filter(Boolean);
}

/** Does the filter leave anything out? */
export function isNarrow({ text, tool, model, review, rejected, attention }: CallFilter): boolean {
  return text.trim() !== "" || tool !== null || model !== null || review || rejected || attention;
}

/** Does a person still have to look at this change: it stands, can be taken back, and was not kept? */
export function isToReview(call: CallCard, file: FileCard): boolean {
  if (call.undoOf !== undefined || file.status !== "applied") return false;
  return file.undoable === true && file.reviewed !== true && file.undone !== "all";
}

export function filesToReview(call: CallCard): readonly FileCard[] {
  return call.files.filter((file) => isToReview(call, file));
}

/** Files that were rejected; a call that failed as a whole counts as one. */
export function rejectedCount(call: CallCard): number {
  const files = call.files.filter(({ status }) => status === "rejected").length;
  return files === 0 && call.status === "error" ? 1 : files;
}

export function needsAttention(call: CallCard): boolean {
  if (call.phase === "approval" || call.phase === "interrupted" || call.status === "error")
    return true;
  return call.files.some(fileNeedsAttention);
}

function fileNeedsAttention(file: FileCard): boolean {
  if (file.phase === "proposed" || file.unsaved === true) return true;
  return file.status === "rejected" || file.status === "unknown";
}
