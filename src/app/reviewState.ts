import { parseUnified } from "../engine/index.ts";
import type { CallCard, FileCard } from "../protocol/cards.ts";
import type { CallRecord, FileRecord } from "./record.ts";
import { UNDO_TOOL } from "./runUndo.ts";

/**
 * What was taken back of one file of a call: all of it, or some hunks of its diff. Which ones is not known after an undo
 * of which a part was taken back in turn: then those that are known, perhaps none.
 */
export type TakenBack = "all" | ReadonlySet<number>;

/**
 * What undo calls took back of a call, by path of its file records. `undos` are the undo calls known, in any order;
 * one that was itself taken back does not count.
 */
export function takenBack(
  call: CallRecord,
  undos: readonly CallRecord[],
): ReadonlyMap<string, TakenBack> {
  const state = new Map<string, TakenBack>();
  const own = undos
    .filter((undo) => undo.tool === UNDO_TOOL && scopeOf(undo)?.call === call.id)
    .sort((a, b) => a.startedAt - b.startedAt);
  for (const undo of own) {
    const again = takenBack(undo, undos);
    const hunk = scopeOf(undo)?.hunk;
    for (const [index, file] of undo.files.entries()) {
      const back = again.get(file.path);
      if (file.outcome?.status !== "applied" || isWhole(back, file)) continue;
      const origin = originOf(call, undo, file, index);
      if (origin === undefined) continue;
      const before = state.get(origin.path);
      if (hunk === undefined && back === undefined) state.set(origin.path, "all");
      else if (before !== "all")
        state.set(origin.path, new Set([...(before ?? []), ...(hunk === undefined ? [] : [hunk])]));
    }
  }
  return state;
}

function isWhole(back: TakenBack | undefined, { outcome }: FileRecord): boolean {
  if (back === undefined || back === "all") return back === "all";
  return parseUnified(outcome?.diff ?? "").hunks.length <= back.size;
}

/** Id of the call that an undo took back; undefined for any other call. */
export function undoneBy(call: CallRecord): string | undefined {
  const of = call.tool === UNDO_TOOL ? scopeOf(call)?.call : undefined;
  return typeof of === "string" ? of : undefined;
}

interface RecordedScope {
  readonly call?: unknown;
  readonly file?: number;
  readonly files?: readonly number[];
  readonly hunk?: number;
}

function scopeOf({ args }: CallRecord): RecordedScope | null {
  return typeof args === "object" && args !== null ? args : null;
}

/** The call's file that a file of an undo call speaks of: named by the scope, or the one at the same place. */
function originOf(
  call: CallRecord,
  undo: CallRecord,
  file: FileRecord,
  index: number,
): FileRecord | undefined {
  const scope = scopeOf(undo);
  const named = scope?.file ?? scope?.files?.[index];
  if (named !== undefined) return call.files[named];
  const places = [file.absolute, file.path, file.shown];
  return call.files.find(
    ({ absolute, path, movedFrom }) =>
      places.includes(absolute) || places.includes(path) || places.includes(movedFrom),
  );
}

export interface CardState {
  readonly undos: readonly CallRecord[];
  /** Paths of file records whose review mark still fits the file. */
  readonly reviewed: ReadonlySet<string>;
  readonly approval?: Pick<NonNullable<CallCard["approval"]>, "hash" | "answers">;
  /** Some call waits for a person's answer. */
  readonly questionOpen?: boolean;
}

/** Adds to a card what happened after its call. */
export function withReviewState(card: CallCard, call: CallRecord, state: CardState): CallCard {
  const taken = takenBack(call, state.undos);
  const undoOf = undoneBy(call);
  return {
    ...card,
    files: card.files.map((file) => fileState(file, call, taken, state)),
    ...(state.approval === undefined
      ? {}
      : {
          approval: {
            ...state.approval,
            ...(call.askReason === undefined ? {} : { reason: call.askReason }),
          },
        }),
    ...(call.phase === "queued" && state.questionOpen === true ? { heldUpByQuestion: true } : {}),
    ...(call.userMessage === undefined ? {} : { userMessage: call.userMessage }),
    ...(undoOf === undefined ? {} : { undoOf }),
  };
}

function fileState(
  card: FileCard,
  call: CallRecord,
  taken: ReadonlyMap<string, TakenBack>,
  { reviewed }: CardState,
): FileCard {
  const record = call.files[Number.parseInt(card.key, 10)];
  if (record === undefined || card.status !== "applied") return card;
  const back = taken.get(record.path);
  const hunks = card.diff?.hunks.map((hunk, index) =>
    back instanceof Set && back.has(index) ? { ...hunk, undone: true } : hunk,
  );
  const kept = record.hashBefore !== undefined || record.hashAfter !== undefined;
  return {
    ...card,
    ...(card.diff === undefined || hunks === undefined ? {} : { diff: { ...card.diff, hunks } }),
    ...(back === undefined
      ? {}
      : { undone: back === "all" ? ("all" as const) : ("part" as const) }),
    ...(kept && back !== "all" ? { undoable: true } : {}),
    ...(reviewed.has(record.path) ? { reviewed: true } : {}),
  };
}
