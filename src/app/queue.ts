/**
 * Calls of one workspace run one after another, in the order they came. A turn that throws still lets the next one
 * begin: the error goes to whoever awaits the turn.
 */
export interface Queue {
  /** Number of turns that run or wait. */
  readonly length: number;
  run<T>(turn: () => Promise<T>): Promise<T>;
}

export function createQueue(): Queue {
  let tail: Promise<unknown> = Promise.resolve();
  let length = 0;
  return {
    get length() {
      return length;
    },
    run<T>(turn: () => Promise<T>): Promise<T> {
      length++;
      const result = tail.then(turn, turn);
      tail = result.then(
        () => length--,
        () => length--,
      );
      return result;
    },
  };
}
