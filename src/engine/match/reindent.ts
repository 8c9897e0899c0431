import { at } from "../../base/assert.ts";
import type { Ending, SourceText } from "../text/sourceText.ts";
import { isAllSpace, leadingSpace, trailingSpace, trimSpace } from "../text/whitespace.ts";
import { leadMap } from "./indent.ts";
import type { LeadPair } from "./leadShift.ts";
import type { LinePair } from "./pairLines.ts";

export interface Reindenting {
  /** The file, or enough of its start, for its usual step of indentation. */
  readonly head: SourceText;
  /** The matched lines of the file, as many as `old` has. */
  readonly region: SourceText;
  readonly old: SourceText;
  readonly now: SourceText;
  readonly pairs: readonly LinePair[];
  readonly endings: readonly Ending[];
}

/**
 * The new text for lines that matched with white space left aside. What the caller did not change stays as the file
 * has it; the indentation of new lines is carried over to the file's.
 * Law: where old and new text agree in a line, the file's line comes out byte for byte.
 */
export function reindent(change: Reindenting): string {
  const { head, region, old, now, pairs, endings } = change;
  const leads: (LeadPair | null)[] = [];
  const callerLeads: string[] = [];
  for (let i = 0; i < old.lineCount; i++) {
    const isBlank = isAllSpace(old.line(i));
    const lead = leadingSpace(old.line(i));
    if (!isBlank) callerLeads.push(lead);
    leads.push(isBlank ? null : { old: lead, file: leadingSpace(region.line(i)) });
  }
  for (let i = 0; i < now.lineCount; i++)
    if (!isAllSpace(now.line(i))) callerLeads.push(leadingSpace(now.line(i)));
  const carry = leadMap(
    leads.filter((lead) => lead !== null),
    callerLeads,
    head,
  );

  const parts: string[] = [];
  pairs.forEach((pair, index) => {
    const line = now.line(index);
    const oldLine = old.line(pair.old);
    const fileLine = region.line(pair.old);
    if (!pair.inserted && line === oldLine) parts.push(fileLine);
    else if (isAllSpace(line)) parts.push(line);
    else {
      const lead = leadingSpace(line);
      const ref = leads[pair.old] ?? nearest(leads, pair.old);
      // Where the shift cannot be told, a changed line is as sent and a new one stands where its neighbour does.
      parts.push(
        carry(lead, ref) ?? (pair.inserted ? ref.file : lead),
        trimSpace(line),
        trailing(line, oldLine, fileLine, pair.inserted),
      );
    }
    parts.push(at(endings, index));
  });
  return parts.join("");
}

/** A blank line tells nothing of indentation: the lines above it do, or else those below. */
function nearest(leads: readonly (LeadPair | null)[], index: number): LeadPair {
  return (
    leads.slice(0, index).findLast((lead) => lead !== null) ??
    leads.slice(index).find((lead) => lead !== null) ?? { old: "", file: "" }
  );
}

function trailing(line: string, oldLine: string, fileLine: string, inserted: boolean): string {
  const sent = trailingSpace(line);
  return !inserted && sent === trailingSpace(oldLine) ? trailingSpace(fileLine) : sent;
}
