import { posix } from "node:path";
import { fail, ok, type Result } from "../../src/base/result.ts";
import type { FileProblem } from "../../src/engine/index.ts";
import type {
  FileChange,
  FileRef,
  FileSnapshot,
  ReadBack,
  Snapshot,
  Workspace,
  WriteReply,
} from "../../src/app/ports.ts";
import { cleanPath, isInside, shownPath } from "../../src/adapters/node/paths.ts";
import { decodeFile, encoderOf } from "../../src/adapters/node/textBody.ts";
import { similarNames } from "../../src/adapters/node/similarNames.ts";
import { MemoryDisk, utf8 } from "./memoryDisk.ts";

export type Operation = "locate" | "look" | "update" | "create" | "remove" | "rename" | "readBack";

/**
 * What goes wrong at one operation.
 * - `fail`: nothing happens, and the operation says so.
 * - `fail-after`: it happens, and the operation says that it failed (a lost answer).
 * - `fail-half`: a write leaves half of the new bytes and fails (a full disk).
 * - `throw`: the promise is rejected (a bug of an adapter).
 * - `change`: someone else appends a line to the file first.
 * - `call`: the given function runs first (a user types, a test cancels).
 */
export type Fault =
  | { readonly kind: "fail" | "fail-after" | "fail-half"; readonly problem?: FileProblem }
  | { readonly kind: "throw" | "change" }
  | { readonly kind: "call"; readonly run: () => void };

/** An open editor. Typing makes it dirty; `save` writes it to the map. */
export interface MemoryDocument {
  readonly text: string;
  readonly dirty: boolean;
  readonly version: number;
  type(text: string): void;
  save(): void;
  close(): void;
}

export interface MemoryWorkspaceOptions {
  /** Path (absolute, or relative to the root) to text in UTF-8 or to bytes. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly root?: string;
  readonly outside?: "allow" | "refuse";
  readonly trusted?: boolean;
  /** Encodings to try before UTF-8, as the setting `files.encoding` would name one. */
  readonly encodings?: readonly string[];
  /** `never`: changed files stay unsaved in an editor, as the setting of that name does it. */
  readonly save?: "exact" | "never";
  /** A save participant: what a formatter makes of a text as it is saved. */
  readonly onSave?: (path: string, text: string) => string;
  /** Asked at every operation; the number counts from 1 over all of them. */
  readonly fault?: (number: number, operation: Operation, path: string) => Fault | undefined;
}

export interface MemoryWorkspace extends Workspace {
  /** Every operation so far, as "update a.ts", in order. */
  readonly operations: readonly string[];
  /** Whether any asked-for fault was reached; a fault test must end on a run where it was not. */
  readonly faulted: boolean;
  /** Paths relative to the root (absolute outside it) to text as UTF-8, sorted. */
  contents(): Readonly<Record<string, string>>;
  text(path: string): string | undefined;
  bytes(path: string): Uint8Array | undefined;
  mode(path: string): number | undefined;
  put(path: string, content: string | Uint8Array, mode?: number): void;
  delete(path: string): void;
  /** `alias` becomes another name of `target`, as a symbolic link would. */
  link(alias: string, target: string): void;
  open(path: string): MemoryDocument;
}

/** Faults that strike once, at operation `number`. */
export function faultAt(number: number, fault: Fault): (at: number) => Fault | undefined {
  return (at) => (at === number ? fault : undefined);
}

