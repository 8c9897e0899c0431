import { readClaudeCode } from "./claudeCode.ts";
import { readCodex } from "./codex.ts";
import { readGeneric } from "./generic.ts";
import { importedCall, type ImportedCall } from "./importedCall.ts";
import { importTally, type ImportSummary, type ImportTally } from "./importTally.ts";
import { isObject } from "./items.ts";
import type { FoundCall, Item, ItemReader, TranscriptFormat, TranscriptState } from "./items.ts";
import { readLines, type Line } from "./lines.ts";
import { readResponses } from "./responses.ts";

export type { ImportedCall, ImportSummary, TranscriptFormat };

export interface ImportOptions {
  /** Names the session of calls whose transcript names none: the file's name. */
  readonly name: string;
  /** Time of calls whose transcript tells none, milliseconds since 1970; one more for each further call. */
  readonly time: number;
  readonly lineUnitsMax?: number;
  /** Stops between two lines; what was taken until then stays. */
  readonly signal?: AbortSignal;
}

/** Asked in this order: the first that knows an object has it. */
const READERS: readonly (readonly [TranscriptFormat, ItemReader])[] = [
  ["codex", readCodex],
  ["claude-code", readClaudeCode],
  ["generic", readGeneric],
  ["responses", readResponses],
];

/**
 * Reads calls out of a transcript and hands each to `take`, in the order in which they are complete. Each line is
 * told by its shape, so formats may be mixed. Nothing in a transcript is an error: what cannot be used is counted.
 *
 * Memory stays bounded however long the transcript is: one line, and the calls that still wait for their output.
 * Without `take` it is a preview.
 */
export async function importTranscript(
  chunks: AsyncIterable<string> | Iterable<string>,
  options: ImportOptions,
  take: (call: ImportedCall) => void | Promise<void> = () => undefined,
): Promise<ImportSummary> {
  const tally = importTally();
  const taker = itemTaker(tally, options, take);
  const state: TranscriptState = {};
  const { signal } = options;
  for await (const line of wholeDocuments(readLines(chunks, options.lineUnitsMax))) {
    if (signal?.aborted === true) break;
    tally.line();
    if (line.text === null) {
      tally.oversized(line.number);
      continue;
    }
    const value = parse(line.text);
    if (value === undefined) tally.broken(line.number);
    // A list of items, as an API gives them; lists within it are no shape of any format.
    for (const element of Array.isArray(value) ? value : value === undefined ? [] : [value]) {
      const read = itemsOf(element, state);
      if (typeof read === "string") tally.unknown(read);
      else for (const item of read.items) await taker.use(item, read.format, line.number);
    }
  }
  await taker.finish();
  return tally.summary();
}

/** Items by the first reader that knows the value, or what to call a value that none knows. */
function itemsOf(
  value: unknown,
  state: TranscriptState,
): { readonly format: TranscriptFormat; readonly items: readonly Item[] } | string {
  if (!isObject(value)) return "a value that is no object";
  for (const [format, read] of READERS) {
    const items = read(value, state);
    if (items !== null) return { format, items };
  }
  return typeof value["type"] === "string" ? value["type"] : "an object of no known shape";
}

interface ItemTaker {
  use(item: Item, format: TranscriptFormat, line: number): Promise<void>;
  /** Hands over the calls whose output never came. */
  finish(): Promise<void>;
}

/** Counts every item, and hands each call over once its output is known. */
function itemTaker(
  tally: ImportTally,
  { name, time }: ImportOptions,
  take: (call: ImportedCall) => void | Promise<void>,
): ItemTaker {
  const waiting = outputsAwaited();
  let found = 0;
  const complete = async (one: Waiting | undefined): Promise<void> => {
    if (one !== undefined) await take(importedCall(one.call, { ...one, name }));
  };
  return {
    async use(item, format, line) {
      switch (item.kind) {
        case "call": {
          const key = `${item.call.session ?? ""}\n${item.call.callId ?? `line ${line}`}`;
          if (!tally.call(item.call, format, key)) return;
          await complete(waiting.add({ call: item.call, format, line, time: time + found++ }));
          return;
        }
        case "output":
          tally.passed();
          await complete(waiting.output(item));
          return;
        case "passed":
          tally.passed();
          return;
        case "other-tool":
          tally.otherTool(item.name);
          return;
        case "unknown":
          tally.unknown(item.what);
          return;
      }
    },
    async finish() {
      for (const one of waiting.rest()) await complete(one);
    },
  };
}

/** Undefined for text that is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const DOCUMENT_UNITS_MAX = 32_000_000;

/**
 * A file may be one JSON document over many lines. That is tried when the first line is no JSON by itself; a file
 * that is none after all is given line by line, as is one that is too long to be held.
 */
async function* wholeDocuments(lines: AsyncIterable<Line>): AsyncGenerator<Line> {
  let held: Line[] | null = null;
  let units = 0;
  let isFirst = true;
  for await (const line of lines) {
    if (
      isFirst &&
      line.text !== null &&
      /^\s*[[{]/.test(line.text) &&
      parse(line.text) === undefined
    )
      held = [];
    isFirst = false;
    if (held === null) {
      yield line;
      continue;
    }
    held.push(line);
    units += line.text?.length ?? DOCUMENT_UNITS_MAX;
    if (units < DOCUMENT_UNITS_MAX) continue;
    yield* held;
    held = null;
  }
  if (held === null) return;
  const text = held.map((line) => line.text ?? "").join("\n");
  if (parse(text) === undefined) yield* held;
  else yield { number: held[0]?.number ?? 1, text };
}

interface Waiting {
  readonly call: FoundCall;
  readonly format: TranscriptFormat;
  readonly line: number;
  readonly time: number;
}

interface OutputsAwaited {
  /** Gives back the call that has waited longest when too many wait. */
  add(one: Waiting): Waiting | undefined;
  /** Gives back the call that the output belongs to. */
  output(item: Item & { readonly kind: "output" }): Waiting | undefined;
  rest(): readonly Waiting[];
}

/** An output follows its call within a few lines; calls of one message may wait together. */
const WAITING_MAX = 64;

function outputsAwaited(): OutputsAwaited {
  const calls: Waiting[] = [];
  return {
    add(one) {
      calls.push(one);
      return calls.length > WAITING_MAX ? calls.shift() : undefined;
    },
    output({ callId, output, failed }) {
      const index = calls.findLastIndex(({ call }) => call.callId === callId);
      const [one] = index < 0 ? [] : calls.splice(index, 1);
      if (one === undefined) return undefined;
      const told = { output, ...(failed === undefined ? {} : { failed }) };
      return { ...one, call: { ...one.call, ...told } };
    },
    rest: () => calls,
  };
}
