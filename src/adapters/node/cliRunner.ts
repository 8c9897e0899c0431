import { randomUUID } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import { HANDLERS } from "../../app/handlers/all.ts";
import { createPermissions, type RuledPermissions } from "../../app/permissions.ts";
import type { PermissionRules } from "../../app/permissionRules.ts";
import { createCallRunner, type CallRunner } from "../../app/runCall.ts";
import { UsageError } from "./cliUsage.ts";
import { createNodeWorkspace } from "./files.ts";
import { memoryStore } from "./memoryStore.ts";

/** Our own bugs go to standard error with their stack; standard output is for results. */
export function logBug(error: unknown): void {
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${words}\n`);
}

/**
 * The way of a call over a plain folder. With rules there is nobody to ask, so what they would ask about is not
 * done; without rules everything inside the folder is allowed. Guard and retry notes work within the process.
 */
export function createFolderRunner(
  folder: string,
  rules: PermissionRules | null,
): { readonly runner: CallRunner; readonly permissions: RuledPermissions | undefined } {
  const root = path.resolve(folder);
  if (!isFolder(root)) throw new UsageError(`There is no folder ${folder}.`);
  const permissions =
    rules === null
      ? undefined
      : createPermissions({
          rules: () => rules,
          roots: () => [{ path: root, real: realPath(root) }],
        });
  const runner = createCallRunner(
    {
      workspace: createNodeWorkspace({ folders: [root], outside: "refuse" }),
      store: memoryStore({ notice: null }),
      clock: { now: Date.now },
      newId: randomUUID,
      onCall: () => undefined,
      logBug,
      ...(permissions === undefined ? {} : { permissions }),
    },
    HANDLERS,
  );
  return { runner, permissions };
}

function isFolder(root: string): boolean {
  return statSync(root, { throwIfNoEntry: false })?.isDirectory() === true;
}

function realPath(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    // Not there (yet): the calls will say so, each for its file.
    return root;
  }
}
