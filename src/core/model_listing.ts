// What `hermes_models` answers (its wire shape), made from health and catalogue.
import type { Catalog } from "./catalog.ts";
import type { FreeBasis, Price } from "./free.ts";
import { type HealthStatus, plainHealth, type ProviderHealth } from "./health.ts";
import type { ModelFacts, ModelSource } from "./model_facts.ts";
import { canonicalProvider } from "./provider.ts";
import type { Capability } from "./task.ts";

/** Where a list of models came from; `capability-map` is the built-in one. */
export type ListSource = "cache" | "models_dev" | "capability-map" | "config";

/** What `hermes_models` answers. */
export interface HermesModelsResult {
  /** Always true: a refusal is thrown. */
  readonly ok: true;
  /** The one source of all lists shown, `mixed` for several, null when none is shown. */
  readonly source: ListSource | "mixed" | null;
  /** When the newest list shown was fetched, epoch seconds; null when unknown. */
  readonly fetched_at: number | null;
  /** Number of entries in `providers`. */
  readonly count: number;
  /** Usable ones first, then in the order of preference. */
  readonly providers: readonly ProviderListing[];
  /** What is missing, broken or old, with the next step. */
  readonly warnings: readonly string[];
}

/** One provider. */
export interface ProviderListing {
  /** Canonical id. */
  readonly provider: string;
  /** How it is now. */
  readonly status: HealthStatus;
  /** Why it is not plainly alive, and what helps. */
  readonly reason: string | null;
  /** ISO 8601 UTC; set while it rests. */
  readonly until: string | null;
  /** Present when it rests but may be tried once. */
  readonly forgiven?: true;
  /** Hermes' own word on the credential that decided. */
  readonly last_status: string | null;
  /** HTTP status of its last failure. */
  readonly last_error_code: number | null;
  /** When Hermes fetched the list, epoch seconds. */
  readonly fetched_at: number | null;
  /** Where its list of models comes from. */
  readonly source: ListSource | null;
  /** All models known. */
  readonly model_count: number;
  /** Models that pass the filters, shown or not. */
  readonly matching_count: number;
  /** Of those, how many are free. */
  readonly free_count: number;
  /** Of those, how many see images. */
  readonly image_count: number;
  /** Taken when none is named; null: one must be named. */
  readonly default_model: string | null;
  /** Origin and age of each kind of field; ages in seconds. */
  readonly sources: {
    /** The list itself. */
    readonly models: FieldOrigin;
    /** `input_types`, `capabilities`, `price`, `context`, `tool_call`. */
    readonly facts: FieldOrigin;
    /** `settings`, `registry`, `config`, `cache` or `models_dev`. */
    readonly default_model: { readonly from: string | null };
    /** Where its credentials are, in Hermes' words. */
    readonly status: { readonly from: readonly string[] };
  };
  /** The default first, then in the order of the list. */
  readonly models: readonly ModelListing[];
  /** True when more models pass the filters than are shown. */
  readonly truncated: boolean;
}

/** Where a kind of field comes from and how old it is. */
export interface FieldOrigin {
  /** Null: nowhere, all of it is unknown. */
  readonly from: string | null;
  /** Null: unknown, or it does not age. */
  readonly age_seconds: number | null;
}

/** One model. Null is unknown. */
export interface ModelListing {
  /** What `model` takes. */
  readonly id: string;
  /** What it can do. */
  readonly capabilities: readonly Capability[];
  /** What it reads: `text`, `image`, `pdf`, `audio`, `video`. */
  readonly input_types: readonly string[] | null;
  /** Taken when no model is named. */
  readonly is_default: boolean;
  /** Why it costs nothing; null when it is not known to be free. */
  readonly free: FreeBasis | null;
  /** US dollars per million tokens. */
  readonly price: Price | null;
  /** Context in tokens. */
  readonly context: number | null;
  /** Can it call tools, as Hermes needs? */
  readonly tool_call: boolean | null;
  /** Where the id comes from, when that is not where the provider's list comes from. */
  readonly source?: ListSource;
  /** The provider is about to withdraw it. */
  readonly deprecated?: true;
  /** This model alone rests until then. */
  readonly until?: string;
}

/** Which models to show. */
export interface ModelFilter {
  /** Canonical id; empty: all. */
  readonly provider: string;
  readonly inputType: string;
  readonly capability: Capability | "";
  readonly freeOnly: boolean;
  /** Most models per provider. */
  readonly limit: number;
}

/** What is known when the list is made. */
export interface ListingFacts {
  readonly health: ReadonlyMap<string, ProviderHealth>;
  /** False when a credential store could not be read. */
  readonly complete: boolean;
  readonly catalog: Catalog;
  readonly tiebreakOrder: readonly string[];
  readonly nowMs: number;
}

/**
 * Lists the providers that exist here, have a list, or stand in the order of preference: usable ones first. A provider
 * none of whose models passes the filters is left out, unless it was asked for.
 */
