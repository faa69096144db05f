// How states and errors are called before people.
import type { Tone } from "./paint.ts";

/** A sign, its colour, and words. */
export interface Said {
  readonly sign: string;
  readonly tone: Tone;
  readonly words: string;
}

const ERROR_WORDS: Readonly<Record<string, string>> = {
  auth_failed: "key refused",
  no_credential: "no key",
  no_credit: "out of credit",
  hermes_failed: "Hermes failed",
  paid_model: "costs money",
  provider_drift: "another model answered",
  spawn_failed: "Hermes did not start",
};

/** An error code in words: `rate_limited` is `rate limited`. */
export function errorWords(code: string): string {
  return ERROR_WORDS[code] ?? code.replaceAll("_", " ");
}

/** A task's state with its sign. */
export function stateWords(status: string): Said {
  if (status === "succeeded") return { sign: "✓", tone: "green", words: "answered" };
  if (status === "queued" || status === "running") return { sign: "◐", tone: "yellow", words: status };
  return { sign: "✗", tone: "red", words: status.replaceAll("_", " ") };
}
