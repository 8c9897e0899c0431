import { at } from "../../base/assert.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { hunkChanges, type LineChange } from "../match/hunkChanges.ts";
import { HunkIndex } from "../match/hunkIndex.ts";
import { placeHunk } from "../match/placeHunk.ts";
import type { Placement, PlaceOptions, PreviousHunk } from "../match/placement.ts";
import { oldLines, type Hunk } from "../patch/patchDoc.ts";
import type { HunkPlace, PlacementProblem } from "../report/patchProblem.ts";
import { SourceText } from "../text/sourceText.ts";
import { Edit } from "../text/splice.ts";
import { lineEdit, textAfter } from "./lineEdit.ts";

/** One Update section, placed in one text. */
export interface UpdatePlan {
  readonly edit: Edit;
  readonly placements: readonly PlacedHunk[];
}

export interface PlacedHunk extends HunkPlace {
  /** First line of the hunk in the text that its section started from or, behind appended lines, came to. From 1. */
  readonly number: number;
  readonly placement: Placement;
}

/** Hunks that need what earlier hunks of their section wrote make the text anew; beyond this the section is refused. */
const REWORKS_MAX = 100;

/**
 * Places the hunks of one section, in file order, and joins what they write into one edit.
 * Laws: L4 hunks made from a diff give the edited text back. L6 text outside the changes is not touched, but that
 * a changed file ends with a line ending unless nothing is left.
 */
export function planUpdate(
  source: SourceText,
  hunks: readonly Hunk[],
  options: PlaceOptions,
): Result<UpdatePlan, PlacementProblem> {
  const section = new Section(source, hunks);
  for (let i = 0; i < hunks.length; i++) {
    const problem = section.add(at(hunks, i), { hunk: i + 1, of: hunks.length }, options);
    if (problem !== null) return fail(problem);
  }
  return ok({ edit: section.finish(), placements: section.placements });
}

/** The state between two hunks. Lines count in `#source`, which is the text before the pending changes. */
class Section {
  readonly placements: PlacedHunk[] = [];
  readonly #hunks: readonly Hunk[];
  #source: SourceText;
  #index: HunkIndex;
  #pending: LineChange[] = [];
  /** Changes at the end of the file, which leave the cursor where it is: End of File hunks and appended lines. */
  #tail: LineChange[] = [];
  #edit: Edit;
  #cursor = 0;
  #end: number;
  #previous: PreviousHunk | null = null;
  #below: readonly string[] = [];
  #reworks = 0;

  constructor(source: SourceText, hunks: readonly Hunk[]) {
    this.#hunks = hunks;
    this.#source = source;
    this.#index = new HunkIndex(source, hunks);
    this.#edit = Edit.none(source.text.length);
    this.#end = source.lineCount;
  }

  add(hunk: Hunk, place: HunkPlace, options: PlaceOptions): PlacementProblem | null {
    if (this.#tailIsTaken(hunk) && !this.#rework()) return { code: "too-much-rework", ...place };
    let placed = this.#place(hunk, place, options);
    // What earlier hunks appended is searched last, because it stands last.
    if (!placed.ok && placed.problem.code === "hunk-not-found" && this.#tail.length > 0) {
      if (!this.#rework()) return { code: "too-much-rework", ...place };
      placed = this.#place(hunk, place, options);
    }
    if (!placed.ok) return placed.problem;
    const changes = hunkChanges(this.#index, hunk, placed.value, place);
    if (!changes.ok) return changes.problem;
    this.#take(hunk, placed.value, changes.value);
    const { index } = placed.value;
    this.placements.push({
      hunk: place.hunk,
      of: place.of,
      number: index + 1,
      placement: placed.value,
    });
    return null;
  }

  /** Nothing is searched any more, so the text that the last changes make is not read. */
  finish(): Edit {
    return this.#edit.compose(this.#pendingEdit());
  }

  #place(hunk: Hunk, place: HunkPlace, options: PlaceOptions): Result<Placement, PlacementProblem> {
    const room = {
      cursor: this.#cursor,
      end: this.#end,
      previous: this.#previous,
      below: this.#below,
    };
    return placeHunk(this.#index, hunk, room, place, options);
  }

  /** Whether an End of File hunk reaches into lines that earlier hunks changed. */
  #tailIsTaken(hunk: Hunk): boolean {
    const old = oldLines(hunk).length;
    if (!hunk.endOfFile || old === 0) return false;
    return (
      this.#tail.length > 0 ||
      (this.#pending.length > 0 && this.#source.lineCount - old < this.#cursor)
    );
  }

  #take(hunk: Hunk, placement: Placement, changes: readonly LineChange[]): void {
    const behind = placement.index + placement.count;
    const atEnd =
      hunk.endOfFile ||
      (placement.count === 0 &&
        placement.index === this.#source.lineCount &&
        hunk.headers.length === 0);
    if (atEnd) {
      this.#tail.push(...changes);
      this.#end = Math.min(this.#end, placement.index);
      return;
    }
    for (const change of changes) this.#pending.push(change);
    this.#cursor = behind;
    this.#below = placement.anchored ? hunk.headers : [];
    this.#previous = {
      changeEnd: changes.at(-1)?.to ?? placement.index,
      index: placement.index,
      changes,
    };
  }

  /** Makes the pending changes, so that what they wrote can be matched. False when that was done too often. */
  #rework(): boolean {
    if (this.#reworks++ === REWORKS_MAX) return false;
    this.#flush();
    return true;
  }

  #pendingEdit(): Edit {
    const tail = this.#tail;
    return lineEdit(this.#source, tail.length === 0 ? this.#pending : [...this.#pending, ...tail]);
  }

  #flush(): void {
    if (this.#pending.length === 0 && this.#tail.length === 0) return;
    const edit = this.#pendingEdit();
    for (const { from, to, lines } of this.#pending) this.#cursor += lines.length - (to - from);
    this.#edit = this.#edit.compose(edit);
    this.#source = SourceText.of(textAfter(edit, this.#source.text));
    this.#index = new HunkIndex(this.#source, this.#hunks);
    this.#end = this.#source.lineCount;
    this.#pending = [];
    this.#tail = [];
    this.#previous = null;
  }
}
