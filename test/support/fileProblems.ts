import type { FileProblem } from "../../src/engine/index.ts";

const path = "/w/a.txt";

/** One problem of each kind, and words its sentence must have. A new code does not compile until it is here. */
export const FILE_PROBLEMS: {
  readonly [Code in FileProblem["code"]]: readonly [Extract<FileProblem, { code: Code }>, string];
} = {
  "path-not-absolute": [{ code: "path-not-absolute", path: "a.txt" }, 'must be absolute: "a.txt"'],
  "path-empty": [{ code: "path-empty" }, "must not be empty"],
  "path-control-character": [{ code: "path-control-character", path, codePoint: 7 }, "U+0007"],
  "path-half-character": [
    { code: "path-half-character", path, codePoint: 0xd83d },
    "path contains U+D83D, one half of a surrogate pair, which no name can hold",
  ],
  "path-outside": [
    { code: "path-outside", path, real: "/etc/passwd" },
    "outside the workspace, to /etc/passwd",
  ],
  "path-foreign-scheme": [{ code: "path-foreign-scheme", path, scheme: "ftp" }, '"ftp"'],
  "path-device": [{ code: "path-device", path }, "device"],
  "file-missing": [{ code: "file-missing", path, similar: ["b.txt"] }, "file does not exist"],
  "file-is-folder": [{ code: "file-is-folder", path }, "not a file"],
  "file-not-regular": [{ code: "file-not-regular", path }, "not a regular file"],
  "file-binary": [{ code: "file-binary", path }, "binary"],
  "file-undecodable": [{ code: "file-undecodable", path, tried: ["gb18030"] }, "UTF-8"],
  "file-too-large": [{ code: "file-too-large", path, bytes: 11, bytesMax: 10 }, "limit of 10"],
  "result-too-large": [
    { code: "result-too-large", path, bytes: 11, bytesMax: 10 },
    "would have 11",
  ],
  "file-read-only": [{ code: "file-read-only", path, by: "permissions" }, "read-only"],
  "file-unreadable": [{ code: "file-unreadable", path, cause: "EIO" }, "EIO"],
  "file-exists": [{ code: "file-exists", path }, "cannot add file that already exists"],
  "changed-on-disk": [{ code: "changed-on-disk", path }, "changed on disk"],
  "dirty-and-newer-on-disk": [
    { code: "dirty-and-newer-on-disk", path },
    "has unsaved changes and a newer version on disk",
  ],
  "dirty-needs-bytes": [
    { code: "dirty-needs-bytes", path, why: "mixed-endings" },
    "mixed line endings",
  ],
  "dirty-would-be-lost": [{ code: "dirty-would-be-lost", path }, "unsaved changes"],
  "kept-changing": [{ code: "kept-changing", path, tries: 3 }, "3 times"],
  "changed-after-planning": [{ code: "changed-after-planning", path }, "nothing was written"],
  "not-encodable": [
    { code: "not-encodable", path, encoding: "latin1", codePoint: 0x1f600 },
    "U+1F600",
  ],
  "write-failed": [{ code: "write-failed", path, cause: "ENOSPC" }, "ENOSPC"],
  "save-failed": [{ code: "save-failed", path, cause: "EACCES" }, "EACCES"],
  "save-timed-out": [{ code: "save-timed-out", path, afterMs: 1500 }, "1500 ms"],
  "read-back-differs": [{ code: "read-back-differs", path }, "neither its old nor its new text"],
  "read-back-failed": [{ code: "read-back-failed", path, cause: "EIO" }, "EIO"],
  "notebook-open": [{ code: "notebook-open", path }, "notebook"],
  interrupted: [{ code: "interrupted", path }, "not sent because the tool call was interrupted"],
  denied: [{ code: "denied", path, by: "user" }, "denied by the user"],
  internal: [{ code: "internal", path }, "internal error"],
};
