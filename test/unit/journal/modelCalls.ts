import { at } from "../../../src/base/assert.ts";
import type { Command, PatchPart } from "./modelCommands.ts";
import {
  bodiesOf,
  COMMON,
  isText,
  ownBodiesOf,
  rawOf,
  sorted,
  spliced,
  type Files,
  type Raw,
} from "./modelText.ts";

/** The files of the model while a call is made up, and the number of the last line that was ever written. */
export interface Pen {
  readonly files: Record<string, Raw>;
  serial: number;
}

export const PATHS = ["a.txt", "b.txt", "c.txt", "d.txt", "sub/e.txt"];

/** Lines that are nowhere else, by the writer or the user. */
export function fresh(pen: Pen, who: "w" | "u", count: number): readonly string[] {
  return Array.from({ length: count }, () => `${who}é${String(++pen.serial).padStart(5, "0")}`);
}

/** The files that are there, beginning with the wanted one. */
export function existing(
  files: Files,
  wanted: number,
  fits: (raw: Raw) => boolean,
): readonly string[] {
  const there = Object.keys(sorted(files)).filter((path) => fits(files[path] ?? ""));
  const start = there.length === 0 ? 0 : wanted % there.length;
  return [...there.slice(start), ...there.slice(0, start)];
}

export function free(files: Files, wanted: number): string | undefined {
  return [...PATHS.slice(wanted % PATHS.length), ...PATHS].find((path) => !(path in files));
}

/** A byte order mark alone is no line. */
const hasLines = (raw: Raw): boolean => isText(raw) && ownBodiesOf(raw).length > 0;
const any = (): boolean => true;

/**
 * One line of a file, and the lines that are to stand in its place; the file of the model is changed. `context`: the
 * line before one that is not the only one of its kind.
 */
function change(
  pen: Pen,
  path: string,
  place: number,
  count: number,
): { readonly context?: string; readonly old: string; readonly lines: readonly string[] } {
  const raw = pen.files[path] ?? "";
  const bodies = bodiesOf(raw);
  let index = place % bodies.length;
  const context = bodies[index - 1];
  const isTold = bodies[index] === COMMON && context !== undefined && context !== COMMON;
  if (!isTold) while (bodies[index] === COMMON) index = (index + 1) % bodies.length;
  const lines = fresh(pen, "w", count);
  pen.files[path] = spliced(raw, index, 1, lines);
  return { ...(isTold ? { context } : {}), old: at(bodies, index), lines };
}

/** The old and the new text of an edit. */
function textsOf({ context, old, lines }: ReturnType<typeof change>): readonly [string, string] {
  const before = context === undefined ? [] : [context];
  return [[...before, old].join("\n"), [...before, ...lines].join("\n")];
}

type CallCommand = Extract<Command, { kind: "call" }>;

/** The arguments of a call that must be applied as a whole; null where the files do not allow one. */
export function argumentsOf(
  pen: Pen,
  next: CallCommand,
): { readonly tool: string; readonly input: unknown } | null {
  const { tool, file, places, count } = next;
  switch (tool) {
    case "write":
      return writeOf(pen, next);
    case "delete": {
      const [path] = existing(pen.files, file, any);
      if (path === undefined) return null;
      delete pen.files[path];
      return { tool, input: { path } };
    }
    case "edit_files": {
      const texts = existing(pen.files, file, hasLines);
      if (texts.length === 0) return null;
      const edits = places.flatMap((place, i) => {
        const own = at(texts, i % texts.length);
        const [old_text, new_text] = textsOf(change(pen, own, place, Math.max(1, count)));
        return [{ path: `/ws/${own}`, old_text, new_text }];
      });
      return { tool, input: { edits } };
    }
    case "edit": {
      const [path] = existing(pen.files, file, hasLines);
      if (path === undefined) return null;
      const bodies = bodiesOf(pen.files[path] ?? "");
      const place = at(places, 0) % bodies.length;
      // The last line may have no break that could go with it, and repeated ones are no place to end at.
      const isWhole = place < bodies.length - 1 && !bodies.includes(COMMON);
      const lines = count === 0 && !isWhole ? 1 : count;
      const made = change(pen, path, place, lines);
      const gone = lines === 0 ? "\n" : "";
      const [old, new_string] = textsOf(made);
      const input = { path, old_string: old + gone, new_string };
      return { tool, input };
    }
    case "apply_patch":
      return patchOf(pen, next);
  }
}

