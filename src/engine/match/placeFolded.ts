import { ok } from "../../base/result.ts";
import { alignLines, type ChangedRun } from "../text/alignLines.ts";
import { foldSequence, mayHoldFolded, type Folded } from "../text/lookAlike.ts";
import { fullLines, joinSplices } from "../text/minimalSplices.ts";
import { dominantEnding, SourceText, type EndingStyle } from "../text/sourceText.ts";
import type { Splice } from "../text/splice.ts";
import { keepPunctuation } from "./keepPunctuation.ts";
import { chooseMatches, type Search, type StepResult, type TextRange } from "./search.ts";

/**
 * The one place that reads the same with look-alike punctuation folded. What the caller left alone keeps the file's
 * own characters; where that cannot be told apart, nothing is found.
 */
export function placeFolded(search: Search): StepResult {
  const { source } = search.file;
  const oldText = withEndings(search.edit.oldText, source.style);
  const newText = withEndings(search.edit.newText, source.style);
  const wanted = foldSequence(oldText);
  if (wanted.text === "" || !mayHoldFolded(source.text, wanted.text)) return null;
  const { folded } = search.file;
  const chosen = chooseMatches(
    (from) => {
      const at = folded.text.indexOf(wanted.text, unitAt(folded, from));
      if (at < 0) return null;
      return rangeOf(folded, at, wanted);
    },
    // A guess about characters is made for one place at most.
    { newText, replaceAll: false },
    "look-alike-punctuation",
    source,
  );
  if (chosen === null || !chosen.ok) return chosen;
  const splices = chosen.value.map(({ from, to }) =>
    carriedOver(source.text.slice(from, to), oldText, newText, from),
  );
  if (splices.includes(null)) return null;
  return ok({
    step: "look-alike-punctuation",
    splices: joinSplices(splices.flatMap((some) => some ?? [])),
    matches: chosen.value,
  });
}

/** First folded unit whose own place is at or behind the offset. */
function unitAt({ cores }: Folded, offset: number): number {
  let low = 0;
  let high = cores.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((cores[middle] ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The source of a match, without what was merged into its first and last unit in the file but not in the old text. */
function rangeOf(file: Folded, at: number, wanted: Folded): TextRange {
  const last = wanted.text.length - 1;
  const headMerged = startOf(wanted, 0) < coreOf(wanted, 0);
  const tailMerged = coreOf(wanted, last) + 1 < startOf(wanted, last + 1);
  return {
    from: headMerged ? startOf(file, at) : coreOf(file, at),
    to: tailMerged ? startOf(file, at + last + 1) : coreOf(file, at + last) + 1,
  };
}

function startOf(folded: Folded, index: number): number {
  return folded.starts[index] ?? 0;
}

function coreOf(folded: Folded, index: number): number {
  return folded.cores[index] ?? 0;
}

/** The change, line by line where as many lines come as go; null when unchanged parts cannot be kept. */
function carriedOver(
  region: string,
  oldText: string,
  newText: string,
  at: number,
): readonly Splice[] | null {
  const file = SourceText.of(region);
  const old = SourceText.of(oldText);
  const now = SourceText.of(newText);
  if (file.lineCount !== old.lineCount) return null;
  const splices: Splice[] = [];
  const runs = alignLines(fullLines(old), fullLines(now)).runs;
  for (const run of runs.flatMap((one) => byLine(one))) {
    const from = file.start(run.oldFrom);
    const splice = keepPunctuation(
      region.slice(from, file.start(run.oldTo)),
      oldText.slice(old.start(run.oldFrom), old.start(run.oldTo)),
      newText.slice(now.start(run.newFrom), now.start(run.newTo)),
      foldSequence,
    );
    if (splice === null) return null;
    if (splice.from < splice.to || splice.insert !== "")
      splices.push({
        from: at + from + splice.from,
        to: at + from + splice.to,
        insert: splice.insert,
      });
  }
  return splices;
}

function byLine(run: ChangedRun): readonly ChangedRun[] {
  const count = run.oldTo - run.oldFrom;
  if (run.newTo - run.newFrom !== count) return [run];
  return Array.from({ length: count }, (_, k) => ({
    oldFrom: run.oldFrom + k,
    oldTo: run.oldFrom + k + 1,
    newFrom: run.newFrom + k,
    newTo: run.newFrom + k + 1,
  }));
}

function withEndings(text: string, style: EndingStyle): string {
  return style.kind === "none" ? text : text.replaceAll(/\r\n|\n/g, () => dominantEnding(style));
}
