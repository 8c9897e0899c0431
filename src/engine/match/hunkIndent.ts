import type { Hunk } from "../patch/patchDoc.ts";
import type { SourceText } from "../text/sourceText.ts";
import { isAllSpace, leadingSpace } from "../text/whitespace.ts";
import type { ChangedRun } from "./changedRuns.ts";
import { leadMap, type LeadPair } from "./indent.ts";
import type { Placement } from "./placement.ts";

/** Carries the indentation of a hunk's added lines over to the file's. */
export interface HunkIndent {
  /** The run's added line as it is to be written; null where its indentation cannot be told. */
  carry(run: ChangedRun, added: number): string | null;
}

/** A matched line: where it stands in the hunk, and its indentation there and in the file. */
interface MatchedLead extends LeadPair {
  readonly at: number;
}

/**
 * In order: nothing shifts, so lines stand as sent; a line that replaces one with the same indentation takes that
 * one's place in the file; one with the indentation of a matched neighbour takes the neighbour's; else the shift of
 * the whole hunk decides. Two neighbours that disagree leave it unknown.
 */
export function hunkIndent(source: SourceText, hunk: Hunk, placed: Placement): HunkIndent {
  const leads = matchedLeads(source, hunk, placed);
  if (leads.every(({ old, file }) => old === file))
    return { carry: (run, added) => run.added[added] ?? "" };
  const callerLeads = hunk.lines
    .filter((line) => !isAllSpace(line.text))
    .map((line) => leadingSpace(line.text));
  const map = leadMap(leads, callerLeads, source);
  return {
    carry(run, added): string | null {
      const line = run.added[added] ?? "";
      if (isAllSpace(line)) return line;
      const lead = leadingSpace(line);
      const replaced = replacedLead(source, run, added);
      const reference = replaced ?? neighbour(leads, lead, run.addedAt[added] ?? 0);
      const carried = reference === null ? null : map(lead, reference);
      return carried === null ? null : carried + line.slice(lead.length);
    },
  };
}

function matchedLeads(source: SourceText, hunk: Hunk, placed: Placement): readonly MatchedLead[] {
  const leads: MatchedLead[] = [];
  let index = placed.index - placed.skipped;
  hunk.lines.forEach((line, at) => {
    if (line.kind === "added") return;
    const file = index++;
    if (file < placed.index || file >= placed.index + placed.count || isAllSpace(line.text)) return;
    leads.push({ at, old: leadingSpace(line.text), file: leadingSpace(source.line(file)) });
  });
  return leads;
}

/** The removed line that the added one stands for, when both are indented alike. */
function replacedLead(source: SourceText, run: ChangedRun, added: number): LeadPair | null {
  const removed = run.removed[added];
  if (removed === undefined || run.removed.length !== run.added.length) return null;
  const old = leadingSpace(removed);
  if (isAllSpace(removed) || old !== leadingSpace(run.added[added] ?? "")) return null;
  return { old, file: leadingSpace(source.line(run.at + added)) };
}

/** The nearest matched line with that indentation, else the nearest at all; null where two of them disagree. */
function neighbour(leads: readonly MatchedLead[], lead: string, at: number): LeadPair | null {
  const same = leads.filter((pair) => pair.old === lead);
  const pool = same.length > 0 ? same : leads;
  const before = pool.findLast((pair) => pair.at < at);
  const after = pool.find((pair) => pair.at > at);
  if (before === undefined || after === undefined) return before ?? after ?? null;
  if (same.length > 0 && before.file !== after.file) return null;
  return before;
}
