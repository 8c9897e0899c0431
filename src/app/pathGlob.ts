import { fail, ok, type Result } from "../base/result.ts";
import { foldName } from "./pathSpellings.ts";

/**
 * A path pattern of a permission rule. `*` and `**` stand for any text, slashes included, so that a rule written for
 * a folder also holds deep below it; `?` is one character, `[a-z]` one of a set, `{a,b}` either. A pattern without a
 * slash holds at any depth, as in .gitignore: who denies `.env` means every `.env`.
 */
export interface PathGlob {
  /** The pattern as written, separators made `/`. */
  readonly source: string;
  /** Names every path, so it says nothing about one of them. */
  readonly blanket: boolean;
  /** Starts at the root of the file system instead of the workspace folder. */
  readonly absolute: boolean;
  /** `folded`: case, look-alikes and invisible characters make no difference. */
  matches(path: string, reading: "exact" | "folded"): boolean;
}

/** Alternatives one pattern may stand for, after braces and optional folders are written out. */
const ALTERNATIVES_MAX = 256;

type Token = Wildcard | CharacterSet | { readonly text: string };

/** `text`: any number of characters; `character`: exactly one. */
interface Wildcard {
  readonly any: "text" | "character";
}

interface CharacterSet {
  readonly negated: boolean;
  readonly ranges: readonly (readonly [string, string])[];
}

/** The problem is a sentence part that says what does not parse. */
export function parseGlob(written: string): Result<PathGlob, string> {
  const source = written
    .trim()
    .replaceAll("\\", "/")
    .replace(/^(\.\/+)+/, "");
  if (source === "") return fail("it is empty");
  if (source.startsWith("!")) return fail("a leading ! has no meaning here");
  if (source.split("/").includes(".."))
    return fail("`..` has no meaning here, write an absolute path");
  if (/^~(\/|$)/.test(source)) return fail("`~` has no meaning here, write the folder out");
  const spread = expandBraces(withTail(source));
  if (!spread.ok) return spread;
  const parsed: (readonly Token[])[] = [];
  for (const text of spread.value.flatMap(optionalFolders)) {
    const tokens = tokenize(text);
    if (!tokens.ok) return tokens;
    parsed.push(...tokens.value);
    if (parsed.length > ALTERNATIVES_MAX) return fail("it stands for too many paths");
  }
  const exact = parsed.map((tokens) => flatten(tokens, (text) => text.normalize("NFC")));
  const folded = parsed.map((tokens) => flatten(tokens, foldName));
  return ok({
    source,
    blanket: /^[*/]+$/.test(source),
    absolute: /^(\/|[a-z]:\/)/i.test(source),
    matches(path, reading) {
      const text = Array.from(reading === "exact" ? path.normalize("NFC") : foldName(path));
      return (reading === "exact" ? exact : folded).some((tokens) =>
        fits(tokens, text, reading === "folded"),
      );
    },
  });
}

/** A folder's name with its slash means everything in it; a name without a slash means it at any depth. */
function withTail(source: string): string {
  const whole = source.endsWith("/") ? `${source}**` : source;
  return whole.includes("/") ? whole : `**/${whole}`;
}

function expandBraces(text: string): Result<readonly string[], string> {
  const open = text.search(/[{}]/);
  if (open < 0) return ok([text]);
  if (text[open] === "}") return fail("a } has no {");
  const parts: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let i = open; i < text.length; i++) {
    const char = text[i];
    if (char === "{") depth++;
    if (char === "}") depth--;
    if ((char === "," && depth === 1) || depth === 0) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
    if (depth === 0) break;
  }
  if (depth > 0) return fail("a { is not closed");
  const all: string[] = [];
  for (const part of parts) {
    const rest = expandBraces(text.slice(0, open) + part + text.slice(from));
    if (!rest.ok) return rest;
    all.push(...rest.value);
    if (all.length > ALTERNATIVES_MAX) return fail("it stands for too many paths");
  }
  return ok(all);
}

/** Between slashes, two stars may also stand for no folder at all; after the last one, for the folder itself. */
function optionalFolders(text: string): readonly string[] {
  const tail = /^(.+)\/\*\*$/.exec(text);
  const heads = tail?.[1] === undefined ? [text] : [text, tail[1]];
  return heads.flatMap((head) => {
    const short = head.replace(/(^|\/)(\*\*\/)+/g, "$1");
    return short === head || short === "" ? [head] : [head, short];
  });
}

/** A set in brackets is also taken as its literal text: folders named `[id]` are common, and a rule must hold for them. */
function tokenize(text: string): Result<readonly (readonly Token[])[], string> {
  let lists: (readonly Token[])[] = [[]];
  const add = (...choices: readonly Token[]): void => {
    lists = lists.flatMap((list) => choices.map((choice) => [...list, choice]));
  };
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? "";
    if (char === "*") {
      while (text[i + 1] === "*") i++;
      add({ any: "text" });
    } else if (char === "?") add({ any: "character" });
    else if (char === "[") {
      const set = /^\[(!?)([^\]/]+)\]/.exec(text.slice(i));
      if (set?.[2] === undefined) return fail("a [ is not closed");
      if (lists.length > ALTERNATIVES_MAX / 2) return fail("it stands for too many paths");
      add({ negated: set[1] === "!", ranges: rangesOf(set[2]) }, { text: set[0] });
      i += set[0].length - 1;
    } else {
      const plain = /^[^*?[]+/.exec(text.slice(i))?.[0] ?? char;
      add({ text: plain });
      i += plain.length - 1;
    }
  }
  return ok(lists);
}

function rangesOf(body: string): CharacterSet["ranges"] {
  return [...body.matchAll(/(.)-(.)|(.)/gsu)].map(([, from, to, one]) => {
    const first = from ?? one ?? "";
    return [first, to ?? first] as const;
  });
}

/** A string is one character that stands for itself. */
type Flat = Wildcard | CharacterSet | string;

function flatten(tokens: readonly Token[], fold: (text: string) => string): readonly Flat[] {
  return tokens.flatMap((token): readonly Flat[] =>
    "text" in token ? Array.from(fold(token.text)) : [token],
  );
}

/**
 * Wildcard match without recursion: after a miss only the last star takes one more character. Work is bounded by
 * pattern length times path length, whatever the pattern.
 */
function fits(tokens: readonly Flat[], text: readonly string[], folded: boolean): boolean {
  let place = 0;
  let token = 0;
  let star = -1;
  let starPlace = 0;
  while (place < text.length) {
    const here = tokens[token];
    const char = text[place] ?? "";
    if (isAnyText(here)) {
      star = token++;
      starPlace = place;
    } else if (here !== undefined && takes(here, char, folded)) {
      token++;
      place++;
    } else if (star >= 0) {
      token = star + 1;
      place = ++starPlace;
    } else return false;
  }
  while (isAnyText(tokens[token])) token++;
  return token === tokens.length;
}

function isAnyText(token: Flat | undefined): boolean {
  return typeof token === "object" && "any" in token && token.any === "text";
}

function takes(token: Flat, char: string, folded: boolean): boolean {
  if (typeof token === "string") return token === char;
  if ("any" in token) return true;
  const forms = folded ? [char, char.toUpperCase(), char.toLowerCase()] : [char];
  const within = forms.some((form) => token.ranges.some(([a, b]) => a <= form && form <= b));
  return within !== token.negated && char !== "/";
}
