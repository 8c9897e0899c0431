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
  /** New errors in the changed files, once per call, after the commit. Absent where there is no editor. */
  readonly diagnose?: (files: readonly FileRef[], signal: AbortSignal) => Promise<readonly string[]>;
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
  encode(text: string): Result<Uint8Array, { readonly codePoint: number }>;
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
  | { readonly kind: "done"; readonly saved: boolean }
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
  /** Finds the real file behind a path. `relative`: whether a relative path is taken from the first folder. */
  locate(path: string, use: FileUse, relative: boolean): Promise<Result<FileRef, FileProblem>>;
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

export interface CallStore {
  /** Inserts or replaces. Durable when the promise is done; a failure is a sentence for the panel, not for the model. */
  put(call: CallRecord): Promise<Result<void, string>>;
  get(id: string): Promise<CallRecord | undefined>;
  /** Newest first. `before`: only calls started earlier than that call. */
  recent(count: number, before?: string): Promise<readonly CallRecord[]>;
  count(): Promise<number>;
  /** A sentence when the store is not what it should be (in memory, set aside), else null. */
  notice(): string | null;
}

export type { Explanation };
