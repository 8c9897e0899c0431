import { at } from "../base/assert.ts";
import { fail, ok, type Result } from "../base/result.ts";
import type { FileProblem } from "../engine/index.ts";
import { contentHash } from "./contentHash.ts";
import { sameBytes } from "./evidence.ts";
import { keptEncoding } from "./keptEncoding.ts";
import { planFileUndo, type Present, type UndoPlan } from "./journal.ts";
import type {
  CallStore,
  FileRef,
  FileSnapshot,
  FileUse,
  Snapshot,
  TextBody,
  Workspace,
} from "./ports.ts";
import type { CallRecord, FileRecord } from "./record.ts";
import { linked, movedFrom } from "./undoPlaces.ts";
import type { LaterCall, UndoProblem } from "./undoProblem.ts";

/** What planning an undo reads. Nothing is written. */
export interface UndoPorts {
  readonly workspace: Pick<Workspace, "locate" | "look">;
  readonly store: Pick<CallStore, "content" | "find">;
  readonly logBug: (error: unknown) => void;
  /** The text of kept bytes under exactly this encoding; null when they are none. */
  readonly decode: (bytes: Uint8Array, encoding: string) => Promise<string | null>;
}

/** All of a call, one of its files (index into `call.files`), or one hunk of that file's diff. */
export interface UndoScope {
  readonly file?: number;
  readonly hunk?: number;
}

export interface FileUndo {
  /** Index into `call.files`. */
  readonly index: number;
  readonly plan: Result<ReadyUndo, UndoProblem>;
}

/** A plan with the file and the look it was made on. */
export interface ReadyUndo {
  readonly plan: UndoPlan;
  readonly file: FileRef;
  /** In a group of several files: what the steps before this one leave. */
  readonly base: Snapshot;
  /** What is then at the place where the file ends: `target` for a move, else `file`. */
  readonly after: Snapshot;
  /** Where a moved file goes back to. */
  readonly target?: FileRef;
  /** Plans again on a newer look, for a file that moved on between plan and write. */
  readonly again: (snapshot: Snapshot) => Result<UndoPlan, UndoProblem>;
}

/** Later calls named in a refusal. */
const LATER_CALLS_MAX = 3;
const LATER_CALLS_READ_MAX = 50;

/**
 * Plans the files of the scope, last file first: what the call did last is taken back first. Files that the call did
 * not change are left out, unless the scope names one.
 *
 * Each file is a group of its own, except those that the call put in each other's place: they are planned one on
 * what the other leaves, and when one of them cannot go back, none does. Else the content of a file could be gone
 * from both places.
 */
export async function planUndo(
  ports: UndoPorts,
  call: CallRecord,
  scope: UndoScope = {},
): Promise<readonly (readonly FileUndo[])[]> {
  const chosen: number[] = [];
  for (let index = call.files.length - 1; index >= 0; index--) {
    if (index === scope.file || hasChanged(at(call.files, index))) chosen.push(index);
  }
  const groups: (readonly FileUndo[])[] = [];
  for (const members of await linked(ports, call, chosen)) {
    const group = members.map(({ index }) => index);
    if (scope.file !== undefined && !group.includes(scope.file)) continue;
    const other = group.find((index) => index !== scope.file);
    if (scope.file !== undefined && scope.hunk !== undefined && other !== undefined) {
      groups.push([{ index: scope.file, plan: together(call, scope.file, other) }]);
      continue;
    }
    const left = new Map<string, Snapshot>();
    const undos: FileUndo[] = [];
    for (const { index, file, elsewhere } of members) {
      const plan =
        elsewhere === null ? await planned(ports, call, file, scope.hunk, left) : fail(elsewhere);
      if (plan.ok) leave(left, plan.value);
      undos.push({ index, plan });
    }
    groups.push(allOrNone(call, undos));
  }
  return groups;
}

function hasChanged({ outcome, operation, hashBefore, hashAfter }: FileRecord): boolean {
  if (outcome?.status !== "applied") return false;
  return operation !== "update" || outcome.diff !== "" || hashBefore !== hashAfter;
}

/** What a planned step leaves, for the steps of its group that come after. */
function leave(left: Map<string, Snapshot>, { plan, file, after, target }: ReadyUndo): void {
  if (plan.kind !== "move" || target === undefined) return void left.set(file.real, after);
  left.set(file.real, { kind: "missing", file, similar: [] });
  left.set(target.real, after);
}

function allOrNone(call: CallRecord, undos: readonly FileUndo[]): readonly FileUndo[] {
  const failed = undos.find(({ plan }) => !plan.ok);
  if (failed === undefined || undos.length === 1) return undos;
  return undos.map((undo) =>
    undo.plan.ok ? { ...undo, plan: together(call, undo.index, failed.index) } : undo,
  );
}

