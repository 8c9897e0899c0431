/**
 * ASCII as it comes in source code, from the most frequent character on. A search jumps from one place of the first
 * unit it looks for to the next, so that it had better be a rare one.
 */
const FREQUENT_FIRST =
  " etnriaoslcudp\nm()_.=,;fgh\"'b{}y:v/-k1w02TSCEINARLx[]>&|+*<3FPODMj45B!6U78z9GqHVWKYJXZQ";
const RARITY = Uint8Array.from({ length: 0x80 }, (_, unit) => {
  const rank = FREQUENT_FIRST.indexOf(String.fromCharCode(unit));
  return rank < 0 ? FREQUENT_FIRST.length : rank;
});
/** Only so far into a text, and behind its start not at each unit: to look must not cost more than to search. */
const LEAD_UNITS_MAX = 256;
const START_UNITS = 24;
const LEAD_STRIDE = 4;

/**
 * A text to be searched for, which is looked for by its rarest unit first.
 * Law: `indexIn(text, from)` is `text.indexOf(searched, from)`, for every text, `from` not below 0.
 */
export class Needle {
  readonly #lead: number;
  readonly #head: string;
  readonly #rest: string;

  constructor(searched: string) {
    this.#lead = rarestUnit(searched);
    this.#head = searched.slice(0, this.#lead);
    this.#rest = searched.slice(this.#lead);
  }

  indexIn(text: string, from: number): number {
    let at = text.indexOf(this.#rest, from + this.#lead);
    while (at >= 0 && !text.startsWith(this.#head, at - this.#lead))
      at = text.indexOf(this.#rest, at + 1);
    return at < 0 ? -1 : at - this.#lead;
  }
}

function rarestUnit(text: string): number {
  let best = 0;
  let most = -1;
  const length = Math.min(text.length, LEAD_UNITS_MAX);
  for (let i = 0; i < length; i += i < START_UNITS ? 1 : LEAD_STRIDE) {
    const rarity = RARITY[text.charCodeAt(i)] ?? FREQUENT_FIRST.length;
    if (rarity <= most) continue;
    most = rarity;
    best = i;
  }
  return best;
}