export function listProviders(
  filter: ModelFilter,
  facts: ListingFacts,
): Omit<HermesModelsResult, "ok" | "warnings"> {
  const ids = filter.provider ? [filter.provider] : idsToShow(facts);
  const filtered = filter.inputType !== "" || filter.capability !== "" || filter.freeOnly;
  const providers = ids.map((id) => providerListing(id, filter, facts))
    .filter((one) => filter.provider || !filtered || one.matching_count > 0)
    .toSorted(byUse(facts.tiebreakOrder.map(canonicalId)));
  const sources = new Set(providers.map((one) => one.source).filter((source) => source !== null));
  const times = providers.map((one) => one.fetched_at).filter((time) => time !== null);
  return {
    source: sources.size > 1 ? "mixed" : [...sources][0] ?? null,
    fetched_at: times.length > 0 ? Math.max(...times) : null,
    count: providers.length,
    providers,
  };
}

function idsToShow({ health, catalog, tiebreakOrder }: ListingFacts): string[] {
  return [...new Set([...health.keys(), ...catalog.providers, ...tiebreakOrder.map(canonicalId)])];
}

function canonicalId(name: string): string {
  return canonicalProvider(name)?.id ?? name;
}

function providerListing(id: string, filter: ModelFilter, facts: ListingFacts): ProviderListing {
  const { catalog, nowMs } = facts;
  const health = facts.health.get(id) ?? absentHealth(id, facts.complete);
  const origin = catalog.originOf(id);
  const all = catalog.modelsOf(id);
  const matching = all.filter((model) => passes(model, filter));
  const source = listSource(origin.models);
  return {
    provider: id,
    status: health.status,
    reason: health.reason,
    until: isoTime(health.untilMs),
    ...(health.forgiven ? { forgiven: true } : {}),
    last_status: health.lastStatus,
    last_error_code: health.lastErrorCode,
    fetched_at: origin.modelsAtMs === null ? null : Math.floor(origin.modelsAtMs / 1000),
    source,
    model_count: all.length,
    matching_count: matching.length,
    free_count: matching.filter((model) => model.free).length,
    image_count: matching.filter((model) => model.inputTypes?.includes("image")).length,
    default_model: catalog.defaultOf(id) ?? null,
    sources: {
      models: { from: source, age_seconds: ageSeconds(origin.modelsAtMs, nowMs) },
      facts: { from: factsFrom(all), age_seconds: ageSeconds(origin.factsAtMs, nowMs) },
      default_model: { from: origin.defaultFrom },
      status: { from: [...new Set(health.rows.map((row) => row.source).filter((from) => from !== null))] },
    },
    models: defaultFirst(matching).slice(0, filter.limit).map((model) => modelListing(model, source, health)),
    truncated: matching.length > filter.limit,
  };
}

/** A provider that nothing here speaks of. */
function absentHealth(id: string, complete: boolean): ProviderHealth {
  const facts = canonicalProvider(id);
  if (!complete) return plainHealth(id, "unknown", "the credential store cannot be read");
  if (facts?.auth === "other") return plainHealth(id, "unknown", "its login cannot be seen from here");
  const [variable] = facts?.keyVariables ?? [];
  return plainHealth(
    id,
    "unconfigured",
    variable ? `no key: set ${variable}` : `not signed in: run hermes auth add ${id}`,
  );
}

function passes(model: ModelFacts, { inputType, capability, freeOnly }: ModelFilter): boolean {
  const { inputTypes } = model;
  if (inputType && !(inputTypes ?? ["text"]).includes(inputType)) return false;
  if (capability && !model.capabilities.includes(capability)) return false;
  return !freeOnly || model.free !== undefined;
}

/** Hermes' order, but what is taken when none is named comes first, so that no limit hides it. */
function defaultFirst(models: readonly ModelFacts[]): ModelFacts[] {
  return models.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault));
}

function modelListing(model: ModelFacts, listedBy: ListSource | null, health: ProviderHealth): ModelListing {
  const source = listSource(model.source);
  const rest = health.modelRests.find((one) => one.model === model.id);
  return {
    id: model.id,
    capabilities: model.capabilities,
    input_types: model.inputTypes,
    is_default: model.isDefault,
    free: model.free ?? null,
    price: model.price,
    context: model.contextTokens,
    tool_call: model.toolCall,
    ...(source !== null && source !== listedBy ? { source } : {}),
    ...(model.deprecated ? { deprecated: true } : {}),
    ...(rest ? { until: isoTime(rest.untilMs)! } : {}),
  };
}

function listSource(source: ModelSource | null): ListSource | null {
  return source === "map" ? "capability-map" : source;
}

function factsFrom(models: readonly ModelFacts[]): string | null {
  const from = new Set(models.map((model) => model.factsFrom).filter((one) => one !== null));
  return from.has("models_dev") ? "models_dev" : from.has("map") ? "capability-map" : null;
}

function ageSeconds(atMs: number | null, nowMs: number): number | null {
  return atMs === null ? null : Math.max(0, Math.round((nowMs - atMs) / 1000));
}

function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

const USE: readonly HealthStatus[] = ["alive", "cooling", "unknown", "dead", "unconfigured"];

function byUse(order: readonly string[]): (a: ProviderListing, b: ProviderListing) => number {
  const place = (id: string) => order.includes(id) ? order.indexOf(id) : order.length;
  return (a, b) =>
    USE.indexOf(a.status) - USE.indexOf(b.status) || place(a.provider) - place(b.provider) ||
    (a.provider < b.provider ? -1 : 1);
}
