// Which colour carries which meaning, and how a line of coloured pieces becomes text.

/** green works, yellow rests, red is broken, dim is detail. */
export type Tone = "green" | "yellow" | "red" | "dim" | "plain";

/** A piece of text with its meaning. */
export interface Piece {
  readonly text: string;
  readonly tone: Tone;
}

/** How a screen is to be drawn. */
export interface Look {
  readonly columns: number;
  readonly colour: boolean;
  /** The present, epoch milliseconds: for "in 12 min". */
  readonly nowMs: number;
}

const CODES: Readonly<Record<Tone, string>> = { green: "32", yellow: "33", red: "31", dim: "2", plain: "" };

/** Colours a text, if colour is wanted. The text must be harmless already. */
export function paint(text: string, tone: Tone, colour: boolean): string {
  return colour && tone !== "plain" && text !== "" ? `\x1b[${CODES[tone]}m${text}\x1b[0m` : text;
}
