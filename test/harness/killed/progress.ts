import { existsSync, readFileSync } from "node:fs";
import { waitFor } from "../wait.ts";
import type { DriverStep } from "./plan.ts";

/** The steps that the driver has written down, read again and again. */
export interface Progress {
  steps(): readonly DriverStep[];
  /** The calls that ended, by number. */
  ended(): ReadonlyMap<number, Extract<DriverStep, { kind: "ended" }>>;
  /** The call that has begun and not ended. */
  underWay(): number | undefined;
  /** Waits for the first step that fits; a failure of the driver ends the wait. */
  until<T>(
    what: string,
    timeoutMs: number,
    probe: (steps: readonly DriverStep[]) => T | undefined,
  ): Promise<T>;
}

const POLL_MS = 4;

export function progressOf(file: string): Progress {
  const steps = (): readonly DriverStep[] => {
    if (!existsSync(file)) return [];
    // The last line may be half written, or cut off for good by the kill.
    const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
    return lines.flatMap((line) => {
      try {
        return [JSON.parse(line) as DriverStep];
      } catch {
        return [];
      }
    });
  };
  const ended: Progress["ended"] = () =>
    new Map(steps().flatMap((step) => (step.kind === "ended" ? [[step.call, step]] : [])));
  return {
    steps,
    ended,
    underWay() {
      const done = ended();
      const begun = steps().findLast((step) => step.kind === "begun");
      return begun === undefined || done.has(begun.call) ? undefined : begun.call;
    },
    until: (what, timeoutMs, probe) =>
      waitFor(
        what,
        timeoutMs,
        () => {
          const now = steps();
          const failure = now.find((step) => step.kind === "failed");
          if (failure !== undefined) throw new Error(`The driver failed: ${failure.error}`);
          return probe(now);
        },
        POLL_MS,
      ),
  };
}
