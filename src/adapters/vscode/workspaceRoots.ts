import { realpathSync } from "node:fs";
import * as vscode from "vscode";
import type { WorkspaceRoot } from "../../app/pathSpellings.ts";

/** The workspace's folders under both names. A folder that is not on this disk is its own real path. */
export function workspaceRoots(): readonly WorkspaceRoot[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => {
    const path = uri.fsPath;
    try {
      return { path, real: realpathSync(path) };
    } catch {
      return { path, real: path };
    }
  });
}
