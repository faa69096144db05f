// Which moment does a caller mean: a date, a date with a time, or a span back from now?

const SPAN = /^(\d{1,6})(m|h|d|w)$/i;
const SPAN_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Reads `2026-08-01`, `2026-08-01T12:00:00Z` (without a zone: UTC) or a span back from now (`30m`, `24h`, `7d`,
 * `2w`) as epoch milliseconds; undefined for anything else, also for a day that does not exist. A day alone is its
 * first millisecond, or its last with `endOfDay`.
 */
export function parseMoment(
  text: string,
  nowMs: number,
  { endOfDay = false }: { readonly endOfDay?: boolean } = {},
): number | undefined {
  const word = text.trim();
  const span = SPAN.exec(word);
  if (span) return nowMs - Number(span[1]) * SPAN_MS[span[2]!.toLowerCase()]!;
  const iso = ISO.exec(word);
  if (!iso) return undefined;
  const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "0", zone = "Z"] = iso;
  if (!isRealDay(Number(year), Number(month), Number(day))) return undefined;
  const millis = fraction.padEnd(3, "0").slice(0, 3);
  const offset = zone.toUpperCase() === "Z" ? "Z" : zone.replace(/^(.\d\d):?/, "$1:");
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millis}${offset}`);
  if (Number.isNaN(ms)) return undefined;
  return endOfDay && iso[4] === undefined ? ms + SPAN_MS.d! - 1 : ms;
}

function isRealDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
