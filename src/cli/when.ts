// How moments, spans and amounts are said to people.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A span in its own unit: `850 ms`, `8.1 s`, `41 s`, `12 min`, `2 h`, `3 d`. */
export function showSpan(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 99_950) {
    return `${plainNumber(ms < 19_950 ? (ms / 1000).toFixed(1) : String(Math.round(ms / 1000)))} s`;
  }
  return showAge(ms);
}

/** A span that is still growing, in whole seconds: `12 s`, `2 min 5 s`. */
export function showElapsed(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A span to the minute and above, as for the age of a cache: `3 min`, `2 h`, `1 d`. */
export function showAge(ms: number): string {
  if (ms < HOUR_MS) return `${Math.max(1, Math.round(ms / MINUTE_MS))} min`;
  if (ms < 2 * DAY_MS) return `${Math.round(ms / HOUR_MS)} h`;
  return `${Math.round(ms / DAY_MS)} d`;
}

/** The local clock time: `14:05`, `Wed 14:05` within the next six days, else with its date. */
export function showMoment(ms: number, nowMs: number): string {
  const time = new Date(ms);
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}`;
  if (time.toDateString() === new Date(nowMs).toDateString()) return clock;
  const soon = ms > nowMs && ms < nowMs + 6 * DAY_MS;
  return `${soon ? WEEKDAYS[time.getDay()] : showDay(time)} ${clock}`;
}

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** `until 14:05 (in 12 min)`; just the moment once it has passed. */
export function showUntil(ms: number, nowMs: number): string {
  const moment = `until ${showMoment(ms, nowMs)}`;
  return ms > nowMs ? `${moment} (in ${showAge(ms - nowMs)})` : moment;
}

/** Epoch milliseconds of an ISO 8601 time; undefined for anything else. */
export function momentOf(iso: unknown): number | undefined {
  const ms = typeof iso === "string" ? Date.parse(iso) : NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** A count with thousands marked: `1,243`; `–` for an unknown one. */
export function showCount(count: number | null | undefined): string {
  return typeof count === "number" ? count.toLocaleString("en-US") : "–";
}

/** A rounded count: `412 k`, `3.1 M`. */
export function showAbout(count: number | null | undefined): string {
  if (typeof count !== "number" || count < 10_000) return showCount(count);
  if (count < 999_500) return `${Math.round(count / 1000)} k`;
  return `${plainNumber((count / 1_000_000).toFixed(1))} M`;
}

/** A size in tokens, where the digits do not matter: `8 k`, `131 k`, `1 M`. */
export function showRounded(count: number): string {
  return count < 1000 || count >= 10_000 ? showAbout(count) : `${Math.round(count / 1000)} k`;
}

/** A sum of money: `$0.00`, with as many digits as a small one needs. */
export function showMoney(usd: number): string {
  return `$${usd === 0 || usd >= 0.01 ? usd.toFixed(2) : usd.toFixed(4)}`;
}

/** A size: `812 bytes`, `8.0 KB`, `1.3 MB`, `2.1 GB`. */
export function showSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(1)} KB`;
  return bytes < 1024 ** 3 ? `${(bytes / 1024 ** 2).toFixed(1)} MB` : `${(bytes / 1024 ** 3).toFixed(1)} GB`;
}

/** A share of one: `94 %`; never rounded up to all nor down to none. */
export function showShare(share: number): string {
  const percent = Math.round(share * 100);
  if (percent === 100 && share < 1) return "99 %";
  return percent === 0 && share > 0 ? "1 %" : `${percent} %`;
}

function showDay(time: Date): string {
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

function plainNumber(fixed: string): string {
  return fixed.replace(/\.0$/, "");
}

function two(part: number): string {
  return String(part).padStart(2, "0");
}
