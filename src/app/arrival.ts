import type { Arrived } from "../tools/tool.ts";
import type { Call } from "./call.ts";
import { LIMITS } from "./limits.ts";

export type Arrival =
  | { readonly kind: "arrived"; readonly arrived: Arrived }
  /** More than is read; `start` is kept for analysis. */
  | { readonly kind: "too-large"; readonly units: number; readonly start: string }
  /** A value that JSON cannot hold. */
  | { readonly kind: "no-json" };

/**
 * What a tool decodes: the raw text when there is one, since it tells more than its parsed value, else a copy of the
 * input as JSON has it, so that nobody can change it while the call waits. Arguments without bound are not parsed.
 */
export function arrivedOf({ raw, input }: Call): Arrival {
  if (raw !== undefined) return tooLarge(raw) ?? { kind: "arrived", arrived: { raw } };
  try {
    const text = JSON.stringify(input) ?? "null";
    const arrived = (): Arrival => ({
      kind: "arrived",
      arrived: { input: JSON.parse(text) as unknown },
    });
    return tooLarge(text) ?? arrived();
  } catch {
    // Cycles, numbers without bound and nesting without end: the writer's only word for "not JSON".
    return { kind: "no-json" };
  }
}

function tooLarge(text: string): Arrival | null {
  return text.length > LIMITS.argumentUnitsMax
    ? { kind: "too-large", units: text.length, start: text.slice(0, LIMITS.argsRawUnitsMax) }
    : null;
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
