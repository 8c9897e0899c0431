/** A wrong that only our own code can cause. It is never thrown for what a model, a user or a disk did. */
export class BugError extends Error {
  override readonly name = "BugError";
}

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new BugError(message);
}

/** Ends a switch over a closed union: a new member does not compile until it has a branch. */
export function exhausted(value: never): never {
  throw new BugError(`unexpected case ${JSON.stringify(value)}`);
}

/** The element that the caller knows to be there. A missing one is our bug, with the place in the message. */
export function at<T>(items: ArrayLike<T>, index: number): T {
  const item = items[index];
  if (item === undefined) throw new BugError(`no item ${index} of ${items.length}`);
  return item;
}
