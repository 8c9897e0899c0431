import { LINE_STEPS } from "../match/hunkIndex.ts";
import { pathsOf, type PatchDoc } from "../patch/patchDoc.ts";
import { minimalSplices } from "../text/minimalSplices.ts";
import { Edit } from "../text/splice.ts";
import type { GroupedOperations } from "./groups.ts";
import type { NewContent, PlannedFile } from "./patchPlan.ts";
import type { PlacedHunk } from "./planUpdate.ts";
import { textChange, type TextChange } from "./textChange.ts";
import type { PatchPath, VirtualFile } from "./virtualFiles.ts";

type Present = Extract<VirtualFile, { kind: "text" | "bytes" }>;

/**
 * What the applied operations come to, file by file, from first and last state alone. A file whose content went to
 * another path and that is gone is one move, whatever it passed on its way. Sorted by path, deletions first.
 */
export function netPlan(
  doc: PatchDoc,
  pathOf: (path: string) => PatchPath,
  grouped: GroupedOperations,
): readonly PlannedFile[] {
  const touched = touchedBy(doc, pathOf, grouped);
  const moves = findMoves([...touched.keys()], grouped);
  const moved = new Set(moves.values());
  const files: PlannedFile[] = [];
  for (const [key, { path, operations }] of touched) {
    const before = grouped.before(key);
    const after = grouped.after(key);
    const common = commonOf(path, operations, grouped);
    const origin = moves.get(key);
    const source = origin === undefined ? undefined : touched.get(origin);
    if (origin !== undefined && source !== undefined && isPresent(after)) {
      const both = [...new Set([...source.operations, ...operations])].sort((a, b) => a - b);
      if (isPresent(before)) files.push({ ...common, kind: "delete" });
      const change = changeOf(grouped.before(origin), after, origin, common.tolerance);
      files.push({ ...commonOf(path, both, grouped), kind: "move", from: source.path, change });
    } else if (moved.has(key)) continue;
    else files.push(stayingFile(key, before, after, common));
  }
  return files.sort(
    (a, b) =>
      Number(a.kind !== "delete") - Number(b.kind !== "delete") ||
      compare(a.path.shown, b.path.shown),
  );
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

interface Touched {
  readonly path: PatchPath;
  readonly operations: number[];
}

function touchedBy(
  doc: PatchDoc,
  pathOf: (path: string) => PatchPath,
  grouped: GroupedOperations,
): ReadonlyMap<string, Touched> {
  const touched = new Map<string, Touched>();
  doc.operations.forEach((operation, index) => {
    if (!grouped.effects.has(index)) return;
    for (const written of pathsOf(operation)) {
      const path = pathOf(written);
      const entry = touched.get(path.key);
      if (entry === undefined) touched.set(path.key, { path, operations: [index] });
      else entry.operations.push(index);
    }
  });
  return touched;
}

/** Target key → source key, for content that changed its path and whose old path is empty now. */
function findMoves(
  keys: readonly string[],
  grouped: GroupedOperations,
): ReadonlyMap<string, string> {
  const heldElsewhere = new Set<string>();
  const candidates: (readonly [string, string])[] = [];
  for (const key of keys) {
    const after = grouped.after(key);
    if (!isPresent(after) || after.origin === null || after.origin === key) continue;
    heldElsewhere.add(after.origin);
    if (grouped.after(after.origin).kind === "missing") candidates.push([key, after.origin]);
  }
  // A target whose own content lives on under another path is written over, not deleted.
  return new Map(candidates.filter(([key]) => !heldElsewhere.has(key)));
}

function isPresent(file: VirtualFile): file is Present {
  return file.kind === "text" || file.kind === "bytes";
}

type Common = Pick<PlannedFile, "path" | "operations" | "hunks" | "tolerance">;

function commonOf(
  path: PatchPath,
  operations: readonly number[],
  grouped: GroupedOperations,
): Common {
  const hunksOf = (index: number): readonly PlacedHunk[] => grouped.effects.get(index)?.hunks ?? [];
  const [only] = operations;
  const hunks =
    operations.length === 1 && only !== undefined ? hunksOf(only) : operations.flatMap(hunksOf);
  return { path, operations, hunks, tolerance: tolerancesOf(hunks) };
}

/** Names of the steps above exact, strictest first, then of the other tolerances. */
function tolerancesOf(hunks: readonly PlacedHunk[]): readonly string[] {
  if (
    hunks.every(
      ({ placement: { step, tolerances } }) => step === "exact" && tolerances.length === 0,
    )
  )
    return [];
  const used = new Set(hunks.map((hunk) => hunk.placement.step));
  const steps = LINE_STEPS.filter((step) => step !== "exact" && used.has(step));
  return [...steps, ...new Set(hunks.flatMap((hunk) => hunk.placement.tolerances))];
}

function stayingFile(
  key: string,
  before: VirtualFile,
  after: VirtualFile,
  common: Common,
): PlannedFile {
  if (!isPresent(after)) return { ...common, kind: isPresent(before) ? "delete" : "unchanged" };
  if (!isPresent(before)) return { ...common, kind: "add", content: contentOf(after) };
  const recoded = isRecoded(before, after, key);
  if (isSame(before, after) && !recoded) return { ...common, kind: "unchanged" };
  const change = changeOf(before, after, key, common.tolerance);
  const update = { ...common, kind: "update", change, content: contentOf(after) } as const;
  return recoded ? { ...update, recoded } : update;
}

function contentOf(file: Present): NewContent {
  return file.kind === "text"
    ? { kind: "text", text: file.text, from: file.origin }
    : { kind: "bytes-of", key: file.origin };
}

/** A text that was moved here from a file of another encoding. */
function isRecoded(before: Present, after: Present, key: string): boolean {
  if (before.kind !== "text" || after.kind !== "text") return false;
  return after.origin !== null && after.origin !== key && after.encoding !== before.encoding;
}

function isSame(before: Present, after: Present): boolean {
  return before.kind === "text"
    ? after.kind === "text" && after.text === before.text
    : after.kind === "bytes" && after.origin === before.origin;
}

/** The edit that the update sections made, where the content is the file's own; else what both texts share stays. */
function changeOf(
  before: VirtualFile,
  after: Present,
  key: string,
  tolerance: readonly string[],
): TextChange | null {
  if (before.kind !== "text" || after.kind !== "text" || before.text === after.text) return null;
  const source = before.source();
  const edit =
    after.origin === key && after.edit !== null
      ? after.edit
      : Edit.of(before.text.length, minimalSplices(0, before.text, after.text));
  return textChange(source, edit, tolerance, after.text);
}
