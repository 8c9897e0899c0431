import type { CallCard, FileCard } from "../src/protocol/cards.ts";
import { previewEnd } from "./diffLines.ts";

/**
 * A row is a unit of focus: a call's header, a file's row or a hunk's header. Its key is also the key under which
 * a person's folding of it is kept.
 */
export interface Row {
  readonly callId: string;
  readonly fileKey?: string;
  /** Index of the hunk in its diff, from 0. */
  readonly hunk?: number;
}

/** What a person folded or unfolded by hand, by key; what is not in it has its natural state. */
export type Folds = Readonly<Record<string, boolean>>;

const GAP = "\u001f";

export function rowKey({ callId, fileKey, hunk }: Row): string {
  if (fileKey === undefined) return callId;
  return hunk === undefined
    ? `${callId}${GAP}${fileKey}`
    : `${callId}${GAP}${fileKey}${GAP}${hunk}`;
}

/** Law: `rowOf(rowKey(row))` equals `row`, for ids without the separator (U+001F). */
export function rowOf(key: string): Row {
  const [callId = "", fileKey, hunk] = key.split(GAP);
  if (fileKey === undefined) return { callId };
  return hunk === undefined ? { callId, fileKey } : { callId, fileKey, hunk: Number(hunk) };
}

/** Parts of a card that fold but are no rows of their own. */
export function partKey(row: Row, part: "requested" | "preview"): string {
  return `${rowKey(row)}${GAP}${part}`;
}

/** Calls with more files than this start with their diffs folded, so that the list of files can be read. */
const FILES_UNFOLDED_MAX = 12;

export function isFileFolded(call: CallCard, file: FileCard, folds: Folds): boolean {
  const byHand = folds[rowKey({ callId: call.id, fileKey: file.key })];
  if (byHand !== undefined) return byHand;
  if (file.status !== "applied") return false;
  // What was kept or taken back is done with.
  return file.reviewed === true || file.undone === "all" || FILES_UNFOLDED_MAX < call.files.length;
}

/** `natural` is what holds until a person folds or unfolds it. */
export function isFolded(row: Row, folds: Folds, natural = false): boolean {
  return folds[rowKey(row)] ?? natural;
}

/** Has the file anything below its row? */
export function hasBody(file: FileCard): boolean {
  return file.phase === "done" || file.phase === "proposed" || file.requested !== undefined;
}

/** The rows of one call as they are drawn, top to bottom. */
export function rowsOfCall(call: CallCard, folds: Folds): readonly Row[] {
  const callId = call.id;
  const rows: Row[] = [{ callId }];
  if (isFolded({ callId }, folds)) return rows;
  for (const file of call.files) {
    const row: Row = { callId, fileKey: file.key };
    rows.push(row);
    if (file.diff === undefined || !showsDiff(file) || isFileFolded(call, file, folds)) continue;
    const end = folds[partKey(row, "preview")] === false ? null : previewEnd(file.diff);
    const shown = end === null ? file.diff.hunks.length : end.hunks;
    for (let hunk = 0; hunk < shown; hunk++) rows.push({ callId, fileKey: file.key, hunk });
  }
  return rows;
}

/** Only a diff of the server's own is ever drawn: of what was applied, or of a plan that waits for a person. */
export function showsDiff(file: FileCard): boolean {
  return file.phase === "proposed" || (file.phase === "done" && file.status === "applied");
}
