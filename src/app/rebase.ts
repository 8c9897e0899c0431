import { fail, ok, type Result } from "../base/result.ts";
import { alignLines, dominantEnding, Edit, joinSplices, SourceText } from "../engine/index.ts";
import type { Alignment, ChangedRun, Splice } from "../engine/index.ts";

/** Lines `from`..`to` of a text are to give way to `insert`, whole lines as well. Indexes count from 0. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** The lines of the present text that somebody changed later; `from === to` where lines were removed. */
export interface LaterChange {
  readonly from: number;
  readonly to: number;
}

export interface Rebased {
  readonly edit: Edit;
  /** Pieces whose place already reads as they want it; they are not in the edit. */
  readonly alreadyThere: number;
}

/**
 * Carries pieces that were made for `base` over to `present`, a later state of the same text.
 *
 * Law: lines that differ between the two texts stand in the result as they stand in `present`, and every piece is
 * either made in full, found made already, or the whole is refused with a later change that overlaps it. Where the
 * change could as well have been made on the other side of a piece (repeated lines), it counts as overlapping,
 * unless both readings give the same text.
 */
export function rebase(
  base: SourceText,
  pieces: readonly Piece[],
  present: SourceText,
): Result<Rebased, LaterChange> {
  const oldLines = linesOf(base);
  const newLines = linesOf(present);
  const changes = slidesOf(alignLines(oldLines, newLines), oldLines, newLines);
  const splices: Splice[] = [];
  let alreadyThere = 0;
  let passed = 0; // changes that lie in front of this piece and of all later ones
  let passedShift = 0;
  for (const piece of pieces) {
    for (let c = changes[passed]; c !== undefined && c.oldTo + c.down < piece.from;) {
      passedShift += grownBy(c);
      c = changes[++passed];
    }
    let shift = passedShift;
    let touching: Slide | undefined;
    let isDone = false;
    for (let i = passed; touching === undefined; i++) {
      const change = changes[i];
      if (change === undefined || change.oldFrom - change.up > piece.to) break;
      const settled = besides(piece, change);
      if (isBeside(piece, settled, newLines)) {
        touching = settled;
        isDone = true;
        break;
      }
      const shiftBehind = settled.oldTo <= piece.from ? shift + grownBy(settled) : shift;
      if (overlaps(piece, shiftBehind, settled, newLines)) touching = settled;
      else shift = shiftBehind;
    }
    if (touching !== undefined) {
      if (!isDone && !isThere(piece, shift, touching, newLines))
        return fail({ from: touching.newFrom, to: touching.newTo });
      alreadyThere++;
      continue;
    }
    const splice = spliceOf(piece, shift, base, present);
    if (splice === null) return fail({ from: present.lineCount - 1, to: present.lineCount });
    splices.push(splice);
  }
  return ok({ edit: Edit.of(present.text.length, joinSplices(splices)), alreadyThere });
}

/** A change between the texts, and how far up and down it could be told as well (repeated lines). */
interface Slide extends ChangedRun {
  readonly up: number;
  readonly down: number;
}

function linesOf(text: SourceText): readonly string[] {
  return Array.from({ length: text.lineCount }, (_, index) => text.fullLine(index));
}

function slidesOf(
  { runs }: Alignment,
  oldLines: readonly string[],
  newLines: readonly string[],
): readonly Slide[] {
  return runs.map((run, index) => {
    const inserted = run.oldFrom === run.oldTo;
    if (!inserted && run.newFrom < run.newTo) return { ...run, up: 0, down: 0 };
    const lines = inserted ? newLines : oldLines;
    const [from, to] = inserted ? [run.newFrom, run.newTo] : [run.oldFrom, run.oldTo];
    // Only unchanged lines may be slid over.
    const before = runs[index - 1];
    const after = runs[index + 1];
    const upMax = from - (inserted ? (before?.newTo ?? 0) : (before?.oldTo ?? 0));
    const end = inserted
      ? (after?.newFrom ?? newLines.length)
      : (after?.oldFrom ?? oldLines.length);
    let up = 0;
    while (up < upMax && lines[from - 1 - up] === lines[to - 1 - up]) up++;
    let down = 0;
    while (to + down < end && lines[from + down] === lines[to + down]) down++;
    return { ...run, up, down };
  });
}

