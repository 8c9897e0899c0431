import { parsePatch, type PatchDoc, type PatchOperation } from "../../engine/index.ts";
import { patchGroup, type GuardEdit, type GuardEffect } from "../guard.ts";

/** The operations of a patch bound to one source path, in order. */
export interface OperationGroup {
  readonly path: string;
  readonly indexes: readonly number[];
}

/** Groups by source path as written, in order of first appearance. */
export function operationGroups(doc: PatchDoc): readonly OperationGroup[] {
  const groups = new Map<string, number[]>();
  doc.operations.forEach(({ path }, index) => {
    const own = groups.get(path);
    if (own === undefined) groups.set(path, [index]);
    else own.push(index);
  });
  return Array.from(groups, ([path, indexes]) => ({ path, indexes }));
}

/** Whole file groups as the guard compares them, from canonical arguments. */
export function patchGuardEdits(args: unknown): readonly GuardEdit[] {
  if (typeof args !== "object" || args === null || !("patch" in args)) return [];
  return typeof args.patch === "string" ? guardEditsOf(parsePatch(args.patch).doc) : [];
}

export function guardEditsOf(doc: PatchDoc): readonly GuardEdit[] {
  return operationGroups(doc).map(({ path, indexes }) => {
    const operations = indexes.flatMap((index) => doc.operations[index] ?? []);
    const text = operations.map(({ raw }) => raw.replace(/\n+$/, "")).join("\n");
    return patchGroup(path, text, effectsOf(operations));
  });
}

/** What stands in the files while the group's effect does. */
function effectsOf(operations: readonly PatchOperation[]): readonly GuardEffect[] {
  const effects: GuardEffect[] = [];
  for (const operation of operations) {
    const { path } = operation;
    if (operation.kind === "add") {
      effects.push({ kind: "contains", path, text: operation.lines.join("\n") });
      continue;
    }
    if (operation.kind === "delete") {
      effects.push({ kind: "no-file", path });
      continue;
    }
    const target = operation.moveTo ?? path;
    if (operation.moveTo !== null) effects.push({ kind: "no-file", path });
    for (const { lines } of operation.hunks) {
      const without = (left: "added" | "removed"): string =>
        lines
          .filter(({ kind }) => kind !== left)
          .map(({ text }) => text)
          .join("\n");
      const before = without("added");
      const after = without("removed");
      if (after === "") effects.push({ kind: "lacks", path: target, text: before });
      else
        effects.push({
          kind: "contains",
          path: target,
          text: after,
          ...(before.includes(after) ? { gone: before } : {}),
        });
    }
  }
  return effects;
}
