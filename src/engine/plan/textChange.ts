import { serverDiff, type ServerDiff } from "../text/serverDiff.ts";
import type { SourceText } from "../text/sourceText.ts";
import type { Edit } from "../text/splice.ts";

/** A planned change of one text, decided to the unit. */
export interface TextChange {
  readonly before: SourceText;
  readonly edit: Edit;
  readonly after: string;
  readonly diff: ServerDiff;
  /** Names of the tolerances its matches took, each once, in the order of the ladder; empty when all was exact. */
  readonly tolerance: readonly string[];
}

/** The diff is made when it is first read: who only writes does not pay for it. */
export function textChange(
  before: SourceText,
  edit: Edit,
  tolerance: readonly string[],
): TextChange {
  let diff: ServerDiff | undefined;
  return {
    before,
    edit,
    after: edit.apply(before.text),
    get diff() {
      return (diff ??= serverDiff(before, edit));
    },
    tolerance,
  };
}
