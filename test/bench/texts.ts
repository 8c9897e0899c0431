/** A change of one line, with the lines around it that a hunk shows. Lines count from 0. */
export interface LineSwap {
  readonly at: number;
  readonly line: string;
}

const BLOCK = 10;

/** Lines of code as they come: most are unlike each other, and every tenth is a lone brace or blank. */
export function codeLines(count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    switch (i % BLOCK) {
      case 0:
        return `export function step${i}(input: number): number {`;
      case 7:
        return `  return value${i - 1};`;
      case 8:
        return "}";
      case 9:
        return "";
      default:
        return `  const value${i} = input * ${i} + offset${i % 7};`;
    }
  });
}

/** Lines that differ only in a number. */
export function numberedLines(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `  register("handler", ${i}, { once: true });`);
}

/** One line over and over, and another at the end. */
export function equalLines(count: number): string[] {
  return Array.from({ length: count }, (_, i) =>
    i === count - 2 ? "  finish(list);" : "  list.push(nothing);",
  );
}

/** Changes spread evenly over `codeLines`, each in the middle of a function. */
export function spreadSwaps(lineCount: number, swaps: number): readonly LineSwap[] {
  const blocks = Math.floor(lineCount / BLOCK);
  return Array.from({ length: swaps }, (_, k) => {
    const at = Math.floor(((k + 0.5) * blocks) / swaps) * BLOCK + 4;
    return { at, line: `  const value${at} = changed(input, ${at});` };
  });
}

/** The text that lines make; the last one has its ending too. */
export function textOf(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

export function swapped(lines: readonly string[], swaps: readonly LineSwap[]): string {
  const next = [...lines];
  for (const { at, line } of swaps) next[at] = line;
  return textOf(next);
}

export interface Section {
  readonly path: string;
  readonly lines: readonly string[];
  readonly swaps: readonly LineSwap[];
  /** Names the function above each change in the hunk's header. */
  readonly anchored?: boolean;
  /** What a hunk shows in place of the file's own line, for lines that have gone stale. */
  readonly stale?: ReadonlyMap<number, string>;
  /** Lines that a hunk shows above and below its change; 3 unless told. */
  readonly context?: number;
}

const CONTEXT = 3;

interface Range {
  readonly from: number;
  readonly to: number;
}

function rangeAround({ at }: LineSwap, { lines, context = CONTEXT }: Section): Range {
  return { from: Math.max(0, at - context), to: Math.min(lines.length, at + context + 1) };
}

function hunkBody(swap: LineSwap, section: Section): string[] {
  const { from, to } = rangeAround(swap, section);
  const body: string[] = [];
  for (let i = from; i < to; i++) {
    const line = section.stale?.get(i) ?? section.lines[i] ?? "";
    if (i === swap.at) body.push(`-${line}`, `+${swap.line}`);
    else body.push(` ${line}`);
  }
  return body;
}

/** The hunks of one section, without envelope: what `applyDiff` of agents-core takes. */
export function hunksOf(section: Section): string {
  const body: string[] = [];
  for (const swap of section.swaps) {
    const header = section.lines[swap.at - (swap.at % BLOCK)] ?? "";
    body.push(section.anchored === true ? `@@ ${header}` : "@@", ...hunkBody(swap, section));
  }
  return body.join("\n");
}

export function patchOf(sections: readonly Section[]): string {
  const body = sections.map((section) => `*** Update File: ${section.path}\n${hunksOf(section)}`);
  return ["*** Begin Patch", ...body, "*** End Patch"].join("\n");
}

/** The same as a unified diff with line numbers. */
export function unifiedOf(section: Section): string {
  const out = [`--- a/${section.path}`, `+++ b/${section.path}`];
  for (const swap of section.swaps) {
    const { from, to } = rangeAround(swap, section);
    const range = `${from + 1},${to - from}`;
    out.push(`@@ -${range} +${range} @@`, ...hunkBody(swap, section));
  }
  return `${out.join("\n")}\n`;
}

/** The same as steps over characters: keep, drop, insert. */
export function stepsOf({ lines, swaps }: Section): readonly (readonly [-1 | 0 | 1, string])[] {
  const steps: (readonly [-1 | 0 | 1, string])[] = [];
  let done = 0;
  for (const { at, line } of swaps) {
    steps.push([0, textOf(lines.slice(done, at))], [-1, `${lines[at] ?? ""}\n`], [1, `${line}\n`]);
    done = at + 1;
  }
  if (done < lines.length) steps.push([0, textOf(lines.slice(done))]);
  return steps;
}
