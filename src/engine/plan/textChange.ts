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

/** `after` where the caller has it already: `edit.apply(before.text)`. */
export function textChange(
  before: SourceText,
  edit: Edit,
  tolerance: readonly string[],
  after: string = edit.apply(before.text),
): TextChange {
  return new LazyChange(before, edit, tolerance, after);
}

/** The diff is made when it is first read: who only writes does not pay for it. */
class LazyChange implements TextChange {
  readonly before: SourceText;
  readonly edit: Edit;
  readonly tolerance: readonly string[];
  readonly after: string;
  #diff: ServerDiff | undefined;

  constructor(before: SourceText, edit: Edit, tolerance: readonly string[], after: string) {
    this.before = before;
    this.edit = edit;
    this.tolerance = tolerance;
    this.after = after;
  }

  get diff(): ServerDiff {
    return (this.#diff ??= serverDiff(this.before, this.edit));
  }
}
