// Which models does each provider have, what can they do, and which one is taken when none is named? What Hermes knows
// wins, our own map is the last resort; each provider's list and facts have an origin and an age.
import { CAPABILITIES, type ModelPair } from "./capability.ts";
import { buildPairMap, type PairMap } from "./capability_map.ts";
import { type FreeBasis, freeBasis, type FreeTierSetting } from "./free.ts";
import { capabilitiesOf, entryFacts, type ModelFacts, type ModelSource, unfit } from "./model_facts.ts";
import { type Fields, type ModelsDev, openModelsDev } from "./models_dev.ts";
import { PROVIDERS } from "./provider.ts";
import type { Settings } from "./settings.ts";
import type { Capability } from "./task.ts";

/** Everything known about models. Each provider is worked out when first asked for. */
export interface Catalog {
  /** Providers that Hermes' list, the map or the configuration names, in that order. */
  readonly providers: readonly string[];
  /** All its models, in Hermes' order (curated first); `[]` for an unknown provider. */
  modelsOf(provider: string): readonly ModelFacts[];
  /** One model, also one that is on no list but known to models.dev. */
  find(provider: string, model: string): ModelFacts | undefined;
  /** By what right a model counts as free, also one that is on no list. */
  freeBasisOf(provider: string, model: string): FreeBasis | undefined;
  /** The model when none is named. */
  defaultOf(provider: string): string | undefined;
  /** Known pairs for a capability, in order; the setting `capabilityMap` replaces ours. */
  pairs(capability: Capability): readonly ModelPair[];
  originOf(provider: string): Origin;
  /** What is wrong, missing or old, with the next step. */
  readonly warnings: readonly string[];
}

/** Where the facts about a provider come from, and when they were written. Null is unknown or nowhere. */
export interface Origin {
  readonly models: ModelSource | null;
  readonly modelsAtMs: number | null;
  readonly factsAtMs: number | null;
  readonly defaultFrom: "settings" | "registry" | "config" | "cache" | "models_dev" | null;
}

/** What was read. */
export interface CatalogSources {
  /** Hermes' list of models by provider. */
  readonly lists: ReadonlyMap<string, ModelList>;
  /** The models.dev catalogue as it stands in Hermes' cache. */
  readonly modelsDev?: Fields;
  readonly modelsDevAtMs?: number;
  /** Models that the user's configuration names for its own providers. */
  readonly configured?: readonly ModelPair[];
  readonly warnings?: readonly string[];
}

/** One provider's models in Hermes' list. */
export interface ModelList {
  readonly models: readonly string[];
  readonly atMs: number | null;
}

/** Puts the sources together. Cheap: providers are worked out when asked for. */
export function buildCatalog(
  sources: CatalogSources,
  settings: Pick<Settings, "capabilityMap" | "freeTier">,
): Catalog {
  const map = buildPairMap(settings.capabilityMap);
  const context: Context = {
    sources,
    freeTier: settings.freeTier,
    map,
    modelsDev: openModelsDev(sources.modelsDev),
  };
  const known = new Map<string, Listing>();
  const listing = (provider: string): Listing => {
    const there = known.get(provider) ?? listProvider(provider, context);
    known.set(provider, there);
    return there;
  };
  const find = (provider: string, model: string) =>
    listing(provider).models.find(({ id }) => id === model) ?? unlisted(provider, model, context);
  return {
    providers: [
      ...new Set([
        ...sources.lists.keys(),
        ...CAPABILITIES.flatMap((capability) => map.pairs(capability).map((pair) => pair.provider)),
        ...(sources.configured ?? []).map((pair) => pair.provider),
      ]),
    ],
    modelsOf: (provider) => listing(provider).models,
    find,
    freeBasisOf: (provider, model) =>
      find(provider, model)?.free ?? freeBasis(provider, model, { price: null }, settings.freeTier),
    defaultOf: (provider) => listing(provider).defaultModel,
    pairs: map.pairs,
    originOf: (provider) => listing(provider).origin,
    warnings: [...sources.warnings ?? [], ...map.problems],
  };
}

interface Context {
  readonly sources: CatalogSources;
  readonly freeTier: FreeTierSetting;
  readonly map: PairMap;
  readonly modelsDev: ModelsDev;
}

interface Listing {
  readonly models: readonly ModelFacts[];
  readonly defaultModel: string | undefined;
  readonly origin: Origin;
}

