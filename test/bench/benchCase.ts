/** Files by path, as they are before or after one piece of work. */
export type Files = ReadonlyMap<string, string>;

/** What a piece of work left; `null` when it refused and wrote nothing. */
export type Outcome = Files | null;

/** One way to do a piece of work. */
export interface Way {
  readonly name: string;
  /** The work is done by another process, so that only the clock can time it. */
  readonly isProcess?: boolean;
  /** Puts things back before each run; not timed. */
  readonly prepare?: () => void;
  /** The work. What it gives is only handed on to `outcome`. */
  readonly run: () => unknown;
  /** Reads the result of the last run, not timed. */
  readonly outcome: (result: unknown) => Outcome;
}

/** The same work, done by us and by others. */
export interface Work {
  /** "place and plan": everything that is needed to write. */
  readonly ours: Way;
  /** "place, plan, diff and inverse"; absent where a case has no second way. */
  readonly oursWhole?: Way;
  readonly peers: readonly Way[];
  readonly expected: Outcome;
  /** Called once at the end. */
  readonly dispose?: () => void;
}

/** What a case has to reach, besides growth. Ratios are of our first way to others, measured in one run. */
export interface Target {
  /** At most this part of the best peer that did the work rightly. */
  readonly ofBestPeer: number;
}

export interface BenchCase {
  readonly id: string;
  readonly title: string;
  /** Makes the work at a part of the full size: 1 is what the title says, 2 is twice the work. */
  readonly make: (size: number, peers: Peers) => Work;
  readonly target?: Target;
  /** At which sizes growth is measured; 1 and 2 unless a bound of the product stands in the way. */
  readonly growthSizes?: readonly [number, number];
}

/** Programs of others, each `null` when it could not be fetched. */
export interface Peers {
  readonly codex: { readonly binary: string } | null;
  readonly agentsCore: ((input: string, diff: string) => string) | null;
  readonly jsdiff: ((source: string, patch: string) => string | false) | null;
  readonly dmp: DiffMatchPatch | null;
  /** Why something is left out, a sentence each. */
  readonly missing: readonly string[];
}

export interface DiffMatchPatch {
  patch_make(text: string, diffs: readonly (readonly [-1 | 0 | 1, string])[]): unknown;
  patch_toText(patches: unknown): string;
  patch_fromText(text: string): unknown;
  patch_apply(patches: unknown, text: string): [string, boolean[]];
}

export const NO_PEERS: Peers = {
  codex: null,
  agentsCore: null,
  jsdiff: null,
  dmp: null,
  missing: [],
};

/** Makes a text of many joined pieces one block of memory, as whoever writes it would have to. */
export function flat(text: string): string {
  text.charCodeAt(text.length >>> 1);
  return text;
}
