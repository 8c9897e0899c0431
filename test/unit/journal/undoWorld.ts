import { decodeAs } from "../../../src/adapters/node/textBody.ts";
import { memoryStore } from "../../../src/adapters/node/memoryStore.ts";
import { commitUnit } from "../../../src/app/commit.ts";
import type { CallStore, FileRef } from "../../../src/app/ports.ts";
import type { CallRecord, FileRecord } from "../../../src/app/record.ts";
import { runUndo, type RunUndoPorts } from "../../../src/app/runUndo.ts";
import type { UndoScope } from "../../../src/app/undoCall.ts";
import { Edit, SourceText, textChange, type Splice } from "../../../src/engine/index.ts";
import { createMemoryWorkspace, type MemoryWorkspace } from "../../support/memoryWorkspace.ts";

/** A workspace in memory in which calls happen and are taken back, through the product's own commit. */
export interface UndoWorld {
  readonly workspace: MemoryWorkspace;
  /** May be replaced by a test: "reopened after a restart". */
  store: CallStore;
  readonly ports: RunUndoPorts;
  /** One call that changes, makes, deletes or moves files. */
  call(steps: Readonly<Record<string, Step>>): Promise<CallRecord>;
  undo(call: CallRecord, scope?: UndoScope): Promise<CallRecord>;
}

/** What a call does to one file. */
export type Step =
  | { readonly kind: "edit"; readonly splices: (text: string) => readonly Splice[] }
  | { readonly kind: "add"; readonly text: string }
  | { readonly kind: "delete" }
  | {
      readonly kind: "move";
      readonly to: string;
      readonly splices?: (text: string) => readonly Splice[];
    };

export function createUndoWorld(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Parameters<typeof createMemoryWorkspace>[0] = {},
): UndoWorld {
  const workspace = createMemoryWorkspace({ ...options, files });
  let time = 1_000;
  let serial = 0;
  const world: UndoWorld = {
    workspace,
    store: memoryStore({ notice: null }),
    ports: {
      workspace,
      get store() {
        return world.store;
      },
      clock: { now: () => ++time },
      newId: () => `id-${++serial}`,
      onCall: () => undefined,
      logBug: (error) => {
        throw error;
      },
      decode: async (bytes, encoding) => (await decodeAs(encoding, bytes))?.text ?? null,
    },
    async call(steps) {
      const records: FileRecord[] = [];
      for (const [path, step] of Object.entries(steps)) records.push(await take(world, path, step));
      const record: CallRecord = {
        version: 1,
        id: `id-${++serial}`,
        session: "s",
        tool: "edit_files",
        source: "test",
        startedAt: ++time,
        endedAt: ++time,
        phase: "done",
        files: records,
        result: { status: "applied", isError: false, text: "", message: "" },
        flags: [],
      };
      await world.store.put(record);
      return record;
    },
    undo: (call, scope = {}) => runUndo(world.ports, call, scope, new AbortController().signal),
  };
  return world;
}

async function refOf(world: UndoWorld, path: string): Promise<FileRef> {
  const ref = await world.workspace.locate(path, "edit", true);
  if (!ref.ok) throw new Error(ref.problem.code);
  return ref.value;
}

async function take(world: UndoWorld, path: string, step: Step): Promise<FileRecord> {
  const file = await refOf(world, path);
  const look = await world.workspace.look(file);
  if (!look.ok) throw new Error(look.problem.code);
  const snapshot = look.value;
  const text = snapshot.kind === "file" && snapshot.body.ok ? snapshot.body.value.text : "";
  const mode =
    snapshot.kind === "file" && snapshot.mode !== null ? { modeBefore: snapshot.mode } : {};
  const named = {
    path: file.asked,
    absolute: file.absolute,
    real: file.real,
    shown: file.shown,
    phase: "done",
  } as const;
  if (step.kind === "move") {
    if (snapshot.kind !== "file") throw new Error("nothing to move");
    const target = await refOf(world, step.to);
    await world.workspace.rename(snapshot, target, "test");
    const rest = await take(world, step.to, { kind: "edit", splices: step.splices ?? (() => []) });
    const outcome = {
      path: target.asked,
      status: "applied",
      operation: "move",
      movedFrom: file.absolute,
    } as const;
    return {
      ...rest,
      ...mode,
      realFrom: file.real,
      operation: "move",
      outcome: { ...rest.outcome, ...outcome },
    };
  }
  const edited = (splices: readonly Splice[]): ReturnType<typeof textChange> =>
    textChange(SourceText.of(text), Edit.of(text.length, splices), []);
  const plan =
    step.kind === "edit"
      ? ({ kind: "update", change: edited(step.splices(text)), notes: [] } as const)
      : step.kind === "add"
        ? ({ kind: "create", text: step.text, notes: [] } as const)
        : ({ kind: "delete", notes: [] } as const);
  const done = await commitUnit(
    world.ports,
    {
      file,
      snapshot,
      plan,
      label: "test",
      replan: () => {
        throw new Error("moved on");
      },
    },
    new AbortController().signal,
  );
  if (done.kind !== "applied") throw new Error(`${done.kind}: ${done.error.message}`);
  const operation = step.kind === "edit" ? "update" : step.kind;
  return {
    ...named,
    ...mode,
    ...done.kept,
    operation,
    outcome: { path: file.asked, status: "applied", operation, diff: done.diff },
  };
}

/** One splice for each pair of texts; each old text must be there once. */
export function replacing(...pairs: readonly (readonly [string, string])[]) {
  return (text: string): readonly Splice[] =>
    pairs
      .map(([old, insert]) => {
        const from = text.indexOf(old);
        if (from < 0 || text.includes(old, from + 1)) throw new Error(`${old} is not there once`);
        return { from, to: from + old.length, insert };
      })
      .sort((a, b) => a.from - b.from);
}
