import type { Result } from "../base/result.ts";
import type { Edit, Explanation, FileProblem } from "../engine/index.ts";
import type { CallRecord } from "./record.ts";

/**
 * What the life of a call needs from the world. Adapters implement these over VS Code, over Node, and, in the
 * tests, over a map in memory that can fail at any step.
 */
export interface Ports {
  readonly workspace: Workspace;
  readonly store: CallStore;
  readonly clock: { now(): number };
  readonly newId: () => string;
  /** Told whenever a call took a step, so that a card lives from arrival on. Must not throw. */
  readonly onCall: (call: CallRecord) => void;
  /** For our own bugs: the stack goes here, never into a result. */
  readonly logBug: (error: unknown) => void;
  /** Asked once per call, after decoding and before storage of the arguments. Absent: no hooks are configured. */
  readonly hooks?: Hooks;
  /** Rules on paths and the way to ask a person. Absent: everything inside the workspace is allowed. */
  readonly permissions?: Permissions;
  /** What a user may set about calls; read anew for each call. Absent: the defaults. */
  readonly settings?: () => CallSettings;
  /** New errors in the changed files, once per call, after the commit. Absent where there is no editor. */
  readonly diagnose?: (
    files: readonly FileRef[],
    signal: AbortSignal,
  ) => Promise<readonly string[]>;
}

export interface CallSettings {
  /** Several equally good places of a hunk: take the first and say so, or reject the hunk. */
  readonly ambiguousHunk: "note" | "reject";
}

/** One file, named once and for all. Two refs are the same file exactly when `real` is equal. */
export interface FileRef {
  /** As the caller sent it, trimmed. */
  readonly asked: string;
  /** Absolute, cleaned, links not followed. */
  readonly absolute: string;
  /** Absolute, every link followed, also of the deepest existing parent of a file that is not there yet. */
  readonly real: string;
  /** Relative to its workspace folder with `/`, or absolute when outside. What a person reads. */
  readonly shown: string;
  /** Where the last name of the path is itself a link: what it leads to, as a person reads it. */
  readonly linkTo?: string;
}

export type Snapshot = MissingSnapshot | FileSnapshot;

export interface MissingSnapshot {
  readonly kind: "missing";
  readonly file: FileRef;
  /** Names in the same folder that look alike, for the error sentence. */
  readonly similar: readonly string[];
}

export interface FileSnapshot {
  readonly kind: "file";
  readonly file: FileRef;
  /** The bytes on disk at the time of the look. */
  readonly bytes: Uint8Array;
  /** Permission bits where the platform has them. */
  readonly mode: number | null;
  /** Equal for all hard links of one file; absent where it has one name only, or the file system cannot tell. */
  readonly identity?: string;
  /** The text edits are planned on, or why there is none (binary, undecodable, dirty and newer on disk …). */
  readonly body: Result<TextBody, FileProblem>;
}

export interface TextBody {
  /** Without BOM. */
  readonly text: string;
  /** Canonical lower-case name: utf8, utf8bom, utf16le, utf16be, gb18030, … */
  readonly encoding: string;
  /** `document`: an open editor with unsaved changes, which then are the base of the plan. */
  readonly source: "disk" | "document";
  /** Version of the open document the text was taken from; null when none is open. */
  readonly version: number | null;
  /** Bytes of a text in this file's encoding, BOM included. A problem names the first unit it cannot hold. */
  readonly encode: (text: string) => Result<Uint8Array, { readonly codePoint: number }>;
}

/** A planned change of one existing file, already decided to the byte. */
export interface FileChange {
  readonly edit: Edit;
  readonly after: string;
  readonly afterBytes: Uint8Array;
  /** The word of the undo list, for example "Agent edit: edit_files". */
  readonly label: string;
}

/**
 * What a write says of itself. It is a hint: `commit` believes only the read-back.
 * `moved-on`: the base of the plan is not the present text any more, and nothing was written.
 */
export type WriteReply =
  | {
      readonly kind: "done";
      readonly saved: boolean;
      /** Written past every save action: what the file holds otherwise is somebody else's. */
      readonly asBytes?: true;
      /** What was there right behind the write, with nobody of ours in between. */
      readonly seen?: ReadBack;
    }
  | { readonly kind: "moved-on" }
  | { readonly kind: "failed"; readonly problem: FileProblem };

/** What is there now. `disk` is null when the file is missing, `document` null when none is open. */
export interface ReadBack {
  readonly disk: Uint8Array | null;
  readonly mode: number | null;
  readonly document: { readonly text: string; readonly dirty: boolean } | null;
}

export type FileUse = "edit" | "create" | "delete";

/**
 * The files of one workspace. Every method may wait, none throws for what a disk or an editor does: a rejected
 * promise is a bug of the adapter and ends the call with outcomes told from a read-back.
 */
