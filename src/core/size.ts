// Which size does a caller mean?

const SIZE = /^(\d{1,15}(?:\.\d{1,6})?)\s*(?:([kmgt])?b|bytes)?$/i;
const POWERS: Readonly<Record<string, number>> = { k: 1, m: 2, g: 3, t: 4 };

/**
 * Reads `500MB`, `1.5 GB`, `64kb` or a plain number of bytes as bytes, 1 KB being 1024; undefined for anything else.
 * A part of a byte is dropped.
 */
export function parseSize(text: string): number | undefined {
  const found = SIZE.exec(text.trim());
  if (!found) return undefined;
  const bytes = Math.floor(Number(found[1]) * 1024 ** (POWERS[found[2]?.toLowerCase() ?? ""] ?? 0));
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
