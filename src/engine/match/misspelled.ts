import type { SourceText } from "../text/sourceText.ts";
import { isAllSpace } from "../text/whitespace.ts";

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

/** The number of the first line at which a text stands where it could be meant; null where it does not. */
export type FindText = (text: string) => number | null;

/** `12: text`, `  12<tab>text`, `12|text`, `12→text`, `L12: text`. */
const LINE_NUMBER = /^[ \t]*L?(\d+)(?:[:|→]|\t)[ ]?/;

export function looksNumbered(find: FindText, old: SourceText): SpellingCause | null {
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
  const number = isAllSpace(text) ? null : find(text);
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

export function looksEscaped(find: FindText, oldText: string): SpellingCause | null {
  const sequence = /\\[ntr"'\\]/.exec(oldText)?.[0];
  if (sequence !== undefined) {
    const plain = oldText.replaceAll(/\\[ntr"'\\]/g, (escape) => ESCAPES.get(escape) ?? escape);
    const number = isAllSpace(plain) ? null : find(plain);
    if (number !== null) return { code: "escaped", sequence, number };
  }
  const inner = oldText.replace(/\r?\n$/, "");
  for (const [escape, character] of ESCAPES) {
    if (!inner.includes(character)) continue;
    const number = find(inner.replaceAll(character, () => escape));
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

export function looksLikeEntities(find: FindText, oldText: string): SpellingCause | null {
  const entity = /&(?:lt|gt|quot|#39|apos|amp);/.exec(oldText)?.[0];
  if (entity !== undefined) {
    const plain = oldText.replaceAll(
      /&(?:lt|gt|quot|#39|apos|amp);/g,
      (one) => ENTITIES.get(one) ?? one,
    );
    const number = find(plain);
    if (number !== null)
      return { code: "entity", entity, character: ENTITIES.get(entity) ?? "", number };
  }
  for (const some of ENCODED) {
    const used = some.filter((character) => oldText.includes(character));
    const [first] = used;
    if (first === undefined) continue;
    const number = find(encoded(oldText, used));
    if (number !== null)
      return { code: "no-entity", entity: ENTITY_OF.get(first) ?? "", character: first, number };
  }
  return null;
}

/** What a file may have written as entities: all that HTML must, with quotes too, or an ampersand in plain markup. */
const ENCODED: readonly (readonly string[])[] = [
  ["&", "<", ">"],
  ["&", "<", ">", '"'],
  ["&"],
  ["&", '"'],
];

const ENTITY_OF: ReadonlyMap<string, string> = new Map(
  [...ENTITIES].map(([entity, character]) => [character, entity]).reverse() as [string, string][],
);

function encoded(text: string, characters: readonly string[]): string {
  // The ampersand comes first: the entities of the others hold one.
  let now = text;
  for (const character of characters)
    now = now.replaceAll(character, () => ENTITY_OF.get(character) ?? character);
  return now;
}