/** A new file, one with all new lines, or one with some of its lines changed: all of them in one piece. */
function writeOf(pen: Pen, { tool, file, places, count }: CallCommand) {
  const [known] = existing(pen.files, file, isText);
  const path = count === 0 ? free(pen.files, file) : (known ?? free(pen.files, file));
  if (path === undefined) return null;
  const raw = pen.files[path];
  if (count === 2 && raw !== undefined && hasLines(raw)) {
    for (const place of places) change(pen, path, place, place % 3 === 0 ? 2 : 1);
    return { tool, input: { path, content: `${bodiesOf(pen.files[path] ?? "").join("\n")}\n` } };
  }
  const content = `${fresh(pen, "w", 1 + places.length).join("\n")}\n`;
  pen.files[path] = rawOf(content, "utf8");
  return { tool, input: { path, content } };
}

/** Each file is in one part of the patch only. */
function patchOf(pen: Pen, { tool, file, parts }: CallCommand) {
  const { files } = pen;
  const left = [...existing(files, file, any)];
  const lines: string[] = [];
  const hunk = (path: string, { place, count }: PatchPart): readonly string[] => {
    const { context, old, lines: added } = change(pen, path, place, count);
    const before = context === undefined ? [] : [` ${context}`];
    return ["@@", ...before, `-${old}`, ...added.map((line) => `+${line}`)];
  };
  const move = (from: string, to: string): void => {
    files[to] = files[from] ?? "";
    delete files[from];
  };
  const used = new Set<string>();
  for (const part of parts) {
    const path = left.shift();
    const target = PATHS.find((one) => !(one in files) && !used.has(one));
    if (part.kind === "add" && target !== undefined) {
      const added = fresh(pen, "w", 1 + part.count);
      files[target] = rawOf(`${added.join("\n")}\n`, "utf8");
      used.add(target);
      lines.push(`*** Add File: ${target}`, ...added.map((line) => `+${line}`));
    } else if (path !== undefined && part.kind === "delete") {
      delete files[path];
      used.add(path);
      lines.push(`*** Delete File: ${path}`);
    } else if (path !== undefined && part.kind === "move" && target !== undefined) {
      used.add(path).add(target);
      lines.push(`*** Update File: ${path}`, `*** Move to: ${target}`);
      if (part.count > 0 && hasLines(files[path] ?? "")) lines.push(...hunk(path, part));
      move(path, target);
    } else if (path !== undefined && part.kind === "swap" && left[0] !== undefined) {
      const other = left.shift() ?? "";
      used.add(path).add(other);
      const swap = [path, "aside", other, path, "aside", other];
      for (let i = 0; i < swap.length; i += 2) {
        move(at(swap, i), at(swap, i + 1));
        lines.push(`*** Update File: ${swap[i]}`, `*** Move to: ${swap[i + 1]}`);
      }
    } else if (path !== undefined && part.kind === "onto" && left[0] !== undefined) {
      const other = left.shift() ?? "";
      used.add(path).add(other);
      lines.push(`*** Delete File: ${other}`, `*** Update File: ${path}`, `*** Move to: ${other}`);
      if (part.count > 0 && hasLines(files[path] ?? "")) lines.push(...hunk(path, part));
      move(path, other);
    } else if (path !== undefined && part.kind === "replace" && target !== undefined) {
      used.add(path).add(target);
      move(path, target);
      const added = fresh(pen, "w", 1 + part.count);
      files[path] = rawOf(`${added.join("\n")}\n`, "utf8");
      lines.push(`*** Update File: ${path}`, `*** Move to: ${target}`);
      lines.push(`*** Add File: ${path}`, ...added.map((line) => `+${line}`));
    } else if (path !== undefined && hasLines(files[path] ?? "")) {
      used.add(path);
      lines.push(`*** Update File: ${path}`, ...hunk(path, part));
    }
  }
  const patch = ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
  return lines.length === 0 ? null : { tool, input: { patch } };
}
