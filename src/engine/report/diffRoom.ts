/**
 * Room for the diffs of one result that somebody reads over a wire: a model's context ends far below it, and clients
 * of the official MCP SDK end the connection at 10 MB.
 */
export const RESULT_DIFF_UNITS_MAX = 1_000_000;

/** Takes diffs in the order in which they are told, as long as there is room: null when one fits, else what to say. */
export function diffRoom(
  unitsMax: number = RESULT_DIFF_UNITS_MAX,
): (diff: string) => string | null {
  let left = unitsMax;
  return (diff) => {
    if (diff.length > left)
      return `The diff has ${diff.length} characters and is left out; everything was written.`;
    left -= diff.length;
    return null;
  };
}
