import type { DiffCard, HunkCard, RowCard } from "../src/protocol/cards.ts";

/** A line of the drawn diff: a hunk's header, or what a hunk that is not folded holds: rows, or pairs of rows. */
export type DiffLine =
  | { readonly kind: "header"; readonly hunk: HunkCard; readonly index: number }
  | ({ readonly kind: "row" } & SignedRow)
  | PairLine;

export interface SignedRow {
  readonly row: RowCard;
  readonly ending: EndingSign | null;
}

/** The two sides of one line, beside each other. null: this side has no line here. */
export interface PairLine {
  readonly kind: "pair";
  readonly old: SignedRow | null;
  readonly now: SignedRow | null;
}

/** One row below the other, or the file before and after beside each other. */
export type Layout = "unified" | "split";

/** The line ending in words, shown only where it is all that differs from the row's partner. */
export type EndingSign = "CRLF" | "CR" | "LF";

export const DIFF_LIMITS = {
  /** A longer diff shows its start and a button, so that one call does not bury the others. */
  linesWithoutPreview: 240,
  previewLines: 80,
  /** Lines drawn or left blank together in a long diff. */
  chunkLines: 30,
  /** Of a longer line this much is shown, around its first mark: nobody reads a line of megabytes. */
  lineUnits: 600,
  /** What is shown before a mark that stands far to the right. */
  unitsBeforeMark: 60,
} as const;

/** Where the preview of a long diff ends; null when the diff is short enough to be shown whole. */
export interface PreviewEnd {
  readonly hunks: number;
  readonly rowsHidden: number;
}

export function previewEnd(diff: DiffCard): PreviewEnd | null {
  const all = diff.hunks.reduce((sum, { rows }) => sum + rows.length, 0);
  if (all + diff.hunks.length <= DIFF_LIMITS.linesWithoutPreview) return null;
  let lines = 0;
  let rows = 0;
  let hunks = 0;
  for (const hunk of diff.hunks) {
    if (DIFF_LIMITS.previewLines <= lines) break;
    const room = Math.max(1, DIFF_LIMITS.previewLines - lines - 1);
    const taken = Math.min(hunk.rows.length, room);
    lines += taken + 1;
    rows += taken;
    hunks++;
  }
  return { hunks, rowsHidden: all - rows };
}

/**
 * The lines to draw. With `preview` only the first ones; `isFolded` says which hunks show their header alone.
 * Law: without preview and folds there is one header a hunk, and every row once, in order; side by side every row
 * of either side once, in order, and a context row on both.
 */
export function diffLines(
  diff: DiffCard,
  isFolded: (hunk: number) => boolean,
  preview: boolean,
  layout: Layout = "unified",
): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  const max = preview ? DIFF_LIMITS.previewLines : Infinity;
  let taken = 0;
  for (const [index, hunk] of diff.hunks.entries()) {
    if (max <= taken) break;
    lines.push({ kind: "header", hunk, index });
    taken++;
    if (isFolded(index)) continue;
    const endings = endingSigns(hunk.rows);
    const rows = hunk.rows
      .slice(0, Math.max(1, max - taken))
      .map((row, at) => ({ row, ending: endings.get(at) ?? null }));
    taken += rows.length;
    // Not spread into one call: a hunk may have more rows than a call may have arguments.
    if (layout === "split") for (const pair of pairsOf(rows)) lines.push(pair);
    else for (const row of rows) lines.push({ kind: "row", ...row });
  }
  return lines;
}

/** Removed rows stand beside the added rows after them, in order, as their word marks pair them. */
function pairsOf(signed: readonly SignedRow[]): readonly PairLine[] {
  const rows = signed.map(({ row }) => row);
  const pairs: PairLine[] = [];
  let at = 0;
  while (at < rows.length) {
    const removed = runLength(rows, at, "removed");
    const added = runLength(rows, at + removed, "added");
    for (let k = 0; k < Math.max(removed, added); k++)
      pairs.push({
        kind: "pair",
        old: k < removed ? (signed[at + k] ?? null) : null,
        now: k < added ? (signed[at + removed + k] ?? null) : null,
      });
    at += removed + added;
    const same = signed[at];
    if (removed + added > 0 || same === undefined) continue;
    pairs.push({ kind: "pair", old: same, now: same });
    at++;
  }
  return pairs;
}

export function chunksOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const chunks: T[][] = [];
  for (let from = 0; from < items.length; from += size) chunks.push(items.slice(from, from + size));
  return chunks;
}

