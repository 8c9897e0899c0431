const ISO =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|z|[+-]\d\d:?\d\d)?$/;

/**
 * Milliseconds since 1970 of what transcripts call a time: ISO 8601 (without a zone it is taken as UTC), or a
 * number of seconds or milliseconds. Undefined for anything else.
 */
export function readTime(value: unknown): number | undefined {
  if (typeof value === "number") return fromNumber(value);
  if (typeof value !== "string") return undefined;
  if (/^\d{9,16}(\.\d+)?$/.test(value)) return fromNumber(Number(value));
  const parts = ISO.exec(value.trim());
  if (parts === null) return undefined;
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "0", zone = "Z"] =
    parts;
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31)
    return undefined;
  const days = daysFrom1970(Number(year), Number(month), Number(day));
  const minutes = days * 1_440 + Number(hour) * 60 + Number(minute) - zoneMinutes(zone);
  return minutes * 60_000 + Number(second) * 1_000 + Math.floor(Number(`0.${fraction}`) * 1_000);
}

/** The last millisecond of the year 9999; what is far behind it is no date at all, and cannot be shown. */
const TIME_MAX = 253_402_300_799_999;

/** Seconds until the year 5138, milliseconds from 1973 on. */
function fromNumber(value: number): number | undefined {
  if (!Number.isFinite(value) || value <= 0) return undefined;
  const time = Math.floor(value < 1e11 ? value * 1_000 : value);
  return time <= TIME_MAX ? time : undefined;
}

function zoneMinutes(zone: string): number {
  const parts = /^([+-])(\d\d):?(\d\d)$/.exec(zone);
  if (parts === null) return 0;
  const minutes = Number(parts[2]) * 60 + Number(parts[3]);
  return parts[1] === "-" ? -minutes : minutes;
}

/** Days of the Gregorian calendar, counted in years that begin in March, so that the leap day comes last. */
function daysFrom1970(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const century = Math.floor(shifted / 100);
  const leaps = Math.floor(shifted / 4) - century + Math.floor(century / 4);
  const fromMarch = (month + 9) % 12;
  return shifted * 365 + leaps + Math.floor((153 * fromMarch + 2) / 5) + day - 1 - 719_468;
}

/** ISO 8601 in UTC with milliseconds. Law: `readTime(printTime(t)) === t` for whole milliseconds from 1973 to 9999. */
export function printTime(time: number): string {
  const days = Math.floor(time / 86_400_000);
  const rest = Math.floor(time - days * 86_400_000);
  // The same calendar backwards: 400 years are 146,097 days.
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1_460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const [hour, minute, second] = [
    Math.floor(rest / 3_600_000),
    Math.floor(rest / 60_000) % 60,
    Math.floor(rest / 1_000) % 60,
  ];
  const two = (n: number): string => String(n).padStart(2, "0");
  const date = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
  return `${date}T${two(hour)}:${two(minute)}:${two(second)}.${String(rest % 1_000).padStart(3, "0")}Z`;
}
