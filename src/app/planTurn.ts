/** Where plans may be written, for hosts that have plan turns. */
export interface PlanPlace {
  /** The chat's own plan file, absolute; or why it is not known. */
  readonly plan: { readonly path: string } | { readonly problem: string };
  /** What the plan path leads to with every link followed; absent where this cannot be told. */
  readonly resolvesTo?: string;
  /** Home folder of the workspace's machine; plans used to lie directly in it. */
  readonly home?: string;
}

/**
 * The refusal of a whole call during a plan turn, or null when every path is exactly the plan. Asked before any file
 * is looked at. `paths` are trimmed.
 */
export function planTurnRefusal(
  tool: string,
  paths: readonly string[],
  { plan, resolvesTo }: PlanPlace,
): string | null {
  if ("problem" in plan) return refusal(`resolve chat-specific plan path: ${plan.problem}`);
  if (paths.some((path) => path !== plan.path))
    return refusal(`Edit only ${plan.path}; during plan turns, ${tool} is restricted to that file`);
  if (resolvesTo !== undefined && resolvesTo !== plan.path)
    return refusal(
      `the chat-specific plan path ${plan.path} resolves to ${resolvesTo}; symlinked plan paths are not allowed during plan turns`,
    );
  return null;
}

function refusal(text: string): string {
  return `${text}\nNo files were applied.`;
}

/** Outside plan turns: what is wrong with one path that is named like a plan, or null. It rejects that file only. */
export function planFileProblem(path: string, { plan, home }: PlanPlace): string | null {
  const parts = path.split(/[\\/]/);
  if (parts.at(-1)?.toLowerCase() !== "plan.md") return null;
  if (!/^([\\/]|[a-z]:[\\/])/i.test(path))
    return "Use the chat-specific absolute plan path; plan files must use absolute paths";
  if (home === undefined || !directlyIn(home, path)) return null;
  // The chat's own plan is allowed wherever the host put it.
  if ("path" in plan && plan.path === path) return null;
  return "problem" in plan
    ? `the plan path ${path} could not be verified because the workspace is currently unavailable; use the chat-specific plan path`
    : `the plan path ${path} is no longer supported at the home root; use the chat-specific plan path: ${plan.path}`;
}

function directlyIn(folder: string, path: string): boolean {
  const plain = (text: string): string => text.replaceAll("\\", "/").replace(/\/+$/, "");
  const file = plain(path);
  return file.slice(0, file.lastIndexOf("/")) === plain(folder);
}