function listProvider(provider: string, context: Context): Listing {
  const { modelsDevAtMs = null } = context.sources;
  const models = [...idsOf(provider, context)].map(([id, source]) =>
    modelFacts(provider, id, source, context)
  );
  const { model: defaultModel, from } = defaultAmong(provider, models, context);
  const source = models[0]?.source ?? null;
  const listAtMs = context.sources.lists.get(provider)?.atMs ?? null;
  return {
    models: models.map((model) => model.id === defaultModel ? { ...model, isDefault: true } : model),
    defaultModel,
    origin: {
      models: source,
      modelsAtMs: source === "cache" ? listAtMs : source === "models_dev" ? modelsDevAtMs : null,
      factsAtMs: models.some((model) => model.factsFrom === "models_dev") ? modelsDevAtMs : null,
      defaultFrom: from,
    },
  };
}

/** Hermes' list, or models.dev's where there is none; then what the user and we know besides. */
function idsOf(provider: string, context: Context): ReadonlyMap<string, ModelSource> {
  const listed = context.sources.lists.get(provider)?.models ?? [];
  const ids = new Map<string, ModelSource>();
  const add = (source: ModelSource, models: readonly string[]) => {
    for (const id of models) if (!ids.has(id)) ids.set(id, source);
  };
  if (listed.length > 0) add("cache", listed);
  else add("models_dev", context.modelsDev.idsOf(provider));
  add("config", modelsIn(context.sources.configured ?? [], provider));
  add("map", CAPABILITIES.flatMap((capability) => modelsIn(context.map.pairs(capability), provider)));
  add("map", [registeredDefault(provider)].filter((id) => id !== undefined));
  return ids;
}

/** The user's word, then the registry's, then the first free model that can do Hermes' work. */
function defaultAmong(
  provider: string,
  models: readonly ModelFacts[],
  { sources, map }: Context,
): { model: string | undefined; from: Origin["defaultFrom"] } {
  const wished = modelsIn(map.chosenPairs("reasoning"), provider)[0];
  if (wished) return { model: wished, from: "settings" };
  const registered = registeredDefault(provider);
  if (registered) return { model: registered, from: "registry" };
  const configured = modelsIn(sources.configured ?? [], provider)[0];
  if (configured) return { model: configured, from: "config" };
  for (const model of models) {
    const { id, source, free } = model;
    if ((source === "cache" || source === "models_dev") && free && !unfit(model, "chat")) {
      return { model: id, from: source };
    }
  }
  return { model: undefined, from: null };
}

function registeredDefault(provider: string): string | undefined {
  return PROVIDERS.find((facts) => facts.id === provider)?.defaultModel;
}

function modelsIn(pairs: readonly ModelPair[], provider: string): string[] {
  return pairs.filter((pair) => pair.provider === provider).map((pair) => pair.model);
}

function unlisted(provider: string, model: string, context: Context): ModelFacts | undefined {
  const facts = modelFacts(provider, model, "models_dev", context);
  return facts.factsFrom === "models_dev" ? facts : undefined;
}

function modelFacts(
  provider: string,
  id: string,
  source: ModelSource,
  context: Context,
): ModelFacts {
  const found = context.modelsDev.entryOf(provider, id);
  const facts = entryFacts(id, found?.entry);
  // The same model elsewhere has the same abilities, but not the same price.
  const price = found?.own ? facts.price : null;
  // The user's own map always counts, ours only where nothing else is known.
  const mapped = context.map.standsFor({ provider, model: id }, found ? "chosen" : "all");
  const own = found ? capabilitiesOf(facts) : mapped.length === 0 && facts.chat ? ["chat" as const] : [];
  const { outputTypes: _, ...rest } = facts;
  return {
    ...rest,
    provider,
    id,
    source,
    factsFrom: found ? "models_dev" : mapped.length > 0 ? "map" : null,
    inputTypes: found ? facts.inputTypes : source === "map" ? inputsFromMap(mapped) : null,
    price,
    free: freeBasis(provider, id, { price }, context.freeTier),
    capabilities: merged(own, mapped),
    isDefault: false,
  };
}

/** Both lists, in the usual order. */
function merged(own: readonly Capability[], mapped: readonly Capability[]): readonly Capability[] {
  if (mapped.length === 0) return own;
  return CAPABILITIES.filter((capability) => own.includes(capability) || mapped.includes(capability));
}

/** The original's table. */
function inputsFromMap(capabilities: readonly Capability[]): string[] {
  const inputs = ["text"];
  if (capabilities.includes("vision")) inputs.push("image", "pdf");
  if (capabilities.includes("multimodal")) inputs.push("image", "audio", "video");
  return [...new Set(inputs)];
}
