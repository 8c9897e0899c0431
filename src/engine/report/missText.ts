import { exhausted } from "../../base/assert.ts";
import { trimSpace } from "../text/whitespace.ts";
import type { Explanation } from "./outcome.ts";
import type { HunkMiss, HunkPlace, MissHint } from "./patchProblem.ts";
import { sayMiscounts, saySpelling } from "./nearMissText.ts";
import { isQuotedWhole, quoted, quotedPair, sayFirstDifference, someNumbers } from "./quote.ts";

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
      `the file already reads as this hunk would leave it (looks already applied at line ${miss.appliedAt}); leave it out${miss.removesLines ? ", unless its - and + lines were swapped" : ""}`,
    );
  if (miss.spelling !== null) parts.push(clause(saySpelling(miss.spelling, HUNK)));
  if (miss.miscounts !== null)
    parts.push(...sayMiscounts(miss.miscounts, { ...HUNK, old: "hunk" }).map(clause));
  const hint = sayHint(miss.hint);
  if (hint !== null) parts.push(hint);
  if (miss.anchorNumber !== null)
    parts.push(`only text below the header found at line ${miss.anchorNumber} is searched`);
  return {
    message: parts.join("; "),
    advice: `${miss.spelling === null ? "re-read the file and " : ""}rebuild the hunk from its current complete lines; do not retry the same hunk unchanged${together}`,
    ...(miss.near.length > 0 && { near: miss.near }),
  };
}

function sayHint(hint: MissHint): string | null {
  switch (hint.kind) {
    case "none":
      return null;
    case "absent":
      return "the expected line does not exist in the current file";
    case "nearest":
      return `the expected line does not exist in the current file; the nearest file line is ${hint.number}: ${sayLines(hint.expected, hint.found)}`;
    case "earlier":
      return `matching context exists earlier at line ${hint.number}, but hunks must follow file order`;
    case "before-end":
      return `its lines are at line ${hint.number}, but the file goes on behind them and the hunk is marked as its end; leave \`*** End of File\` out`;
    case "part-of-line":
      return `the expected text is only part of current line ${hint.number}; include that complete line in the hunk`;
    case "diverges":
      return (
        `the first ${hint.matched} line(s) of the hunk match at line ${hint.number}, but ` +
        (hint.found === null
          ? "the file has no more lines"
          : `the next expected line differs from the file: ${sayLines(hint.expected, hint.found)}`)
      );
    case "best-fit":
      if (hint.matched === 0)
        return `the nearest place is line ${hint.number}, where line ${hint.differsAt} differs: ${sayLines(hint.expected, hint.found)}`;
      return `${hint.matched} of the hunk's ${hint.of} lines match at line ${hint.number}, but line ${hint.differsAt} differs: ${sayLines(hint.expected, hint.found)}`;
    case "closest": {
      const [expected, found] = quotedPair(hint.expected, hint.found);
      return `the first line of the hunk matches no file line; the closest file line is ${hint.number} (${hint.percent}% similar): found ${found}, expected ${expected}${sayFirstDifference(hint.expected, hint.found)}`;
    }
    default:
      return exhausted(hint);
  }
}

/** Both lines, where they part, and whether one is only part of the other. */
function sayLines(sent: string, present: string): string {
  const [expected, found] = quotedPair(sent, present);
  const body = trimSpace(sent);
  const part =
    body !== "" && body !== trimSpace(present) && present.includes(body)
      ? "; the expected text is only part of that line, include the complete line"
      : "";
  return `expected ${expected}, found ${found}${sayFirstDifference(sent, present)}${part}`;
}

const HUNK = { old: "the hunk", new: "its added lines", lines: true } as const;

/** A sentence as a part of a longer one. */
function clause(sentence: string): string {
  return sentence.replace(/^[A-Z]/, (first) => first.toLowerCase()).replace(/\.$/, "");
}