export interface Workspace {
  /** False in Restricted Mode: then nothing is ever applied. */
  readonly trusted: () => boolean;
  /**
   * Finds the real file behind a path and, unless it is only to be read, refuses one that is read-only. `relative`:
   * whether a relative path is taken from the first folder; with several folders it may also begin with the name of
   * one, or name a file that only one of them has.
   */
  locate(
    path: string,
    use: FileUse | "read",
    relative: boolean,
  ): Promise<Result<FileRef, FileProblem>>;
  look(file: FileRef): Promise<Result<Snapshot, FileProblem>>;
  /** Compares the snapshot with the present file and, in the same tick where the editor allows it, writes. */
  update(base: FileSnapshot, change: FileChange, signal: AbortSignal): Promise<WriteReply>;
  /** Only where nothing exists. Parent folders are made. `mode` null = the platform's default. */
  create(file: FileRef, bytes: Uint8Array, mode: number | null, label: string): Promise<WriteReply>;
  remove(base: FileSnapshot, label: string): Promise<WriteReply>;
  /** Moves the file with its present bytes and mode; the target must not exist. */
  rename(base: FileSnapshot, target: FileRef, label: string): Promise<WriteReply>;
  readBack(file: FileRef): Promise<Result<ReadBack, FileProblem>>;
}

/** Policies of admins and authors around a call. Implementations never throw: a failure is an answer. */
export interface Hooks {
  before(event: HookEvent, signal: AbortSignal): Promise<HookAnswer>;
  after(
    event: HookEvent & { readonly response: unknown; readonly isError: boolean },
  ): Promise<HookAfter>;
}

export interface HookEvent {
  readonly callId: string;
  readonly session: string;
  /** Formal tool name. */
  readonly tool: string;
  /** The arguments as hooks see them (edit_files: grouped by file). */
  readonly input: unknown;
  readonly model?: string;
}

export type HookAnswer =
  | {
      readonly kind: "go";
      /** Present when a hook rewrote the input, in the presented form. */
      readonly override?: unknown;
      readonly modelContext?: string;
      readonly userMessage?: string;
      /** A hook wants a person to see the plan, whatever the rules on paths say. `askReason` is for that person. */
      readonly ask?: true;
      readonly askReason?: string;
    }
  /** `text` is what the model reads; the tool does not run. */
  | {
      readonly kind: "stop";
      readonly by: "deny" | "failure";
      readonly text: string;
      readonly userMessage?: string;
    };

export interface HookAfter {
  readonly modelContext?: string;
  readonly userMessage?: string;
}

/** Judged on the real file before anything is read, for every tool and every way a call can come. */
export interface Permissions {
  judge(file: FileRef, use: FileUse, tool: string): "allow" | "ask" | "deny";
  /**
   * Asks a person about the planned diffs of `files` (indexes into `call.files`). "unanswered" when the call was
   * interrupted or nobody answered; that is never a yes. `approvedPlan` is the hash of a plan that a person said yes
   * to before the call came: it holds for just that plan.
   */
  ask(
    call: CallRecord,
    files: readonly number[],
    signal: AbortSignal,
    approvedPlan?: string,
  ): Promise<readonly ("approved" | "denied" | "unanswered")[]>;
  /** Sentences about rules that cannot be read as written; they are taken strictly, and a denial says so. */
  problems?(): readonly string[];
  /** Told instead of `ask` in a dry run. Absent: nobody wants to know. */
  wouldAsk?(call: CallRecord, files: readonly number[]): void;
}

export interface CallStore {
  /** Inserts or replaces. Durable when the promise is done; a failure is a sentence for the panel, not for the model. */
  put(call: CallRecord): Promise<Result<void, string>>;
  get(id: string): Promise<CallRecord | undefined>;
  /** Newest first. */
  find(query: CallQuery): Promise<readonly CallRecord[]>;
  count(query?: CallQuery): Promise<number>;
  /** Keeps bytes under their SHA-256 (hex), once however often they come. Resolves to the hash. */
  keep(bytes: Uint8Array): Promise<string>;
  /** Bytes kept before; undefined when unknown or dropped by the size budget. */
  content(hash: string): Promise<Uint8Array | undefined>;
  /** A sentence when the store is not what it should be (in memory, set aside …), else null. */
  notice(): string | null;
  close(): Promise<void>;
}

/** All given conditions hold. Text is matched anywhere in path, tool or model, any case. */
export interface CallQuery {
  readonly limit?: number;
  /** Only calls that started before this call. */
  readonly before?: string;
  readonly session?: string;
  readonly tool?: string;
  readonly model?: string;
  readonly status?: "applied" | "partial" | "error";
  readonly path?: string;
  readonly text?: string;
  /** Like `text`, each of them. */
  readonly words?: readonly string[];
  /** Only calls that did not end with all they asked for. */
  readonly notApplied?: boolean;
  readonly startedFrom?: number;
  readonly startedTo?: number;
}

export type { Explanation };
