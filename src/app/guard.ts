import type { CallRecord, FileRecord } from "./record.ts";

export { alreadyAppliedNote } from "../engine/index.ts";

/**
 * One edit of a call (an entry of `edits`, or a whole file group of a patch) as the guard sees it: found by its key,
 * skipped only while its effects stand.
 */
export interface GuardEdit {
  /** As sent, trimmed. Other spellings of one file are other paths here. */
  readonly path: string;
  readonly key: string;
  readonly effects: readonly GuardEffect[];
}

export type GuardEffect =
  /** `text` stands in the file, and `gone`, which contains it, does not. */
  | {
      readonly kind: "contains";
      readonly path: string;
      readonly text: string;
      readonly gone?: string;
    }
  | { readonly kind: "lacks"; readonly path: string; readonly text: string }
  | { readonly kind: "no-file"; readonly path: string };

/** An edit that the previous call left applied. */
export interface PreviousEdit {
  /** The call that wrote it: the previous one, or an older one whose edit the previous one skipped. */
  readonly callId: string;
  /** SHA-256 in hex of the file as the previous call left it, where known. */
  readonly hashAfter?: string;
  /** The match was not exact, so the text may stand in the file with other white space around its lines. */
  readonly tolerant: boolean;
}

/** The file as it is now. `text` is null when there is no file or it is not text. */
export interface PresentFile {
  readonly exists: boolean;
  readonly text: string | null;
  readonly hash?: string;
}

export type Mark =
  | { readonly kind: "run" }
  /** `appliedBy` is the id of the call that wrote it. */
  | { readonly kind: "skip"; readonly appliedBy: string };

export interface GuardQuery {
  readonly tool: string;
  readonly session: string;
  /** From canonical arguments to the edits in them, in flat order; none when the arguments are unreadable. */
  readonly editsOf: (args: unknown) => readonly GuardEdit[];
  /** Edits taken back from the panel, as `undoneKey` names them. */
  readonly undone: ReadonlySet<string>;
}

/** Names one edit of one call in the set of those taken back. */
export function undoneKey(callId: string, key: string): string {
  return `${callId}\n${key}`;
}

/**
 * The edits that stand taken back, told from the records of undo calls among `records`, newest first. An undo that
 * was itself taken back counts no more. Taking back a part of a file takes all its edits out of the guard: which
 * edit made which hunk is not known, and an edit that runs is checked in any case.
 */
export function undoneEdits(
  records: readonly CallRecord[],
  undoTool: string,
  editsOf: GuardQuery["editsOf"],
): ReadonlySet<string> {
  const undone = new Set<string>();
  for (const undo of records.toReversed()) {
    if (undo.tool !== undoTool) continue;
    for (const [index, file] of undo.files.entries()) {
      if (file.outcome?.status !== "applied") continue;
      const { call, at, taken } = originOf(records, undo, index, undoTool);
      const origin = call?.files[at];
      if (call === undefined || origin === undefined) continue;
      for (const key of undoneKeys(call, origin, editsOf))
        if (taken) undone.add(key);
        else undone.delete(key);
    }
  }
  return undone;
}

interface Origin {
  readonly call: CallRecord | undefined;
  /** Index into the call's files. */
  readonly at: number;
  /** Whether the undo takes the edit back, or brings it back. */
  readonly taken: boolean;
}

/** From a file of an undo along the calls it takes back to the file of the edit call. */
function originOf(
  records: readonly CallRecord[],
  undo: CallRecord,
  index: number,
  undoTool: string,
): Origin {
  let call: CallRecord | undefined = undo;
  let at = index;
  let taken = false;
  // Each undo names an older call, so a chain is never longer than the list.
  for (let steps = 0; steps < records.length && call?.tool === undoTool; steps++) {
    const scope: Readonly<Record<string, unknown>> = isObject(call.args) ? call.args : {};
    call = records.find(({ id }) => id === scope.call);
    const order = Array.isArray(scope.files) ? (scope.files as unknown[]) : undoOrder(call);
    const place = scope.file ?? order[at];
    at = typeof place === "number" ? place : -1;
    taken = !taken;
  }
  return call?.tool === undoTool ? { call: undefined, at, taken } : { call, at, taken };
}

/** A whole call is taken back from its last applied file to its first. */
function undoOrder(call: CallRecord | undefined): readonly number[] {
  const files = call?.files ?? [];
  return [...files.keys()].filter((i) => files[i]?.outcome?.status === "applied").reverse();
}

/** The keys of all edits of one file of a call, for the file (or any part of it) that was taken back. */
export function undoneKeys(
  call: CallRecord,
  file: Pick<FileRecord, "path" | "outcome">,
  editsOf: GuardQuery["editsOf"],
): readonly string[] {
  return editsOf(call.args)
    .filter(({ path }) => path === file.path || path === file.outcome?.movedFrom)
    .map(({ key }) => undoneKey(call.id, key));
}

/**
 * What the previous call of the tool in the session left applied, by key. The records (newest first) are the only
 * state. Calls that failed completely are stepped over; what the previous call skipped is carried on, so a third
 * identical call is skipped too; what was taken back is left out.
 */