/** A workspace in a map: same contract as the real ones, every step countable and breakable. */
export function createMemoryWorkspace(options: MemoryWorkspaceOptions = {}): MemoryWorkspace {
  const disk = new MemoryDisk(options.root ?? "/ws");
  for (const [path, content] of Object.entries(options.files ?? {})) disk.put(path, content);
  const faults = new Faults(disk, options.fault);
  const port: Workspace = {
    trusted: () => options.trusted ?? true,
    locate: (path, _use, relative) =>
      later(() => locate(disk, faults, options.outside ?? "refuse", path, relative)),
    look: (file) => look(disk, faults, file, options.encodings ?? []),
    readBack: (file) => later(() => readBack(disk, faults, file)),
    ...writers(disk, faults, options),
  };
  return {
    ...port,
    operations: faults.operations,
    get faulted() {
      return faults.struck;
    },
    contents: () =>
      Object.fromEntries(
        [...disk.files]
          .map(([path, { bytes }]): [string, string] => [disk.shown(path), utf8(bytes)])
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
    text: (path) => (disk.files.has(disk.real(path)) ? disk.text(disk.real(path)) : undefined),
    bytes: (path) => disk.files.get(disk.real(path))?.bytes,
    mode: (path) => disk.files.get(disk.real(path))?.mode,
    put: (path, content, mode) => disk.put(path, content, mode),
    delete: (path) => void disk.files.delete(disk.real(path)),
    link: (alias, target) =>
      void disk.links.set(posix.resolve(disk.root, alias), posix.resolve(disk.root, target)),
    open: (path) => openDocument(disk, disk.real(path)),
  };
}

/** Counts operations and lets the wanted fault strike. What `enter` gives back still has to be obeyed. */
class Faults {
  readonly operations: string[] = [];
  struck = false;
  readonly #disk: MemoryDisk;
  readonly #wanted: MemoryWorkspaceOptions["fault"];

  constructor(disk: MemoryDisk, wanted: MemoryWorkspaceOptions["fault"]) {
    this.#disk = disk;
    this.#wanted = wanted;
  }

  enter(operation: Operation, path: string): Fault | undefined {
    this.operations.push(`${operation} ${this.#disk.shown(path) || path}`);
    const number = this.operations.length;
    const fault = this.#wanted?.(number, operation, path);
    if (fault === undefined) return undefined;
    this.struck = true;
    if (fault.kind === "throw") throw new Error(`fault at operation ${number}`);
    if (fault.kind === "call") fault.run();
    if (fault.kind === "change") this.#disk.disturb(path);
    return fault;
  }
}

function openDocument(disk: MemoryDisk, real: string): MemoryDocument {
  const document = disk.documents.get(real) ?? { text: disk.text(real), version: 1, dirty: false };
  disk.documents.set(real, document);
  return {
    get text() {
      return document.text;
    },
    get dirty() {
      return document.dirty;
    },
    get version() {
      return document.version;
    },
    type(next) {
      document.text = next;
      document.version++;
      document.dirty = true;
    },
    save() {
      document.dirty = false;
      disk.put(real, document.text);
    },
    close: () => void disk.documents.delete(real),
  };
}

function locate(
  disk: MemoryDisk,
  faults: Faults,
  outside: "allow" | "refuse",
  path: string,
  relative: boolean,
): Result<FileRef, FileProblem> {
  const clean = cleanPath(path, relative, disk.rules);
  const fault = faults.enter("locate", clean.ok ? clean.value.candidates[0] : path);
  if (!clean.ok) return clean;
  const { asked, candidates } = clean.value;
  if (isFailure(fault))
    return fail(fault.problem ?? { code: "file-unreadable", path: asked, cause: "EIO" });
  const [absolute] = candidates;
  const real = disk.real(absolute);
  if (outside === "refuse" && !isInside(real, disk.root, disk.rules))
    return fail({ code: "path-outside", path: asked, real });
  const shown = shownPath(absolute, real, disk.rules);
  const file: FileRef = { asked, absolute, real, shown };
  return ok(
    disk.links.has(absolute) ? { ...file, linkTo: shownPath(real, real, disk.rules) } : file,
  );
}

async function look(
  disk: MemoryDisk,
  faults: Faults,
  file: FileRef,
  encodings: readonly string[],
): Promise<Result<Snapshot, FileProblem>> {
  await Promise.resolve();
  const fault = faults.enter("look", file.real);
  if (isFailure(fault))
    return fail(fault.problem ?? { code: "file-unreadable", path: file.asked, cause: "EIO" });
  if (disk.isFolder(file.real)) return fail({ code: "file-is-folder", path: file.asked });
  const entry = disk.files.get(file.real);
  if (entry === undefined) {
    const folder = posix.dirname(file.real);
    const names = [...disk.files.keys()]
      .filter((path) => posix.dirname(path) === folder)
      .map((path) => posix.basename(path));
    return ok({ kind: "missing", file, similar: similarNames(posix.basename(file.real), names) });
  }
  const { bytes, mode } = entry;
  const document = disk.documents.get(file.real);
  const version = document?.version ?? null;
  const decoded = await decodeFile(file.asked, bytes, encodings);
  if (!decoded.ok) return ok({ kind: "file", file, bytes, mode, body: decoded });
  if (document?.dirty !== true) {
    const body = ok({ ...decoded.value, version, source: "disk" as const });
    return ok({ kind: "file", file, bytes, mode, body });
  }
  const { encoding } = decoded.value;
  const encode = await encoderOf(encoding);
  const { text } = document;
  const body = ok({ text, encoding, encode, version, source: "document" as const });
  return ok({ kind: "file", file, bytes, mode, body });
}

function readBack(disk: MemoryDisk, faults: Faults, file: FileRef): Result<ReadBack, FileProblem> {
  const fault = faults.enter("readBack", file.real);
  if (isFailure(fault))
    return fail(fault.problem ?? { code: "read-back-failed", path: file.asked, cause: "EIO" });
  const entry = disk.files.get(file.real);
  const document = disk.documents.get(file.real);
  return ok({
    disk: entry?.bytes ?? null,
    mode: entry?.mode ?? null,
    document: document === undefined ? null : { text: document.text, dirty: document.dirty },
  });
}

const DONE: WriteReply = { kind: "done", saved: true };

function writers(
  disk: MemoryDisk,
  faults: Faults,
  options: MemoryWorkspaceOptions,
): Pick<Workspace, "update" | "create" | "remove" | "rename"> {
  const isDirty = ({ real }: FileRef): boolean => disk.documents.get(real)?.dirty === true;
  return {
    update: (base, change, signal) =>
      later(() => {
        const { real, asked } = base.file;
        if (signal.aborted) return failed({ code: "interrupted", path: asked });
        return write(disk, faults, "update", base.file, base, change.afterBytes, () => {
          if (isDirty(base.file) || options.save === "never") {
            disk.hold(real, change.after);
            return { kind: "done", saved: false };
          }
          disk.put(real, savedAs(options, real, change));
          return DONE;
        });
      }),
    create: (file, bytes, mode) =>
      later(() =>
        write(disk, faults, "create", file, null, bytes, () => {
          if (disk.files.has(file.real)) return failed({ code: "file-exists", path: file.asked });
          disk.put(file.real, bytes, mode ?? 0o644);
          return DONE;
        }),
      ),
    remove: (base) =>
      later(() =>
        write(disk, faults, "remove", base.file, base, null, () => {
          const { real, asked } = base.file;
          if (isDirty(base.file)) return failed({ code: "dirty-would-be-lost", path: asked });
          disk.files.delete(real);
          disk.documents.delete(real);
          return DONE;
        }),
      ),
    rename: (base, target) =>
      later(() =>
        write(disk, faults, "rename", base.file, base, null, () => {
          const { real, asked } = base.file;
          if (disk.files.has(target.real))
            return failed({ code: "file-exists", path: target.asked });
          if (isDirty(base.file)) return failed({ code: "dirty-would-be-lost", path: asked });
          const entry = disk.files.get(real);
          if (entry !== undefined) disk.files.set(target.real, entry);
          disk.files.delete(real);
          return DONE;
        }),
      ),
  };
}

/** One write: the fault before, the check, the effect, the fault after. */
function write(
  disk: MemoryDisk,
  faults: Faults,
  operation: Operation,
  file: FileRef,
  base: FileSnapshot | null,
  bytes: Uint8Array | null,
  effect: () => WriteReply,
): WriteReply {
  const fault = faults.enter(operation, file.real);
  const failure = failed(
    (isFailure(fault) ? fault.problem : undefined) ?? {
      code: "write-failed",
      path: file.asked,
      cause: "EIO",
    },
  );
  if (fault?.kind === "fail") return failure;
  if (base !== null && !isStill(disk, base)) return { kind: "moved-on" };
  if (fault?.kind === "fail-half") {
    if (bytes !== null) disk.put(file.real, bytes.slice(0, bytes.length >>> 1));
    return failure;
  }
  const reply = effect();
  return fault?.kind === "fail-after" ? failure : reply;
}

function isStill(disk: MemoryDisk, { file, bytes, body }: FileSnapshot): boolean {
  const document = disk.documents.get(file.real);
  const version = body.ok ? body.value.version : null;
  if (document !== undefined && version !== null && document.version !== version) return false;
  const entry = disk.files.get(file.real);
  return entry !== undefined && Buffer.compare(entry.bytes, bytes) === 0;
}

function savedAs(
  options: MemoryWorkspaceOptions,
  path: string,
  change: FileChange,
): string | Uint8Array {
  const text = options.onSave?.(path, change.after) ?? change.after;
  return text === change.after ? change.afterBytes : text;
}

function failed(problem: FileProblem): WriteReply {
  return { kind: "failed", problem };
}

type Failure = Extract<Fault, { readonly problem?: FileProblem }>;

/** A step that only reads either fails or not: there is no half of it, and no effect to come after. */
function isFailure(fault: Fault | undefined): fault is Failure {
  return fault?.kind === "fail" || fault?.kind === "fail-after" || fault?.kind === "fail-half";
}

/** Runs after the caller has given way, as everything that touches a disk does; a throw becomes a rejection. */
async function later<T>(work: () => T): Promise<T> {
  await Promise.resolve();
  return work();
}