function grownBy({ oldFrom, oldTo, newFrom, newTo }: ChangedRun): number {
  return newTo - newFrom - (oldTo - oldFrom);
}

/** The change told as one in front of the piece or behind it, where repeated lines leave that open. */
function besides({ from, to }: Piece, change: Slide): Slide {
  const { oldFrom, oldTo, up, down } = change;
  const isApart = oldTo <= from || to <= oldFrom;
  if (isApart) return change;
  const toFront = oldTo - from;
  const toBack = to - oldFrom;
  if (toFront <= up) return slid(change, -toFront);
  return toBack <= down ? slid(change, toBack) : change;
}

function slid(change: Slide, by: number): Slide {
  return {
    oldFrom: change.oldFrom + by,
    oldTo: change.oldTo + by,
    newFrom: change.newFrom + by,
    newTo: change.newTo + by,
    up: change.up + by,
    down: change.down - by,
  };
}

function overlaps(
  { from, to, insert }: Piece,
  shift: number,
  change: Slide,
  newLines: readonly string[],
): boolean {
  const { oldFrom, oldTo, newFrom, newTo } = change;
  const first = oldFrom - change.up;
  const last = oldFrom + change.down;
  if (oldFrom === oldTo) {
    // Text was inserted somewhere in first..last, between the old lines.
    if (from === to) return first <= from && from <= last;
    if (from < oldFrom && oldFrom < to) return true;
    if (!(first <= from && to <= last)) return false;
    // In front of the piece or behind it: the same only if taking the piece out leaves the same lines.
    const count = newTo - newFrom;
    const start = oldFrom <= from ? from + shift - count : from + shift;
    return insert !== "" || !sameLines(newLines, start, start + to - from, count);
  }
  const length = oldTo - oldFrom;
  if (from === to)
    return (
      (oldFrom < from && from < oldTo) || (first + length <= from && from <= last && first < last)
    );
  if (oldFrom < to && from < oldTo) return true;
  if (newFrom < newTo) return false;
  // Lines were removed, and they may have been the piece's own.
  return (
    Math.max(first, to - length) <= Math.min(last, from) || (first + length <= from && to <= last)
  );
}

function sameLines(lines: readonly string[], a: number, b: number, count: number): boolean {
  for (let i = 0; i < count; i++) if (lines[a + i] !== lines[b + i]) return false;
  return true;
}

/** Whether the change that is in the way did just what the piece wants. `shift` is without that change. */
function isThere(
  { from, to, insert }: Piece,
  shift: number,
  change: Slide,
  newLines: readonly string[],
): boolean {
  const lines = linesOf(SourceText.of(insert));
  if (grownBy(change) !== lines.length - (to - from)) return false;
  if (change.oldFrom - change.up > from || change.oldTo + change.down < to) return false;
  return lines.every((line, index) => newLines[from + shift + index] === line);
}

/** Whether lines that are to come back between two lines stand at the edge of a change that was made just there. */
function isBeside(
  { from, to, insert }: Piece,
  { oldFrom, oldTo, newFrom, newTo }: Slide,
  newLines: readonly string[],
): boolean {
  if (from !== to || oldFrom === oldTo) return false;
  const lines = linesOf(SourceText.of(insert));
  if (lines.length === 0 || lines.length > newTo - newFrom) return false;
  const standAt = (start: number): boolean =>
    lines.every((line, index) => newLines[start + index] === line);
  return (oldFrom === from && standAt(newFrom)) || (oldTo === to && standAt(newTo - lines.length));
}

/** Null where the piece would run together with a last line that has lost its ending. */
function spliceOf(
  piece: Piece,
  shift: number,
  base: SourceText,
  present: SourceText,
): Splice | null {
  const from = present.start(piece.from + shift);
  const to = present.start(piece.to + shift);
  if (piece.insert === "") return { from, to, insert: "" };
  if (from > 0 && !isBreak(present.text, from - 1)) return null;
  // The last line of the older text had no ending, and now something stands behind it.
  const open = to < present.text.length && !isBreak(piece.insert, piece.insert.length - 1);
  const ending = piece.to > piece.from ? base.ending(piece.to - 1) : dominantEnding(present.style);
  const insert = open ? piece.insert + (ending || dominantEnding(present.style)) : piece.insert;
  return { from, to, insert };
}

function isBreak(text: string, index: number): boolean {
  return text[index] === "\n" || text[index] === "\r";
}
