import picomatch from "picomatch";
import * as vscode from "vscode";
import type { FileProblem } from "../../engine/index.ts";
import type { FileRef } from "../../app/ports.ts";
import { checkWritable } from "../node/diskFile.ts";
import type { EditorPaths } from "./paths.ts";

/**
 * Why a file may not be changed, or null. The editor enforces its read-only settings only for typing and saving;
 * writes of extensions pass by them, so they are asked here.
 */
export async function whyReadOnly(paths: EditorPaths, file: FileRef): Promise<FileProblem | null> {
  for (const path of new Set([file.absolute, file.real]))
    if (isReadOnlyBySetting(paths.uriOf(path)))
      return { code: "file-read-only", path: file.asked, by: "setting" };
  if (paths.isDisk()) return checkWritable(file);
  const uri = paths.uriOf(file.real);
  const permissions = await Promise.resolve(vscode.workspace.fs.stat(uri)).then(
    (stat) => stat.permissions,
    () => undefined,
  );
  const isReadOnly =
    permissions === vscode.FilePermission.Readonly ||
    vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false;
  return isReadOnly ? { code: "file-read-only", path: file.asked, by: "permissions" } : null;
}

function isReadOnlyBySetting(uri: vscode.Uri): boolean {
  const files = vscode.workspace.getConfiguration("files", uri);
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const inFolder =
    folder === undefined ? uri.path : uri.path.slice(folder.uri.path.replace(/\/$/, "").length + 1);
  const matches = (setting: string): boolean =>
    Object.entries(files.get<Record<string, unknown>>(setting) ?? {}).some(
      ([glob, on]) =>
        on === true &&
        picomatch.isMatch(glob.startsWith("/") ? uri.path : inFolder, glob, { dot: true }),
    );
  return matches("readonlyInclude") && !matches("readonlyExclude");
}
