/** Steps that may still be done; taken down as they are. */
export interface Work {
  left: number;
}

/**
 * Insertions, deletions and exchanges between two lists, or null when there are more than `bound` or the work is
 * used up. Only the cells within `bound` of the diagonal are computed.
 * Law: symmetric; 0 exactly for equal lists.
 */
export function boundedDistance(
  a: Uint32Array,
  b: Uint32Array,
  bound: number,
  work: Work,
): number | null {
  let head = 0;
  const shorter = Math.min(a.length, b.length);
  while (head < shorter && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < shorter - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const left = a.subarray(head, a.length - tail);
  const right = b.subarray(head, b.length - tail);
  work.left -= head + tail;
  if (Math.abs(left.length - right.length) > bound) return null;
  if (left.length === 0 || right.length === 0) return left.length + right.length;
  return banded(left, right, bound, work);
}

function banded(a: Uint32Array, b: Uint32Array, bound: number, work: Work): number | null {
  const width = b.length;
  const far = bound + 1;
  let previous = new Int32Array(width + 1).fill(far);
  let current = new Int32Array(width + 1).fill(far);
  for (let j = 0; j <= Math.min(width, bound); j++) previous[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - bound);
    const to = Math.min(width, i + bound);
    work.left -= to - from + 1;
    if (work.left < 0) return null;
    current[from - 1] = from === 1 ? Math.min(i, far) : far;
    let least = current[from - 1] ?? far;
    const point = a[i - 1];
    for (let j = from; j <= to; j++) {
      const exchanged = (previous[j - 1] ?? far) + (b[j - 1] === point ? 0 : 1);
      const removed = (previous[j] ?? far) + 1;
      const added = (current[j - 1] ?? far) + 1;
      let value = exchanged < removed ? exchanged : removed;
      if (added < value) value = added;
      if (value > far) value = far;
      current[j] = value;
      if (value < least) least = value;
    }
    if (to < width) current[to + 1] = far;
    if (least > bound) return null;
    [previous, current] = [current, previous];
  }
  const distance = previous[width] ?? far;
  return distance > bound ? null : distance;
}
