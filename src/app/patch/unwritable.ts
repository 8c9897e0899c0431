import {
  explainFile,
  isUnicodeEncoding,
  type Explanation,
  type FileProblem,
  type PlannedFile,
} from "../../engine/index.ts";
import { LIMITS } from "../limits.ts";
import type { TextBody } from "../ports.ts";
import { presentFile, type PatchFiles } from "./patchFiles.ts";

/** No encoding takes more for one unit of text. */
const UNIT_BYTES_MAX = 4;

/**
 * The planned files whose new text their own encoding cannot hold, or of which there is too much, by key of the file
 * that the text comes from, each with what is to be told of it. Asked before anything is written, so that only their
 * groups fail.
 */
export function unwritable(
  files: PatchFiles,
  planned: readonly PlannedFile[],
): ReadonlyMap<string, Explanation> {
  const found = new Map<string, Explanation>();
  for (const file of planned) {
    const written = writtenText(file);
    const body = written === null ? undefined : presentFile(files, written.key)?.body;
    if (written === null || body?.ok !== true) continue;
    const { shown } = file.kind === "move" ? file.from : file.path;
    const problem = problemOf(body.value, written.text, shown);
    if (problem !== null) found.set(written.key, explainFile(problem));
  }
  return found;
}

/** The text that a planned file gets, and the key of the file whose encoding it has; null where neither changes. */
function writtenText(file: PlannedFile): { readonly key: string; readonly text: string } | null {
  if (file.kind === "move")
    return file.change === null ? null : { key: file.from.key, text: file.change.after };
  if (file.kind !== "add" && file.kind !== "update") return null;
  const { content } = file;
  if ((file.kind === "add" || file.recoded === true) && content.kind === "text")
    return content.from === null ? null : { key: content.from, text: content.text };
  return file.kind === "add" || file.change === null
    ? null
    : { key: file.path.key, text: file.change.after };
}

function problemOf({ encoding, encode }: TextBody, text: string, path: string): FileProblem | null {
  const bytesMax = LIMITS.fileBytesMax;
  // Unicode holds every text but half a pair; a large file is not encoded a second time for that.
  const isShort = text.length * UNIT_BYTES_MAX <= bytesMax;
  if (isShort && isUnicodeEncoding(encoding) && text.isWellFormed()) return null;
  const written = encode(text);
  if (!written.ok) {
    const { codePoint } = written.problem;
    return { code: "not-encodable", path, encoding, codePoint };
  }
  const bytes = written.value.length;
  return bytes > bytesMax ? { code: "result-too-large", path, bytes, bytesMax } : null;
}
