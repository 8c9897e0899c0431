import type { BenchCase, Peers } from "./benchCase.ts";
import { EDIT_CASES } from "./editCases.ts";
import { HINT_CASES } from "./hintCases.ts";
import { measureCase, type CaseResult, type Effort } from "./measure.ts";
import { PANEL_CASES } from "./panelCases.ts";
import { PATCH_CASES } from "./patchCases.ts";

export const CASES: readonly BenchCase[] = [
  ...PATCH_CASES,
  ...EDIT_CASES,
  ...HINT_CASES,
  ...PANEL_CASES,
];

/** Runs the cases one after the other; `done` is told of each. */
export async function runSuite(
  cases: readonly BenchCase[],
  peers: Peers,
  effort: Effort,
  done: (result: CaseResult) => void = () => undefined,
): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (const one of cases) {
    const result = await measureCase(one, peers, effort);
    results.push(result);
    done(result);
  }
  return results;
}
