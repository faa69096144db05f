// A data table, made by scripts/opening.ts: the opening of a connection, word for word as the SDK would give it.
import type { OpeningConstants } from "./opening.ts";

/** Answers to `initialize` and `tools/list`. */
export const OPENING: OpeningConstants = { versions: [], initialize: {}, tools: {} };
