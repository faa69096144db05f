// How wide is a text on a terminal, and what of it may reach one?

const EMPTY = /^[\p{Mark}\p{Cf}]/u;
const WIDE = new RegExp(
  "^[\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f" +
    "\\uff00-\\uff60\\uffe0-\\uffe6\\u{20000}-\\u{3fffd}]|^\\p{Emoji_Presentation}|\\ufe0f",
  "u",
);
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
/** Every control character but tab and line end. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;

/**
 * Makes text harmless for a terminal: a control character is shown as its picture (ESC as ␛) and cannot act.
 * Line ends and tabs stay.
 */
export function safeText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(CONTROLS, picture);
}

/** Like {@link safeText}, and all on one line. */
export function safeLine(text: string): string {
  return safeText(text.trim().replace(/\s+/g, " "));
}

function picture(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}

/** Columns that a text takes: East Asian wide characters and emoji two, combining marks none. */
export function widthOf(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  return graphemes(text).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0);
}

/** Cuts to at most `columns`, the last one being `…` when something was cut. */
export function cutTo(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const grapheme of graphemes(text)) {
    width += graphemeWidth(grapheme);
    if (width > columns - 1) break;
    kept += grapheme;
  }
  return columns > 0 ? kept.trimEnd() + "…" : "";
}

/** Fills with spaces up to `columns`, on the right or (numbers) on the left. */
export function padTo(text: string, columns: number, side: "left" | "right" = "left"): string {
  const gap = " ".repeat(Math.max(0, columns - widthOf(text)));
  return side === "left" ? text + gap : gap + text;
}

/** Breaks at spaces into lines of at most `columns`; a longer word stands alone on its line, uncut. */
export function wrap(text: string, columns: number): string[] {
  return fillLines(text.split(" "), " ", columns);
}

/** Joins parts by a gap into lines of at most `columns`, breaking only between parts. */
export function fillLines(parts: readonly string[], gap: string, columns: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const joined = last === undefined ? part : last + gap + part;
    if (last !== undefined && widthOf(joined) <= columns) lines[lines.length - 1] = joined;
    else lines.push(part);
  }
  return lines;
}

function graphemes(text: string): string[] {
  return Array.from(
    new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text),
    (it) => it.segment,
  );
}

function graphemeWidth(grapheme: string): number {
  if (EMPTY.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}
