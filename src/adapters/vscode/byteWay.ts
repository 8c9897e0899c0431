import * as vscode from "vscode";
import type { FileChange, FileSnapshot, WriteReply } from "../../app/ports.ts";
import { withFileLock } from "../node/fileLock.ts";
import { FILE_LIMITS } from "../node/fileLimits.ts";
import { causeOf, hasBytes } from "./disk.ts";
import { inDocument, whenDocument } from "./openDocuments.ts";
import type { EditorPaths } from "./paths.ts";
import { withTimeLimit } from "./timeLimit.ts";

/**
 * Writes the planned bytes under a clean or closed document: exact to the byte, through links, with mode and inode
 * kept, past every save action. `uri` is the name an open document goes by, so that the editor hears of the write
 * at once; the document follows by itself, as one undo step of its own.
 */
export async function writeBytes(
  { paths, saveMsMax }: { readonly paths: EditorPaths; readonly saveMsMax: number },
  uri: vscode.Uri,
  document: vscode.TextDocument | undefined,
  base: FileSnapshot,
  change: FileChange,
): Promise<WriteReply> {
  const failed = (cause: string): WriteReply => ({
    kind: "failed",
    problem: { code: "write-failed", path: base.file.asked, cause },
  });
  // Unlike a save, which looks at the file's time, this would write over what a command line has just written.
  const written = await withFileLock(base.file.real, async (): Promise<WriteReply | null> => {
    if (!(await hasBytes(paths, base.file, base.bytes))) return { kind: "moved-on" };
    if (document?.isDirty === true) return { kind: "moved-on" };
    try {
      // Providers may hang, and VS Code hangs on its own after one threw where it should have rejected.
      const writing = vscode.workspace.fs.writeFile(uri, change.afterBytes);
      if ((await withTimeLimit(writing, saveMsMax)) !== "late") return null;
      const { asked: path } = base.file;
      return { kind: "failed", problem: { code: "save-timed-out", path, afterMs: saveMsMax } };
    } catch (error) {
      return failed(causeOf(error));
    }
  });
  if (!written.ok) return failed("another process is writing this file");
  if (written.value !== null) return written.value;
  if (document !== undefined) {
    const shows = (): boolean => document.getText() === inDocument(change.after, document.eol);
    // A document that shows the bytes differently, in another encoding, never agrees; the disk is what counts.
    await whenDocument(document, shows, FILE_LIMITS.followAfterMsMax);
  }
  return { kind: "done", saved: true, asBytes: true };
}
