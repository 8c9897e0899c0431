import * as vscode from "vscode";
import { createHooks } from "../../app/hooks.ts";
import { parseHooks, type HookConfig } from "../../app/hookSettings.ts";
import { HANDLERS } from "../../app/handlers/all.ts";
import {
  parsePermissionRules,
  toolOffered,
  type PermissionRules,
} from "../../app/permissionRules.ts";
import type { CallSettings, Hooks } from "../../app/ports.ts";
import { hookCommandIn } from "../node/hookCommand.ts";
import { postHook } from "../node/hookHttp.ts";
import type { NativeConfirmation } from "./toolConfirmations.ts";

/** Settings about calls, parsed once and again when they change. */
export interface LiveSettings extends vscode.Disposable {
  readonly call: () => CallSettings;
  readonly rules: () => PermissionRules;
  readonly hooks: () => readonly HookConfig[];
  readonly nativeConfirmation: () => NativeConfirmation;
  /** Sentences about what could not be read as written; the safe side was taken. */
  readonly problems: () => readonly string[];
  /** After the settings were read anew. */
  readonly onChange: vscode.Event<void>;
}

export function readSettings(): LiveSettings {
  let rules = readRules();
  let hooks = readHooks();
  hideDenied(rules);
  const changed = new vscode.EventEmitter<void>();
  const listening = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration("agentEditReview.permission")) {
      rules = readRules();
      hideDenied(rules);
    }
    if (event.affectsConfiguration("agentEditReview.hooks")) hooks = readHooks();
    if (event.affectsConfiguration("agentEditReview")) changed.fire();
  });
  return {
    call: () => ({
      ambiguousHunk: settings().get("ambiguousHunk") === "reject" ? "reject" : "note",
    }),
    rules: () => rules,
    nativeConfirmation() {
      const set = settings().get("nativeConfirmation");
      return set === "approves" || set === "off" ? set : "first";
    },
    hooks: () => (vscode.workspace.isTrusted ? hooks.hooks : []),
    problems: () => [
      ...rules.problems.map((problem) => `agentEditReview.permission: ${problem}`),
      ...hooks.problems.map((problem) => `agentEditReview.hooks: ${problem}`),
    ],
    onChange: changed.event,
    dispose() {
      listening.dispose();
      changed.dispose();
    },
  };
}

/** Tools that no rule leaves open are not offered to agents. */
function hideDenied(rules: PermissionRules): void {
  for (const { tool } of HANDLERS) {
    const denied = !toolOffered(tool.name, rules);
    void vscode.commands.executeCommand(
      "setContext",
      `agentEditReview.denied.${tool.name}`,
      denied,
    );
  }
}

function settings(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration("agentEditReview");
}

function readRules(): PermissionRules {
  return parsePermissionRules(settings().get<unknown>("permission"));
}

/** Hooks run programs, so a workspace cannot set them: only what the user or the machine says counts. */
function readHooks(): ReturnType<typeof parseHooks> {
  const found = settings().inspect<unknown>("hooks");
  return parseHooks(found?.globalValue ?? found?.defaultValue);
}

export function hooksOf(
  live: LiveSettings,
  newId: () => string,
  logBug: (error: unknown) => void,
): Hooks {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? ".";
  return createHooks({
    hooks: live.hooks,
    http: postHook,
    command: hookCommandIn(folder),
    folder,
    newId,
    logBug,
  });
}
