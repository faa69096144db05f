// What did a run roughly cost when all that is known of it is its number of model calls? Only for records of the
// original server, which kept no tokens; its own rates, in USD per 1,000 calls.

const BY_MODEL: Readonly<Record<string, number>> = {
  "gemini-3.1-flash-lite": 0.05,
  "gemini-2.5-flash-lite": 0.05,
  "gemini-2.5-flash": 0.08,
  "gemini-2.5-pro": 0.6,
  "gemini-2.0-flash": 0.08,
};

const BY_PROVIDER: Readonly<Record<string, number>> = {
  gemini: 0.1,
  opencode: 0.02,
  "opencode-zen": 0.02,
  openai: 0.3,
  anthropic: 0.6,
};

const OTHER = 0.05;

/** Names the origin of such a figure in a record's usage. */
export const PER_CALL_ESTIMATE = "per_call_estimate";

/** Estimates the cost in USD; null when not even the calls are known. */
export function estimateByCalls(
  provider: string | null,
  model: string | null,
  calls: number | null,
): number | null {
  if (calls === null) return null;
  const rate = rateIn(BY_MODEL, model) ?? rateIn(BY_PROVIDER, provider) ?? OTHER;
  return Number((calls * rate / 1000).toFixed(8));
}

function rateIn(rates: Readonly<Record<string, number>>, name: string | null): number | undefined {
  return name !== null && Object.hasOwn(rates, name) ? rates[name] : undefined;
}
