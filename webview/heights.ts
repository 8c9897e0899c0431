import type { CallCard, FileCard } from "../src/protocol/cards.ts";
import { DIFF_LIMITS, previewEnd } from "./diffLines.ts";
import { isFileFolded, isFolded, partKey, showsDiff, type Folds } from "./rows.ts";

const HEADER = 47;
const ROW = 27;
const LINE = 18;
const NOTE = 24;

/** How high a call will be, in pixels, before it is measured. A near guess keeps the scroll bar calm. */
export function heightOf(call: CallCard | undefined, folds: Folds): number {
  if (call === undefined || isFolded({ callId: call.id }, folds)) return HEADER;
  const files = call.files.reduce((sum, file) => sum + fileHeight(call, file, folds), 0);
  const own = (call.error === undefined ? 0 : 2 * NOTE) + (call.requested === undefined ? 0 : NOTE);
  return HEADER + own + files;
}

function fileHeight(call: CallCard, file: FileCard, folds: Folds): number {
  if (isFileFolded(call, file, folds)) return ROW;
  const error = file.error === undefined ? 0 : 2 * NOTE + (file.error.near?.length ?? 0) * LINE;
  const requested = file.requested === undefined || file.status === "applied" ? 0 : NOTE;
  const { diff } = file;
  if (diff === undefined || !showsDiff(file)) return ROW + error + requested;
  const whole = folds[partKey({ callId: call.id, fileKey: file.key }, "preview")] === false;
  const isLong = !whole && previewEnd(diff) !== null;
  const rows = diff.hunks.reduce((sum, { rows: { length } }) => sum + length, diff.hunks.length);
  return ROW + error + requested + LINE * (isLong ? DIFF_LIMITS.previewLines + 1 : rows);
}
