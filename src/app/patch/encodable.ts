import {
  explainFile,
  isUnicodeEncoding,
  type Explanation,
  type PlannedFile,
} from "../../engine/index.ts";
import { presentFile, type PatchFiles } from "./patchFiles.ts";

/**
 * The planned files whose new text their own encoding cannot hold, by key of the file that the text comes from, each
 * with what is to be told of it. Asked before anything is written, so that only their groups fail.
 */
export function notEncodable(
  files: PatchFiles,
  planned: readonly PlannedFile[],
): ReadonlyMap<string, Explanation> {
  const found = new Map<string, Explanation>();
  for (const file of planned) {
    if ((file.kind !== "update" && file.kind !== "move") || file.change === null) continue;
    const key = file.kind === "move" ? file.from.key : file.path.key;
    const body = presentFile(files, key)?.body;
    if (body?.ok !== true) continue;
    const { encoding, encode } = body.value;
    const { after } = file.change;
    // Unicode holds every text but half a pair; a large file is not encoded a second time for that.
    if (isUnicodeEncoding(encoding) && after.isWellFormed()) continue;
    const bytes = encode(after);
    if (bytes.ok) continue;
    const { codePoint } = bytes.problem;
    const { shown } = file.kind === "move" ? file.from : file.path;
    found.set(key, explainFile({ code: "not-encodable", path: shown, encoding, codePoint }));
  }
  return found;
}
