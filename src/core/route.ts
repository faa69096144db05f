// Which provider and model should answer, and why not the others? Three layers: alive, able, in order.
import { unservable } from "./capability.ts";
import type { Catalog } from "./catalog.ts";
import type { ErrorCode, Failure } from "./failure.ts";
import type { FreeBasis } from "./free.ts";
import type { ProviderHealth } from "./health.ts";
import { type Choice, chooseModel, type Chosen, type RouteRequest } from "./model_choice.ts";
import type { ModelFacts } from "./model_facts.ts";
import { nearest } from "./near.ts";
import { canonicalProvider, PROVIDERS } from "./provider.ts";
import type { PassedOverRecord } from "./record.ts";

/** A provider and model that may be tried. */
export interface Route {
  /** Canonical id. */
  readonly provider: string;
  readonly model: string;
  /** Why it stands where it stands. */
  readonly reason: string;
  readonly freeBasis: FreeBasis | null;
  readonly warnings: readonly string[];
}

/** The routes in the order in which they should be tried, and what is out. */
export interface RoutePlan {
  readonly routes: readonly Route[];
  readonly passedOver: readonly PassedOverRecord[];
  /** Set when there is no route at all. */
  readonly failure?: Failure;
}

/** What is known when the choice is made. */
export interface RouteFacts {
  readonly health: ReadonlyMap<string, ProviderHealth>;
  readonly catalog: Catalog;
  readonly tiebreakOrder: readonly string[];
}

/** Ranks the routes for a request. Never throws: without a route there is a `failure`. */
export function rankRoutes(request: RouteRequest, facts: RouteFacts): RoutePlan {
  const never = request.capabilityAsked && unservable(request.capability);
  if (never) return none("model_not_found", `${never}; ask for text, or use the provider's own tool for it`);
  if (request.provider !== "auto") return explicitRoute(request, facts);
  return automaticRoutes(request, facts);
}

function none(code: ErrorCode, detail: string, more: Omit<Failure, "code" | "detail"> = {}): RoutePlan {
  return { routes: [], passedOver: [], failure: { code, detail, ...more } };
}

// ---- A provider that the caller named: never replaced by another.

function explicitRoute(request: RouteRequest, facts: RouteFacts): RoutePlan {
  const id = resolveProvider(request.provider, facts.health);
  if (id === undefined) return unknownProvider(request.provider, facts.health);
  const health = facts.health.get(id);
  const unseen = !health && canonicalProvider(id)?.auth === "other";
  if (!unseen && (!health || health.status === "unconfigured")) return noCredential(id);
  const model = request.model || facts.catalog.defaultOf(id);
  if (!model) {
    return none("model_not_found", `"${id}" has no default model; name one: see hermes-task models ${id}`);
  }
  const refused = health && whyNotTried(health, model);
  if (refused) {
    return {
      ...none(refused.code, refused.detail, refused),
      passedOver: [passed(id, model, refused.detail, health.untilMs)],
    };
  }
  const listed = facts.catalog.find(id, model);
  const route: Route = {
    provider: id,
    model,
    reason: request.model ? "asked for" : "provider asked for, its default model",
    freeBasis: facts.catalog.freeBasisOf(id, model) ?? null,
    warnings: [
      ...health ? restWarning(health) : [`${id}: its login cannot be seen from here; Hermes will tell`],
      ...modelWarnings(id, model, listed, facts.catalog),
    ],
  };
  return { routes: [route], passedOver: [] };
}

/** The id under which a name is known: in the registry, or as a provider of the user's own. */
export function resolveProvider(
  name: string,
  health: ReadonlyMap<string, ProviderHealth>,
): string | undefined {
  const asked = name.trim().toLowerCase();
  const custom = `custom:${asked.replace(/^custom:/, "").replaceAll(" ", "-")}`;
  if (health.has(custom)) return custom;
  return canonicalProvider(asked)?.id ?? (health.has(asked) ? asked : undefined);
}

function unknownProvider(name: string, health: ReadonlyMap<string, ProviderHealth>): RoutePlan {
  const known = [...PROVIDERS.flatMap(({ id, aliases }) => [id, ...aliases]), ...health.keys()];
  return none(
    "provider_not_found",
    `No provider "${name}" is known; ${nearest(name, known) ?? "see hermes-task models"}`,
  );
}

function noCredential(id: string): RoutePlan {
  const [variable] = canonicalProvider(id)?.keyVariables ?? [];
  const how = variable
    ? `set ${variable} in Hermes' .env, or run: hermes auth add ${id}`
    : `run: hermes auth add ${id}`;
  return none("no_credential", `There is no key for "${id}"; ${how}`);
}

/** A provider that rests by its own word is not asked; one that rests by a guess is. */
function whyNotTried(health: ProviderHealth, model: string): Failure | undefined {
  if (health.status === "dead") {
    return {
      code: "auth_failed",
      detail:
        `The key of "${health.provider}" was refused (${health.reason}); run: hermes auth add ${health.provider}`,
    };
  }
  const modelRest = health.modelRests.find((rest) => rest.model === model);
  const untilMs = modelRest?.untilMs ??
    (health.status === "cooling" && health.ownWord && !health.forgiven ? health.untilMs : null);
  if (untilMs === null) return undefined;
  const until = new Date(untilMs).toISOString();
  return {
    code: "rate_limited",
    detail: `"${health.provider}" rests by its own word until ${until} (${
      health.reason ?? "limited"
    }); wait, or name another provider`,
    retryAtMs: untilMs,
  };
}

