import { FILE_LIMITS } from "./fileLimits.ts";

/**
 * Names of the folder that a caller may have meant by `name`, nearest first: other case, other extension, or a few
 * letters off. Empty when nothing is near.
 */
export function similarNames(name: string, names: readonly string[]): readonly string[] {
  const wanted = name.toLowerCase();
  const distanceMax = Math.max(1, Math.floor(wanted.length / 4));
  return names
    .slice(0, FILE_LIMITS.folderNamesMax)
    .map((other) => ({ other, distance: nameDistance(wanted, other.toLowerCase(), distanceMax) }))
    .filter(({ other, distance }) => distance <= distanceMax && other !== name)
    .sort((a, b) => a.distance - b.distance || (a.other < b.other ? -1 : 1))
    .slice(0, FILE_LIMITS.similarNamesMax)
    .map(({ other }) => other);
}

/** 0 for another case, 1 for the same stem, else edits between the names; anything above `max` is `max + 1`. */
function nameDistance(a: string, b: string, max: number): number {
  if (a === b) return 0;
  if (stem(a) === stem(b)) return 1;
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const change = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const cell = Math.min(change, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      row.push(cell);
      least = Math.min(least, cell);
    }
    if (least > max) return max + 1;
    above = row;
  }
  return above[b.length] ?? 0;
}

function stem(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}
