/** `0-2,5`: ascending indexes, runs joined. */
export function indexRanges(indexes: readonly number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < indexes.length;) {
    const first = indexes[i] ?? 0;
    let last = first;
    i++;
    while (indexes[i] === last + 1) {
      last++;
      i++;
    }
    parts.push(first === last ? String(first) : `${first}-${last}`);
  }
  return parts.join(",");
}
