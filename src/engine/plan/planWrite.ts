import { fail, ok, type Result } from "../../base/result.ts";
import { uniformBreak, withBreaks } from "../match/breaks.ts";
import type { CleanedPoints, TextProblem } from "../report/replaceProblem.ts";
import { minimalSplices } from "../text/minimalSplices.ts";
import type { SourceText } from "../text/sourceText.ts";
import { Edit } from "../text/splice.ts";
import { cleanText } from "./cleanText.ts";
import { textChange, type TextChange } from "./textChange.ts";

export type WritePlan =
  | { readonly kind: "create"; readonly text: string; readonly removed: CleanedPoints }
  | {
      readonly kind: "replace";
      /** Empty when the file reads like this already. */
      readonly change: TextChange;
      readonly removed: CleanedPoints;
      /** Set when the content's breaks were taken over to those of the file. */
      readonly ending: "\n" | "\r\n" | "\r" | null;
    };

/**
 * A whole file. `before` is the text it replaces, without byte order mark; null when there is no file.
 * Laws: the result reads as sent, but for invisible characters and, where the replaced file has one kind of line
 * ending throughout, the line endings. Lines that stay the same are in no splice.
 */
export function planWrite(
  before: SourceText | null,
  content: string,
): Result<WritePlan, TextProblem> {
  const cleaned = cleanText("content", content);
  if (!cleaned.ok) return fail(cleaned.problem);
  const { text, removed } = cleaned.value;
  if (before === null) return ok({ kind: "create", text, removed });
  // The file keeps the mark it has, or has not; a mark in the text would be a second one.
  const sent = text.startsWith("\ufeff") ? text.slice(1) : text;
  const ending = uniformBreak(before);
  const after = ending === null ? sent : takenOver(sent, ending);
  const splices = minimalSplices(0, before.text, after);
  return ok({
    kind: "replace",
    change: textChange(before, Edit.of(before.text.length, splices), []),
    removed,
    ending: after === sent ? null : ending,
  });
}

/** A lone CR in a file of LF is content, such as a test's terminal output; a CRLF there is a foreign ending. */
function takenOver(text: string, ending: "\n" | "\r\n" | "\r"): string {
  return ending === "\n" ? text.replaceAll(/(?<!\r)\r\n/g, () => "\n") : withBreaks(text, ending);
}
