/** The engine's only door: pure functions from data to data. Nothing outside src/engine imports past it. */
export { SourceText, dominantEnding, type Ending, type EndingStyle } from "./text/sourceText.ts";
export { Edit, type Splice } from "./text/splice.ts";
export type { ServerDiff, DiffHunk, DiffRow } from "./text/serverDiff.ts";
export type {
  Explanation,
  FileOperation,
  FileOutcome,
  FileStatus,
  NearLine,
} from "./report/outcome.ts";
export type { FileProblem } from "./report/problem.ts";
