/**
 * A walk over the keys of a JSON text. `JSON.parse` drops repeated keys without a word, and two readers that take
 * different ones would disagree about what a call asks for; so the text itself is looked at.
 *
 * All functions expect text that `JSON.parse` accepts. The walk is a loop, so depth of nesting costs no stack.
 */

/** The part of a JSON Schema that says which keys an object is to have. */
export interface KeyTree {
  readonly properties?: Readonly<Record<string, KeyTree>>;
  readonly items?: KeyTree;
}

/** One key on the way through a text. */
export interface JsonKey {
  /** The key as JSON reads it. */
  readonly key: string;
  /** How many objects and lists its object lies in; 0 at the top. */
  readonly depth: number;
  /** The keys that lead to its object, `edits[]` for an element of a list; "" at the top. */
  readonly parent: () => string;
  /** The schema's node for its object, when the schema knows it. */
  readonly tree: KeyTree | undefined;
  /** Where its value starts: the offset of the first character. */
  readonly valueFrom: number;
  /** Set of the keys that its object had before this one. */
  readonly earlier: ReadonlySet<string>;
}

interface Level {
  readonly kind: "object" | "array";
  readonly tree: KeyTree | undefined;
  /** Keys seen so far; made with the first one, because most of deep nesting has none. */
  keys: Set<string>;
  /** For an object: the key whose value is being read. */
  key: string;
  expectsKey: boolean;
}

/** Visits every key in the order of the text, until a visit says stop. */
export function walkKeys(
  text: string,
  tree: KeyTree | undefined,
  visit: (key: JsonKey) => "stop" | undefined,
): void {
  const levels: Level[] = [];
  for (let i = 0; i < text.length;) {
    const level = levels.at(-1);
    switch (text[i]) {
      case "{":
      case "[": {
        const kind = text[i] === "{" ? "object" : "array";
        const inner = level === undefined ? tree : treeInside(level);
        levels.push({
          kind,
          tree: inner,
          keys: NO_KEYS,
          key: "",
          expectsKey: kind === "object",
        });
        i++;
        break;
      }
      case "}":
      case "]":
        levels.pop();
        i++;
        break;
      case ",":
        if (level?.kind === "object") level.expectsKey = true;
        i++;
        break;
      case '"': {
        const end = stringEnd(text, i);
        if (level?.expectsKey === true) {
          const key = readString(text, i, end);
          const valueFrom = skipToValue(text, end);
          const depth = levels.length - 1;
          const parent = (): string => pathTo(levels, depth);
          const { tree: node, keys: earlier } = level;
          if (visit({ key, depth, parent, tree: node, valueFrom, earlier }) === "stop") return;
          if (level.keys === NO_KEYS) level.keys = new Set();
          level.keys.add(key);
          level.key = key;
          level.expectsKey = false;
          i = valueFrom;
        } else i = end;
        break;
      }
      default:
        i++;
    }
  }
}

/** Of a deeper path only the last keys are named. */
const PATH_DEPTH_MAX = 20;

const NO_KEYS: Set<string> = new Set();

/** Made only when it is to be shown: a path to every level would cost the square of the depth. */
function pathTo(levels: readonly Level[], depth: number): string {
  let path = depth > PATH_DEPTH_MAX ? "…" : "";
  for (const { kind, key } of levels.slice(Math.max(0, depth - PATH_DEPTH_MAX), depth))
    path = kind === "array" ? `${path}[]` : joinPath(path, key);
  return path;
}

function treeInside({ kind, tree, key }: Level): KeyTree | undefined {
  if (kind === "array") return tree?.items;
  return tree?.properties !== undefined && Object.hasOwn(tree.properties, key)
    ? tree.properties[key]
    : undefined;
}

export function joinPath(parent: string, key: string): string {
  return parent === "" ? key : `${parent}.${key}`;
}

/** Offset behind the closing quote of the string that starts at `from`. */
export function stringEnd(text: string, from: number): number {
  let i = from + 1;
  for (; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) break;
    if (unit === 0x5c) i++;
  }
  return i + 1;
}

/** The string's value; "" where the text is no JSON after all. */
function readString(text: string, from: number, to: number): string {
  const body = text.slice(from + 1, to - 1);
  if (!body.includes("\\")) return body;
  const value: unknown = JSON.parse(text.slice(from, to));
  return typeof value === "string" ? value : "";
}

function skipToValue(text: string, from: number): number {
  let i = from;
  while (i < text.length && (text[i] === ":" || isJsonSpace(text.charCodeAt(i)))) i++;
  return i;
}

function isJsonSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === 0x0a || unit === 0x0d;
}

/**
 * Why two readers could take a text for different calls: a key that its object has twice, or one that is a declared
 * key but for case. Null when all is plain. `root` is the path of the text inside the whole input.
 */
export function findAmbiguity(text: string, tree: KeyTree, root = ""): string | null {
  let reason: string | null = null;
  walkKeys(text, tree, ({ key, parent, tree: node, earlier }) => {
    const repeats = earlier.has(key);
    if (!repeats && variantOf(key, node) === null) return undefined;
    const path = root + parent();
    reason = repeats
      ? `input repeats the key ${JSON.stringify(joinPath(path, key))}`
      : caseVariant(key, path, node);
    return "stop";
  });
  return reason;
}

/** The same for input that was parsed already: repeated keys are gone, other case can still be seen. */
export function findCaseVariant(
  value: unknown,
  tree: KeyTree | undefined,
  path = "",
): string | null {
  if (tree === undefined || typeof value !== "object" || value === null) return null;
  if (Array.isArray(value)) {
    for (const item of value) {
      const reason = findCaseVariant(item, tree.items, `${path}[]`);
      if (reason !== null) return reason;
    }
    return null;
  }
  for (const [key, inner] of Object.entries(value)) {
    const declared = tree.properties !== undefined && Object.hasOwn(tree.properties, key);
    const reason = declared
      ? findCaseVariant(inner, tree.properties?.[key], joinPath(path, key))
      : caseVariant(key, path, tree);
    if (reason !== null) return reason;
  }
  return null;
}

function caseVariant(key: string, parent: string, tree: KeyTree | undefined): string | null {
  const declared = variantOf(key, tree);
  return declared === null
    ? null
    : `input key ${JSON.stringify(joinPath(parent, key))} differs from schema property ${JSON.stringify(declared)} only by case`;
}

/** The declared key that this one is but for case. */
function variantOf(key: string, tree: KeyTree | undefined): string | null {
  const properties = tree?.properties;
  if (properties === undefined || Object.hasOwn(properties, key)) return null;
  return Object.keys(properties).find((property) => sameButForCase(property, key)) ?? null;
}

/** Both ways round, because some letters meet only in upper case (long s) and some only in lower (Kelvin sign). */
export function sameButForCase(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase() || a.toUpperCase() === b.toUpperCase();
}
