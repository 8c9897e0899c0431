/** The engine's only door: pure functions from data to data. Nothing outside src/engine imports past it. */
export { SourceText, dominantEnding, type Ending, type EndingStyle } from "./text/sourceText.ts";
export { Edit, type Splice } from "./text/splice.ts";
export { TEXT_UNITS_MAX } from "./text/textLimits.ts";
export { loneSurrogate } from "./text/loneSurrogate.ts";
export { joinSplices } from "./text/minimalSplices.ts";
export { serverDiff, type ServerDiff, type DiffHunk, type DiffRow } from "./text/serverDiff.ts";
export { changedLines, type ChangedLines } from "./text/changedLines.ts";
export { alignLines, type Alignment, type ChangedRun } from "./text/alignLines.ts";
export { printUnified, parseUnified } from "./text/unifiedDiff.ts";
export { wordMarks, type Mark } from "./text/wordMarks.ts";
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
export { explainFile, sayHalf, unicodeName, writeHindrance } from "./report/wording.ts";
export { trimSpace } from "./text/whitespace.ts";
export { textChange, type TextChange } from "./plan/textChange.ts";
export {
  planEdits,
  type EditEvidence,
  type EditsPlan,
  type IndexedEdit,
} from "./plan/planEdits.ts";
export { diffRoom } from "./report/diffRoom.ts";
export { alreadyAppliedNote, editFilesText, type EditFilesText } from "./report/editFilesText.ts";
export { explainEdit, OLD_TEXT_EMPTY, type EditProblem } from "./report/editWording.ts";
export { EDIT_LADDER, type LadderStep, type StepName, type Tolerance } from "./match/ladder.ts";
export { sniff, type Sniffed } from "./encoding/sniff.ts";
export {
  bomOf,
  canonicalEncoding,
  isUnicodeEncoding,
  reportedEncoding,
  type UnicodeEncoding,
} from "./encoding/names.ts";
export {
  planReplace,
  cleanReplacement,
  type ReplacePlan,
  type Replacement,
} from "./plan/planReplace.ts";
export { planBatch, type BatchEntry, type BatchPlan } from "./plan/planBatch.ts";
export { planWrite, type WritePlan } from "./plan/planWrite.ts";
export { cleanText, controlBroughtIn } from "./plan/cleanText.ts";
export { REPLACE_LIMITS, type ReplaceLimits } from "./plan/replaceLimits.ts";
export type {
  BatchProblem,
  CleanedPoints,
  FailingEntry,
  ReplaceProblem,
  StringMiss,
  TextField,
  TextProblem,
} from "./report/replaceProblem.ts";
export { explainReplace, explainReplacedFile, explanationText } from "./report/replaceWording.ts";
export {
  cleaningNotes,
  sayDeleted,
  sayReplaced,
  sayWritten,
  type FileSizes,
} from "./report/replaceText.ts";
export { cleanInvisible, sayRemoved, type CleanedText } from "./text/invisible.ts";
export { PATCH_GRAMMAR, printPatch } from "./patch/grammar.ts";
export {
  operationTitle,
  type Hunk,
  type HunkLine,
  type PatchDoc,
  type PatchOperation,
} from "./patch/patchDoc.ts";
export { parsePatch, type ParsedPatch } from "./patch/parsePatch.ts";
export { PATCH_LIMITS } from "./patch/operationReader.ts";
export { cleanPatch, type CleanedPatch } from "./patch/cleanPatch.ts";
export {
  previewOfParsed,
  streamPatch,
  type PatchPreview,
  type PatchStream,
  type PreviewOperation,
} from "./patch/streamPatch.ts";
export type { PlaceOptions } from "./match/placement.ts";
export { patchPaths, planPatch } from "./plan/planPatch.ts";
export type { FailedGroup, NewContent, PatchPlan, PlannedFile } from "./plan/patchPlan.ts";
export type { PlacedHunk } from "./plan/planUpdate.ts";
export type { PatchFileState, PatchPath } from "./plan/virtualFiles.ts";
export type { EnvelopeProblem, GroupProblem, ParseProblem } from "./report/patchProblem.ts";
export { explainEnvelope, explainGroup } from "./report/patchWording.ts";
export {
  changedAfterPlanningText,
  choiceNote,
  commitFailedText,
  committedFile,
  isMatchFailure,
  notAppliedGroup,
  patchText,
  rejectedPatchText,
  type CommittedFile,
  type NotApplied,
  type PatchReport,
  type PatchText,
} from "./report/patchText.ts";
