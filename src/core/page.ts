// How is a long text cut into pages without damage? Sizes and offsets are UTF-8 bytes; every cut falls on the
// border of a character, so pages put together are the text again.

/** One page of a text. */
export interface Page {
  readonly text: string;
  /** Size of the whole text in UTF-8 bytes, not of this page. */
  readonly sizeBytes: number;
  /** Where the next page begins; undefined when this one reaches the end. */
  readonly nextOffset: number | undefined;
}

/**
 * Cuts the page that begins at `fromByte`. An offset inside a character moves back to its border, one past the end
 * gives an empty page. A page is never larger than `maxBytes`, with one exception: a single character that alone
 * is larger, so that a reader who follows `nextOffset` always gets on. A `maxBytes` of 0 or less gives nothing.
 */
export function cutUtf8(text: string, maxBytes: number, fromByte = 0): Page {
  const start = borderAt(text, 0, 0, fromByte);
  if (maxBytes <= 0) {
    const sizeBytes = utf8Size(text);
    return { text: "", sizeBytes, nextOffset: start.byte < sizeBytes ? start.byte : undefined };
  }
  let end = borderAt(text, start.unit, start.byte, start.byte + maxBytes);
  if (end.unit === start.unit && end.unit < text.length) end = after(text, end);
  const sizeBytes = end.byte + utf8Size(text, end.unit);
  return {
    text: text.slice(start.unit, end.unit),
    sizeBytes,
    nextOffset: end.unit < text.length ? end.byte : undefined,
  };
}

/**
 * Keeps the beginning and the end of a text that is larger than `maxBytes`, with a line between them that says how
 * much is missing. Where there is no room for that line, only the beginning is kept.
 */
export function headAndTail(text: string, maxBytes: number): string {
  const sizeBytes = utf8Size(text);
  if (sizeBytes <= maxBytes) return text;
  const room = maxBytes - utf8Size(gap(sizeBytes));
  if (room < 16) return maxBytes < 4 ? "" : cutUtf8(text, maxBytes).text;
  const head = cutUtf8(text, Math.floor(room * 0.6)).text;
  const tail = tailOf(text, room - utf8Size(head));
  return head + gap(sizeBytes - utf8Size(head) - utf8Size(tail)) + tail;
}

/** Size of a text, or of the part from code unit `from`, in UTF-8 bytes. Half a surrogate pair counts as 3. */
export function utf8Size(text: string, from = 0): number {
  let bytes = 0;
  for (let unit = from; unit < text.length; unit++) {
    const code = text.charCodeAt(unit);
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else if (isPair(text, unit)) [bytes, unit] = [bytes + 4, unit + 1];
    else bytes += 3;
  }
  return bytes;
}

interface Border {
  readonly unit: number;
  readonly byte: number;
}

/** The last border at or before `target`, seen from a border before it. */
function borderAt(text: string, unit: number, byte: number, target: number): Border {
  while (unit < text.length) {
    const code = text.charCodeAt(unit);
    const pair = code >= 0x800 && isPair(text, unit);
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : pair ? 4 : 3;
    if (byte + size > target) break;
    byte += size;
    unit += pair ? 2 : 1;
  }
  return { unit, byte };
}

function after(text: string, { unit, byte }: Border): Border {
  const next = unit + (isPair(text, unit) ? 2 : 1);
  return { unit: next, byte: byte + utf8Size(text.slice(unit, next)) };
}

function tailOf(text: string, maxBytes: number): string {
  let bytes = 0;
  let unit = text.length;
  while (unit > 0) {
    const before = unit >= 2 && isPair(text, unit - 2) ? unit - 2 : unit - 1;
    bytes += utf8Size(text.slice(before, unit));
    if (bytes > maxBytes) break;
    unit = before;
  }
  return text.slice(unit);
}

function isPair(text: string, unit: number): boolean {
  const high = text.charCodeAt(unit);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(unit + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}

function gap(bytes: number): string {
  return `\n… ${bytes} bytes left out …\n`;
}
