import path from "node:path";
import * as vscode from "vscode";
import type { CallLog } from "../../app/callLog.ts";
import { keptEncoding } from "../../app/keptEncoding.ts";
import type { CallStore } from "../../app/ports.ts";
import type { CallRecord, FileRecord } from "../../app/record.ts";

/** `none`: a file that is not there. */
type SideName = "before" | "after" | "none";

/** Where the file of a record is now. */
export function uriOf(file: FileRecord): vscode.Uri | undefined {
  if (file.absolute === undefined) return undefined;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return folder === undefined || folder.scheme === "file"
    ? vscode.Uri.file(file.absolute)
    : folder.with({ path: file.absolute.startsWith("/") ? file.absolute : `/${file.absolute}` });
}

/** What is there now; a file that was to move may be at either place. */
export async function presentUri(call: CallRecord, index: number): Promise<vscode.Uri> {
  const file = call.files[index];
  for (const absolute of [file?.absolute, file?.realFrom]) {
    const uri = file && absolute !== undefined ? uriOf({ ...file, absolute }) : undefined;
    if (uri !== undefined && (await isThere(uri))) return uri;
  }
  return diffUri(call, index, "none");
}

async function isThere(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** One side of a stored change as a document, so that a diff shows what was written then. */
export function diffUri(call: CallRecord, index: number, side: SideName): vscode.Uri {
  const shown = call.files[index]?.shown ?? "file";
  return vscode.Uri.from({
    scheme: "agent-edit-review",
    path: `/${path.posix.basename(shown)}`,
    query: JSON.stringify({ callId: call.id, index, side }),
  });
}

export async function diffDocument(
  uri: vscode.Uri,
  log: CallLog,
  store: CallStore,
): Promise<string> {
  const asked = parseQuery(uri.query);
  const file = asked === undefined ? undefined : (await log.get(asked.callId))?.files[asked.index];
  if (file === undefined || asked === undefined)
    return vscode.l10n.t("This call is not stored any more.");
  if (asked.side === "none") return "";
  const hash = asked.side === "before" ? file.hashBefore : file.hashAfter;
  if (hash === undefined) return "";
  const bytes = await store.content(hash);
  if (bytes === undefined)
    return vscode.l10n.t("The contents of this call are not stored any more.");
  const recorded = file.outcome?.encoding;
  const encoding = keptEncoding(bytes, recorded) ?? recorded ?? "utf8";
  return vscode.workspace.decode(bytes, { encoding });
}

function parseQuery(query: string): { callId: string; index: number; side: SideName } | undefined {
  try {
    const { callId, index, side } = JSON.parse(query) as Record<string, unknown>;
    if (typeof callId !== "string" || typeof index !== "number") return undefined;
    return side === "before" || side === "after" || side === "none"
      ? { callId, index, side }
      : undefined;
  } catch {
    return undefined;
  }
}
