import type { SourceText } from "../text/sourceText.ts";
import { isAllSpace, leadingSpace } from "../text/whitespace.ts";
import { commonShift, type LeadPair, type LeadShift } from "./leadShift.ts";

/**
 * Carries indentation over from the caller's style to the file's, from what the matched lines tell. `ref` is the
 * matched line that a new line belongs to; null where the shift cannot be told.
 */
export type LeadMap = (lead: string, ref: LeadPair) => string | null;

/**
 * In order: the line's own reference, another matched line with that very indentation, a shift by the same white
 * space in all lines, a change of unit in all lines, levels relative to the reference.
 */
export function leadMap(
  pairs: readonly LeadPair[],
  callerLeads: readonly string[],
  file: SourceText,
): LeadMap {
  const known = knownLeads(pairs);
  const shift = commonShift(pairs);
  const ratio = commonRatio(pairs);
  // One matched level fits both a shift and another unit; the file's own steps tell which.
  const preferRatio = ratio !== null && (shift === null || stepsAgree(ratio, callerLeads, file));
  const callerUnit = unitOf(callerLeads);
  const fileUnit = unitOf(pairs.map((pair) => pair.file));
  return (lead, ref) => {
    if (lead === ref.old) return ref.file;
    const same = known.get(lead);
    if (same !== undefined && same !== null) return same;
    const first = preferRatio ? scaled(lead, ratio) : shift === null ? null : shifted(lead, shift);
    if (first !== null) return first;
    return byLevels(lead, ref, callerUnit, fileUnit);
  };
}

/** What each indentation became; null where matched lines disagree. */
function knownLeads(pairs: readonly LeadPair[]): ReadonlyMap<string, string | null> {
  const known = new Map<string, string | null>();
  for (const { old, file } of pairs) {
    const before = known.get(old);
    known.set(old, before === undefined || before === file ? file : null);
  }
  return known;
}

function shifted(lead: string, { add, remove }: LeadShift): string | null {
  return lead.startsWith(remove) ? add + lead.slice(remove.length) : null;
}

/** `count` characters of the caller's are `fileCount` of the file's `character`. */
interface Ratio {
  readonly count: number;
  readonly fileCount: number;
  readonly character: string;
}

function commonRatio(pairs: readonly LeadPair[]): Ratio | null {
  let ratio: Ratio | null = null;
  let callerCharacter = "";
  for (const { old, file } of pairs) {
    if (old === "" && file === "") continue;
    const character = onlyCharacter(file);
    const caller = onlyCharacter(old);
    if (character === null || caller === null) return null;
    if (ratio === null) {
      ratio = { count: old.length, fileCount: file.length, character };
      callerCharacter = caller;
    } else if (
      character !== ratio.character ||
      caller !== callerCharacter ||
      file.length * ratio.count !== old.length * ratio.fileCount
    )
      return null;
  }
  return ratio;
}

function scaled(lead: string, { count, fileCount, character }: Ratio): string | null {
  if (lead === "") return "";
  const length = (lead.length * fileCount) / count;
  return onlyCharacter(lead) !== null && Number.isInteger(length) ? character.repeat(length) : null;
}

function onlyCharacter(lead: string): string | null {
  const first = lead[0];
  if (first !== " " && first !== "\t") return null;
  return lead === first.repeat(lead.length) ? first : null;
}

/** Whether one step of the caller, changed by the ratio, is the step that the file takes. */
function stepsAgree(ratio: Ratio, callerLeads: readonly string[], file: SourceText): boolean {
  const unit = unitOf(callerLeads);
  return unit !== null && scaled(unit, ratio) === usualStep(file);
}

/** Lines at the start of a file that are asked for its usual step. */
export const STEP_LINES_MAX = 2_000;

/**
 * The indentation that the lines `from`..`to` (indexes, half-open) most often add to the line before; null where none
 * is indented.
 */
export function usualStep(file: SourceText, from = 0, to = STEP_LINES_MAX): string | null {
  const counts = new Map<string, number>();
  let before = "";
  for (let i = Math.max(0, from); i < Math.min(file.lineCount, to); i++) {
    const line = file.line(i);
    if (isAllSpace(line)) continue;
    const lead = leadingSpace(line);
    if (lead.length > before.length && lead.startsWith(before)) {
      const step = lead.slice(before.length);
      counts.set(step, (counts.get(step) ?? 0) + 1);
    }
    before = lead;
  }
  let best: string | null = null;
  for (const [step, count] of counts)
    if (best === null || count > (counts.get(best) ?? 0)) best = step;
  return best;
}

/** The unit of indentation: a tab, or as many spaces as divide every lead; null where it cannot be told. */
export function unitOf(leads: readonly string[]): string | null {
  let spaces = 0;
  let tabs = 0;
  for (const lead of leads) {
    if (lead === "") continue;
    const character = onlyCharacter(lead);
    if (character === null) return null;
    if (character === "\t") tabs++;
    else spaces = greatestDivisor(spaces, lead.length);
  }
  if (tabs > 0) return spaces > 0 ? null : "\t";
  return spaces > 0 ? " ".repeat(spaces) : null;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

function byLevels(
  lead: string,
  ref: LeadPair,
  callerUnit: string | null,
  fileUnit: string | null,
): string | null {
  if (callerUnit === null || fileUnit === null) return null;
  const asked = levelOf(lead, callerUnit);
  const old = levelOf(ref.old, callerUnit);
  const present = levelOf(ref.file, fileUnit);
  if (asked === null || old === null || present === null) return null;
  const level = present + asked - old;
  return level < 0 ? null : fileUnit.repeat(level);
}

function levelOf(lead: string, unit: string): number | null {
  const level = lead.length / unit.length;
  return Number.isInteger(level) && lead === unit.repeat(level) ? level : null;
}
