import * as vscode from "vscode";

export type Operation = "stat" | "readFile" | "writeFile" | "delete" | "rename";

interface Entry {
  readonly bytes: Uint8Array;
  readonly mtime: number;
}

/** A file system in a map, by the paths of its URIs. It fails when told to, as one does that lost its connection. */
export class MemoryFiles implements vscode.FileSystemProvider {
  readonly #files = new Map<string, Entry>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly #root: string;
  #clock = Date.now();
  /** What an operation on a path fails with, or undefined. */
  failure: (operation: Operation, path: string) => Error | undefined = () => undefined;
  /** Whether a write to a file never comes to its end. */
  hangs: (uri: vscode.Uri) => boolean = () => false;
  /** Files that the provider calls read-only. */
  readonly readOnly = new Set<string>();

  /** `root`: a folder that is there also while nothing is in it. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Writes past the editor, which hears nothing of it. */
  put(path: string, content: string | Uint8Array): void {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    this.#files.set(path, { bytes: new Uint8Array(bytes), mtime: ++this.#clock });
  }

  get(path: string): Buffer | undefined {
    const entry = this.#files.get(path);
    return entry === undefined ? undefined : Buffer.from(entry.bytes);
  }

  text(path: string): string | undefined {
    return this.get(path)?.toString();
  }

  clear(): void {
    this.#files.clear();
    this.readOnly.clear();
    this.failure = () => undefined;
    this.hangs = () => false;
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat({ path }: vscode.Uri): vscode.FileStat {
    this.#mayFail("stat", path);
    const entry = this.#files.get(path);
    if (entry !== undefined) {
      const { bytes, mtime } = entry;
      const stat = { type: vscode.FileType.File, ctime: 0, mtime, size: bytes.length };
      return this.readOnly.has(path)
        ? { ...stat, permissions: vscode.FilePermission.Readonly }
        : stat;
    }
    if (path === this.#root || [...this.#files.keys()].some((name) => name.startsWith(`${path}/`)))
      return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    throw vscode.FileSystemError.FileNotFound(path);
  }

  readDirectory({ path }: vscode.Uri): [string, vscode.FileType][] {
    const found = new Map<string, vscode.FileType>();
    for (const name of this.#files.keys()) {
      if (!name.startsWith(`${path}/`)) continue;
      const [first = "", ...rest] = name.slice(path.length + 1).split("/");
      found.set(first, rest.length === 0 ? vscode.FileType.File : vscode.FileType.Directory);
    }
    return [...found];
  }

  readFile({ path }: vscode.Uri): Uint8Array {
    this.#mayFail("readFile", path);
    const entry = this.#files.get(path);
    if (entry === undefined) throw vscode.FileSystemError.FileNotFound(path);
    return entry.bytes;
  }

  writeFile(
    uri: vscode.Uri,
    bytes: Uint8Array,
    options: { readonly create: boolean; readonly overwrite: boolean },
  ): void | Promise<void> {
    const { path } = uri;
    this.#mayFail("writeFile", path);
    if (this.hangs(uri)) return new Promise(() => undefined);
    const isThere = this.#files.has(path);
    if (!isThere && !options.create) throw vscode.FileSystemError.FileNotFound(path);
    if (isThere && !options.overwrite) throw vscode.FileSystemError.FileExists(path);
    this.put(path, bytes);
    this.#tell(isThere ? vscode.FileChangeType.Changed : vscode.FileChangeType.Created, uri);
  }

  /** Folders are what the names of files say. */
  createDirectory(): void {
    return;
  }

  delete(uri: vscode.Uri): void {
    this.#mayFail("delete", uri.path);
    if (!this.#files.delete(uri.path)) throw vscode.FileSystemError.FileNotFound(uri.path);
    this.#tell(vscode.FileChangeType.Deleted, uri);
  }

  rename(from: vscode.Uri, to: vscode.Uri): void {
    this.#mayFail("rename", from.path);
    const entry = this.#files.get(from.path);
    if (entry === undefined) throw vscode.FileSystemError.FileNotFound(from.path);
    if (this.#files.has(to.path)) throw vscode.FileSystemError.FileExists(to.path);
    this.#files.delete(from.path);
    this.#files.set(to.path, entry);
    this.#tell(vscode.FileChangeType.Deleted, from);
    this.#tell(vscode.FileChangeType.Created, to);
  }

  #mayFail(operation: Operation, path: string): void {
    const error = this.failure(operation, path);
    if (error !== undefined) throw error;
  }

  #tell(type: vscode.FileChangeType, uri: vscode.Uri): void {
    this.#changed.fire([{ type, uri }]);
  }
}
