import { exhausted } from "../../base/assert.ts";
import { sayMiss } from "./missText.ts";
import type { Explanation } from "./outcome.ts";
import type {
  EnvelopeProblem,
  GroupProblem,
  ParseProblem,
  PlacementProblem,
} from "./patchProblem.ts";
import { codePointName, cut, quoted, someNumbers } from "./quote.ts";

export function explainEnvelope(problem: EnvelopeProblem): Explanation {
  switch (problem.code) {
    case "malformed":
      return {
        message: problem.problems.map(sayParse).join("\n"),
        advice: "Correct the patch text and send it again.",
      };
    case "move-to-itself":
      return {
        message: `apply_patch move source and target are the same: ${problem.path}`,
        advice: "Leave the Move line out to update the file in place.",
      };
    case "not-regular":
      return {
        message: `apply_patch path is not a regular file: ${problem.path} is a link to ${problem.leadsTo}`,
        advice: `Name ${problem.leadsTo} itself, after reading it.`,
      };
    case "overlap":
      return {
        message: `apply_patch contains overlapping operations for ${problem.first} and ${problem.second}`,
        advice: "Merge them into one operation on one path.",
      };
    default:
      return exhausted(problem);
  }
}

export function explainGroup(problem: GroupProblem): Explanation {
  switch (problem.code) {
    case "add-exists":
      return {
        message: `cannot add file that already exists: ${problem.path}`,
        advice: "use `*** Update File:` to change it",
      };
    case "source-missing":
      return {
        message: `read apply_patch source ${problem.path}: file not found: ${problem.path}`,
        ...(problem.similar.length > 0 && {
          advice: `Did you mean: ${problem.similar.slice(0, 3).join(", ")}`,
        }),
      };
    case "move-target-exists":
      return {
        message: `cannot move onto a file that already exists: ${problem.path}`,
        advice:
          "delete the target earlier in the same patch if it is to be replaced, or choose another name",
      };
    case "file":
      return problem.explanation;
    case "placement":
      return explainPlacement(problem.problem);
    case "skipped":
      return {
        message: `skipped: a prior operation touching ${problem.path} failed, so this operation was not applied and must remain with that dependency when revised`,
      };
    case "rolled-back":
      return {
        message: `rolled back: a later operation that modified ${problem.path} failed, so this matched operation was not written to disk; keep it with the failed operation when revising the group`,
      };
    case "rolled-back-with":
      return {
        message: `rolled back: an earlier operation group for ${problem.path} failed, so this dependent group was not written to disk; keep both groups together when revising`,
      };
    default:
      return exhausted(problem);
  }
}

export function explainPlacement(problem: PlacementProblem): Explanation {
  const { hunk, of } = problem;
  const together =
    hunk > 1
      ? `; note: hunks 1..${hunk - 1} matched successfully in memory but were not applied because this hunk failed, so keep all hunks 1..${of} together when rebuilding this operation`
      : "";
  switch (problem.code) {
    case "hunk-not-found":
      return sayMiss(problem, together);
    case "hunk-ambiguous":
      return {
        message: `hunk ${hunk}/${of} fits more than one place equally well: lines ${someNumbers(problem.numbers)}`,
        advice: `add context lines or an \`@@\` header that tell the places apart${together}`,
      };
    case "look-alike-unsafe":
      return {
        message: `hunk not found (${hunk}/${of}); a punctuation/whitespace-tolerant candidate exists at line ${problem.number}, but the replacement cannot preserve unchanged text safely`,
        advice: `copy the current lines exactly, then send the hunk again${together}`,
      };
    case "indentation-unknown":
      return {
        message: `hunk ${hunk}/${of} matches at line ${problem.number} only with indentation ignored, and the indentation of the added line ${quoted(problem.line)} cannot be told from it`,
        advice: `copy the current lines with their indentation, then send the hunk again${together}`,
      };
    case "insertion-anchor-missing":
      return {
        message: `hunk ${hunk}/${of} only adds lines, and its header ${quoted(problem.header)} is not a complete line of the file, so the place is unknown`,
        advice: `give the complete header line, or context lines beside the added ones${together}`,
      };
    case "insertion-by-number":
      return {
        message: `hunk ${hunk}/${of} only adds lines, and nothing but line number ${problem.number} says where`,
        advice: `give context lines beside the added ones${together}`,
      };
    case "line-without-marker":
      return { message: sayParse(problem) };
    case "too-much-rework":
      return {
        message: `hunk ${hunk}/${of} needs the result of too many earlier hunks`,
        advice: "split the operation into several calls",
      };
    default:
      return exhausted(problem);
  }
}

/** One sentence for one fault of the text. */
export function sayParse(problem: ParseProblem): string {
  switch (problem.code) {
    case "patch-blank":
      return "patch is required";
    case "only-invisible":
      return `patch contains only invisible characters (${problem.count} invisible character(s) were stripped); send the patch text itself`;
    case "patch-too-large":
      return `patch is too large: ${problem.units} characters, at most ${problem.max} are accepted; split it into several calls`;
    case "control-character":
      return `patch contains control character ${codePointName(problem.codePoint)} in line ${problem.number}; binary or control-character content cannot be written with the text file tools — write it with a shell command or script instead`;
    case "begin-missing":
      return `invalid apply_patch: first line must be \`*** Begin Patch\`, found ${quoted(problem.line)}`;
    case "end-missing":
      return `invalid apply_patch: last line must be \`*** End Patch\`, found ${quoted(problem.line)}`;
    case "no-operation":
      return "no files were modified: the patch has no operation";
    case "too-many-operations":
      return `too many operations: line ${problem.number} starts one more than the ${problem.max} of one patch`;
    case "unknown-operation":
      return `invalid apply_patch operation at line ${problem.number}: ${cut(problem.line)}`;
    case "empty-path":
      return `apply_patch operation at line ${problem.number} has an empty path`;
    case "add-line-without-plus":
      return `invalid add-file line ${problem.number}: each line must start with +`;
    case "add-without-content":
      return `invalid add-file operation for ${problem.path}: content is required`;
    case "update-without-hunk":
      return `invalid update operation for ${problem.path}: at least one hunk is required`;
    case "hunk-header-expected":
      return `invalid update hunk at line ${problem.number}: expected @@`;
    case "empty-hunk":
      return `invalid empty update hunk for ${problem.path} at line ${problem.number}`;
    case "context-only-hunk":
      return `invalid update hunk for ${problem.path} at line ${problem.number}: at least one added or removed line is required; context-only or whitespace-only lines are not omission placeholders. To anchor a hunk, put its section context on the @@ line itself`;
    case "line-without-marker":
      return `invalid patch line ${problem.number}: expected space, +, or - marker`;
    default:
      return exhausted(problem);
  }
}
