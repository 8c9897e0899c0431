import { exhausted } from "../../base/assert.ts";
import type { Explanation } from "./outcome.ts";
import type { HunkMiss, HunkPlace, MissHint } from "./patchProblem.ts";
import { codePointName, isQuotedWhole, quoted, someNumbers } from "./quote.ts";

/** The sentence for a hunk that matches nowhere: what was looked for, what is there instead, what to do. */
export function sayMiss(miss: HunkPlace & HunkMiss, together: string): Explanation {
  const parts = [`hunk not found (${miss.hunk}/${miss.of})`];
  if (miss.hasBlankContext)
    parts.push(
      "context lines of whitespace only are literal source lines, no placeholders for omitted text",
    );
  const first = isQuotedWhole(miss.firstLine) ? "complete line" : "line prefix";
  parts.push(`first expected ${first}: ${quoted(miss.firstLine)}`);
  if (miss.lookAlikeNumbers.length > 1)
    parts.push(
      `punctuation/whitespace-tolerant matching is ambiguous at lines ${someNumbers(miss.lookAlikeNumbers)}`,
    );
  if (miss.appliedAt !== null)
    parts.push(
      `the file already reads as this hunk would leave it (looks already applied at line ${miss.appliedAt})`,
    );
  if (miss.lineNumbers)
    parts.push("the lines start with line numbers, which are not part of the file");
  const hint = sayHint(miss.hint);
  if (hint !== null) parts.push(hint);
  if (miss.anchorNumber !== null)
    parts.push(`only text below the header found at line ${miss.anchorNumber} is searched`);
  return {
    message: parts.join("; "),
    advice: `re-read the file and rebuild the hunk from its current complete lines; do not retry the same hunk unchanged${together}`,
    ...(miss.near.length > 0 && { near: miss.near }),
  };
}

function sayHint(hint: MissHint): string | null {
  switch (hint.kind) {
    case "none":
      return null;
    case "absent":
      return "the expected line does not exist in the current file";
    case "earlier":
      return `matching context exists earlier at line ${hint.number}, but hunks must follow file order`;
    case "part-of-line":
      return `the expected text is only part of current line ${hint.number}; include that complete line in the hunk`;
    case "diverges":
      return (
        `the first ${hint.matched} line(s) of the hunk match at line ${hint.number}, but ` +
        (hint.found === null
          ? "the file has no more lines"
          : `the next expected line differs from the file: expected ${quoted(hint.expected)}, found ${quoted(hint.found)}${firstDifference(hint.expected, hint.found)}`)
      );
    case "best-fit":
      return `${hint.matched} of the hunk's ${hint.of} lines match at line ${hint.number}, but line ${hint.differsAt} differs: expected ${quoted(hint.expected)}, found ${quoted(hint.found)}${firstDifference(hint.expected, hint.found)}`;
    case "closest":
      return `the first line of the hunk matches no file line; the closest file line is ${hint.number} (${hint.percent}% similar): found ${quoted(hint.found)}, expected ${quoted(hint.expected)}`;
    default:
      return exhausted(hint);
  }
}

/** For lines that look the same in quotes: where they part. */
function firstDifference(expected: string, found: string): string {
  const left = Array.from(expected.slice(0, 2_000));
  const right = Array.from(found.slice(0, 2_000));
  let at = 0;
  while (at < left.length && at < right.length && left[at] === right[at]) at++;
  if (at === left.length && at === right.length) return "";
  const name = (points: readonly string[]): string => {
    const point = points[at]?.codePointAt(0);
    return point === undefined ? "the end of the line" : codePointName(point);
  };
  return ` (first difference at character ${at + 1}: expected ${name(left)}, found ${name(right)})`;
}
