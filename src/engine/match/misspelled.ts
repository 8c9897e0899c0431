import type { SourceText } from "../text/sourceText.ts";
import { isAllSpace } from "../text/whitespace.ts";
import type { SearchText } from "./search.ts";
import { firstLineOf } from "./whereText.ts";

/**
 * A way in which the old text was written other than the file, though it means a text that is there. `number` is the
 * line where that text starts. Nothing is repaired: the caller is told.
 */
export type SpellingCause =
  /** Every line starts with its number, as readers print it. */
  | { readonly code: "line-numbers"; readonly number: number }
  /** `sequence` stands as two characters in the old text and as one in the file. */
  | { readonly code: "escaped"; readonly sequence: string; readonly number: number }
  /** The other way round. */
  | { readonly code: "unescaped"; readonly sequence: string; readonly number: number }
  | {
      readonly code: "entity";
      readonly entity: string;
      readonly character: string;
      readonly number: number;
    }
  | {
      readonly code: "no-entity";
      readonly entity: string;
      readonly character: string;
      readonly number: number;
    };

/** `12: text`, `  12<tab>text`, `12|text`, `12→text`, `L12: text`. */
const LINE_NUMBER = /^[ \t]*L?(\d+)(?:[:|→]|\t)[ ]?/;

export function looksNumbered(file: SearchText, old: SourceText): SpellingCause | null {
  const kept: string[] = [];
  let previous = -1;
  for (let i = 0; i < old.lineCount; i++) {
    const line = old.line(i);
    const match = LINE_NUMBER.exec(line);
    if (match === null) {
      if (!isAllSpace(line)) return null;
      kept.push(old.fullLine(i));
      continue;
    }
    const number = Number(match[1]);
    // Readers count upwards by one; anything else is content that happens to start with digits.
    if (previous >= 0 && number !== previous + 1) return null;
    previous = number;
    kept.push(old.fullLine(i).slice(match[0].length));
  }
  if (previous < 0) return null;
  const text = kept.join("");
  const number = isAllSpace(text) ? null : firstLineOf(file, text);
  return number === null ? null : { code: "line-numbers", number };
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\\n", "\n"],
  ["\\t", "\t"],
  ["\\r", "\r"],
  ['\\"', '"'],
  ["\\'", "'"],
  ["\\\\", "\\"],
]);

export function looksEscaped(file: SearchText, oldText: string): SpellingCause | null {
  const sequence = /\\[ntr"'\\]/.exec(oldText)?.[0];
  if (sequence !== undefined) {
    const plain = oldText.replaceAll(/\\[ntr"'\\]/g, (escape) => ESCAPES.get(escape) ?? escape);
    const number = isAllSpace(plain) ? null : firstLineOf(file, plain);
    if (number !== null) return { code: "escaped", sequence, number };
  }
  const inner = oldText.replace(/\r?\n$/, "");
  for (const [escape, character] of ESCAPES) {
    if (!inner.includes(character)) continue;
    const number = firstLineOf(
      file,
      inner.replaceAll(character, () => escape),
    );
    if (number !== null) return { code: "unescaped", sequence: escape, number };
  }
  return null;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&#39;", "'"],
  ["&apos;", "'"],
  ["&amp;", "&"],
]);

export function looksLikeEntities(file: SearchText, oldText: string): SpellingCause | null {
  const entity = /&(?:lt|gt|quot|#39|apos|amp);/.exec(oldText)?.[0];
  if (entity !== undefined) {
    const plain = oldText.replaceAll(
      /&(?:lt|gt|quot|#39|apos|amp);/g,
      (one) => ENTITIES.get(one) ?? one,
    );
    const number = firstLineOf(file, plain);
    if (number !== null)
      return { code: "entity", entity, character: ENTITIES.get(entity) ?? "", number };
  }
  for (const [name, character] of ENTITIES) {
    if (!oldText.includes(character)) continue;
    const number = firstLineOf(file, encoded(oldText));
    return number === null ? null : { code: "no-entity", entity: name, character, number };
  }
  return null;
}

function encoded(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
