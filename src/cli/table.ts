// How rows of cells become aligned lines that fit the terminal.
import { type Look, paint, type Tone } from "./paint.ts";
import { cutTo, padTo, safeLine, widthOf } from "./text.ts";

/** One cell; a plain string has no tone. */
export type Cell = string | { readonly text: string; readonly tone: Tone };

/** One column of a table. */
export interface Column {
  /** Heading; a table whose headings are all empty has no heading line. */
  readonly title: string;
  /** Numbers stand at the right. */
  readonly align?: "left" | "right";
  /** May be cut when the table is too wide; without it the column keeps its width. */
  readonly flexible?: boolean;
}

const GAP = 2;
const NARROWEST = 8;

/**
 * Draws a table no wider than the terminal, as far as its flexible columns allow. The last cell of a row with fewer
 * cells than columns runs on over the columns that it leaves out.
 */
export function showTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  look: Look,
): string[] {
  const texts = rows.map((row) => row.map((cell) => safeLine(textOf(cell))));
  const widths = fit(columns, texts, look.columns);
  const lines = texts.map((row, at) => drawRow(columns, widths, row, rows[at]!, look));
  if (columns.every((column) => column.title === "")) return lines;
  const heading = drawRow(columns, widths, columns.map((column) => column.title), [], look);
  return [paint(heading, "dim", look.colour), ...lines];
}

function textOf(cell: Cell): string {
  return typeof cell === "string" ? cell : cell.text;
}

function fit(columns: readonly Column[], rows: readonly (readonly string[])[], room: number): number[] {
  const widths = columns.map((column, at) =>
    rows.reduce(
      (most, row) => runsOn(row, at, columns) ? most : Math.max(most, widthOf(row[at] ?? "")),
      widthOf(column.title),
    )
  );
  const flexible = columns.flatMap((column, at) => column.flexible ? [at] : []);
  let over = widths.reduce((sum, width) => sum + width, 0) + GAP * (columns.length - 1) - room;
  while (over > 0) {
    const widest = flexible.reduce(
      (best, at) => widths[at]! > (widths[best] ?? 0) ? at : best,
      flexible[0] ?? -1,
    );
    if (widest < 0 || widths[widest]! <= NARROWEST) break;
    widths[widest]!--;
    over--;
  }
  return widths;
}

function drawRow(
  columns: readonly Column[],
  widths: readonly number[],
  texts: readonly string[],
  cells: readonly Cell[],
  look: Look,
): string {
  const drawn = texts.map((text, at) => {
    const width = runsOn(texts, at, columns) ? look.columns - widthBefore(widths, at) : widths[at]!;
    const cut = cutTo(text, width);
    const last = at === texts.length - 1 && columns[at]!.align !== "right";
    const cell = cells[at];
    const padded = last ? cut : padTo(cut, width, columns[at]!.align);
    return typeof cell === "object" ? paint(padded, cell.tone, look.colour) : padded;
  });
  return drawn.join(" ".repeat(GAP)).trimEnd();
}

function runsOn(row: readonly string[], at: number, columns: readonly Column[]): boolean {
  return at === row.length - 1 && row.length < columns.length;
}

function widthBefore(widths: readonly number[], at: number): number {
  return widths.slice(0, at).reduce((sum, width) => sum + width + GAP, 0);
}
