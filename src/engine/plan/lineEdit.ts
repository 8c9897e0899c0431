import { keptApart, withLine } from "../match/breaks.ts";
import type { LineChange } from "../match/hunkChanges.ts";
import { dominantEnding, type Ending, type SourceText } from "../text/sourceText.ts";
import { Edit, type Splice } from "../text/splice.ts";

/**
 * The edit that makes the changes, with the endings that the new lines take. `changes` are sorted and disjoint.
 *
 * A uniform file keeps its ending. In a mixed one a new line takes the ending of the line it replaces, of the last
 * replaced line where there are fewer, else of the line beside it. A file that is changed ends with a line ending
 * unless nothing is left. Law L6: no other byte outside the changes is touched.
 */
export function lineEdit(source: SourceText, changes: readonly LineChange[]): Edit {
  const splices: Splice[] = [];
  const count = source.lineCount;
  const isOpen = count > 0 && source.ending(count - 1) === "";
  let last: Splice | undefined;
  const push = (from: number, to: number, insert: string): void => {
    if (from === to && insert === "") return;
    // Two splices that touch are one, so that no two stand at one place.
    if (last !== undefined && last.to === from) {
      last = { from: last.from, to, insert: last.insert + insert };
      splices[splices.length - 1] = last;
    } else {
      last = { from, to, insert };
      splices.push(last);
    }
  };
  let isClosed = !isOpen;
  const changed = changes.filter((change) => change.to > change.from || change.lines.length > 0);
  for (const change of changed) {
    if (!isClosed && change.from === count)
      push(source.text.length, source.text.length, endingAt(source, count - 1));
    if (change.to === count || change.from === count) isClosed = true;
    push(source.start(change.from), source.start(change.to), newText(source, change));
  }
  if (!isClosed && changed.length > 0)
    push(source.text.length, source.text.length, endingAt(source, count - 1));
  return Edit.of(
    source.text.length,
    source.style.kind === "mixed" ? apart(source, splices) : splices,
  );
}

function apart({ text }: SourceText, splices: readonly Splice[]): readonly Splice[] {
  return splices.map(({ from, to, insert }) => ({
    from,
    to,
    insert: keptApart(text, from, to, insert),
  }));
}

/**
 * `edit.apply(base)`, put together without copying `base`: the copy is made once, by whoever reads the text as a
 * whole. A plan of which only the splices are used never pays for it.
 */
export function textAfter(edit: Edit, base: string): string {
  let text = "";
  let done = 0;
  for (const { from, to, insert } of edit.splices) {
    text += base.slice(done, from) + insert;
    done = to;
  }
  return text + base.slice(done);
}

function newText(source: SourceText, change: LineChange): string {
  if (change.lines.length === 0) return "";
  if (source.style.kind !== "mixed") {
    const ending = dominantEnding(source.style);
    return change.lines.join(ending) + ending;
  }
  let text = "";
  const replaced = change.to - change.from;
  change.lines.forEach((line, i) => {
    const near = replaced > 0 ? change.from + Math.min(i, replaced - 1) : change.beside;
    text = withLine(text, line, endingAt(source, Math.max(0, near)));
  });
  return text;
}

/** The line's ending; an unterminated line has that of the line before it. */
function endingAt(source: SourceText, index: number): Exclude<Ending, ""> {
  for (const i of [index, index - 1]) {
    const ending = i >= 0 && i < source.lineCount ? source.ending(i) : "";
    if (ending !== "") return ending;
  }
  return dominantEnding(source.style);
}
