import { at } from "../base/assert.ts";
import { parseUnified, wordMarks, type DiffHunk } from "../engine/index.ts";
import type { CallCard, DiffCard, FileCard, HunkCard, RowCard } from "../protocol/cards.ts";
import { readStoredCall } from "./legacyCall.ts";
import { LIMITS } from "./limits.ts";
import type { CallRecord, FileRecord } from "./record.ts";

/** Builds what the panel draws from a record. The only diffs in it are the server diffs the record holds. */
export function callCard(stored: CallRecord): CallCard {
  const call = readStoredCall(stored);
  const files = orderedFiles(call.files);
  const sum = (of: (diff: DiffCard) => number): number =>
    files.reduce(
      (total, { diff, phase }) => total + (diff === undefined || phase !== "done" ? 0 : of(diff)),
      0,
    );
  const error = call.result?.error;
  const requested = call.files.length === 0 ? requestedText(call) : undefined;
  const done = call.files.filter(({ phase }) => phase === "done").length;
  return {
    id: call.id,
    tool: call.tool,
    session: call.session,
    source: call.source,
    ...(call.model === undefined ? {} : { model: call.model }),
    startedAt: call.startedAt,
    ...(call.endedAt === undefined ? {} : { endedAt: call.endedAt }),
    phase: call.phase,
    ...(call.result === undefined ? {} : { status: call.result.status }),
    progress: { done, total: call.files.length },
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
    files,
    ...(error === undefined ? {} : { error: { ...error, near: [...(error.near ?? [])] } }),
    ...(requested === undefined ? {} : { requested }),
    badges: badges(call),
  };
}

/** Rejected and unknown files first once they are known, then the others, each as the call named them. */
function orderedFiles(files: readonly FileRecord[]): FileCard[] {
  const failed = ({ outcome }: FileRecord): boolean =>
    outcome?.status === "rejected" || outcome?.status === "unknown";
  const cards = files.map((file, index) => ({ failed: failed(file), card: fileCard(file, index) }));
  return [...cards.filter((c) => c.failed), ...cards.filter((c) => !c.failed)].map((c) => c.card);
}

/** A call of many files is drawn at every step, and at each step all but one file are what they were. */
const drawn = new WeakMap<FileRecord, FileCard>();

function fileCard(file: FileRecord, index: number): FileCard {
  const known = drawn.get(file);
  if (known?.key === keyOf(file, index)) return known;
  const card = drawFile(file, index);
  drawn.set(file, card);
  return card;
}

/** Stable within the call. */
function keyOf({ path }: FileRecord, index: number): string {
  return `${index}:${path}`;
}

function drawFile(file: FileRecord, index: number): FileCard {
  const { outcome } = file;
  const { folder, name } = splitPath(file.shown);
  const unified = file.phase === "proposed" ? file.proposed : outcome?.diff;
  const edits = outcome?.edits ?? file.edits;
  const operations = outcome?.operations ?? file.operations;
  const movedFrom = outcome?.movedFrom ?? file.movedFrom;
  const open =
    outcome === undefined || outcome.status === "rejected" || outcome.status === "unknown";
  return {
    key: keyOf(file, index),
    path: file.path,
    folder,
    name,
    operation: file.operation,
    phase: file.phase,
    ...(outcome === undefined ? {} : { status: outcome.status }),
    ...(movedFrom === undefined ? {} : { movedFrom }),
    ...(edits === undefined ? {} : { edits: [...edits] }),
    ...(operations === undefined ? {} : { operations: [...operations] }),
    ...(unified === undefined ? {} : { diff: diffCard(unified) }),
    ...(outcome?.error === undefined
      ? {}
      : { error: { ...outcome.error, near: [...(outcome.error.near ?? [])] } }),
    ...(outcome?.note === undefined ? {} : { note: outcome.note }),
    ...(open && file.resend !== undefined && outcome !== undefined ? { resend: file.resend } : {}),
    ...(open && file.requested !== undefined ? { requested: file.requested } : {}),
    ...(outcome?.unsaved === undefined ? {} : { unsaved: outcome.unsaved }),
    ...(outcome?.encoding === undefined ? {} : { encoding: outcome.encoding }),
    ...(outcome?.tolerance === undefined ? {} : { tolerance: [...outcome.tolerance] }),
    ...(isComparable(file) ? { comparable: true } : {}),
    ...(file.appliedBy === undefined ? {} : { appliedBy: file.appliedBy }),
  };
}

