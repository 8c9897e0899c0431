/**
 * Calls of one workspace run one after another, in the order they came. A turn that throws still lets the next one
 * begin: the error goes to whoever awaits the turn.
 */
export interface Queue {
  /** Number of turns that run or wait; errands do not count. */
  readonly length: number;
  /**
   * A turn whose signal aborts while it waits does not wait any longer: it runs at once, beside the one whose turn
   * it is, and must touch no file.
   */
  run<T>(turn: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** What a person does by hand (an undo): before all turns that wait, and while the running one only pauses. */
  errand<T>(work: () => Promise<T>): Promise<T>;
  /**
   * The part of the running turn in which it waits for a person and touches no file. It goes on when no errand runs,
   * and must then look again at what it knew.
   */
  pause<T>(wait: () => Promise<T>): Promise<T>;
}

/** Begins when its time comes; never rejects, as the outcome goes to whoever waits for it. */
type Begin = () => Promise<void>;

export function createQueue(): Queue {
  const turns: Begin[] = [];
  const errands: Begin[] = [];
  let length = 0;
  let turn: "none" | "running" | "paused" = "none";
  let onErrand = false;
  let goOn: (() => void) | undefined;

  const next = (): void => {
    if (onErrand) return;
    const errand = turn === "running" ? undefined : errands.shift();
    if (errand !== undefined) {
      onErrand = true;
      void errand().then(() => {
        onErrand = false;
        goOn?.();
        next();
      });
      return;
    }
    const begin = turn === "none" ? turns.shift() : undefined;
    if (begin === undefined) return;
    turn = "running";
    void begin().then(() => {
      turn = "none";
      next();
    });
  };

  return {
    get length() {
      return length;
    },
    run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      length++;
      const { begin, result } = later(async () => {
        signal?.removeEventListener("abort", leave);
        try {
          return await work();
        } finally {
          length--;
        }
      });
      const leave = (): void => {
        const place = turns.indexOf(begin);
        if (place < 0) return;
        turns.splice(place, 1);
        void begin();
      };
      turns.push(begin);
      next();
      signal?.addEventListener("abort", leave);
      if (signal?.aborted === true) leave();
      return result;
    },
    errand<T>(work: () => Promise<T>): Promise<T> {
      const { begin, result } = later(work);
      errands.push(begin);
      next();
      return result;
    },
    async pause<T>(wait: () => Promise<T>): Promise<T> {
      turn = "paused";
      next();
      try {
        return await wait();
      } finally {
        turn = "running";
        if (onErrand) await new Promise<void>((resolve) => (goOn = resolve));
        goOn = undefined;
      }
    },
  };
}

function later<T>(work: () => Promise<T>): { readonly begin: Begin; readonly result: Promise<T> } {
  const outcome = Promise.withResolvers<T>();
  return {
    begin: () => Promise.resolve().then(work).then(outcome.resolve, outcome.reject),
    result: outcome.promise,
  };
}