/** The signs of one hunk by row index: removed rows pair with the added rows after them, in order. */
function endingSigns(rows: readonly RowCard[]): ReadonlyMap<number, EndingSign> {
  const signs = new Map<number, EndingSign>();
  let at = 0;
  while (at < rows.length) {
    const removed = runLength(rows, at, "removed");
    const added = runLength(rows, at + removed, "added");
    for (let k = 0; k < Math.min(removed, added); k++) {
      const before = rows[at + k];
      const after = rows[at + removed + k];
      if (before === undefined || after === undefined) continue;
      if (before.text !== after.text || before.ending === after.ending) continue;
      signs.set(at + k, signOf(before));
      signs.set(at + removed + k, signOf(after));
    }
    at += Math.max(1, removed + added);
  }
  return signs;
}

function runLength(rows: readonly RowCard[], from: number, kind: RowCard["kind"]): number {
  let end = from;
  while (rows[end]?.kind === kind) end++;
  return end - from;
}

function signOf(row: RowCard): EndingSign {
  if (row.ending === "crlf") return "CRLF";
  return row.ending === "cr" ? "CR" : "LF";
}

/** The line a person wants to see first: the first changed one, as the new file counts; undefined when none. */
export function firstChangedLine(diff: DiffCard | undefined, hunkIndex = 0): number | undefined {
  const hunk = diff?.hunks[hunkIndex];
  if (hunk === undefined) return undefined;
  let next = hunk.newNumber;
  for (const row of hunk.rows) {
    if (row.kind !== "context") return Math.max(1, row.newNumber ?? next);
    next = (row.newNumber ?? next) + 1;
  }
  return Math.max(1, hunk.newNumber);
}

/** A piece of a line: plain, marked as differing, or a character that would not be seen. */
export interface Piece {
  readonly text: string;
  readonly marked: boolean;
  /** The code point in words ("U+202E") when the piece is one invisible or direction-changing character. */
  readonly hidden?: string;
}

/**
 * Control and format characters (direction changes, zero widths, soft hyphen, BOM) and the two line separators. The
 * joiners inside emoji and in scripts that need them are left alone; after plain ASCII they have no honest use.
 */
const HIDDEN = /(?![\t\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]|(?<=\p{ASCII})[\u200c\u200d]/gu;

type Marks = readonly (readonly [number, number])[];

/** What of a line is drawn: pieces, and how many units before and after them are not. */
export interface ShownLine {
  readonly pieces: readonly Piece[];
  readonly unitsBefore: number;
  readonly unitsAfter: number;
}

/**
 * Cuts a line into pieces along its marks, with hidden characters named instead of drawn, so that text that plays
 * with direction cannot look like other text. Law: the texts of all pieces, joined, are the line without
 * `unitsBefore` units at its start and `unitsAfter` at its end; both are 0 up to `DIFF_LIMITS.lineUnits`.
 */
export function shownLine(text: string, marks: Marks = []): ShownLine {
  const { from, to } = windowOf(text, marks[0]?.[0] ?? 0);
  const pieces: Piece[] = [];
  let at = from;
  const add = (end: number, marked: boolean): void => {
    const until = Math.min(end, to);
    if (at < until) pieces.push(...splitHidden(text.slice(at, until), marked));
    at = Math.max(at, until);
  };
  for (const [start, end] of marks) {
    add(start, false);
    add(end, true);
  }
  add(to, false);
  return { pieces, unitsBefore: from, unitsAfter: text.length - to };
}

function windowOf(text: string, firstMark: number): { readonly from: number; readonly to: number } {
  const max = DIFF_LIMITS.lineUnits;
  if (text.length <= max) return { from: 0, to: text.length };
  const isFar = max / 2 < firstMark;
  const from = isFar ? wholeAt(text, firstMark - DIFF_LIMITS.unitsBeforeMark) : 0;
  return { from, to: wholeAt(text, Math.min(text.length, from + max)) };
}

/** The first `max` units, never half a surrogate pair. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, wholeAt(text, max));
}

/** `index`, or the one before it when a surrogate pair would be split there. */
function wholeAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return 0xdc00 <= unit && unit <= 0xdfff ? index - 1 : index;
}

function splitHidden(text: string, marked: boolean): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (at < index) pieces.push({ text: text.slice(at, index), marked });
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    pieces.push({ text: character, marked, hidden: `U+${code}` });
    at = index + character.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), marked });
  return pieces;
}
