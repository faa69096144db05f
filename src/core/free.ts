// Does a model cost nothing, and by what right do we say so? The free quotas are data, with their source and date.
import type { ModelPair } from "./capability.ts";
import { canonicalProvider } from "./provider.ts";

/** Listed at 0 · an id that providers give to free models only · inside a provider's free quota. */
export type FreeBasis = "zero_price" | "free_id" | "free_tier";

/** US dollars per million tokens. */
export interface Price {
  /** Of what it reads. */
  readonly input: number;
  /** Of what it writes. */
  readonly output: number;
}

/** What the setting `freeTier` adds and removes: `provider/model`, `*` for any part of a name. */
export interface FreeTierSetting {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

interface Quota {
  readonly pair: string;
  readonly source: string;
  readonly date: string;
}

/** Models with a list price that are free within their provider's quota. Past it the provider refuses, it does not bill. */
export const FREE_TIERS: readonly Quota[] = [
  {
    pair: "gemini/gemini-*flash*",
    source: "free quota of a Google AI Studio key: flash and flash-lite, 500 requests a day",
    date: "2026-08-11",
  },
  {
    pair: "nvidia/*",
    source: "Hermes 0.19 documentation: build.nvidia.com gives a free API key",
    date: "2026-08-02",
  },
  { pair: "huggingface/*", source: "Hermes 0.19 documentation: a small monthly credit", date: "2026-08-02" },
];

/**
 * Its price facts are those of a subscription, while its keys pay by the token: a listed 0 says nothing there
 * (Hermes 0.19 maps it to models.dev's `kimi-for-coding`).
 */
const LISTED_BY_SUBSCRIPTION: ReadonlySet<string> = new Set(["kimi-coding-cn"]);

/**
 * Why a model is free; undefined when it is not known to be. A missing price is never free. What the user removed is
 * not free for any reason.
 */
export function freeBasis(
  provider: string,
  model: string,
  facts: { readonly price: Price | null },
  freeTier: FreeTierSetting,
): FreeBasis | undefined {
  const inAny = (patterns: readonly string[]) =>
    patterns.some((pattern) => matchesPair(pattern, provider, model));
  if (inAny(freeTier.remove)) return undefined;
  const { price } = facts;
  if (price && price.input === 0 && price.output === 0 && !LISTED_BY_SUBSCRIPTION.has(provider)) {
    return "zero_price";
  }
  if (/(?::|-)free$/i.test(model)) return "free_id";
  if (inAny(freeTier.add)) return "free_tier";
  return FREE_TIERS.some(({ pair }) => matchesPair(pair, provider, model)) ? "free_tier" : undefined;
}

/** Splits `provider/model` at the first slash; an alias becomes its canonical id. Undefined without both. */
export function parsePair(text: string): ModelPair | undefined {
  const slash = text.indexOf("/");
  const name = text.slice(0, slash).trim();
  const model = text.slice(slash + 1).trim();
  if (slash < 0 || !name || !model) return undefined;
  return { provider: canonicalProvider(name)?.id ?? name, model };
}

function matchesPair(pattern: string, provider: string, model: string): boolean {
  const pair = parsePair(pattern);
  return pair?.provider === provider && matches(pair.model, model);
}

/** `*` stands for any text, also none. */
function matches(pattern: string, text: string): boolean {
  const [first, ...others] = pattern.split("*");
  if (!text.startsWith(first!)) return false;
  const last = others.pop();
  if (last === undefined) return text === first;
  let at = first!.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
