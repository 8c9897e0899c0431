import { posix } from "node:path";
import { isInside, type PathRules } from "../../src/adapters/node/paths.ts";

export interface MemoryEntry {
  readonly bytes: Uint8Array;
  readonly mode: number;
}

/** What an editor holds of a file. */
export interface OpenText {
  text: string;
  version: number;
  dirty: boolean;
}

/** Files, links and open documents in maps, under absolute paths. */
export class MemoryDisk {
  readonly rules: PathRules;
  readonly files = new Map<string, MemoryEntry>();
  readonly links = new Map<string, string>();
  readonly documents = new Map<string, OpenText>();
  readonly root: string;

  constructor(root: string) {
    this.root = root;
    this.rules = {
      platform: "posix",
      folders: [{ name: posix.basename(root), path: root }],
      scheme: "file",
      authority: "",
    };
  }

  /** The absolute path behind a path, with a link followed. */
  real(path: string): string {
    const absolute = posix.resolve(this.root, path);
    return this.links.get(absolute) ?? absolute;
  }

  /** Relative to the root; absolute outside it. */
  shown(path: string): string {
    return isInside(path, this.root, this.rules) ? posix.relative(this.root, path) : path;
  }

  /** A folder is what has files below it. */
  isFolder(real: string): boolean {
    return [...this.files.keys()].some((path) => path.startsWith(`${real}/`));
  }

  text(real: string): string {
    return utf8(this.files.get(real)?.bytes ?? new Uint8Array());
  }

  /** Keeps the mode of a file that is there; a clean document follows, as in an editor. */
  put(path: string, content: string | Uint8Array, mode = 0o644): void {
    const real = this.real(path);
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    this.files.set(real, { bytes, mode: this.files.get(real)?.mode ?? mode });
    const document = this.documents.get(real);
    if (document === undefined || document.dirty) return;
    document.text = utf8(bytes);
    document.version++;
  }

  /** Somebody else writes a line at the end: into the editor where there is unsaved work, else to the disk. */
  disturb(real: string): void {
    const document = this.documents.get(real);
    if (document?.dirty === true) {
      document.text += "// someone else\n";
      document.version++;
    } else this.put(real, `${this.text(real)}// someone else\n`);
  }

  /** The text stands in an editor and not on the disk. */
  hold(real: string, text: string): void {
    const version = (this.documents.get(real)?.version ?? 1) + 1;
    const held = { text, version, dirty: true };
    const document = this.documents.get(real);
    if (document === undefined) this.documents.set(real, held);
    else Object.assign(document, held);
  }
}

export function utf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
