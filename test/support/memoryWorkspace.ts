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
import { cleanPath, isInside, shownPath, type PathRules } from "../../src/adapters/node/paths.ts";
import { decodeFile, encoderOf } from "../../src/adapters/node/textBody.ts";
import { similarNames } from "../../src/adapters/node/similarNames.ts";

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

interface Entry {
  bytes: Uint8Array;
  mode: number;
}

interface OpenText {
  text: string;
  version: number;
  dirty: boolean;
}

/** A workspace in a map: same contract as the real ones, every step countable and breakable. */
export function createMemoryWorkspace(options: MemoryWorkspaceOptions = {}): MemoryWorkspace {
  const root = options.root ?? "/ws";
  const rules: PathRules = {
    platform: "posix",
    folders: [{ name: posix.basename(root), path: root }],
    scheme: "file",
    authority: "",
  };
  const files = new Map<string, Entry>();
  const links = new Map<string, string>();
  const documents = new Map<string, OpenText>();
  const operations: string[] = [];
  let faulted = false;

  const absolute = (path: string): string => posix.resolve(root, path);
  const realOf = (path: string): string => links.get(path) ?? path;
  const entryOf = (path: string): Entry | undefined => files.get(realOf(absolute(path)));
  const put: MemoryWorkspace["put"] = (path, content, mode = 0o644) => {
    const real = realOf(absolute(path));
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    files.set(real, { bytes, mode: files.get(real)?.mode ?? mode });
    const document = documents.get(real);
    if (document !== undefined && !document.dirty) {
      document.text = utf8(bytes);
      document.version++;
    }
  };
  for (const [path, content] of Object.entries(options.files ?? {})) put(path, content);

  /** Counts the operation and lets its fault strike. What it gives back still has to be obeyed. */
  const enter = (operation: Operation, path: string): Fault | undefined => {
    operations.push(`${operation} ${posix.relative(root, path) || path}`);
    const fault = options.fault?.(operations.length, operation, path);
    if (fault === undefined) return undefined;
    faulted = true;
    if (fault.kind === "throw") throw new Error(`fault at operation ${operations.length}`);
    if (fault.kind === "call") fault.run();
    if (fault.kind === "change") {
      const document = documents.get(path);
      if (document?.dirty === true) {
        document.text += "// someone else\n";
        document.version++;
      } else put(path, `${utf8(files.get(path)?.bytes ?? new Uint8Array())}// someone else\n`);
    }
    return fault;
  };
  const problemOf = (fault: Fault, fallback: FileProblem): FileProblem =>
    "problem" in fault && fault.problem !== undefined ? fault.problem : fallback;

  /** One write: the fault before, the check, the effect, the fault after. */
  const write = (
    operation: Operation,
    file: FileRef,
    base: FileSnapshot | null,
    bytes: Uint8Array | null,
    effect: () => WriteReply,
  ): Promise<WriteReply> =>
    later(() => {
      const path = file.asked;
      const fault = enter(operation, file.real);
      const failure: WriteReply = {
        kind: "failed",
        problem: problemOf(fault ?? { kind: "fail" }, { code: "write-failed", path, cause: "EIO" }),
      };
      if (fault?.kind === "fail") return failure;
      if (base !== null && !isStill(base)) return { kind: "moved-on" };
      if (fault?.kind === "fail-half") {
        if (bytes !== null) put(file.real, bytes.slice(0, bytes.length >>> 1));
        return failure;
      }
      const reply = effect();
      return fault?.kind === "fail-after" ? failure : reply;
    });

  const isStill = ({ file, bytes, body }: FileSnapshot): boolean => {
    const document = documents.get(file.real);
    const version = body.ok ? body.value.version : null;
    if (document !== undefined && version !== null && document.version !== version) return false;
    const entry = files.get(file.real);
    return entry !== undefined && Buffer.compare(entry.bytes, bytes) === 0;
  };

  const saveText = (path: string, change: FileChange): void => {
    const text = options.onSave?.(path, change.after) ?? change.after;
    put(path, text === change.after ? change.afterBytes : text);
  };

  return {
    operations,
    get faulted() {
      return faulted;
    },
    contents: () =>
      Object.fromEntries(
        [...files]
          .map(([path, { bytes }]): [string, string] => [
            isInside(path, root, rules) ? posix.relative(root, path) : path,
            utf8(bytes),
          ])
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
    text: (path) => {
      const entry = entryOf(path);
      return entry === undefined ? undefined : utf8(entry.bytes);
    },
    bytes: (path) => entryOf(path)?.bytes,
    mode: (path) => entryOf(path)?.mode,
    put,
    delete: (path) => void files.delete(realOf(absolute(path))),
    link: (alias, target) => void links.set(absolute(alias), absolute(target)),
    open: (path) => {
      const real = realOf(absolute(path));
      const text = utf8(files.get(real)?.bytes ?? new Uint8Array());
      const document = documents.get(real) ?? { text, version: 1, dirty: false };
      documents.set(real, document);
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
          put(real, document.text);
        },
        close: () => void documents.delete(real),
      };
    },

    trusted: () => options.trusted ?? true,
    locate: (path, _use, relative) =>
      later(() => {
        const clean = cleanPath(path, relative, rules);
        const fault = enter("locate", clean.ok ? clean.value.candidates[0] : path);
        if (!clean.ok) return clean;
        const { asked, candidates } = clean.value;
        if (isFailure(fault))
          return fail(problemOf(fault, { code: "file-unreadable", path: asked, cause: "EIO" }));
        const [place] = candidates;
        const real = realOf(place);
        if (options.outside !== "allow" && !isInside(real, root, rules))
          return fail({ code: "path-outside", path: asked, real });
        return ok({ asked, absolute: place, real, shown: shownPath(place, real, rules) });
      }),
    look: async (file): Promise<Result<Snapshot, FileProblem>> => {
      const fault = enter("look", file.real);
      if (isFailure(fault))
        return fail(problemOf(fault, { code: "file-unreadable", path: file.asked, cause: "EIO" }));
      const entry = files.get(file.real);
      if (entry === undefined) {
        const folder = posix.dirname(file.real);
        const names = [...files.keys()]
          .filter((path) => posix.dirname(path) === folder)
          .map((path) => posix.basename(path));
        return ok({
          kind: "missing",
          file,
          similar: similarNames(posix.basename(file.real), names),
        });
      }
      const { bytes, mode } = entry;
      const document = documents.get(file.real);
      const decoded = await decodeFile(file.asked, bytes, []);
      if (document?.dirty === true && decoded.ok) {
        const { encoding } = decoded.value;
        const encode = await encoderOf(encoding);
        const { text, version } = document;
        const body = ok({ text, encoding, encode, version, source: "document" as const });
        return ok({ kind: "file", file, bytes, mode, body });
      }
      const version = document?.version ?? null;
      const body = decoded.ok
        ? ok({ ...decoded.value, version, source: "disk" as const })
        : decoded;
      return ok({ kind: "file", file, bytes, mode, body });
    },
    update: (base, change, signal) => {
      const { real, asked } = base.file;
      if (signal.aborted)
        return later(() => ({ kind: "failed", problem: { code: "interrupted", path: asked } }));
      return write("update", base.file, base, change.afterBytes, () => {
        const document = documents.get(real);
        if (document?.dirty === true || options.save === "never") {
          const text = { text: change.after, version: (document?.version ?? 1) + 1, dirty: true };
          if (document === undefined) documents.set(real, text);
          else Object.assign(document, text);
          return { kind: "done", saved: false };
        }
        saveText(real, change);
        return { kind: "done", saved: true };
      });
    },
    create: (file, bytes, mode) =>
      write("create", file, null, bytes, () => {
        if (files.has(file.real))
          return { kind: "failed", problem: { code: "file-exists", path: file.asked } };
        put(file.real, bytes, mode ?? 0o644);
        return { kind: "done", saved: true };
      }),
    remove: (base) =>
      write("remove", base.file, base, null, () => {
        if (documents.get(base.file.real)?.dirty === true)
          return {
            kind: "failed",
            problem: { code: "dirty-would-be-lost", path: base.file.asked },
          };
        files.delete(base.file.real);
        documents.delete(base.file.real);
        return { kind: "done", saved: true };
      }),
    rename: (base, target) =>
      write("rename", base.file, base, null, () => {
        if (files.has(target.real))
          return { kind: "failed", problem: { code: "file-exists", path: target.asked } };
        if (documents.get(base.file.real)?.dirty === true)
          return {
            kind: "failed",
            problem: { code: "dirty-would-be-lost", path: base.file.asked },
          };
        const entry = files.get(base.file.real);
        if (entry !== undefined) files.set(target.real, entry);
        files.delete(base.file.real);
        return { kind: "done", saved: true };
      }),
    readBack: (file) =>
      later((): Result<ReadBack, FileProblem> => {
        const fault = enter("readBack", file.real);
        if (isFailure(fault))
          return fail(
            problemOf(fault, { code: "read-back-failed", path: file.asked, cause: "EIO" }),
          );
        const entry = files.get(file.real);
        const document = documents.get(file.real);
        return ok({
          disk: entry?.bytes ?? null,
          mode: entry?.mode ?? null,
          document: document === undefined ? null : { text: document.text, dirty: document.dirty },
        });
      }),
  };
}

/** A step that only reads either fails or not: there is no half of it, and no effect to come after. */
function isFailure(fault: Fault | undefined): fault is Fault & { readonly kind: "fail" } {
  return fault?.kind === "fail" || fault?.kind === "fail-after" || fault?.kind === "fail-half";
}

/** Runs after the caller has given way, as everything that touches a disk does; a throw becomes a rejection. */
async function later<T>(work: () => T): Promise<T> {
  await Promise.resolve();
  return work();
}

function utf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
