// Takes known secrets out of what a task brings. The shapes of keys are known to redact.ts; a key without a shape is
// only known by its value.

/** Shorter values would hide ordinary words. */
const LEAST_CHARS = 8;

/** Replaces known values in a text. */
export type Hide = (text: string) => string;

/** Builds the function that takes these values out of any text. */
export function hideValues(values: Iterable<string>): Hide {
  const known = [...new Set(values)].filter((value) => value.length >= LEAST_CHARS);
  known.sort((a, b) => b.length - a.length);
  return (text) => known.reduce((hidden, value) => hidden.replaceAll(value, "[redacted]"), text);
}

/** Does the same in every string of a JSON value. */
export function hideInside<T>(value: T, hide: Hide): T {
  if (typeof value === "string") return hide(value) as T;
  if (Array.isArray(value)) return value.map((item) => hideInside(item, hide)) as T;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hideInside(item, hide)])) as T;
}