export function previousEdits(
  records: readonly CallRecord[],
  { tool, session, editsOf, undone }: GuardQuery,
): ReadonlyMap<string, PreviousEdit> {
  const found = new Map<string, PreviousEdit>();
  const previous = records.find(
    (call) =>
      call.tool === tool &&
      call.session === session &&
      // An imported call was never run here.
      !call.flags.includes("imported") &&
      call.files.some(leftSomething),
  );
  if (previous === undefined) return found;
  const edits = editsOf(previous.args);
  for (const file of previous.files)
    for (const { key, carried } of standing(file, edits)) {
      const callId = carried ? (file.appliedBy ?? previous.id) : previous.id;
      if (undone.has(undoneKey(callId, key)) || undone.has(undoneKey(previous.id, key))) continue;
      found.set(key, { callId, ...evidenceOf(records, file, callId) });
    }
  return found;
}

function leftSomething({ outcome }: FileRecord): boolean {
  return outcome?.status === "applied" || outcome?.status === "already_applied";
}

interface Standing {
  readonly key: string;
  readonly carried: boolean;
}

/** A rejected file's entry lists its failing side only, so an edit of that file beyond the list was skipped. */
function standing(file: FileRecord, edits: readonly GuardEdit[]): readonly Standing[] {
  const { outcome, skipped } = file;
  const failed = outcome?.edits;
  const out: Standing[] = [];
  for (const [index, { path, key }] of edits.entries()) {
    if (path !== file.path && path !== outcome?.movedFrom) continue;
    const carried = skipped?.includes(index) ?? false;
    if (outcome?.status === "applied") out.push({ key, carried });
    if (outcome?.status === "already_applied") out.push({ key, carried: true });
    if (outcome?.status !== "rejected") continue;
    if (carried || (skipped === undefined && failed !== undefined && !failed.includes(index)))
      out.push({ key, carried: true });
  }
  return out;
}

/** A file that was only skipped has no hash of its own: what the writing call left still counts. */
function evidenceOf(
  records: readonly CallRecord[],
  file: FileRecord,
  callId: string,
): Omit<PreviousEdit, "callId"> {
  const writer = records.find(({ id }) => id === callId);
  const written = writer?.files.find(({ path }) => path === file.path);
  const hashAfter = file.hashAfter ?? written?.hashAfter;
  const tolerant = [file, written].some((one) => (one?.outcome?.tolerance?.length ?? 0) > 0);
  return hashAfter === undefined ? { tolerant } : { hashAfter, tolerant };
}

/**
 * Decides for each edit whether it repeats one that the previous call left applied and whose effect still stands.
 * Law: an edit is skipped only if its key is in `previous`; nothing is ever applied here.
 */
export function markRepeats(
  edits: readonly GuardEdit[],
  previous: ReadonlyMap<string, PreviousEdit>,
  present: (path: string) => PresentFile | undefined,
): readonly Mark[] {
  return edits.map((edit): Mark => {
    const before = previous.get(edit.key);
    if (before === undefined || !stands(edit, before, present)) return { kind: "run" };
    return { kind: "skip", appliedBy: before.callId };
  });
}

function stands(
  edit: GuardEdit,
  before: PreviousEdit,
  present: (path: string) => PresentFile | undefined,
): boolean {
  const hash = present(edit.path)?.hash;
  if (hash !== undefined && hash === before.hashAfter) return true;
  return edit.effects.every((effect) => {
    const file = present(effect.path);
    if (file === undefined) return false;
    if (effect.kind === "no-file") return !file.exists;
    if (file.text === null) return false;
    const has = (text: string): boolean => occurs(text, file.text ?? "", before.tolerant);
    if (effect.kind === "lacks") return !has(effect.text);
    return has(effect.text) && (effect.gone === undefined || !has(effect.gone));
  });
}

/** Line endings make no difference: new lines took the file's own. */
function occurs(text: string, file: string, tolerant: boolean): boolean {
  const sought = withLf(text);
  const within = withLf(file);
  if (within.includes(sought)) return true;
  if (!tolerant) return false;
  return `\n${trimmedLines(within)}\n`.includes(`\n${trimmedLines(sought.replace(/\n$/, ""))}\n`);
}

function withLf(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

function trimmedLines(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .join("\n");
}

/** `edit_files` and both forms of `edit`, from their canonical arguments. */
export function textEdits(args: unknown): readonly GuardEdit[] {
  if (!isObject(args)) return [];
  const list = Array.isArray(args.edits) ? args.edits : [args];
  return list.map((entry: unknown) => {
    const one = isObject(entry) ? entry : {};
    const path = textOf(one.path ?? args.path).trim();
    const oldText = textOf(one.old_text ?? one.old_string);
    const newText = textOf(one.new_text ?? one.new_string);
    const all = one.replace_all === true;
    const key = JSON.stringify([path, oldText, newText, all]);
    return { path, key, effects: [effectOf(path, oldText, newText)] };
  });
}

/**
 * Where the new text is a part of the old one, its presence shows nothing by itself: the old text holds it too.
 */
function effectOf(path: string, oldText: string, newText: string): GuardEffect {
  if (newText === "") return { kind: "lacks", path, text: oldText };
  const gone = oldText.includes(newText) ? { gone: oldText } : {};
  return { kind: "contains", path, text: newText, ...gone };
}

/** All operations of one patch bound to one file. `text` is the group as the patch holds it. */
export function patchGroup(path: string, text: string, effects: readonly GuardEffect[]): GuardEdit {
  return { path, key: JSON.stringify([path, text]), effects };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** What the model reads of a skipped group: `what` is its operations in words, `count` how many those are. */
export function repeatNote(what: string, count: number): string {
  const were = count === 1 ? "was" : "were";
  return `${what} matched your previous call and ${were} not applied again.`;
}
