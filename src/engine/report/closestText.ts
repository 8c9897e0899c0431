import type { ClosestBlock, DifferingLines, Mismatch } from "../match/closestBlock.ts";
import { leadingSpace, trimSpace } from "../text/whitespace.ts";
import type { NearLine } from "./outcome.ts";
import { codePointName, isQuotedWhole, quotedPair } from "./quote.ts";

/** More than this many lines that differ, or that one side lacks, cannot be mended from the lines shown. */
const MENDABLE_LINES = 3;

/** The closest place of a text that is not there, and what to do with it. Several lines. */
export function sayClosest(closest: ClosestBlock): string {
  if (closest.pairs.length === 0)
    return (
      `The lines at line ${closest.number} read like old_string; blank lines or a line break at ` +
      "its end are not in the file: leave them out and retry."
    );
  return [
    `${closestHeader(closest)}:`,
    ...sayPair(closest.pairs[0]),
    ...extraLines(closest),
    ...furtherPairs(closest),
    guidance(closest),
  ].join("\n");
}

/** The same in a few lines, for one entry of a report on several. */
export function sayClosestShort(closest: ClosestBlock): readonly string[] {
  const isMendable = closest.pairs.length === 1 && closest.extraWanted + closest.extraFound === 0;
  const [pair] = closest.pairs;
  if (pair === undefined || !isMendable || isLong(pair.wanted) || isLong(pair.found))
    return [`  ${closestHeader(closest)}; read the file with ${coordinates(closest)}`];
  return [
    `  ${closestHeader(closest)}:`,
    ...[...sayPair({ ...pair, mismatch: null })].map((line) => `  ${line}`),
  ];
}

/** Lines of the file for the card. */
export function nearLines(closest: ClosestBlock): readonly NearLine[] {
  return closest.pairs.map(({ fileNumber, found }) => ({
    number: fileNumber,
    text: found.slice(0, 400),
  }));
}

function isLong(line: string): boolean {
  return Array.from(line.slice(0, 250)).length > 120;
}

function closestHeader({ number, percent, distance }: ClosestBlock): string {
  return `Closest match is at line ${number} (${percent}% similar, ${distance} character difference)`;
}

/** The two lines, where they part, and in what. */
export function sayPair(pair: DifferingLines | undefined): readonly string[] {
  if (pair === undefined) return [];
  const [wanted, found] = quotedPair(pair.wanted, pair.found);
  const lines = [
    `  file line ${pair.fileNumber}: ${found}`,
    `  your line ${pair.wantedNumber}: ${wanted}`,
  ];
  if (pair.mismatch !== null) lines.push(sayMismatch(pair, pair.mismatch));
  const cause = sayCause(pair);
  if (cause !== null) lines.push(`  ${cause}`);
  return lines;
}

/** What two lines that look alike differ in, where it can be named. */
function sayCause({ wanted, found, fileNumber }: DifferingLines): string | null {
  const sent = trimSpace(wanted);
  const present = trimSpace(found);
  if (sent === "") return null;
  const lead = [leadingSpace(wanted), leadingSpace(found)] as const;
  if (sent === present && lead[0] !== lead[1])
    return `indentation differs: your line starts with ${sayLead(lead[0])}, the file's with ${sayLead(lead[1])}`;
  if (sent === present) return "only white space at the end of the line differs";
  if (present.includes(sent)) return `your line is only part of file line ${fileNumber}`;
  return sent.toLowerCase() === present.toLowerCase() ? "only upper and lower case differ" : null;
}

function sayLead(lead: string): string {
  if (lead === "") return "no space";
  const tabs = lead.split("\t").length - 1;
  const spaces = lead.split(" ").length - 1;
  const parts = [];
  if (tabs > 0) parts.push(`${tabs} tab${tabs === 1 ? "" : "s"}`);
  if (spaces > 0) parts.push(`${spaces} space${spaces === 1 ? "" : "s"}`);
  if (tabs + spaces < lead.length) parts.push("other spaces");
  return parts.join(" and ");
}

function sayMismatch(pair: DifferingLines, { place, wantedPoint, foundPoint }: Mismatch): string {
  const name = (point: number | null, line: string): string =>
    point === null
      ? `no characters (line ${line === "" ? "is empty" : "ends here"})`
      : codePointName(point);
  return (
    `  first mismatch at rune ${place} (1-based): your line has ${name(wantedPoint, pair.wanted)}, ` +
    `file has ${name(foundPoint, pair.found)}`
  );
}

function extraLines({ extraWanted, extraFound, extrasAreBlank }: ClosestBlock): readonly string[] {
  if (extraWanted === 0 && extraFound === 0) return [];
  const blank = extrasAreBlank
    ? " — the extra lines are blank, so the blank-line count differs"
    : "";
  return [
    `  line-count difference: your old_string has ${lines(extraWanted)}, the file has ${lines(extraFound)}${blank}`,
  ];
}

function lines(count: number): string {
  return `${count} extra line${count === 1 ? "" : "s"}`;
}

function furtherPairs({ pairs }: ClosestBlock): readonly string[] {
  return pairs.slice(1).flatMap(({ wantedNumber, fileNumber, wanted, found }) => {
    const [expected, actual] = quotedPair(wanted, found);
    return [
      `  differing line ${wantedNumber} (file ${fileNumber}): expected ${expected}`,
      `    actual ${actual}`,
    ];
  });
}

function coordinates({ number, height }: ClosestBlock): string {
  return `offset=${number} limit=${height}`;
}

function guidance(closest: ClosestBlock): string {
  const { differing, extraWanted, extraFound } = closest;
  const hasDrifted = extraWanted + extraFound > MENDABLE_LINES;
  const isCut = closest.pairs.some(({ found }) => !isQuotedWhole(found));
  if (!hasDrifted && differing <= MENDABLE_LINES && !isCut)
    return "Rebuild old_string from the file lines above (copy them exactly), then retry.";
  const reason =
    isCut && !hasDrifted && differing <= MENDABLE_LINES
      ? "The file lines above are cut"
      : hasDrifted
        ? `Whole lines drifted (${extraWanted} vs ${extraFound} extra line(s) between you and the file)` +
          (differing >= MENDABLE_LINES ? " and 3+ lines differ in place" : "")
        : "More than 3 lines differ in place";
  return (
    `${reason}, so the lines above are not enough to rebuild old_string: read the file with ` +
    `${coordinates(closest)} (the closest match range), rebuild old_string from that fresh output, ` +
    `or use a smaller 2-4 line anchor; do not retype the block from memory.`
  );
}
