import { boundedKey } from "./boundedKey.ts";
import type { FoundCall, TranscriptFormat } from "./items.ts";

/** What was found, and what was not used and why. All of it can be shown before anything is stored. */
export interface ImportSummary {
  /** Lines that are not blank. */
  readonly lines: number;
  readonly calls: number;
  /** Calls by tool and model, most first; at most some hundred rows. */
  readonly found: readonly FoundRow[];
  readonly formats: Readonly<Partial<Record<TranscriptFormat, number>>>;
  /** Calls whose arguments are no valid JSON; they are imported with their raw text. */
  readonly malformed: number;
  /** Calls that stood in the transcript before: sessions that were resumed repeat their history. */
  readonly repeated: number;
  /** Lines that are no JSON. */
  readonly broken: CountedLines;
  /** Lines above the bound. */
  readonly oversized: CountedLines;
  readonly unknown: CountedNames;
  /** Calls of tools that do not edit files. */
  readonly otherTools: CountedNames;
  /** Messages, outputs and other known lines without a call. */
  readonly passed: number;
}

export interface FoundRow {
  readonly tool: string;
  readonly model: string | null;
  readonly count: number;
}

export interface CountedLines {
  readonly count: number;
  /** Numbers of the first ones, from 1. */
  readonly lines: readonly number[];
}

export interface CountedNames {
  readonly count: number;
  /** The most frequent ones. */
  readonly names: readonly { readonly name: string; readonly count: number }[];
}

export interface ImportTally {
  line(): void;
  broken(line: number): void;
  oversized(line: number): void;
  passed(): void;
  unknown(what: string): void;
  otherTool(name: string): void;
  /** False for a call that was counted before. */
  call(call: FoundCall, format: TranscriptFormat, key: string): boolean;
  summary(): ImportSummary;
}

const LINES_NAMED_MAX = 20;
const NAMES_MAX = 20;
/** Distinct names that are counted each for itself; a transcript may hold any text as a name. */
const NAMES_COUNTED_MAX = 1_000;
const NAME_UNITS_MAX = 100;
const ROWS_MAX = 200;
/** Keys remembered to find repeated calls. Beyond it a repeated call is taken again, which stores it once too. */
const KEYS_MAX = 200_000;
const KEY_UNITS_MAX = 300;

export function importTally(): ImportTally {
  let lines = 0;
  let calls = 0;
  let malformed = 0;
  let repeated = 0;
  let passed = 0;
  const broken = lineCounter();
  const oversized = lineCounter();
  const unknown = nameCounter();
  const otherTools = nameCounter();
  const rows = new Map<string, FoundRow>();
  const formats: Partial<Record<TranscriptFormat, number>> = {};
  const keys = new Set<string>();
  return {
    line: () => void lines++,
    broken: broken.add,
    oversized: oversized.add,
    passed: () => void passed++,
    unknown: unknown.add,
    otherTool: otherTools.add,
    call({ tool, model, raw }, format, key) {
      const known = boundedKey(key, KEY_UNITS_MAX);
      if (keys.has(known)) {
        repeated++;
        return false;
      }
      if (keys.size < KEYS_MAX) keys.add(known);
      calls++;
      if (raw !== undefined) malformed++;
      formats[format] = (formats[format] ?? 0) + 1;
      const name = model?.slice(0, NAME_UNITS_MAX) ?? null;
      const rowKey = `${tool}\n${name ?? ""}`;
      const row = rows.get(rowKey);
      if (row !== undefined || rows.size < ROWS_MAX)
        rows.set(rowKey, { tool, model: name, count: (row?.count ?? 0) + 1 });
      return true;
    },
    summary: () => ({
      lines,
      calls,
      found: [...rows.values()].sort((a, b) => b.count - a.count),
      formats,
      malformed,
      repeated,
      broken: broken.counted(),
      oversized: oversized.counted(),
      unknown: unknown.counted(),
      otherTools: otherTools.counted(),
      passed,
    }),
  };
}

function lineCounter(): { add: (line: number) => void; counted: () => CountedLines } {
  const lines: number[] = [];
  let count = 0;
  return {
    add(line) {
      count++;
      if (lines.length < LINES_NAMED_MAX) lines.push(line);
    },
    counted: () => ({ count, lines }),
  };
}

function nameCounter(): { add: (name: string) => void; counted: () => CountedNames } {
  const counts = new Map<string, number>();
  let count = 0;
  return {
    add(name) {
      count++;
      const key = name.slice(0, NAME_UNITS_MAX);
      if (counts.has(key) || counts.size < NAMES_COUNTED_MAX)
        counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    counted: () => ({
      count,
      names: [...counts]
        .map(([name, n]) => ({ name, count: n }))
        .sort((a, b) => b.count - a.count)
        .slice(0, NAMES_MAX),
    }),
  };
}
