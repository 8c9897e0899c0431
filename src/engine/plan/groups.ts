import type { PlaceOptions } from "../match/placement.ts";
import { pathsOf, type PatchOperation } from "../patch/patchDoc.ts";
import type { GroupProblem } from "../report/patchProblem.ts";
import {
  applyOperation,
  virtualFile,
  type OperationEffect,
  type PatchFileState,
  type PatchPath,
  type VirtualFile,
} from "./virtualFiles.ts";

/** All operations of the patch after they were tried in order; each either has an effect or a problem. */
export interface GroupedOperations {
  /** By operation index; absent for operations that are not applied. */
  readonly effects: ReadonlyMap<number, OperationEffect>;
  readonly problems: ReadonlyMap<number, GroupProblem>;
  /** The file as the snapshot has it, and as the applied operations leave it. */
  before(key: string): VirtualFile;
  after(key: string): VirtualFile;
  /** Key of the group that an operation belongs to: its source file. */
  groupOf(operation: number): string;
}

/**
 * Tries the operations in order. Operations on one source file are a group, which is applied whole or not at all.
 * A group depends on the groups that touched its files before. When a group fails, groups that depend on it fail
 * with it, and groups that it depends on stay.
 *
 * What is left needs no replay: an operation that stays had only operations before it that stay as well, so its
 * effect is what it would be without the failed ones.
 */
export function groupOperations(
  operations: readonly PatchOperation[],
  pathOf: (path: string) => PatchPath,
  snapshot: ReadonlyMap<string, PatchFileState>,
  options: PlaceOptions,
): GroupedOperations {
  const run = new GroupRun(operations, pathOf, snapshot, options);
  operations.forEach((_, index) => run.operation(index));
  return run;
}

/** One write of one file, as it lies on the stack of that file's writes. */
interface Write {
  readonly operation: number;
  readonly file: VirtualFile;
}

class GroupRun implements GroupedOperations {
  readonly effects = new Map<number, OperationEffect>();
  readonly problems = new Map<number, GroupProblem>();
  readonly #operations: readonly PatchOperation[];
  readonly #pathOf: (path: string) => PatchPath;
  readonly #snapshot: ReadonlyMap<string, PatchFileState>;
  readonly #options: PlaceOptions;
  readonly #first = new Map<string, VirtualFile>();
  readonly #writes = new Map<string, Write[]>();
  /** Group → operations tried so far. */
  readonly #tried = new Map<string, number[]>();
  /** Group → groups that depend on it. */
  readonly #dependents = new Map<string, Set<string>>();
  readonly #failedKeys = new Set<string>();

  constructor(
    operations: readonly PatchOperation[],
    pathOf: (path: string) => PatchPath,
    snapshot: ReadonlyMap<string, PatchFileState>,
    options: PlaceOptions,
  ) {
    this.#operations = operations;
    this.#pathOf = pathOf;
    this.#snapshot = snapshot;
    this.#options = options;
  }

  before(key: string): VirtualFile {
    let file = this.#first.get(key);
    if (file === undefined) {
      file = virtualFile(key, this.#snapshot.get(key) ?? { kind: "missing", similar: [] });
      this.#first.set(key, file);
    }
    return file;
  }

  after(key: string): VirtualFile {
    return this.#writes.get(key)?.at(-1)?.file ?? this.before(key);
  }

  groupOf(index: number): string {
    return this.#touched(index)[0]?.key ?? "";
  }

  operation(index: number): void {
    const operation = this.#operations[index];
    if (operation === undefined) return;
    const touched = this.#touched(index);
    const group = touched[0]?.key ?? "";
    const tried = this.#tried.get(group);
    if (tried === undefined) this.#tried.set(group, [index]);
    else tried.push(index);
    const failed = touched.find(({ key }) => this.#failedKeys.has(key));
    if (failed !== undefined) {
      this.problems.set(index, { code: "skipped", path: failed.shown });
      return this.#fail(group);
    }
    for (const { key } of touched) this.#depend(group, key);
    const applied = applyOperation(
      operation,
      this.#pathOf,
      (key) => this.after(key),
      this.#options,
    );
    if (!applied.ok) {
      this.problems.set(index, applied.problem);
      return this.#fail(group);
    }
    this.effects.set(index, applied.value);
    for (const [key, file] of applied.value.writes) {
      const write = { operation: index, file };
      const writes = this.#writes.get(key);
      if (writes === undefined) this.#writes.set(key, [write]);
      else writes.push(write);
    }
  }

  #touched(index: number): readonly PatchPath[] {
    const operation = this.#operations[index];
    return operation === undefined ? [] : pathsOf(operation).map(this.#pathOf);
  }

  /** The group needs what the last write of the file left. */
  #depend(group: string, key: string): void {
    const last = this.#writes.get(key)?.at(-1);
    if (last === undefined) return;
    const source = this.groupOf(last.operation);
    if (source === group) return;
    const dependents = this.#dependents.get(source) ?? new Set();
    this.#dependents.set(source, dependents);
    dependents.add(group);
  }

  #fail(group: string): void {
    const shown = this.#shownOf(group);
    this.#drop(group, { code: "rolled-back", path: shown });
    const seen = new Set([group]);
    const waiting = [...(this.#dependents.get(group) ?? [])];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      this.#drop(next, { code: "rolled-back-with", path: shown });
      waiting.push(...(this.#dependents.get(next) ?? []));
    }
  }

  #shownOf(group: string): string {
    const [first] = this.#tried.get(group) ?? [];
    return first === undefined ? group : (this.#touched(first)[0]?.shown ?? group);
  }

  /** Takes back what the group's operations did. The first reason that an operation got stays. */
  #drop(group: string, reason: GroupProblem): void {
    for (const index of this.#tried.get(group) ?? []) {
      for (const { key } of this.#touched(index)) this.#failedKeys.add(key);
      const effect = this.effects.get(index);
      if (effect === undefined) continue;
      this.effects.delete(index);
      if (!this.problems.has(index)) this.problems.set(index, reason);
      for (const [key] of effect.writes) {
        const writes = this.#writes.get(key);
        if (writes !== undefined)
          this.#writes.set(
            key,
            writes.filter((write) => write.operation !== index),
          );
      }
    }
  }
}
