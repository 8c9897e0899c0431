import { realpathSync } from "node:fs";
import * as vscode from "vscode";
import type { WorkspaceRoot } from "../../app/pathSpellings.ts";

/**
 * The workspace's folders under both names. A folder that is not on this disk is its own real path, whatever lies on the
 * disk under the same one.
 */
export function workspaceRoots(): readonly WorkspaceRoot[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => {
    if (uri.scheme !== "file") return { path: uri.path, real: uri.path };
    const path = uri.fsPath;
    try {
      return { path, real: realpathSync(path) };
    } catch {
      return { path, real: path };
    }
  });
}
