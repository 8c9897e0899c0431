import type { Folded } from "../text/lookAlike.ts";

/**
 * A pattern for what may fold to the start of `folded`, for a first look over a large text. It finds too much rather
 * than too little: whatever folds to `folded` holds a match of it at the same place.
 */
export function foldPattern(folded: string): RegExp {
  const units = folded.slice(0, PATTERN_UNITS_MAX);
  const parts: string[] = [];
  for (let i = 0; i < units.length; i++) parts.push(source(units.charAt(i)));
  return new RegExp(parts.join(`[${DROPPED}]*`), "g");
}

/** Long enough to be rare, short enough that texts which repeat themselves cost no more than a few steps a unit. */
const PATTERN_UNITS_MAX = 24;

/** All that folding may leave out between two units, and halves of pairs, which may be marks. */
const DROPPED = ` \\u200b-\\u200d\\u2060\\ufe00-\\ufe0f\\ud800-\\udfff${marks()}`;

function marks(): string {
  const mark = /[\p{Mn}\p{Mc}]/u;
  let ranges = "";
  for (let unit = 0x300; unit <= 0xffff; unit++) {
    if (!mark.test(String.fromCharCode(unit))) continue;
    const from = unit;
    while (unit < 0xffff && mark.test(String.fromCharCode(unit + 1))) unit++;
    ranges += `${escaped(from)}-${escaped(unit)}`;
  }
  return ranges;
}

function escaped(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

const FORMS: Readonly<Record<string, string>> = {
  '"': "“”„‟",
  "'": "‘’‚‛",
  "-": "–—−",
  ",": "，",
  ";": "；",
  ":": "：",
  ".": "。．",
  "!": "！",
  "?": "？",
  "(": "（",
  ")": "）",
};

function source(unit: string): string {
  const forms = Object.hasOwn(FORMS, unit) ? (FORMS[unit] ?? "") : "";
  const all = Array.from(unit + forms, (form) => escaped(form.charCodeAt(0))).join("");
  return forms === "" ? all : `[${all}]`;
}

/** One stretch of whole lines. */
export interface LineBlock {
  readonly from: number;
  readonly to: number;
}

/**
 * The whole lines in which a text of `above` + 1 + `below` lines must stand for its line `above` to be at `offset`;
 * null where there are not as many above.
 */
export function blockAround(
  text: string,
  offset: number,
  above: number,
  below: number,
): LineBlock | null {
  let from = lineStart(text, offset);
  for (let i = 0; i < above; i++) {
    if (from === 0) return null;
    from = lineStart(text, from - breakLengthBefore(text, from));
  }
  let to = offset;
  for (let i = 0; i <= below; i++) to = lineEnd(text, to);
  return { from, to };
}

/** Behind the break of the line that holds the offset. */
export function lineEnd(text: string, offset: number): number {
  for (let i = offset; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 10) return i + 1;
    if (unit === 13) return text.charCodeAt(i + 1) === 10 ? i + 2 : i + 1;
  }
  return text.length;
}

function lineStart(text: string, offset: number): number {
  let i = offset;
  while (i > 0 && !isBreak(text.charCodeAt(i - 1))) i--;
  return i;
}

function breakLengthBefore(text: string, offset: number): number {
  return text.charCodeAt(offset - 1) === 10 && text.charCodeAt(offset - 2) === 13 ? 2 : 1;
}

function isBreak(unit: number): boolean {
  return unit === 10 || unit === 13;
}

/** The longest line of a folded text, with the lines above and below it. */
export function longestLine(folded: Folded): {
  readonly line: string;
  readonly above: number;
  readonly below: number;
} {
  const lines = folded.text.split(/\r\n|\r|\n/);
  let above = 0;
  lines.forEach((line, index) => {
    if (line.length > (lines[above] ?? "").length) above = index;
  });
  return { line: lines[above] ?? "", above, below: lines.length - 1 - above };
}