function restWarning(health: ProviderHealth): string[] {
  if (health.status !== "cooling") return [];
  return [
    `${health.provider} may still be resting (${
      health.reason ?? "limited"
    }); tried because that is only a guess`,
  ];
}

function modelWarnings(
  id: string,
  model: string,
  listed: ModelFacts | undefined,
  catalog: Catalog,
): string[] {
  const known = catalog.modelsOf(id).map((facts) => facts.id);
  if (!listed && catalog.originOf(id).models === "cache") {
    return [
      `${id} does not list a model "${model}": ${nearest(model, known) ?? `see hermes-task models ${id}`}`,
    ];
  }
  const price = listed?.price;
  if (listed && !listed.free && price) {
    return [`${id} · ${model} has a list price: $${price.input} in, $${price.output} out per million tokens`];
  }
  return catalog.freeBasisOf(id, model) ? [] : [`${id} · ${model}: its price is not known`];
}

// ---- Auto: every provider that exists here, and only what is known to be free.

function automaticRoutes(request: RouteRequest, facts: RouteFacts): RoutePlan {
  const passedOver: PassedOverRecord[] = [];
  const routes: (Route & { rank: readonly (number | string)[] })[] = [];
  for (const health of facts.health.values()) {
    const choice = chooseModel(health.provider, request, facts.catalog);
    const out = whyOut(health, choice);
    if (out !== undefined) {
      passedOver.push(passed(health.provider, choice.model ?? request.model, out, health.untilMs));
    } else routes.push({ ...routeOf(health, choice as Chosen), rank: rankOf(health, facts) });
  }
  routes.sort((a, b) => compare(a.rank, b.rank));
  if (routes.length > 0) return { routes: routes.map(({ rank: _rank, ...route }) => route), passedOver };
  return { routes: [], passedOver, failure: noRoute(request, facts) };
}

function whyOut(health: ProviderHealth, choice: Choice): string | undefined {
  if (health.status === "unconfigured") return health.reason ?? "no key";
  if (health.status === "dead") return health.reason ?? "key refused";
  if (health.status === "cooling" && !health.forgiven) return `rests: ${health.reason ?? "limited"}`;
  if (choice.freeBasis === undefined) return choice.why;
  return health.modelRests.some((rest) => rest.model === choice.model) ? "this model rests" : undefined;
}

function routeOf(health: ProviderHealth, choice: Chosen): Route {
  const state = health.status === "alive"
    ? "alive"
    : health.forgiven
    ? "rested for long, may be tried once"
    : health.status;
  return {
    provider: health.provider,
    model: choice.model,
    reason: `${state}, ${choice.why}, free (${choice.freeBasis})`,
    freeBasis: choice.freeBasis,
    warnings: [],
  };
}

/** Alive before forgiven before unknown; then the configured order; then by name. */
function rankOf(health: ProviderHealth, { tiebreakOrder }: RouteFacts): readonly (number | string)[] {
  const state = health.status === "alive" ? 0 : health.status === "unknown" ? 2 : 1;
  const place = tiebreakOrder.findIndex((name) => (canonicalProvider(name)?.id ?? name) === health.provider);
  return [state, place < 0 ? tiebreakOrder.length : place, health.provider];
}

function compare(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  const differs = a.findIndex((value, index) => value !== b[index]);
  if (differs < 0) return 0;
  return a[differs]! < b[differs]! ? -1 : 1;
}

function passed(provider: string, model: string, reason: string, untilMs: number | null): PassedOverRecord {
  return { provider, model, reason, until: untilMs === null ? null : new Date(untilMs).toISOString() };
}

function noRoute(request: RouteRequest, { health }: RouteFacts): Failure {
  const all = [...health.values()].filter(({ status }) => status !== "unconfigured");
  if (all.length === 0) {
    return {
      code: "no_credential",
      detail: "No provider has a key here; run: hermes setup, or hermes auth add gemini",
    };
  }
  const resting = all.filter(({ status, untilMs }) => status === "cooling" && untilMs !== null);
  if (resting.length > 0) {
    const retryAtMs = Math.min(...resting.map(({ untilMs }) => untilMs!));
    return {
      code: "all_exhausted",
      detail: `No provider is free to answer: all ${all.length} rest or are out (${
        all.map(({ provider }) => provider).join(", ")
      }); wait until ${new Date(retryAtMs).toISOString()}, or add a key: hermes auth add`,
      retryAtMs,
    };
  }
  if (request.model) {
    return {
      code: "model_not_found",
      detail:
        `No provider here offers "${request.model}" for free; name its provider: see hermes-task models`,
    };
  }
  if (all.every(({ status }) => status === "dead")) {
    return {
      code: "auth_failed",
      detail: `Every key here was refused (${
        all.map(({ provider }) => provider).join(", ")
      }); run: hermes auth add`,
    };
  }
  return {
    code: "model_not_found",
    detail:
      `No provider with a key has a free model for ${request.capability}; name a provider and model: see hermes-task models`,
  };
}
