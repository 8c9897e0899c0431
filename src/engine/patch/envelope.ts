import { isAllSpace, trimSpace } from "../text/whitespace.ts";
import type { ParseProblem } from "../report/patchProblem.ts";
import { MARKERS } from "./grammar.ts";
import type { EnvelopeRepair } from "./patchDoc.ts";

/** Where the operations stand in the lines of a patch text. */
export interface Envelope {
  readonly from: number;
  /** Index behind the last line of the operations. */
  readonly to: number;
  /** Line number of `from`, from 1: a Begin line counts, an added one as well. */
  readonly firstNumber: number;
  readonly repairs: readonly EnvelopeRepair[];
  readonly problems: readonly ParseProblem[];
}

/**
 * Finds the operations between Begin and End. A missing Begin or End is added where the rest leaves no doubt; a
 * heredoc or a Markdown fence around the patch is taken off. Prose is not: the text may be about a patch.
 *
 * `endsInBreak`: whether the whole text ended in a line break. A patch without End whose last line is cut off in
 * an added file would write half a file, so it is refused.
 */
export function findEnvelope(lines: readonly string[], endsInBreak: boolean): Envelope {
  const repairs: EnvelopeRepair[] = [];
  let { from, to } = unwrap(lines, repairs);
  const problems: ParseProblem[] = [];
  const first = trimSpace(lines[from] ?? "");
  let firstNumber = 2;
  let hasBegin = true;
  if (first.startsWith(MARKERS.begin)) from++;
  else if (isOperationHeader(first)) {
    repairs.push("begin-added");
    hasBegin = false;
  } else {
    problems.push({ code: "begin-missing", line: first });
    // What stands behind a Begin line further down is still read, so that a card can show it.
    const begin = lines.findIndex(
      (line, index) => index > from && index < to && trimSpace(line) === MARKERS.begin,
    );
    from = begin < 0 ? to : begin + 1;
    firstNumber = from + 1;
  }
  const last = to > from ? (lines[to - 1] ?? "") : "";
  if (trimSpace(last).startsWith(MARKERS.end)) to--;
  else if (problems.length === 0) {
    if (!isRepairableEnd(last) || (hasBegin && !endsInBreak && isInAdd(lines, from, to)))
      problems.push({ code: "end-missing", line: last === "" ? first : trimSpace(last) });
    else repairs.push("end-added");
  }
  return { from, to, firstNumber, repairs, problems };
}

function isOperationHeader(line: string): boolean {
  return [MARKERS.add, MARKERS.delete, MARKERS.update].some((marker) => line.startsWith(marker));
}

/** A last line behind which only End can have been left out. An Update or Add header alone is not one. */
function isRepairableEnd(line: string): boolean {
  const text = trimSpace(line);
  return (
    [" ", "+", "-"].includes(line.charAt(0)) ||
    line.startsWith(MARKERS.hunk) ||
    text === MARKERS.endOfFile ||
    text.startsWith(MARKERS.delete) ||
    text.startsWith(MARKERS.move)
  );
}

function isInAdd(lines: readonly string[], from: number, to: number): boolean {
  for (let i = to - 1; i >= from; i--) {
    const line = lines[i] ?? "";
    if (isOperationHeader(trimSpace(line)) && !"+- ".includes(line.charAt(0)))
      return trimSpace(line).startsWith(MARKERS.add);
  }
  return false;
}

const HEREDOC = /^(?:(?:\$ )?apply_?patch)?\s*<<-?\s*(["']?)([A-Za-z_]\w*)\1$/;
const FENCE = /^(```+|~~~+)[\w+-]*$/;
const WRAPPERS_MAX = 4;

function unwrap(
  lines: readonly string[],
  repairs: EnvelopeRepair[],
): { readonly from: number; readonly to: number } {
  let range = withoutBlankEnds(lines, 0, lines.length);
  for (let layer = 0; layer < WRAPPERS_MAX && range.to - range.from > 2; layer++) {
    const first = trimSpace(lines[range.from] ?? "");
    const last = trimSpace(lines[range.to - 1] ?? "");
    const fence = FENCE.exec(first)?.[1];
    const delimiter = HEREDOC.exec(first)?.[2];
    if (fence !== undefined && last === fence) repairs.push("fence");
    else if (delimiter !== undefined && last === delimiter) repairs.push("heredoc");
    else break;
    range = withoutBlankEnds(lines, range.from + 1, range.to - 1);
  }
  return range;
}

function withoutBlankEnds(
  lines: readonly string[],
  fromIndex: number,
  toIndex: number,
): { readonly from: number; readonly to: number } {
  let from = fromIndex;
  let to = toIndex;
  while (from < to && isAllSpace(lines[from] ?? "")) from++;
  while (to > from && isAllSpace(lines[to - 1] ?? "")) to--;
  return { from, to };
}
