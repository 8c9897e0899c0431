import { at } from "../../base/assert.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { explainMiss } from "../match/explainMiss.ts";
import type { Span } from "../match/placeString.ts";
import type {
  BatchProblem,
  CleanedPoints,
  FailingEntry,
  ReplaceProblem,
} from "../report/replaceProblem.ts";
import { joinSplices } from "../text/minimalSplices.ts";
import type { SourceText } from "../text/sourceText.ts";
import { Edit, type Splice } from "../text/splice.ts";
import { TEXT_UNITS_MAX } from "../text/textLimits.ts";
import { sumOf } from "./cleanText.ts";
import { adapted, FileView, findString, type ReplaceTolerance } from "./findString.ts";
import { cleanReplacement } from "./planReplace.ts";
import { readAsSent } from "./readAsSent.ts";
import { REPLACE_LIMITS, type ReplaceLimits } from "./replaceLimits.ts";
import { textChange, type TextChange } from "./textChange.ts";

/** One entry of a batch as it arrived. A field that is not there is told apart from an empty one. */
export interface BatchEntry {
  readonly oldString: string | undefined;
  readonly newString: string | undefined;
  readonly replaceAll: boolean;
}

export interface BatchPlan {
  readonly kind: "batch";
  readonly change: TextChange;
  /** Entries that replaced something. */
  readonly applied: readonly number[];
  /** Entries whose two texts are identical; their text was not looked for. */
  readonly skipped: readonly number[];
  /** Places replaced, over all entries. */
  readonly count: number;
  readonly removed: CleanedPoints;
}

type Judged =
  | { readonly kind: "left-out" }
  | { readonly kind: "skip"; readonly removed: CleanedPoints }
  | {
      readonly kind: "place";
      readonly spans: readonly Span[];
      readonly splices: readonly (readonly Splice[])[];
      readonly tolerance: readonly ReplaceTolerance[];
      readonly removed: CleanedPoints;
    }
  | { readonly kind: "fail"; readonly problem: FailingEntry["problem"] };

/**
 * Several replacements in one file, each matched exactly against the text as it was. Law: either every entry that
 * asks for a change is in the plan, or nothing is and every failing entry is named. Entries of `leftOut` are not
 * looked at, as if they were not there; the others keep their indexes.
 */
export function planBatch(
  source: SourceText,
  entries: readonly BatchEntry[],
  leftOut: ReadonlySet<number> = new Set(),
  limits: ReplaceLimits = REPLACE_LIMITS,
): Result<BatchPlan, BatchProblem> {
  const view = new FileView(source);
  let explained = 0;
  const judged = entries.map((entry, index): Judged => {
    if (leftOut.has(index)) return { kind: "left-out" };
    const one = judge(view, entry, explained < limits.explainedMax, limits);
    if (one.kind === "fail" && one.problem.code === "not-found") explained++;
    return one;
  });
  const peers = overlaps(judged);
  const failing: FailingEntry[] = [];
  const passed: number[] = [];
  const skipped: number[] = [];
  judged.forEach((one, index) => {
    const peer = peers.get(index);
    if (one.kind === "fail") failing.push({ index, problem: one.problem });
    else if (peer !== undefined) failing.push({ index, problem: { code: "overlap", peer } });
    else if (one.kind === "skip") skipped.push(index);
    else if (one.kind === "place") passed.push(index);
  });
  if (failing.length > 0) return fail({ code: "batch", failing, passed, skipped });

  const places = judged.flatMap((one) => (one.kind === "place" ? [one] : []));
  const pieces = places.flatMap(({ spans, splices }) =>
    spans.map((span, index) => ({ from: span.from, splices: at(splices, index) })),
  );
  pieces.sort((a, b) => a.from - b.from);
  const splices = joinSplices(pieces.flatMap((piece) => piece.splices));
  const edit = Edit.of(source.text.length, splices);
  if (edit.newLength > TEXT_UNITS_MAX) {
    const problem = { code: "too-long", unitsMax: TEXT_UNITS_MAX } as const;
    const failing = passed.map((index) => ({ index, problem }));
    return fail({ code: "batch", failing, passed: [], skipped });
  }
  const tolerance = [...new Set(places.flatMap((one) => one.tolerance))];
  return ok({
    kind: "batch",
    change: textChange(source, edit, tolerance),
    applied: passed,
    skipped,
    count: pieces.length,
    removed: sumOf(judged.flatMap((one) => ("removed" in one ? [one.removed] : []))),
  });
}

function judge(
  view: FileView,
  { oldString, newString, replaceAll }: BatchEntry,
  explains: boolean,
  limits: ReplaceLimits,
): Judged {
  const missing = (field: "old_string" | "new_string"): Judged => ({
    kind: "fail",
    problem: { code: "missing", field, batch: true },
  });
  if (oldString === undefined || oldString === "") return missing("old_string");
  if (newString === undefined) return missing("new_string");
  const sent = { oldString, newString, replaceAll };
  const cleaned = cleanReplacement(sent);
  if (!cleaned.ok) return { kind: "fail", problem: cleaned.problem };
  const meant = readAsSent(view, sent, cleaned.value);
  const { removed } = meant;
  const wanted = adapted(view, meant);
  if (wanted.oldString === wanted.newString) return { kind: "skip", removed };
  const found = findString(view, wanted, false, limits);
  if (!found.ok) return { kind: "fail", problem: found.problem };
  if (found.value === null) {
    const miss = explainMiss(view.source, wanted, explains);
    return { kind: "fail", problem: { code: "not-found", miss } satisfies ReplaceProblem };
  }
  return { kind: "place", removed, ...found.value };
}

/** Entries whose places share text with another entry's, each with one such entry. */
function overlaps(judged: readonly Judged[]): ReadonlyMap<number, number> {
  const places = judged.flatMap((one, entry) =>
    one.kind === "place" ? one.spans.map((span) => ({ ...span, entry })) : [],
  );
  places.sort((a, b) => a.from - b.from);
  const peers = new Map<number, number>();
  let reach = { to: 0, entry: -1 };
  for (const place of places) {
    if (place.from < reach.to && reach.entry !== place.entry) {
      if (!peers.has(reach.entry)) peers.set(reach.entry, place.entry);
      if (!peers.has(place.entry)) peers.set(place.entry, reach.entry);
    }
    if (place.to > reach.to) reach = { to: place.to, entry: place.entry };
  }
  return peers;
}
