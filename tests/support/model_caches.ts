// Model caches as Hermes writes them, made from a few words.

/** A models.dev entry; what is not given is as for a usual chat model. */
export function entry(more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    reasoning: true,
    tool_call: true,
    attachment: false,
    modalities: { input: ["text"], output: ["text"] },
    limit: { context: 200_000, output: 8192 },
    ...more,
  };
}

/** `models_dev_cache.json` with the given models by provider of models.dev. */
export function modelsDev(providers: Record<string, Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(providers).map(([id, models]) => [id, { id, name: id, env: [], models }]),
  );
}

/** `provider_models_cache.json`, each list written at `at` (epoch seconds). */
export function providerList(
  at: number,
  providers: Record<string, readonly string[]>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(providers).map(([id, models]) => [id, { fp: "0123456789abcdef", at, models }]),
  );
}
