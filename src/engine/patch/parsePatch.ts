import type { ParseProblem } from "../report/patchProblem.ts";
import { findEnvelope } from "./envelope.ts";
import { finishOperation, OperationReader, PATCH_LIMITS } from "./operationReader.ts";
import type { PatchDoc } from "./patchDoc.ts";

/** What could be read, and every fault found. A document with problems must not be planned. */
export interface ParsedPatch {
  readonly doc: PatchDoc;
  readonly problems: readonly ParseProblem[];
}

/**
 * Reads a patch envelope. Never throws, for any string; one step a line. Lenient about what stands around the
 * operations, strict about their content. Line numbers count from the Begin line as 1, added or not.
 *
 * A line ending of CRLF is one of LF here; a lone CR is content.
 */
export function parsePatch(text: string): ParsedPatch {
  if (text.length > PATCH_LIMITS.unitsMax)
    return refused({ code: "patch-too-large", units: text.length, max: PATCH_LIMITS.unitsMax });
  const control = controlCharacter(text);
  if (control !== null) return refused(control);
  const body = normalised(text);
  const lines = body.split("\n");
  if (lines.every((line) => line.trim() === "")) return refused({ code: "patch-blank" });
  const envelope = findEnvelope(lines, text.slice(text.trimEnd().length).includes("\n"));
  const reader = new OperationReader();
  const { from, to, firstNumber } = envelope;
  for (let i = from; i < to; i++) reader.line(lines[i] ?? "", firstNumber + i - from);
  reader.finish();
  const raw = new RawReader(body, lines);
  const operations = reader.operations
    .filter((draft) => !draft.faulty)
    .map((draft) => {
      const first = draft.fromLine - firstNumber + from;
      return finishOperation(draft, raw.read(first, draft.toLine - firstNumber + from + 1));
    });
  const problems = [...envelope.problems, ...reader.problems];
  if (reader.operations.length === 0 && problems.length === 0)
    problems.push({ code: "no-operation" });
  return { doc: { operations, repairs: envelope.repairs }, problems };
}

/** Cuts line ranges out of the text, without a copy. They must come in ascending order. */
class RawReader {
  readonly #text: string;
  readonly #lines: readonly string[];
  #line = 0;
  #offset = 0;

  constructor(text: string, lines: readonly string[]) {
    this.#text = text;
    this.#lines = lines;
  }

  read(fromLine: number, toLine: number): string {
    const start = this.#offsetOf(fromLine);
    return this.#text.slice(start, this.#offsetOf(toLine)).trimEnd();
  }

  #offsetOf(index: number): number {
    let offset = this.#offset;
    for (let i = this.#line; i < index; i++) offset += (this.#lines[i] ?? "").length + 1;
    this.#line = index;
    return (this.#offset = offset);
  }
}

function refused(problem: ParseProblem): ParsedPatch {
  return { doc: { operations: [], repairs: [] }, problems: [problem] };
}

/** Patch text as it is read: without the BOM some clients put in front, every CRLF an LF. */
function normalised(text: string): string {
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  return body.includes("\r\n") ? body.replaceAll("\r\n", "\n") : body;
}

const CONTROL = /[\u0000-\u0008\u000b\u000e-\u001f]/;

/** Tab, LF, FF and CR are text; the other controls would make a text file binary. */
function controlCharacter(text: string): ParseProblem | null {
  if (!CONTROL.test(text)) return null;
  let number = 1;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x20 || unit === 0x09 || unit === 0x0c || unit === 0x0d) continue;
    if (unit !== 0x0a) return { code: "control-character", codePoint: unit, number };
    number++;
  }
  return null;
}
