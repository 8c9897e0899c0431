// Calls like those a model makes for a commit, with what they must leave on disk. The model of the
// files is a list of lines; it shares nothing with the engine.

/** One change of a file: the lines from `at` (counting from 0) on, `removed` of them, give way. */
interface Change {
  readonly at: number;
  readonly removed: number;
  readonly added: readonly string[];
}

interface FileModel {
  readonly name: string;
  readonly lines: readonly string[];
  readonly ending: "\n" | "\r\n";
  readonly endsWithEnding: boolean;
  readonly changes: readonly Change[];
}

export interface CommitCall {
  readonly input: unknown;
  /** Names and texts on disk before the call. */
  readonly before: Readonly<Record<string, string>>;
  /** What the call must leave; null: no such file. */
  readonly after: Readonly<Record<string, string | null>>;
}

const WORDS = "price order café item 数量 total user “note” shop key λ index\tid stock".split(" ");
/** Hunks with three lines of context on both sides must not meet. */
const GAP_LINES_MIN = 8;
const CONTEXT_LINES = 3;

/** A call of `edit_files` on one to three files below the folder `at`. */
export function editFilesCommit(seed: number, at: (name: string) => string): CommitCall {
  const random = randomFrom(seed);
  const files = times(1 + random(3), (i) => fileModel(random, `src/part${i}.txt`));
  const edits = files.flatMap((file) =>
    file.changes.map((change) => ({ path: at(file.name), ...editOf(file, change) })),
  );
  return {
    input: { edits },
    before: Object.fromEntries(files.map((file) => [file.name, textOf(file, file.lines)])),
    after: Object.fromEntries(files.map((file) => [file.name, textOf(file, changed(file))])),
  };
}

/** A call of `apply_patch` that updates some files, and now and then adds, deletes and moves one. */
export function applyPatchCommit(seed: number, at: (name: string) => string): CommitCall {
  const random = randomFrom(seed);
  const before: Record<string, string> = {};
  const after: Record<string, string | null> = {};
  const body: string[] = [];
  for (const i of times(1 + random(2), (i) => i)) {
    const file = fileModel(random, `src/part${i}.txt`, true);
    before[file.name] = textOf(file, file.lines);
    body.push(`*** Update File: ${at(file.name)}`);
    const moves = random(3) === 0;
    const target = moves ? `moved/to/part${i}.txt` : file.name;
    if (moves) body.push(`*** Move to: ${at(target)}`);
    for (const change of file.changes) body.push(...hunkOf(file, change));
    if (moves) after[file.name] = null;
    after[target] = textOf(file, changed(file));
  }
  if (random(2) === 0) {
    const lines = times(1 + random(6), (n) => lineOf(random, `new ${n}`));
    body.push(`*** Add File: ${at("added/one.txt")}`, ...lines.map((line) => `+${line}`));
    after["added/one.txt"] = lines.map((line) => `${line}\n`).join("");
  }
  if (random(2) === 0) {
    const gone = fileModel(random, "src/gone.txt");
    before[gone.name] = textOf(gone, gone.lines);
    after[gone.name] = null;
    body.push(`*** Delete File: ${at(gone.name)}`);
  }
  const patch = ["*** Begin Patch", ...body, "*** End Patch"].join("\n");
  return { input: { patch }, before, after };
}

function fileModel(random: Random, name: string, endsWithEnding = random(3) > 0): FileModel {
  const lines = times(20 + random(60), (n) =>
    random(6) === 0 ? "" : lineOf(random, `${name} ${n}`),
  );
  const changes: Change[] = [];
  let at = random(10);
  while (at < lines.length - GAP_LINES_MIN && changes.length < 4) {
    const removed = random(4);
    const added = times(removed === 0 ? 1 + random(3) : random(4), (n) =>
      lineOf(random, `changed ${at}.${n}`),
    );
    changes.push({ at, removed, added });
    at += removed + GAP_LINES_MIN + random(12);
  }
  const ending = random(2) === 0 ? "\n" : "\r\n";
  return { name, lines, ending, endsWithEnding, changes };
}

/** Every line that is not empty occurs once, so that every block with such a line does. */
function lineOf(random: Random, mark: string): string {
  const words = times(1 + random(6), () => WORDS[random(WORDS.length)] ?? "");
  return `${" ".repeat(2 * random(4))}${words.join(" ")} // ${mark}`;
}

function changed({ lines, changes }: FileModel): readonly string[] {
  const out: string[] = [];
  let next = 0;
  for (const { at, removed, added } of changes) {
    out.push(...lines.slice(next, at), ...added);
    next = at + removed;
  }
  return [...out, ...lines.slice(next)];
}

function textOf({ ending, endsWithEnding }: FileModel, lines: readonly string[]): string {
  return lines.join(ending) + (endsWithEnding && lines.length > 0 ? ending : "");
}

/** The block from a line with words above the change to one below it, so that it is unique. */
function editOf(
  { lines }: FileModel,
  { at, removed, added }: Change,
): { readonly old_text: string; readonly new_text: string } {
  let from = at;
  while (from > 0 && (from === at || lines[from] === "")) from--;
  let to = at + removed;
  while (to < lines.length - 1 && lines[to] === "") to++;
  const above = lines.slice(from, at);
  const below = lines.slice(at + removed, to + 1);
  return {
    old_text: [...above, ...lines.slice(at, at + removed), ...below].join("\n"),
    new_text: [...above, ...added, ...below].join("\n"),
  };
}

function hunkOf({ lines }: FileModel, { at, removed, added }: Change): readonly string[] {
  return [
    "@@",
    ...lines.slice(Math.max(0, at - CONTEXT_LINES), at).map((line) => ` ${line}`),
    ...lines.slice(at, at + removed).map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...lines.slice(at + removed, at + removed + CONTEXT_LINES).map((line) => ` ${line}`),
  ];
}

/** A whole number from 0 up to, not including, `below`. */
type Random = (below: number) => number;

/** mulberry32: the same seed gives the same calls everywhere. */
function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function times<T>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
