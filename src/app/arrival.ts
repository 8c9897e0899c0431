import type { Arrived } from "../tools/tool.ts";
import type { Call } from "./call.ts";
import { LIMITS } from "./limits.ts";

/**
 * What a tool decodes: the raw text when there is one, since it tells more than its parsed value, else a copy of the
 * input as JSON has it, so that nobody can change it while the call waits. Null for a value that JSON cannot hold.
 */
export function arrivedOf({ raw, input }: Call): Arrived | null {
  if (raw !== undefined) return { raw };
  try {
    return { input: JSON.parse(JSON.stringify(input) ?? "null") as unknown };
  } catch {
    // Cycles, numbers without bound and nesting without end: the writer's only word for "not JSON".
    return null;
  }
}

/** Whether arguments nest deeper than what reads, stores and draws them can follow. */
export function nestsTooDeep(args: unknown): boolean {
  let level: unknown[] = [args];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > LIMITS.argumentDepthMax) return true;
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? (Object.values(value) as unknown[]) : [],
    );
  }
  return false;
}
