import { expect } from "vitest";
import type { CallRecord } from "../../../src/app/record.ts";
import { parseUnified } from "../../../src/engine/index.ts";
import { PATHS } from "./modelCalls.ts";
import {
  allBodies,
  COMMON,
  commonLines,
  bodyOf,
  encodingOf,
  isText,
  linesOf,
  ownBodiesOf,
  type Files,
  type Raw,
} from "./modelText.ts";

/** A call or an undo of the model, with all files before and after it. */
export interface Done {
  readonly id: string;
  readonly before: Files;
  readonly after: Files;
}

/** What holds of every undo: what it does not tell of it has not touched, and nobody else's line is lost. */
export function checkUndo(
  target: Done,
  undos: readonly CallRecord[],
  before: Files,
  after: Files,
): void {
  const what = JSON.stringify({ target, undos, before, after }, null, 1);
  const touched = new Set<string | undefined>();
  const sources = new Map<string, string>();
  /** Where another file is now, or none. */
  const replaced = new Set<string | undefined>();
  for (const undone of undos) {
    for (const { shown, outcome } of undone.files) {
      expect(["applied", "rejected"], what).toContain(outcome?.status);
      if (outcome?.status !== "applied") {
        expect(outcome?.error?.message, what).toMatch(/\w{3}/);
        continue;
      }
      const from = outcome.movedFrom?.replace("/ws/", "");
      touched.add(shown).add(from);
      if (outcome.operation !== "update") replaced.add(shown).add(from);
      if (from !== undefined) sources.set(shown, from);
    }
    const isRefused = undone.files.every(({ outcome }) => outcome?.status !== "applied");
    if (isRefused) expect(undone.result, what).toMatchObject({ isError: true });
  }
  for (const path of PATHS) if (!touched.has(path)) expect(after[path], what).toBe(before[path]);

  const [old, made] = [new Set(allBodies(target.before)), new Set(allBodies(target.after))];
  const [was, now] = [allBodies(before), allBodies(after)];
  const lost = was.filter((line) => !now.includes(line));
  const gained = now.filter((line) => !was.includes(line));
  expect(lost.filter((line) => !made.has(line) || old.has(line), what)).toEqual([]);
  expect(gained.filter((line) => !old.has(line) || made.has(line), what)).toEqual([]);
  for (const [path, raw] of Object.entries(after)) {
    const source = before[sources.get(path) ?? path];
    // A deleted file may come back beside its moved copy, a line never twice in one file.
    const lines = ownBodiesOf(raw);
    expect(new Set(lines).size, what).toBe(lines.length);
    if (!replaced.has(path)) checkCommon(target, path, before[path], raw, what);
    if (source !== undefined) checkKept(target, source, raw, what);
  }
}

/** Of the lines that are nobody's own, an undo brings back no more than the call took, and takes no more than it brought. */
function checkCommon(
  target: Done,
  path: string,
  was: Raw | undefined,
  now: Raw,
  what: string,
): void {
  const [old, made] = [target.before[path], target.after[path]];
  if (was === undefined || old === undefined || made === undefined) return;
  const taken = commonLines(old) - commonLines(made);
  const back = commonLines(now) - commonLines(was);
  expect(back, what).toBeGreaterThanOrEqual(Math.min(0, taken));
  expect(back, what).toBeLessThanOrEqual(Math.max(0, taken));
}

/** Lines that stay keep their order in their file, and their endings unless the call changed those. */
function checkKept(target: Done, before: Raw, after: Raw, what: string): void {
  const [was, now] = [ownBodiesOf(before), ownBodiesOf(after)];
  const kept = now.filter((line) => was.includes(line));
  expect(
    was.filter((line) => kept.includes(line)),
    what,
  ).toEqual(kept);
  if (kept.length === 0 || !isText(before)) return;
  expect(encodingOf(after), what).toBe(encodingOf(before));
  const endings = (raw: Raw): ReadonlyMap<string, string> =>
    new Map(ownLinesOf(raw).map((line) => [bodyOf(line), line.slice(bodyOf(line).length)]));
  const [endingsWas, endingsNow] = [endings(before), endings(after)];
  const [old, made] = [target.before, target.after].map(
    (files) => new Map(Object.values(files).flatMap((raw) => [...endings(raw)])),
  );
  for (const line of kept) {
    if (line === was.at(-1) || line === now.at(-1)) continue;
    const changed = old?.get(line) !== made?.get(line);
    if (!changed) expect(endingsNow.get(line), `${line}\n${what}`).toBe(endingsWas.get(line));
  }
}

function ownLinesOf(raw: Raw): readonly string[] {
  return linesOf(raw).filter((line) => bodyOf(line) !== COMMON);
}

/** The diff of an applied file tells just what was lost and gained there. */
export function checkDiffs(undone: CallRecord, before: Files, after: Files): void {
  for (const { shown, outcome, operation } of undone.files) {
    if (outcome?.status !== "applied") continue;
    const source = outcome.movedFrom?.replace("/ws/", "") ?? shown;
    // In one undo a file may go and another come to its place.
    const was = operation === "add" ? "" : (before[source] ?? "");
    const now = operation === "delete" ? "" : (after[shown] ?? "");
    if (!isText(was) || !isText(now)) continue;
    const rows = parseUnified(outcome.diff ?? "").hunks.flatMap((hunk) => hunk.rows);
    const linesOfKind = (wanted: string): readonly string[] =>
      rows
        .filter(({ kind }) => kind === wanted)
        .map(({ text }) => bodyOf(text))
        .filter((body) => body !== COMMON);
    const [removed, added] = [linesOfKind("removed"), linesOfKind("added")];
    const what = JSON.stringify({ operation, undone, was, now }, null, 1);
    const [old, made] = [ownBodiesOf(was), ownBodiesOf(now)];
    expect(
      removed.filter((line) => !added.includes(line)),
      what,
    ).toEqual(old.filter((line) => !made.includes(line)));
    expect(
      added.filter((line) => !removed.includes(line)),
      what,
    ).toEqual(made.filter((line) => !old.includes(line)));
  }
}
