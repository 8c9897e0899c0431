/** The engine's only door: pure functions from data to data. Nothing outside src/engine imports past it. */
export { SourceText, dominantEnding, type Ending, type EndingStyle } from "./text/sourceText.ts";
export { Edit, type Splice } from "./text/splice.ts";
export { serverDiff, type ServerDiff, type DiffHunk, type DiffRow } from "./text/serverDiff.ts";
export { printUnified, parseUnified } from "./text/unifiedDiff.ts";
export { foldLine, foldLineForSplice, foldSequence, type Folded } from "./text/lookAlike.ts";
export { keepPunctuation } from "./match/keepPunctuation.ts";
export type {
  Explanation,
  FileOperation,
  FileOutcome,
  FileStatus,
  NearLine,
} from "./report/outcome.ts";
export type { FileProblem } from "./report/problem.ts";
export { explainFile, unicodeName } from "./report/wording.ts";
export { textChange, type TextChange } from "./plan/textChange.ts";
export { sniff, type Sniffed } from "./encoding/sniff.ts";
export {
  bomOf,
  canonicalEncoding,
  isUnicodeEncoding,
  reportedEncoding,
  type UnicodeEncoding,
} from "./encoding/names.ts";
