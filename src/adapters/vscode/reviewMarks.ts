import * as vscode from "vscode";
import { contentHash } from "../../app/contentHash.ts";
import type { CallRecord, FileRecord } from "../../app/record.ts";
import type { KeptStore } from "../node/keptStore.ts";
import { isMissing } from "./disk.ts";

/** Files that a person kept, each mark bound to the content it was given for. */
export interface ReviewMarks {
  /** Paths of the call's file records whose mark still fits what is in the file now. */
  reviewed(call: CallRecord): Promise<ReadonlySet<string>>;
  keep(call: CallRecord, files: readonly FileRecord[], kept: boolean): Promise<void>;
}

export function createReviewMarks(
  store: KeptStore,
  uriOf: (file: FileRecord) => vscode.Uri | undefined,
): ReviewMarks {
  /** Undefined where nobody can tell, as while a file system is not connected. */
  const presentHash = async (file: FileRecord): Promise<string | null | undefined> => {
    const uri = uriOf(file);
    if (uri === undefined) return null;
    try {
      return await contentHash(await vscode.workspace.fs.readFile(uri));
    } catch (error) {
      // No file: that is what a kept deletion looks like.
      return isMissing(error) ? null : undefined;
    }
  };
  return {
    async reviewed(call) {
      const marks = await store.marks(call.id);
      const fits = new Set<string>();
      for (const { path, hash } of marks) {
        const file = call.files.find((one) => one.path === path);
        if (file !== undefined && (await presentHash(file)) === hash) fits.add(path);
      }
      return fits;
    },
    async keep(call, files, kept) {
      for (const file of files) {
        if (file.outcome?.status !== "applied") continue;
        if (!kept) {
          await store.unmark(call.id, file.path);
          continue;
        }
        const hash = await presentHash(file);
        if (hash === undefined) tellUnreadable(file);
        else await store.mark({ callId: call.id, path: file.path, hash, at: Date.now() });
      }
    },
  };
}

function tellUnreadable({ shown }: FileRecord): void {
  void vscode.window.showWarningMessage(
    vscode.l10n.t("{0} is not marked as kept: it cannot be read at present.", shown),
  );
}
