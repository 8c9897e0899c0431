/** A difference between old text and file that a match may leave aside; named in the result, the card, the metrics. */
export type Tolerance = "trailing-whitespace" | "surrounding-whitespace" | "look-alike-punctuation";

export type StepName = "exact" | "line-endings" | Tolerance;

export interface LadderStep {
  readonly name: StepName;
  /** The case (under test/cases/edit_files) that fails without this step. */
  readonly because: string;
  /** What is compared: the text as it stands, whole lines, or the text with look-alikes folded. */
  readonly compares: "text" | "lines" | "folded";
}

/**
 * How `edit_files` looks for a text: each step over the whole file before the next one, and the first step with any
 * hit decides. Line endings are no tolerance that needs a name: readers show every file with LF.
 */
export const EDIT_LADDER: readonly LadderStep[] = [
  { name: "exact", because: "exact/inside-a-line", compares: "text" },
  { name: "line-endings", because: "endings/part-of-lines-in-crlf", compares: "text" },
  { name: "trailing-whitespace", because: "whitespace/trailing-spaces-kept", compares: "lines" },
  { name: "surrounding-whitespace", because: "indent/spaces-for-tabs", compares: "lines" },
  { name: "look-alike-punctuation", because: "punctuation/curly-kept", compares: "folded" },
];

/** The steps of a ladder that are tolerances, each once, in the ladder's order. */
export function tolerancesOf(steps: Iterable<StepName>): readonly Tolerance[] {
  const taken = new Set(steps);
  return EDIT_LADDER.map(({ name }) => name).filter(
    (name): name is Tolerance => name !== "exact" && name !== "line-endings" && taken.has(name),
  );
}
