/**
 * Everything about files that a disk, a user, an editor or a rule can cause. Data, not prose: `wording.ts` has the
 * one switch that turns a problem into sentences. Matching and parsing have unions of their own beside their code.
 * `path` is the path as the caller sent it.
 */
export type FileProblem =
  | { readonly code: "path-not-absolute"; readonly path: string }
  | { readonly code: "path-empty" }
  | { readonly code: "path-control-character"; readonly path: string; readonly codePoint: number }
  /** Half of a surrogate pair: the disk would make another name of it. */
  | { readonly code: "path-half-character"; readonly path: string; readonly codePoint: number }
  | { readonly code: "path-outside"; readonly path: string; readonly real: string | null }
  | { readonly code: "path-foreign-scheme"; readonly path: string; readonly scheme: string }
  | { readonly code: "path-device"; readonly path: string }
  | { readonly code: "file-missing"; readonly path: string; readonly similar: readonly string[] }
  | { readonly code: "file-is-folder"; readonly path: string }
  | { readonly code: "file-not-regular"; readonly path: string }
  | { readonly code: "file-binary"; readonly path: string }
  | { readonly code: "file-undecodable"; readonly path: string; readonly tried: readonly string[] }
  | {
      readonly code: "file-too-large";
      readonly path: string;
      readonly bytes: number;
      readonly bytesMax: number;
    }
  /** It would be; nothing was written. */
  | {
      readonly code: "result-too-large";
      readonly path: string;
      readonly bytes: number;
      readonly bytesMax: number;
    }
  | {
      readonly code: "file-read-only";
      readonly path: string;
      readonly by: "permissions" | "setting";
    }
  | { readonly code: "file-unreadable"; readonly path: string; readonly cause: string }
  | { readonly code: "file-exists"; readonly path: string }
  | { readonly code: "changed-on-disk"; readonly path: string }
  | { readonly code: "dirty-and-newer-on-disk"; readonly path: string }
  | {
      readonly code: "dirty-needs-bytes";
      readonly path: string;
      readonly why: "mixed-endings" | "encoding" | "size";
    }
  | { readonly code: "dirty-would-be-lost"; readonly path: string }
  | { readonly code: "kept-changing"; readonly path: string; readonly tries: number }
  | { readonly code: "changed-after-planning"; readonly path: string }
  | {
      readonly code: "not-encodable";
      readonly path: string;
      readonly encoding: string;
      readonly codePoint: number;
    }
  | { readonly code: "write-failed"; readonly path: string; readonly cause: string }
  | { readonly code: "save-failed"; readonly path: string; readonly cause: string }
  | { readonly code: "save-timed-out"; readonly path: string; readonly afterMs: number }
  | { readonly code: "read-back-differs"; readonly path: string }
  | { readonly code: "read-back-failed"; readonly path: string; readonly cause: string }
  | { readonly code: "notebook-open"; readonly path: string }
  | { readonly code: "interrupted"; readonly path: string }
  | {
      readonly code: "denied";
      readonly path: string;
      readonly by: "user" | "rule" | "trust" | "nobody";
      /** Lines of the rules that cannot be read as written, so that the stricter reading held. */
      readonly unreadable?: readonly string[];
    }
  | { readonly code: "internal"; readonly path: string };
