import type { ReadBack } from "./ports.ts";

/**
 * What a read-back shows about one planned change. This is the only judge of "applied": what a write says of
 * itself is a hint.
 *
 * - `written`: the planned bytes are on disk and no editor holds anything else.
 * - `written-unsaved`: an editor holds the planned text, the disk the old bytes.
 * - `unchanged`: disk and editor are what they were before.
 * - `other`: anything else.
 */
export type Verdict = "written" | "written-unsaved" | "unchanged" | "other";

export interface Side {
  /** null: no file. */
  readonly bytes: Uint8Array | null;
  /** Text of an open document; null when the file is not text or was not decoded. */
  readonly text: string | null;
}

export function judge(before: Side, after: Side, seen: ReadBack): Verdict {
  const shows = (side: Side): boolean =>
    seen.document === null || !seen.document.dirty || seen.document.text === side.text;
  if (sameBytes(seen.disk, after.bytes) && shows(after)) return "written";
  if (
    seen.document?.dirty === true &&
    after.text !== null &&
    seen.document.text === after.text &&
    sameBytes(seen.disk, before.bytes)
  )
    return "written-unsaved";
  if (sameBytes(seen.disk, before.bytes) && shows(before)) return "unchanged";
  return "other";
}

export function sameBytes(a: Uint8Array | null, b: Uint8Array | null): boolean {
  if (a === null || b === null) return a === b;
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
