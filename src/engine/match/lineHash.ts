import { lookAlikeOf } from "../text/lookAlike.ts";
import { isSpace } from "../text/whitespace.ts";

/** A hash of `text` from `from` to `to`. Never 0, which stands for "no line". Four units a step. */
export function hashText(text: string, from: number, to: number): number {
  let hash = (to - from) | 0;
  let i = from;
  for (const last = to - 3; i < last; i += 4) {
    const units =
      text.charCodeAt(i) +
      Math.imul(text.charCodeAt(i + 1), 0x01_03) +
      Math.imul(text.charCodeAt(i + 2), 0x01_f3_d5) +
      Math.imul(text.charCodeAt(i + 3), 0x2f_0b_4c_47);
    hash = Math.imul(hash ^ units, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  for (; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x85ebca6b);
  return finish(hash);
}

/** A number that equal lines share and that most others do not, from the length and four units. */
export function lineSample(text: string, from: number, to: number): number {
  const length = to - from;
  if (length < 4) return mix(length === 0 ? 0 : text.charCodeAt(from) + text.charCodeAt(to - 1));
  return mix(
    length ^
      (text.charCodeAt(to - 1) << 8) ^
      Math.imul(text.charCodeAt(to - 3), 0x01_f3_d5) ^
      Math.imul(text.charCodeAt(from + (length >>> 1)), 0x2f_0b_4c_47) ^
      Math.imul(text.charCodeAt(from + (length >>> 2)), 0x01_03_05),
  );
}

/** So many letters and digits at a line's end make its skeleton sample. */
const SAMPLE_UNITS = 12;

/** As `lineSample`, for skeletons: from the last ASCII letters and digits, which no step ignores. */
export function skeletonSample(text: string, from: number, to: number): number {
  let sample = 0;
  let left = SAMPLE_UNITS;
  for (let i = to - 1; i >= from && left > 0; i--) {
    const unit = text.charCodeAt(i);
    if (WORD[unit] !== 1) continue;
    sample = (sample << 3) ^ unit;
    left--;
  }
  return mix(sample);
}

const WORD = Uint8Array.from({ length: 0x80 }, (_, unit) =>
  /[0-9A-Za-z]/.test(String.fromCharCode(unit)) ? 1 : 0,
);

function mix(value: number): number {
  const mixed = Math.imul(value, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

/**
 * A hash that leaves out everything a matching step may ignore: whitespace, invisible characters, combining
 * marks; look-alike punctuation counts as its plain form. Lines equal under any step have equal skeletons.
 */
export function skeletonHash(text: string, from: number, to: number): number {
  let hash = 0;
  for (let i = from; i < to; i++) {
    let unit = text.charCodeAt(i);
    if (unit < 0x80) {
      if (unit === 0x20 || (unit >= 0x09 && unit <= 0x0d)) continue;
    } else {
      unit = skeletonUnit(unit);
      if (unit === 0) continue;
    }
    hash = Math.imul(hash ^ unit, 0x01000193) + 0x9e37;
  }
  return finish(hash);
}

function finish(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x7feb352d);
  mixed ^= mixed >>> 15;
  return mixed === 0 ? 1 : mixed;
}

/** Filled as units are met; `UNKNOWN` until then. */
let units: Uint16Array | null = null;
const UNKNOWN = 0xffff;

function skeletonUnit(unit: number): number {
  units ??= new Uint16Array(0x10000).fill(UNKNOWN);
  const known = units[unit] ?? UNKNOWN;
  if (known !== UNKNOWN) return known;
  const value = plainUnit(unit);
  units[unit] = value;
  return value;
}

const MARK = /[\p{Mn}\p{Mc}]/u;

function plainUnit(unit: number): number {
  if (isSpace(unit)) return 0;
  if ((unit >= 0x200b && unit <= 0x200d) || unit === 0x2060 || (unit >= 0xfe00 && unit <= 0xfe0f))
    return 0;
  // Marks above the basic plane keep their halves: they are never folded away wrongly, only found less often.
  if (MARK.test(String.fromCharCode(unit))) return 0;
  return foldedPunctuation(unit);
}

function foldedPunctuation(unit: number): number {
  const plain = lookAlikeOf(unit);
  return plain === undefined ? Math.min(unit, UNKNOWN - 1) : plain;
}
