/**
 * What is to be said about a store, put together from what happened. Something that was made good by a later try
 * is not said any more.
 */
export interface StoreNotices {
  setAside(target: string): void;
  /** The file was no longer there, and was begun anew. */
  removed(): void;
  /** `what`: the call's id, or another name for what was written. */
  wrote(what: string, cause: string | null): void;
  kept(hash: string, cause: string | null): void;
  read(cause: string | null): void;
  unreadable(calls: number): void;
  swept(cause: string | null): void;
  /** Null when there is nothing to say. */
  text(): string | null;
}

/** Ids and hashes remembered as missing; beyond it they are only counted. */
const REMEMBERED_MAX = 1_000;

export function storeNotices(aside: string | null): StoreNotices {
  const asides = aside === null ? [] : [aside];
  const calls = new Map<string, string>();
  const contents = new Map<string, string>();
  let isRemoved = false;
  let readCause: string | null = null;
  let sweepCause: string | null = null;
  let unreadable = 0;
  const note = (missing: Map<string, string>, key: string, cause: string | null): void => {
    if (cause === null) missing.delete(key);
    else if (missing.size < REMEMBERED_MAX) missing.set(key, cause);
  };
  return {
    setAside: (target) => void asides.push(target),
    removed: () => void (isRemoved = true),
    wrote: (what, cause) => note(calls, what, cause),
    kept: (hash, cause) => note(contents, hash, cause),
    read: (cause) => void (readCause = cause),
    unreadable: (count) => void (unreadable = Math.max(unreadable, count)),
    swept: (cause) => void (sweepCause = cause),
    text() {
      const sentences: string[] = [];
      for (const target of asides)
        sentences.push(
          `The store of calls was damaged. It was set aside as ${target}, and a new one was begun.`,
        );
      if (isRemoved)
        sentences.push(
          "The store of calls was removed while it was in use, with all earlier calls, and a new one was begun.",
        );
      if (calls.size > 0)
        sentences.push(
          `${count(calls.size, "call or mark")} could not be stored (${lastOf(calls)}).`,
        );
      if (contents.size > 0)
        sentences.push(
          `The contents of ${count(contents.size, "file")} could not be kept, so that later undo may be impossible (${lastOf(contents)}).`,
        );
      if (readCause !== null) sentences.push(`Stored calls could not be read (${readCause}).`);
      if (unreadable > 0)
        sentences.push(`${count(unreadable, "stored call")} cannot be read and are left out.`);
      if (sweepCause !== null) sentences.push(`Old calls could not be removed (${sweepCause}).`);
      return sentences.length === 0 ? null : sentences.join(" ");
    },
  };
}

function count(n: number, noun: string): string {
  return `${n}${n === REMEMBERED_MAX ? " or more" : ""} ${noun}${n === 1 ? "" : "s"}`;
}

function lastOf(missing: Map<string, string>): string {
  return [...missing.values()].at(-1) ?? "";
}
