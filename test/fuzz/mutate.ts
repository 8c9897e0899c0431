import type { FuzzInput } from "./fuzz.ts";

export interface Random {
  /** From 0 up to, not including, `max`. */
  below(max: number): number;
  pick<T>(items: readonly T[]): T;
}

/** The same numbers for the same seed, on every machine (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed | 0;
  const below = (max: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * max);
  };
  return {
    below,
    pick<T>(items: readonly T[]): T {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
  };
}

type LineMutation = (lines: string[], random: Random, other: readonly string[]) => void;

const PIECES = [
  "*** Begin Patch",
  "*** End Patch",
  "*** End of File",
  "*** Add File: new.txt",
  "*** Delete File: pond.txt",
  "*** Update File: a.txt",
  "*** Move to: moved.txt",
  "@@",
  "@@ x",
  "@@ -2,3 +2,4 @@",
  "",
  " ",
  "+",
  "-",
  "+added",
  "\t",
  "\u200b",
  "“”",
];

const LINE_MUTATIONS: readonly LineMutation[] = [
  (lines, random) => lines.splice(random.below(lines.length), 1),
  (lines, random) => lines.splice(random.below(lines.length + 1), 0, random.pick(PIECES)),
  (lines, random) => {
    const at = random.below(lines.length);
    lines.splice(at, 0, ...lines.slice(at, at + 1 + random.below(4)));
  },
  (lines, random) => {
    const from = random.below(lines.length);
    const to = random.below(lines.length);
    [lines[from], lines[to]] = [lines[to] ?? "", lines[from] ?? ""];
  },
  (lines, random) => {
    const at = random.below(lines.length);
    const line = lines[at] ?? "";
    lines[at] = line.slice(0, random.below(line.length + 1));
  },
  (lines, random) => {
    const at = random.below(lines.length);
    const line = lines[at] ?? "";
    const cut = random.below(line.length + 1);
    lines[at] =
      line.slice(0, cut) + random.pick(["  ", "\t", "x", "\r", "“", "："]) + line.slice(cut);
  },
  (lines, random, other) => {
    if (other.length > 0) lines.splice(random.below(lines.length + 1), 0, random.pick(other));
  },
];

/** Spoils the patch, the files, or both, one to four times. */
export function mutate(input: FuzzInput, corpus: readonly FuzzInput[], random: Random): FuzzInput {
  const other = random.pick(corpus);
  const lines = input.patch.split("\n");
  const files = new Map(Object.entries(input.files));
  for (let times = 1 + random.below(4); times > 0; times--) {
    const names = [...files.keys()];
    if (random.below(3) > 0 || names.length === 0)
      random.pick(LINE_MUTATIONS)(lines, random, other.patch.split("\n"));
    else {
      const name = random.pick(names);
      const fileLines = (files.get(name) ?? "").split("\n");
      random.pick(LINE_MUTATIONS)(
        fileLines,
        random,
        lines.map((line) => line.slice(1)),
      );
      files.set(name, fileLines.join(random.below(8) === 0 ? "\r\n" : "\n"));
    }
  }
  return { patch: lines.join("\n"), files: Object.fromEntries(files) };
}
