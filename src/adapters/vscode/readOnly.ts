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
    if (await isReadOnlyBySetting(paths.uriOf(path)))
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

async function isReadOnlyBySetting(uri: vscode.Uri): Promise<boolean> {
  const files = vscode.workspace.getConfiguration("files", uri);
  const globsOf = (setting: string): readonly string[] =>
    Object.entries(files.get<Record<string, unknown>>(setting) ?? {}).flatMap(([glob, on]) =>
      on === true ? [glob] : [],
    );
  const included = globsOf("readonlyInclude");
  if (included.length === 0) return false;
  const { matchesGlob } = await import("./settingGlobs.ts");
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const inFolder =
    folder === undefined ? uri.path : uri.path.slice(folder.uri.path.replace(/\/$/, "").length + 1);
  const covers = (glob: string): boolean =>
    matchesGlob(glob, glob.startsWith("/") ? uri.path : inFolder);
  return included.some(covers) && !globsOf("readonlyExclude").some(covers);
}
