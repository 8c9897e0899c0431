import { join } from "node:path";
import { applyPatchCommit, editFilesCommit, type CommitCall } from "../commitCalls.ts";

/** What the stage tells the driver in the extension host, as JSON in the environment variable KILLED_PLAN. */
export interface KilledPlan {
  readonly seed: number;
  readonly calls: number;
  /** The folder of the workspace below which each call has a folder of its own. */
  readonly folder: string;
  /** The driver appends one JSON line for each step. */
  readonly progress: string;
  /** Holds the number of the next call; made by the stage, taken away by the driver. */
  readonly go: string;
}

export type DriverStep =
  | { readonly kind: "started"; readonly pid: number }
  | { readonly kind: "begun"; readonly call: number }
  | {
      readonly kind: "ended";
      readonly call: number;
      readonly id: string;
      readonly status: string;
      readonly text: string;
    }
  | { readonly kind: "finished" }
  | { readonly kind: "failed"; readonly error: string };

/** Call `n` of the run. Names in it are relative to the plan's folder; every second one is a patch. */
export function killedCall(
  { seed, folder }: Pick<KilledPlan, "seed" | "folder">,
  n: number,
): { readonly tool: string; readonly call: CommitCall } {
  const at = (name: string): string => join(folder, String(n), name);
  const tool = n % 2 === 0 ? "edit_files" : "apply_patch";
  const make = n % 2 === 0 ? editFilesCommit : applyPatchCommit;
  const { input, before, after } = make(seed * 1_000 + n, at);
  const named = <T>(files: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(files).map(([name, text]) => [join(String(n), name), text]));
  return { tool, call: { input, before: named(before), after: named(after) } };
}
