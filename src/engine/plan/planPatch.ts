import { assert } from "../../base/assert.ts";
import type { PlaceOptions } from "../match/placement.ts";
import type { ParsedPatch } from "../patch/parsePatch.ts";
import { operationTitle, pathsOf, type PatchDoc } from "../patch/patchDoc.ts";
import type { EnvelopeProblem } from "../report/patchProblem.ts";
import { groupOperations, type GroupedOperations } from "./groups.ts";
import { netPlan } from "./netPlan.ts";
import type { FailedGroup, PatchPlan } from "./patchPlan.ts";
import type { PatchFileState, PatchPath } from "./virtualFiles.ts";

/** Every path that a patch names, each once, as written. The caller resolves them before it plans. */
export function patchPaths(doc: PatchDoc): readonly string[] {
  const paths = new Set<string>();
  for (const operation of doc.operations) for (const path of pathsOf(operation)) paths.add(path);
  return [...paths];
}

/**
 * Decides everything a patch would write, from one snapshot. `paths` has every path of the patch, `snapshot` every
 * key; a key that is not in it is a missing file.
 *
 * Laws: L9 the order of operations on unrelated files does not matter. A file is in `files` or its operations are
 * in `failed`, never both; what `failed` has leaves no trace in `files`.
 */
export function planPatch(
  parsed: ParsedPatch,
  paths: ReadonlyMap<string, PatchPath>,
  snapshot: ReadonlyMap<string, PatchFileState>,
  options: PlaceOptions,
): PatchPlan {
  const { doc, problems } = parsed;
  if (problems.length > 0) return { kind: "rejected", problem: { code: "malformed", problems } };
  const pathOf = (path: string): PatchPath => {
    const resolved = paths.get(path);
    assert(resolved !== undefined, "every path of the patch is resolved before planning");
    return resolved;
  };
  const overlap = findOverlap(doc, pathOf);
  if (overlap !== null) return { kind: "rejected", problem: overlap };
  const grouped = groupOperations(doc.operations, pathOf, snapshot, options);
  const malformed = lineWithoutMarker(grouped);
  if (malformed !== null) return { kind: "rejected", problem: malformed };
  return {
    kind: "planned",
    files: netPlan(doc, pathOf, grouped),
    failed: failedGroups(doc, pathOf, grouped),
  };
}

/** Paths that cannot be in a patch: a move to itself, one file under two names, a link, a file used as a folder. */
function findOverlap(doc: PatchDoc, pathOf: (path: string) => PatchPath): EnvelopeProblem | null {
  for (const operation of doc.operations) {
    if (operation.kind !== "update" || operation.moveTo === null) continue;
    if (pathOf(operation.path).key === pathOf(operation.moveTo).key)
      return { code: "move-to-itself", path: operation.path };
  }
  const byKey = new Map<string, PatchPath>();
  for (const path of patchPaths(doc).map(pathOf)) {
    const same = byKey.get(path.key);
    if (same === undefined) byKey.set(path.key, path);
    else if (same.name !== path.name)
      return { code: "overlap", first: same.shown, second: path.shown };
  }
  for (const { shown, linkTo } of byKey.values())
    if (linkTo !== undefined) return { code: "not-regular", path: shown, leadsTo: linkTo };
  const folders = new Set<string>();
  for (const path of byKey.values())
    for (let end = parentEnd(path.key); end > 0;) {
      const folder = path.key.slice(0, end);
      const file = byKey.get(folder);
      if (file !== undefined) return { code: "overlap", first: file.shown, second: path.shown };
      // Most files of a patch lie in the same few folders.
      if (folders.has(folder)) break;
      folders.add(folder);
      end = parentEnd(folder);
    }
  return null;
}

function parentEnd(key: string): number {
  return Math.max(key.lastIndexOf("/"), key.lastIndexOf("\\"));
}

/** A context line without its space is a fault of the text unless its hunk has a certain place all the same. */
function lineWithoutMarker({ problems }: GroupedOperations): EnvelopeProblem | null {
  for (const problem of problems.values())
    if (problem.code === "placement" && problem.problem.code === "line-without-marker") {
      const { code, number } = problem.problem;
      return { code: "malformed", problems: [{ code, number }] };
    }
  return null;
}

function failedGroups(
  doc: PatchDoc,
  pathOf: (path: string) => PatchPath,
  grouped: GroupedOperations,
): readonly FailedGroup[] {
  const groups = new Map<
    string,
    { path: PatchPath; operations: FailedGroup["operations"][number][] }
  >();
  doc.operations.forEach((operation, index) => {
    const problem = grouped.problems.get(index);
    if (problem === undefined) return;
    const path = pathOf(operation.path);
    const group = groups.get(path.key) ?? { path, operations: [] };
    groups.set(path.key, group);
    group.operations.push({ index, title: operationTitle(operation), problem });
  });
  return [...groups.values()];
}
