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
  /** Keys that lead to its object, `edits[]` for an element of a list; "" at the top. */
  readonly parent: string;
  /** The schema's node for its object, when the schema knows it. */
  readonly tree: KeyTree | undefined;
  /** Where its value starts: the offset of the first character. */
  readonly valueFrom: number;
  /** Set of the keys that its object had before this one. */
  readonly earlier: ReadonlySet<string>;
}

interface Level {
  readonly kind: "object" | "array";
  readonly path: string;
  readonly tree: KeyTree | undefined;
  readonly keys: Set<string>;
  /** For an object: the key whose value is being read. */
  key: string;
  expectsKey: boolean;
}

/** Visits every key in the order of the text, until a visit says stop. */
export function walkKeys(
  text: string,
  tree: KeyTree | undefined,
  visit: (key: JsonKey) => "stop" | undefined,
  root = "",
): void {
  const levels: Level[] = [];
  for (let i = 0; i < text.length;) {
    const level = levels.at(-1);
    switch (text[i]) {
      case "{":
      case "[": {
        const kind = text[i] === "{" ? "object" : "array";
        const path = level === undefined ? root : pathInside(level);
        const inner = level === undefined ? tree : treeInside(level);
        levels.push({
          kind,
          path,
          tree: inner,
          keys: new Set(),
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
          if (
            visit({ key, parent: level.path, tree: level.tree, valueFrom, earlier: level.keys }) ===
            "stop"
          )
            return;
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

function pathInside(level: Level): string {
  return level.kind === "array" ? `${level.path}[]` : joinPath(level.path, level.key);
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
  walkKeys(
    text,
    tree,
    ({ key, parent, tree: node, earlier }) => {
      if (earlier.has(key))
        reason = `input repeats the key ${JSON.stringify(joinPath(parent, key))}`;
      else reason = caseVariant(key, parent, node);
      return reason === null ? undefined : "stop";
    },
    root,
  );
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
  const properties = tree?.properties;
  if (properties === undefined || Object.hasOwn(properties, key)) return null;
  const declared = Object.keys(properties).find((property) => sameButForCase(property, key));
  return declared === undefined
    ? null
    : `input key ${JSON.stringify(joinPath(parent, key))} differs from schema property ${JSON.stringify(declared)} only by case`;
}

/** Both ways round, because some letters meet only in upper case (long s) and some only in lower (Kelvin sign). */
export function sameButForCase(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase() || a.toUpperCase() === b.toUpperCase();
}
