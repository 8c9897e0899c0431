/** Bounds of string replacement and of its hints. Work is counted in steps, so every machine gives the same answer. */
export const REPLACE_LIMITS = {
  /** Places of one text in one file; above it a replacement is no edit any more. */
  placesMax: 1_000_000,
  /** Files above this many UTF-16 units are matched exactly only. */
  foldUnitsMax: 64_000_000,
  /** Line numbers named in one sentence. */
  numbersMax: 12,
  /** Entries of one batch. */
  entriesMax: 10_000,
  /** Entries of one batch whose miss is explained by its closest match; the others are named with their reason. */
  explainedMax: 8,
} as const;

export interface ReplaceLimits {
  readonly placesMax: number;
  readonly foldUnitsMax: number;
  readonly numbersMax: number;
  readonly entriesMax: number;
  readonly explainedMax: number;
}
