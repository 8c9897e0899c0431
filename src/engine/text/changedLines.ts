import { ALIGN_STEPS_MAX, alignLines, type ChangedRun } from "./alignLines.ts";
import { SourceText } from "./sourceText.ts";
import type { Edit, Splice } from "./splice.ts";

export interface ChangedLines {
  /** Line ranges of both sides, sorted; touching ones are joined. */
  readonly runs: readonly ChangedRun[];
  /** The lines of each run's new side, with their endings. */
  readonly inserted: readonly (readonly string[])[];
  readonly minimal: boolean;
}

/** What an edit changes, in whole lines: only lines that a splice touches are looked at. */
export function changedLines(before: SourceText, edit: Edit): ChangedLines {
  const runs: ChangedRun[] = [];
  const inserted: string[][] = [];
  let minimal = true;
  let steps = ALIGN_STEPS_MAX;
  let shift = 0; // new line index minus old line index, behind the blocks already passed
  for (const block of touchedBlocks(before, edit)) {
    const oldLines: string[] = [];
    for (let i = block.from; i < block.to; i++) oldLines.push(before.fullLine(i));
    const newLines = fullLines(block.text);
    const alignment = alignLines(oldLines, newLines, steps);
    steps = Math.max(0, steps - alignment.steps);
    minimal &&= alignment.minimal;
    for (const run of alignment.runs) {
      const next: ChangedRun = {
        oldFrom: block.from + run.oldFrom,
        oldTo: block.from + run.oldTo,
        newFrom: block.from + shift + run.newFrom,
        newTo: block.from + shift + run.newTo,
      };
      const lines = newLines.slice(run.newFrom, run.newTo);
      const last = runs.at(-1);
      if (last !== undefined && last.oldTo === next.oldFrom && last.newTo === next.newFrom) {
        runs[runs.length - 1] = {
          ...last,
          oldTo: next.oldTo,
          newTo: next.newTo,
        };
        for (const line of lines) inserted.at(-1)?.push(line);
      } else {
        runs.push(next);
        inserted.push(lines);
      }
    }
    shift += newLines.length - oldLines.length;
  }
  return { runs, inserted, minimal };
}

/** Old lines `from`..`to` became `text`, which is whole lines as well. */
interface Block {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The splices widened to whole lines on both sides; those that share a line are one block. */
function touchedBlocks(before: SourceText, edit: Edit): readonly Block[] {
  const blocks: Block[] = [];
  let from = 0;
  let to = -1; // no block is open
  let done = 0;
  let parts: string[] = [];
  const close = (): void => {
    if (to >= 0)
      blocks.push({
        from,
        to,
        text: parts.join("") + before.text.slice(done, before.start(to)),
      });
  };
  for (const splice of edit.splices) {
    const first = firstLine(before, splice);
    // What touches the splice before belongs to it: that one may have taken the line ending away.
    const touches = to >= 0 && splice.from === done;
    if (to < 0 || (first >= to && !touches)) {
      close();
      from = first;
      done = before.start(first);
      parts = [];
    }
    parts.push(before.text.slice(done, splice.from), splice.insert);
    done = splice.to;
    to = Math.max(to, lineBehind(before, splice, from));
  }
  close();
  return blocks;
}

function firstLine(before: SourceText, splice: Splice): number {
  const line = before.lineAt(splice.from);
  // At the very end, behind a last line ending, starts a line that is not there yet.
  if (splice.from === before.text.length && endsInBreak(before)) return before.lineCount;
  // A lone CR joins with an LF that comes to stand behind it, so its line may change as well.
  return line > 0 && splice.from === before.start(line) && before.ending(line - 1) === "\r"
    ? line - 1
    : line;
}

/** Index behind the last line that has to be in the block, so that the block's new text is whole lines too. */
function lineBehind(before: SourceText, splice: Splice, from: number): number {
  if (splice.to === before.text.length) return before.lineCount;
  const line = before.lineAt(splice.to);
  if (splice.to !== before.start(line)) return line + 1;
  const isWhole =
    splice.insert === "" ? splice.from === before.start(from) : splice.insert.endsWith("\n");
  return isWhole ? line : line + 1;
}

function endsInBreak(before: SourceText): boolean {
  return before.lineCount === 0 || before.ending(before.lineCount - 1) !== "";
}

function fullLines(text: string): readonly string[] {
  const source = SourceText.of(text);
  return Array.from({ length: source.lineCount }, (_, index) => source.fullLine(index));
}