function isComparable({ outcome, absolute, hashBefore, hashAfter }: FileRecord): boolean {
  const isKept = (hashBefore ?? hashAfter) !== undefined;
  return outcome?.status === "unknown" && absolute !== undefined && isKept;
}

function splitPath(shown: string): { folder: string; name: string } {
  const slash = shown.lastIndexOf("/");
  return { folder: shown.slice(0, slash + 1), name: shown.slice(slash + 1) };
}

function requestedText(call: CallRecord): string | undefined {
  if (call.argsRaw !== undefined) return call.argsRaw.slice(0, LIMITS.requestedUnitsMax);
  if (call.args === undefined) return undefined;
  const text = typeof call.args === "string" ? call.args : JSON.stringify(call.args, null, 2);
  return text.slice(0, LIMITS.requestedUnitsMax);
}

function badges(call: CallRecord): CallCard["badges"] {
  const out: CallCard["badges"] = [];
  if (call.flags.includes("hook-rewritten")) out.push("policy");
  if (call.flags.includes("replay")) out.push("replay");
  if (call.flags.includes("legacy")) out.push("legacy");
  if (call.flags.includes("imported")) out.push("imported");
  if (call.files.some(({ outcome }) => outcome?.unsaved === true)) out.push("unsaved");
  return out;
}

/** Rows with numbers and word marks from a stored server diff. */
export function diffCard(unified: string): DiffCard {
  const diff = parseUnified(unified);
  let room: number = LIMITS.diffRowsMax;
  let marked: number = LIMITS.markedRowsMax;
  let rowsLeftOut = 0;
  const hunks: HunkCard[] = [];
  for (const hunk of diff.hunks) {
    const rows = hunk.rows.length <= marked ? markedRows(hunk) : plainRows(hunk);
    marked -= hunk.rows.length;
    const kept = rows.slice(0, Math.max(0, room));
    rowsLeftOut += rows.length - kept.length;
    room -= kept.length;
    if (kept.length === 0) continue;
    const { oldNumber, oldCount, newNumber, newCount } = hunk;
    hunks.push({ oldNumber, oldCount, newNumber, newCount, rows: kept });
  }
  return { added: diff.added, removed: diff.removed, hunks, rowsLeftOut };
}

function plainRows(hunk: DiffHunk): RowCard[] {
  let oldNumber = hunk.oldNumber;
  let newNumber = hunk.newNumber;
  return hunk.rows.map(({ kind, text, unterminated }) => {
    const crlf = text.endsWith("\r");
    return {
      kind,
      oldNumber: kind === "added" ? null : oldNumber++,
      newNumber: kind === "removed" ? null : newNumber++,
      text: crlf ? text.slice(0, -1) : text,
      ...(unterminated ? { unterminated } : {}),
      ...(crlf ? { ending: "crlf" as const } : {}),
    };
  });
}

/** Pairs the removed rows of each changed block with its added rows, in order, and marks the words that differ. */
function markedRows(hunk: DiffHunk): RowCard[] {
  const rows = plainRows(hunk);
  for (let i = 0; i < rows.length; i++) {
    if (at(rows, i).kind !== "removed") continue;
    let added = i;
    while (rows[added]?.kind === "removed") added++;
    let end = added;
    while (rows[end]?.kind === "added") end++;
    for (let k = 0; i + k < added && added + k < end; k++) {
      const old = at(rows, i + k);
      const next = at(rows, added + k);
      const marks = wordMarks(old.text, next.text);
      if (marks.removed.length > 0)
        rows[i + k] = { ...old, marks: marks.removed.map(([a, b]) => [a, b]) };
      if (marks.added.length > 0)
        rows[added + k] = { ...next, marks: marks.added.map(([a, b]) => [a, b]) };
    }
    i = Math.max(i, end - 1);
  }
  return rows;
}
