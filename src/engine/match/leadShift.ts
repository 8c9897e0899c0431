/** The indentation of one matched line, as the caller wrote it and as the file has it. */
export interface LeadPair {
  readonly old: string;
  readonly file: string;
}

/** What all indentations gained or lost at their outer side; one of the two is empty. */
export interface LeadShift {
  readonly add: string;
  readonly remove: string;
}

/** The shift that turns every `old` into its `file`; null where there is none that does so for all. */
export function commonShift(pairs: readonly LeadPair[]): LeadShift | null {
  let common: LeadShift | null = null;
  for (const { old, file } of pairs) {
    let shift: LeadShift;
    if (file.endsWith(old)) shift = { add: file.slice(0, file.length - old.length), remove: "" };
    else if (old.endsWith(file))
      shift = { add: "", remove: old.slice(0, old.length - file.length) };
    else return null;
    if (common !== null && (common.add !== shift.add || common.remove !== shift.remove))
      return null;
    common = shift;
  }
  return common;
}
