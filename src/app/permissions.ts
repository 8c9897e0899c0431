import type { FileProblem } from "../engine/index.ts";
import type { Approvals } from "./approvals.ts";
import {
  evaluate,
  strictest,
  toolOffered,
  type Effect,
  type PermissionRules,
} from "./permissionRules.ts";
import { spellingsOf, type WorkspaceRoot } from "./pathSpellings.ts";
import type { FileRef, FileUse, Permissions } from "./ports.ts";

export interface PermissionSources {
  /** The present rules; asked anew for each file, as settings change under a running window. */
  readonly rules: () => PermissionRules;
  readonly roots: () => readonly WorkspaceRoot[];
  /** Absent where nobody can be asked (command line, MCP over stdio): then `ask` ends as unanswered. */
  readonly approvals?: Approvals;
}

export interface RuledPermissions extends Permissions {
  /** False for a tool that models should not be told of. */
  offers(tool: string): boolean;
  /** Lines of the setting that could not be read as written. */
  problems(): readonly string[];
}

/**
 * The one gate of all tools. A file is judged under every spelling that may reach it, the real target and the name
 * as asked among them; the strictest verdict counts.
 */
export function createPermissions({
  rules,
  roots,
  approvals,
}: PermissionSources): RuledPermissions {
  return {
    judge(file, use, tool) {
      return judgeFile(rules(), roots(), { file, use, tool });
    },
    async ask(call, files, signal, approvedPlan) {
      if (approvals === undefined) return files.map(() => "unanswered");
      return approvals.ask(call, files, signal, approvedPlan);
    },
    offers: (tool) => toolOffered(tool, rules()),
    problems: () => rules().problems,
  };
}

/** Why a file may not be written, with what is wrong with the rules themselves. */
export function deniedProblem(
  path: string,
  by: "rule" | "user" | "nobody",
  permissions: Pick<Permissions, "problems"> | undefined,
): FileProblem {
  const unreadable = permissions?.problems?.() ?? [];
  return { code: "denied", path, by, ...(unreadable.length === 0 ? {} : { unreadable }) };
}

export interface JudgedFile {
  readonly file: FileRef;
  readonly use: FileUse;
  readonly tool: string;
}

export function judgeFile(
  rules: PermissionRules,
  roots: readonly WorkspaceRoot[],
  { file, use, tool }: JudgedFile,
): Effect {
  return strictest(
    spellingsOf(file, roots).map((spelling) => evaluate(rules, tool, use, spelling)),
  );
}

/** Over all files that one operation touches, for example source (`delete`) and target (`create`) of a move. */
export function judgeFiles(
  permissions: Pick<Permissions, "judge">,
  files: readonly JudgedFile[],
): Effect {
  return strictest(files.map(({ file, use, tool }) => permissions.judge(file, use, tool)));
}
