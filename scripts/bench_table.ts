// What does the bench say of one figure, and how does its table look?

/** One line of the table. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  readonly yardstick: string;
  readonly ratio: string;
  readonly limit: string;
  readonly verdict: "met" | "missed" | "shown" | "skipped";
}

/** A figure with its unit. */
export interface Figure {
  readonly value: number;
  readonly unit: "ms" | "MB";
}

/** What is measured on the same work in the same run. */
export interface Yardstick extends Figure {
  readonly name: string;
}

/** What one line is made from. */
export interface Measurement extends Figure {
  readonly what: string;
  readonly yardstick?: Yardstick;
  /** Stands where the yardstick would. */
  readonly note?: string;
  /** How often the yardstick, or what figure, it may be at most; without one the figure is only shown. */
  readonly limit?: { readonly ratio: number } | { readonly value: number };
}

/** Judges one measurement. */
export function rowOf(measurement: Measurement): Row {
  const { what, value, unit, yardstick, note, limit } = measurement;
  const ratio = yardstick ? value / yardstick.value : undefined;
  return {
    what,
    measured: showFigure(measurement),
    yardstick: yardstick ? `${showFigure(yardstick)} ${yardstick.name}` : note ?? "–",
    ratio: ratio === undefined ? "–" : ratio.toFixed(3),
    limit: limit ? showLimit(limit, unit) : "–",
    verdict: limit ? isMet(limit, value, ratio) ? "met" : "missed" : "shown",
  };
}

/** A line for what cannot be measured here. */
export function skippedRow(what: string, reason: string): Row {
  return { what, measured: "–", yardstick: reason, ratio: "–", limit: "–", verdict: "skipped" };
}

/** The middle one of some figures. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) throw new Error("No median of nothing");
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The table as text, its columns as wide as they need to be. */
export function showTable(rows: readonly Row[]): string {
  const head = ["WHAT", "MEASURED", "YARDSTICK", "RATIO", "LIMIT", "VERDICT"];
  const cells = rows.map((row) => [
    row.what,
    row.measured,
    row.yardstick,
    row.ratio,
    row.limit,
    row.verdict,
  ]);
  const widths = head.map((title, at) => Math.max(title.length, ...cells.map((line) => line[at]!.length)));
  const show = (line: readonly string[]) =>
    line.map((cell, at) => cell.padEnd(widths[at]!)).join("  ").trimEnd();
  return [head, ...cells].map(show).join("\n");
}

function isMet(limit: NonNullable<Measurement["limit"]>, value: number, ratio: number | undefined): boolean {
  if ("value" in limit) return value <= limit.value;
  if (ratio === undefined) throw new Error("A limit that is a ratio needs a yardstick");
  return ratio <= limit.ratio;
}

function showLimit(limit: NonNullable<Measurement["limit"]>, unit: Figure["unit"]): string {
  return "ratio" in limit ? `≤ ${limit.ratio}` : `≤ ${showFigure({ value: limit.value, unit })}`;
}

/** A figure as people read it. */
export function showFigure({ value, unit }: Figure): string {
  if (unit === "ms" && value >= 1000) return `${(value / 1000).toFixed(value % 1000 === 0 ? 0 : 2)} s`;
  return `${Number.isInteger(value) || value >= 100 ? value.toFixed(0) : value.toFixed(1)} ${unit}`;
}