function together({ files }: CallRecord, index: number, other: number): FileUndo["plan"] {
  return fail({
    code: "undo-together",
    path: at(files, index).shown,
    other: at(files, other).shown,
  });
}

/** Nothing is written yet, so a bug in planning one file leaves that file alone and lets the others go on. */
async function planned(
  ports: UndoPorts,
  call: CallRecord,
  file: FileRecord,
  hunk: number | undefined,
  left: ReadonlyMap<string, Snapshot>,
): Promise<FileUndo["plan"]> {
  try {
    return await planFile(ports, call, file, hunk, left);
  } catch (bug) {
    ports.logBug(bug);
    return unreadable(file.path, { code: "internal", path: file.path });
  }
}

async function planFile(
  ports: UndoPorts,
  call: CallRecord,
  file: FileRecord,
  hunk: number | undefined,
  left: ReadonlyMap<string, Snapshot>,
): Promise<FileUndo["plan"]> {
  const isMade = file.operation === "add" && file.hashBefore === undefined && hunk === undefined;
  const use = isMade ? "delete" : USE[file.operation];
  const path = isMade ? await madeAt(ports, file) : (file.absolute ?? file.path);
  const found = await lookAt(ports, path, use, left);
  if (!found.ok) return unreadable(file.shown, found.problem);
  const from = movedFrom(file);
  const origin = from === undefined ? null : await lookAt(ports, from, "create", left);
  if (origin !== null && !origin.ok) return unreadable(from ?? file.path, origin.problem);

  const { ref, snapshot } = found.value;
  const present = await presentOf(snapshot);
  const originPresent = origin === null ? null : await presentOf(origin.value.snapshot);
  const kept = await keptContents(ports, file, snapshot, present);
  const decide = (now: Present, later: readonly LaterCall[] = []): Result<UndoPlan, UndoProblem> =>
    planFileUndo({
      file,
      present: now,
      ...(originPresent === null ? {} : { origin: originPresent }),
      afterText: kept.afterText,
      beforeBytes: kept.beforeBytes,
      ...(hunk === undefined ? {} : { hunk }),
      later,
    });
  const first = decide(present);
  // Only a refusal names them, and looking for them reads whole records: of a call of many files, once for each.
  const plan =
    !first.ok && "by" in first.problem
      ? decide(present, await laterCalls(ports, call, file))
      : first;
  if (!plan.ok)
    return kept.failed && plan.problem.code === "undo-not-kept"
      ? fail({ code: "undo-store-failed", path: file.shown })
      : plan;
  // A hunk goes back where the file is now.
  const target = plan.value.kind === "move" ? origin?.value.ref : undefined;
  const recorded = file.outcome?.encoding;
  const after = await afterUndo(ports, plan.value, snapshot, target ?? ref, recorded);
  if (!after.ok) return unreadable(file.path, after.problem);
  return ok({
    plan: plan.value,
    file: ref,
    base: snapshot,
    after: after.value,
    ...(target === undefined ? {} : { target }),
    // Without a hash the text alone decides, and a file that may only be the very same one is refused.
    again: (newer) => decide(sameSnapshot(newer, snapshot) ? present : shown(newer, "")),
  });
}

/**
 * Where the file is that the call made. A link to nothing was there before the call and stays: what goes is the file
 * behind it, as long as the link still leads to where it led then.
 */
async function madeAt({ workspace }: UndoPorts, file: FileRecord): Promise<string> {
  const named = file.absolute ?? file.path;
  if (file.real === undefined || file.real === named) return named;
  const found = await workspace.locate(named, "read", true);
  const isLink = found.ok && found.value.linkTo !== undefined;
  return isLink && found.value.real === file.real ? file.real : named;
}

/**
 * What a plan leaves at the place where the file ends. Fails for text that the file's encoding cannot hold.
 * `recorded`: what the call's record says of the file's encoding.
 */
async function afterUndo(
  { decode }: UndoPorts,
  plan: UndoPlan,
  base: Snapshot,
  file: FileRef,
  recorded: string | undefined,
): Promise<Result<Snapshot, FileProblem>> {
  if (plan.kind === "delete") return ok({ kind: "missing", file, similar: [] });
  if (plan.kind === "create" || plan.kind === "restore") {
    const { bytes, mode } = plan;
    const encoding = keptEncoding(bytes, recorded);
    const text = encoding === null ? null : await decode(bytes, encoding);
    const body: FileSnapshot["body"] =
      encoding === null || text === null
        ? fail({ code: "file-binary", path: file.asked })
        : ok({ text, encoding, source: "disk", version: null, encode: utf8Only(encoding) });
    return ok({ kind: "file", file, bytes, mode, body });
  }
  if (base.kind === "missing" || plan.change === null) return ok({ ...base, file });
  if (!base.body.ok) return base.body;
  const { encode, encoding } = base.body.value;
  const bytes = encode(plan.change.after);
  if (!bytes.ok) {
    const { codePoint } = bytes.problem;
    return fail({ code: "not-encodable", path: file.asked, encoding, codePoint });
  }
  const body = ok({ ...base.body.value, text: plan.change.after });
  return ok({ ...base, file, bytes: bytes.value, body });
}

