import type * as vscode from "vscode";
import { fail, ok, type Result } from "../../base/result.ts";
import { SourceText, canonicalEncoding, type FileProblem } from "../../engine/index.ts";
import type { FileRef, Snapshot, TextBody } from "../../app/ports.ts";
import { FILE_LIMITS } from "../node/fileLimits.ts";
import { decodeAs, decodeFile, encoderOf, type Decoded } from "../node/textBody.ts";
import { namesBeside, readFile } from "./disk.ts";
import type { DiskBaselines } from "./diskBaselines.ts";
import { preferredEncodings, shownText } from "./encodings.ts";
import { findDocument, inDocument, isNotebook, whenDocument } from "./openDocuments.ts";
import type { EditorPaths } from "./paths.ts";
import { textWayBytesMaxOf } from "./saveRules.ts";

type Body = Result<TextBody, FileProblem>;

/** A document may turn dirty, or clean, while it is looked at; then the look begins again. */
const LOOKS_MAX = 3;

/** One file as a plan may start from it: the user's unsaved text where there is any, else what is on disk. */
export async function lookAtFile(
  paths: EditorPaths,
  baselines: DiskBaselines,
  file: FileRef,
): Promise<Result<Snapshot, FileProblem>> {
  const path = file.asked;
  if (isNotebook(paths, file)) return fail({ code: "notebook-open", path });
  for (let looks = 1; ; looks++) {
    const document = await findDocument(paths, file);
    if (document === "undecided") return fail({ code: "dirty-would-be-lost", path });
    const wasDirty = document?.isDirty;
    const disk = await readFile(paths, file);
    if (!disk.ok) return disk;
    if (disk.value === null)
      return ok({ kind: "missing", file, similar: await namesBeside(paths, file) });
    const { bytes, ...more } = disk.value;
    const body =
      document?.isDirty === true
        ? await dirtyBody(baselines, document, path, bytes)
        : await diskBody(paths, document, file, bytes);
    if (document === undefined || document.isDirty === wasDirty || looks === LOOKS_MAX)
      return ok({ kind: "file", file, bytes, ...more, body });
  }
}

/** Unsaved changes are the base, as long as saving them would not lose anything that we did not touch. */
async function dirtyBody(
  baselines: DiskBaselines,
  document: vscode.TextDocument,
  path: string,
  bytes: Uint8Array,
): Promise<Body> {
  const needsBytes = (why: "mixed-endings" | "encoding" | "size"): Body =>
    fail({ code: "dirty-needs-bytes", path, why });
  if (bytes.length > textWayBytesMaxOf(document, FILE_LIMITS.textWayBytesMax))
    return needsBytes("size");
  const encoding = canonicalEncoding(document.encoding);
  const disk = await decodeAs(encoding, bytes);
  if (disk === null) return needsBytes("encoding");
  // Asked before anything else of the text, since what is newer may also be what is mixed.
  if (baselines.isNewer(document, disk.text))
    return fail({ code: "dirty-and-newer-on-disk", path });
  const { kind } = SourceText.of(disk.text).style;
  if (kind === "mixed" || kind === "cr") return needsBytes("mixed-endings");
  const encode = await encoderOf(encoding);
  return ok({
    text: document.getText(),
    encoding,
    encode,
    version: document.version,
    source: "document",
  });
}

async function diskBody(
  paths: EditorPaths,
  document: vscode.TextDocument | undefined,
  file: FileRef,
  bytes: Uint8Array,
): Promise<Body> {
  const uri = document?.uri ?? paths.uriOf(file.absolute);
  const decoded = await decodeFile(file.asked, bytes, await preferredEncodings(uri, document));
  if (!decoded.ok) return decoded;
  if (document === undefined || document.isClosed)
    return ok({ ...decoded.value, version: null, source: "disk" });
  if (!(await agrees(document, bytes, decoded.value)))
    return fail({ code: "changed-on-disk", path: file.asked });
  return ok({ ...decoded.value, version: document.version, source: "disk" });
}

/** Whether a clean document shows these bytes, now or within the time a reload takes. */
async function agrees(
  document: vscode.TextDocument,
  bytes: Uint8Array,
  { text }: Decoded,
): Promise<boolean> {
  const shows = (wanted: string): boolean =>
    document.getText() === inDocument(wanted, document.eol);
  if (shows(text)) return true;
  // A document that was opened in a wrong encoding agrees in its own way; its file is then written as bytes.
  const own = await shownText(bytes, document.encoding);
  const isWanted = (): boolean => shows(text) || (own !== null && shows(own));
  return whenDocument(document, isWanted, FILE_LIMITS.followBeforeMsMax);
}
