import type { Hunk } from "../patch/patchDoc.ts";
import type { SourceText } from "../text/sourceText.ts";
import { isAllSpace, leadingSpace } from "../text/whitespace.ts";
import { addedAt, type ChangedRun } from "./changedRuns.ts";
import { leadRule, type LeadRule } from "./leadRule.ts";
import type { LeadPair } from "./leadShift.ts";
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
 * one's place in the file; one with the indentation of matched lines takes theirs; else the rule that turns all
 * matched indentations into the file's decides. What matched lines do not agree on is not guessed.
 */
export function hunkIndent(source: SourceText, hunk: Hunk, placed: Placement): HunkIndent {
  const leads = matchedLeads(source, hunk, placed);
  if (leads.every(({ old, file }) => old === file))
    return { carry: (run, added) => run.added[added] ?? "" };
  const callerLeads = hunk.lines
    .filter((line) => !isAllSpace(line.text))
    .map((line) => leadingSpace(line.text));
  // Without any indentation left, only a replaced line tells where its successor belongs.
  const isStripped = callerLeads.every((lead) => lead === "");
  const rule = leadRule(leads, callerLeads, source, placed.index);
  return {
    carry(run, added): string | null {
      const line = run.added[added] ?? "";
      if (isAllSpace(line)) return line;
      const lead = leadingSpace(line);
      const at = addedAt(hunk, run, added);
      const carried =
        replacedLead(source, run, added) ??
        (isStripped ? null : carriedLead(leads, lead, at, rule));
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

/** The file's indentation of the removed line that the added one stands for, when both were sent alike. */
function replacedLead(source: SourceText, run: ChangedRun, added: number): string | null {
  const removed = run.removed[added];
  if (removed === undefined || run.removed.length !== run.added.length) return null;
  if (isAllSpace(removed) || leadingSpace(removed) !== leadingSpace(run.added[added] ?? ""))
    return null;
  return leadingSpace(source.line(run.at + added));
}

function carriedLead(
  leads: readonly MatchedLead[],
  lead: string,
  at: number,
  rule: LeadRule | null,
): string | null {
  const same = leads.filter((pair) => pair.old === lead);
  const [first] = same;
  if (first !== undefined) {
    if (same.every((pair) => pair.file === first.file)) return first.file;
    // Lines of one indentation lie at several in the file: only those on both sides together are evidence.
    const { before, behind } = neighbours(same, at);
    return before !== undefined && behind?.file === before.file ? before.file : null;
  }
  if (rule !== null) return rule(lead);
  // Some matched line is out of line, but those beside this one are not: here the lines are indented as sent.
  const { before, behind } = neighbours(leads, at);
  const beside = [before, behind].filter((pair) => pair !== undefined);
  return beside.every((pair) => pair.old === pair.file) ? lead : null;
}

function neighbours(
  leads: readonly MatchedLead[],
  at: number,
): { readonly before: MatchedLead | undefined; readonly behind: MatchedLead | undefined } {
  return {
    before: leads.findLast((pair) => pair.at < at),
    behind: leads.find((pair) => pair.at > at),
  };
}
