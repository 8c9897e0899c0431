import type { SourceText } from "../text/sourceText.ts";
import { usualStep } from "./indent.ts";
import { commonShift, type LeadPair, type LeadShift } from "./leadShift.ts";

/** Turns an indentation of the hunk into the file's; null for one that the rule does not cover. */
export type LeadRule = (lead: string) => string | null;

/**
 * The one rule that turns every matched indentation into the file's: the same white space more or less in all
 * lines, or another unit. Null where none fits, or where both fit and the units do not tell which is meant.
 */
export function leadRule(
  pairs: readonly LeadPair[],
  callerLeads: readonly string[],
  file: SourceText,
  near: number,
): LeadRule | null {
  const shift = commonShift(pairs);
  const ratio = commonRatio(pairs);
  if (shift === null || ratio === null) {
    if (shift !== null) return (lead) => shifted(lead, shift);
    return ratio === null ? null : (lead) => scaled(lead, ratio);
  }
  const step = usualStep(file, near - STEP_LINES, near + STEP_LINES);
  if (step === null) return null;
  const isShift = greatestDivisor(differences(callerLeads)) === step.length;
  const unit = greatestDivisor(callerLeads.map((lead) => lead.length));
  const isRatio = unit > 1 && unit * ratio.fileCount === step.length * ratio.count;
  if (isShift === isRatio) return null;
  return isShift ? (lead) => shifted(lead, shift) : (lead) => scaled(lead, ratio);
}

function shifted(lead: string, { add, remove }: LeadShift): string | null {
  if (add !== "" && lead !== "" && lead.charAt(0) !== add.charAt(0)) return null;
  return lead.startsWith(remove) ? add + lead.slice(remove.length) : null;
}

/** `count` of the hunk's `caller` characters are `fileCount` of the file's `character`. */
interface Ratio {
  readonly count: number;
  readonly caller: string;
  readonly fileCount: number;
  readonly character: string;
}

function commonRatio(pairs: readonly LeadPair[]): Ratio | null {
  let ratio: Ratio | null = null;
  for (const { old, file } of pairs) {
    if (old === "" && file === "") continue;
    const caller = onlyCharacter(old);
    const character = onlyCharacter(file);
    if (caller === null || character === null) return null;
    const next = { count: old.length, caller, fileCount: file.length, character };
    if (ratio === null) ratio = next;
    else if (
      ratio.caller !== caller ||
      ratio.character !== character ||
      next.fileCount * ratio.count !== next.count * ratio.fileCount
    )
      return null;
  }
  return ratio;
}

function scaled(lead: string, { count, caller, fileCount, character }: Ratio): string | null {
  if (lead === "") return "";
  const length = (lead.length * fileCount) / count;
  return onlyCharacter(lead) === caller && Number.isInteger(length)
    ? character.repeat(length)
    : null;
}

function onlyCharacter(lead: string): string | null {
  const first = lead.charAt(0);
  if (first !== " " && first !== "\t") return null;
  return lead === first.repeat(lead.length) ? first : null;
}

function differences(leads: readonly string[]): readonly number[] {
  const [first] = leads;
  return first === undefined ? [] : leads.map((lead) => Math.abs(lead.length - first.length));
}

function greatestDivisor(numbers: readonly number[]): number {
  let divisor = 0;
  for (const number of numbers)
    for (let rest = number; rest > 0;) [divisor, rest] = [rest, divisor % rest];
  return divisor;
}

/** Lines of the file, around the hunk, that are looked at for its step of indentation. */
const STEP_LINES = 200;
