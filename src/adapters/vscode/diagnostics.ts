import * as vscode from "vscode";
import type { FileRef } from "../../app/ports.ts";
import { FILE_LIMITS } from "../node/fileLimits.ts";
import { createEditorPaths, type EditorPaths } from "./paths.ts";

/**
 * New errors in changed files. Called after a commit it gives one line an error, `path:line:column: message`;
 * errors that stood in the file before are left out.
 */
export interface Diagnoser {
  (files: readonly FileRef[], signal: AbortSignal): Promise<readonly string[]>;
  /** Remembers the errors that a file has before a call changes it. */
  readonly before: (file: FileRef) => void;
}

/** Files whose earlier errors are remembered; a call that changes more loses only the oldest. */
const REMEMBERED_MAX = 2_000;

export function createDiagnoser(): Diagnoser {
  const paths = createEditorPaths();
  const earlier = new Map<string, readonly string[]>();
  const before = (file: FileRef): void => {
    earlier.delete(file.real);
    earlier.set(file.real, errorsOf(paths, file).map(nameOf));
    const [oldest] = earlier.keys();
    if (earlier.size > REMEMBERED_MAX && oldest !== undefined) earlier.delete(oldest);
  };
  const after = async (
    files: readonly FileRef[],
    signal: AbortSignal,
  ): Promise<readonly string[]> => {
    const isOn = vscode.workspace.getConfiguration("agentEditReview").get<unknown>("diagnostics");
    if (isOn === false || files.length === 0) return [];
    await settled(paths, files, signal);
    const lines = files.flatMap((file) => {
      const known = [...(earlier.get(file.real) ?? [])];
      earlier.delete(file.real);
      return errorsOf(paths, file)
        .filter((error) => !take(known, nameOf(error)))
        .map((error) => lineOf(file, error));
    });
    return lines.slice(0, FILE_LIMITS.diagnosticsMax);
  };
  return Object.assign(after, { before });
}

/** Until the files' diagnostics have been quiet for a while; never longer than the limit, or than the call lives. */
function settled(
  paths: EditorPaths,
  files: readonly FileRef[],
  signal: AbortSignal,
): Promise<void> {
  const uris = new Set(
    files.flatMap((file) => [file.real, file.absolute].map((path) => paths.uriOf(path).toString())),
  );
  return new Promise((done) => {
    const end = (): void => {
      clearTimeout(quiet);
      clearTimeout(limit);
      listener.dispose();
      signal.removeEventListener("abort", end);
      done();
    };
    let quiet = setTimeout(end, FILE_LIMITS.diagnosticsSettleMs);
    const limit = setTimeout(end, FILE_LIMITS.diagnosticsMsMax);
    const listener = vscode.languages.onDidChangeDiagnostics((event) => {
      if (!event.uris.some((uri) => uris.has(uri.toString()))) return;
      clearTimeout(quiet);
      quiet = setTimeout(end, FILE_LIMITS.diagnosticsSettleMs);
    });
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}

function errorsOf(paths: EditorPaths, file: FileRef): readonly vscode.Diagnostic[] {
  return [...new Set([file.absolute, file.real])]
    .flatMap((path) => vscode.languages.getDiagnostics(paths.uriOf(path)))
    .filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
}

/** What makes two errors the same one although an edit moved it to another line. */
function nameOf({ source, code, message }: vscode.Diagnostic): string {
  const id = typeof code === "object" ? code.value : code;
  return [source ?? "", id ?? "", message].join("\n");
}

/** Removes one item and says whether it was there: two equal errors before cover two equal ones after. */
function take(items: string[], item: string): boolean {
  const index = items.indexOf(item);
  if (index < 0) return false;
  items.splice(index, 1);
  return true;
}

function lineOf(file: FileRef, error: vscode.Diagnostic): string {
  const { line, character } = error.range.start;
  const code = typeof error.code === "object" ? error.code.value : error.code;
  const from = [error.source, code].filter((part) => part !== undefined).join(" ");
  const message = error.message.replace(/\s*\n\s*/g, " ");
  return `${file.shown}:${line + 1}:${character + 1}: ${from === "" ? "" : `${from}: `}${message}`;
}