/** Nothing is planned on the text of a file that the undo itself makes; were it so, other encodings are refused. */
function utf8Only(encoding: string): TextBody["encode"] {
  return (text) =>
    encoding === "utf8"
      ? ok(new TextEncoder().encode(text))
      : fail({ codePoint: text.codePointAt(0) ?? 0 });
}

const USE: Record<FileRecord["operation"], FileUse> = {
  add: "edit",
  update: "edit",
  move: "edit",
  delete: "create",
};

function unreadable(path: string, problem: FileProblem): FileUndo["plan"] {
  if (problem.code === "file-is-folder")
    return fail({ code: "undo-other-place", path, is: "folder" });
  return fail({ code: "undo-unreadable", path, problem });
}

async function lookAt(
  { workspace }: UndoPorts,
  path: string,
  use: FileUse,
  left: ReadonlyMap<string, Snapshot>,
): Promise<Result<{ readonly ref: FileRef; readonly snapshot: Snapshot }, FileProblem>> {
  const ref = await workspace.locate(path, use, true);
  if (!ref.ok) return ref;
  const known = left.get(ref.value.real);
  if (known !== undefined) return ok({ ref: ref.value, snapshot: { ...known, file: ref.value } });
  const snapshot = await workspace.look(ref.value);
  return snapshot.ok ? ok({ ref: ref.value, snapshot: snapshot.value }) : snapshot;
}

async function presentOf(snapshot: Snapshot): Promise<Present> {
  return shown(snapshot, snapshot.kind === "file" ? await contentHash(snapshot.bytes) : "");
}

function shown(snapshot: Snapshot, hash: string): Present {
  if (snapshot.kind === "missing") return { kind: "missing" };
  const { body } = snapshot;
  return {
    kind: "file",
    hash,
    text: body.ok ? ok(body.value.text) : body,
    unsaved: body.ok && body.value.source === "document",
  };
}

/** The same bytes and the same text in an open editor. */
export function sameSnapshot(a: Snapshot, b: Snapshot): boolean {
  if (a.kind !== "file" || b.kind !== "file") return a.kind === b.kind;
  if (!sameBytes(a.bytes, b.bytes)) return false;
  const [text, other] = [a, b].map(({ body }) => (body.ok ? body.value.text : null));
  return text === other;
}

interface KeptContents {
  /** The text the call left, read like the call read the file: its inverse counts in that text. */
  readonly afterText: string | null;
  readonly beforeBytes: Uint8Array | null;
  /** The store failed, so that what is null may be there. */
  readonly failed: boolean;
}

async function keptContents(
  { store, decode, logBug }: UndoPorts,
  { operation, inverse, hashBefore, hashAfter, outcome }: FileRecord,
  snapshot: Snapshot,
  present: Present,
): Promise<KeptContents> {
  let afterText: string | null = null;
  let beforeBytes: Uint8Array | null = null;
  try {
    if (hashAfter !== undefined && snapshot.kind === "file" && snapshot.body.ok) {
      const isThere = present.kind === "file" && present.hash === hashAfter;
      const bytes = isThere ? snapshot.bytes : await store.content(hashAfter);
      const encoding = bytes === undefined ? null : keptEncoding(bytes, outcome?.encoding);
      if (bytes !== undefined && encoding !== null) afterText = await decode(bytes, encoding);
    }
    if (inverse === undefined && operation !== "move" && hashBefore !== undefined)
      beforeBytes = (await store.content(hashBefore)) ?? null;
    return { afterText, beforeBytes, failed: false };
  } catch (error) {
    logBug(error);
    return { afterText, beforeBytes, failed: true };
  }
}

/** A store that fails costs their names, never the undo. */
async function laterCalls(
  { store, logBug }: UndoPorts,
  call: CallRecord,
  file: FileRecord,
): Promise<readonly LaterCall[]> {
  const query = { path: file.shown, startedFrom: call.startedAt, limit: LATER_CALLS_READ_MAX };
  const calls = await store.find(query).catch((error: unknown) => {
    logBug(error);
    return [];
  });
  return calls
    .filter(({ id, startedAt }) => id !== call.id && startedAt >= call.startedAt)
    .filter(({ files }) =>
      files.some((other) => other.shown === file.shown && other.outcome?.status === "applied"),
    )
    .slice(0, LATER_CALLS_MAX)
    .map(({ id, tool, startedAt }) => ({ id, tool, startedAt }));
}
