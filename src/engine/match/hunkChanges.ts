import { fail, ok, type Result } from "../../base/result.ts";
import type { Hunk } from "../patch/patchDoc.ts";
import type { HunkPlace, PlacementProblem } from "../report/patchProblem.ts";
import { foldLineForSplice } from "../text/lookAlike.ts";
import type { SourceText } from "../text/sourceText.ts";
import { changedRuns, type ChangedRun } from "./changedRuns.ts";
import { hunkIndent, type HunkIndent } from "./hunkIndent.ts";
import type { HunkIndex } from "./hunkIndex.ts";
import { keepPunctuation } from "./keepPunctuation.ts";
import type { Placement } from "./placement.ts";

/** File lines `from`..`to` give way to `lines`, which come without their endings. Sorted and disjoint in a hunk. */
export interface LineChange {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
  /** The file line whose ending inserted lines take, where endings are mixed and no line is replaced. */
  readonly beside: number;
}

/**
 * What a placed hunk writes. Context lines are never written, and neither are lines that it removes and adds again:
 * they keep the file's bytes. Added lines are written as sent, but for two things: where the hunk matched with
 * indentation ignored, theirs is carried over; where it matched with punctuation ignored, what they share with
 * the line they replace stays as in the file.
 */
export function hunkChanges(
  index: HunkIndex,
  hunk: Hunk,
  placed: Placement,
  place: HunkPlace,
): Result<readonly LineChange[], PlacementProblem> {
  const isLoose = placed.step !== "exact" && placed.step !== "trailing-whitespace";
  const indent = isLoose ? hunkIndent(index.source, hunk, placed) : null;
  const runs = changedRuns(hunk, placed);
  const changes = new Array<LineChange>(runs.length);
  for (const [i, run] of runs.entries()) {
    const written = linesOf(index, run, indent);
    const number = placed.index + 1;
    if (written.kind === "unsafe") return fail({ code: "look-alike-unsafe", ...place, number });
    if (written.kind === "unknown-indentation")
      return fail({ code: "indentation-unknown", ...place, number, line: written.line });
    changes[i] = {
      from: run.at,
      to: run.at + run.removed.length,
      lines: written.lines,
      // The line above in the hunk; a hunk that starts with what it adds has only the line below.
      beside: placed.count > 0 && run.at === placed.index ? run.at : run.at - 1,
    };
  }
  return ok(changes);
}

/** The place of a hunk as it reads after its changes, from its first line to its last change. */
export function linesAfter(
  source: SourceText,
  from: number,
  changes: readonly LineChange[],
): readonly string[] {
  const lines: string[] = [];
  let at = from;
  for (const change of changes) {
    for (; at < change.from; at++) lines.push(source.line(at));
    lines.push(...change.lines);
    at = change.to;
  }
  return lines;
}

type Written =
  | { readonly kind: "lines"; readonly lines: readonly string[] }
  | { readonly kind: "unsafe" }
  | { readonly kind: "unknown-indentation"; readonly line: string };

function linesOf(index: HunkIndex, run: ChangedRun, indent: HunkIndent | null): Written {
  if (indent === null) return { kind: "lines", lines: run.added };
  const { removed, added, at } = run;
  const isFolded = removed.some(
    (line, i) => !index.matches("surrounding-whitespace", at + i, line),
  );
  if (!isFolded) {
    const lines: string[] = [];
    for (let i = 0; i < added.length; i++) {
      const line = indent.carry(run, i);
      if (line === null) return { kind: "unknown-indentation", line: added[i] ?? "" };
      lines.push(line);
    }
    return { kind: "lines", lines };
  }
  // Punctuation can be kept only where it is plain which line became which.
  if (removed.length !== added.length) return { kind: "unsafe" };
  const lines: string[] = [];
  for (let i = 0; i < removed.length; i++) {
    const file = index.source.line(at + i);
    const splice = keepPunctuation(file, removed[i] ?? "", added[i] ?? "", foldLineForSplice);
    if (splice === null) return { kind: "unsafe" };
    lines.push(file.slice(0, splice.from) + splice.insert + file.slice(splice.to));
  }
  return { kind: "lines", lines };
}
