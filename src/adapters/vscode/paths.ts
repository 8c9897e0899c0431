import * as vscode from "vscode";
import { fail, ok, type Result } from "../../base/result.ts";
import type { FileProblem } from "../../engine/index.ts";
import type { FileRef } from "../../app/ports.ts";
import { exists, isLink } from "../node/diskFile.ts";
import { locateFile, type PathDisk } from "../node/locate.ts";
import type { PathRules } from "../node/paths.ts";
import { realPath } from "../node/realPath.ts";

/**
 * Paths of the open workspace. On the `file` scheme they are the system's own; in a virtual workspace they are the
 * paths inside its URIs, where no link exists and the path is its own real path.
 */
export interface EditorPaths {
  locate(
    path: string,
    relative: boolean,
    outside: "allow" | "refuse",
  ): Promise<Result<FileRef, FileProblem>>;
  /** The URI of a real or absolute path that `locate` gave. */
  uriOf(path: string): vscode.Uri;
  /** The path of a URI as `locate` would write it, or null for another scheme. */
  pathOf(uri: vscode.Uri): string | null;
  /**
   * The URI to open and write a file by: under the name it was asked for, so that a person finds it where the
   * workspace shows it. Null when that name leads elsewhere by now.
   */
  place(file: FileRef): Promise<vscode.Uri | null>;
  /** Whether the name itself is a link, not only a folder on its way. */
  isLink(file: FileRef): Promise<boolean>;
  /** Every link followed; the path itself where it cannot be told. */
  real(path: string): Promise<string>;
  /** Whether the files are the system's own, so that modes and links exist. */
  isDisk(): boolean;
}

/** `folders` are asked each time, since they come and go while the window is open. */
export function createEditorPaths(
  folders: () => readonly vscode.WorkspaceFolder[] = openFolders,
): EditorPaths {
  const home = (): vscode.Uri =>
    folders()[0]?.uri ?? vscode.Uri.from({ scheme: "file", path: "/" });
  const isDisk = (): boolean => home().scheme === "file";
  const pathOf = (uri: vscode.Uri): string | null => {
    const { scheme, authority } = home();
    if (uri.scheme !== scheme) return null;
    if (scheme === "file") return uri.fsPath;
    return uri.authority === authority ? uri.path : null;
  };
  const uriOf = (path: string): vscode.Uri =>
    isDisk() ? vscode.Uri.file(path) : home().with({ path, query: "", fragment: "" });
  const rules = (): PathRules => ({
    platform: isDisk() && process.platform === "win32" ? "win32" : "posix",
    scheme: home().scheme,
    authority: home().authority,
    folders: folders().flatMap(({ name, uri }) => {
      const path = pathOf(uri);
      return path === null ? [] : [{ name, path }];
    }),
  });
  const virtualDisk: PathDisk = {
    realPath: (path) => Promise.resolve(ok(path)),
    exists: (path) =>
      Promise.resolve(vscode.workspace.fs.stat(uriOf(path))).then(
        () => true,
        () => false,
      ),
    isLink: () => Promise.resolve(false),
  };
  const real = async (path: string): Promise<string> => {
    if (!isDisk()) return path;
    const found = await realPath(path);
    return found.ok ? found.value : path;
  };
  return {
    locate: (path, relative, outside) =>
      rules().folders.length === 0 && outside === "refuse"
        ? Promise.resolve(fail({ code: "path-outside", path: path.trim(), real: null }))
        : locateFile(
            path,
            relative,
            rules(),
            outside,
            isDisk() ? { realPath, exists, isLink } : virtualDisk,
          ),
    uriOf,
    pathOf,
    place: async (file) =>
      (await real(file.absolute)) === file.real ? uriOf(file.absolute) : null,
    isLink: async (file) =>
      isDisk() && file.absolute !== file.real && (await isLink(file.absolute)),
    real,
    isDisk,
  };
}

function openFolders(): readonly vscode.WorkspaceFolder[] {
  return vscode.workspace.workspaceFolders ?? [];
}
