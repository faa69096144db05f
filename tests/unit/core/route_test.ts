import { assertEquals, assertStringIncludes } from "@std/assert";
import { buildCatalog } from "../../../src/core/catalog.ts";
import { plainHealth, type ProviderHealth } from "../../../src/core/health.ts";
import type { RouteRequest } from "../../../src/core/model_choice.ts";
import { rankRoutes, type RouteFacts } from "../../../src/core/route.ts";
import { entry, modelsDev } from "../../support/model_caches.ts";

const ORDER = ["nvidia", "huggingface", "gemini", "kimi-coding"];
const UNTIL = Date.parse("2026-12-01T14:05:00Z");

const alive = (provider: string) => plainHealth(provider, "alive", null);
const cooling = (provider: string, more: Partial<ProviderHealth> = {}): ProviderHealth => ({
  ...plainHealth(provider, "cooling", "rate limited"),
  untilMs: UNTIL,
  ...more,
});

function facts(
  health: ProviderHealth[],
  lists: Record<string, string[]> = {},
  dev: Record<string, unknown> = {},
): RouteFacts {
  return {
    health: new Map(health.map((one) => [one.provider, one])),
    catalog: buildCatalog({
      lists: new Map(Object.entries(lists).map(([id, models]) => [id, { models, atMs: 0 }])),
      modelsDev: modelsDev(dev as Record<string, Record<string, unknown>>),
    }, { capabilityMap: {}, freeTier: { add: [], remove: [] } }),
    tiebreakOrder: ORDER,
  };
}

function request(more: Partial<RouteRequest> = {}): RouteRequest {
  return { provider: "auto", model: "", capability: "reasoning", capabilityAsked: false, ...more };
}

const taken = (plan: ReturnType<typeof rankRoutes>) =>
  plan.routes.map(({ provider, model }) => `${provider} ${model}`);

Deno.test("rankRoutes() puts the configured order first, the others after it by name", () => {
  const plan = rankRoutes(
    request(),
    facts([alive("openrouter"), alive("opencode-zen"), alive("gemini"), alive("nvidia")], {
      nvidia: ["acme/think"],
    }, {
      nvidia: { "acme/think": entry() },
    }),
  );
  assertEquals(plan.routes.map(({ provider }) => provider), [
    "nvidia",
    "gemini",
    "opencode-zen",
    "openrouter",
  ]);
  assertEquals(plan.routes[1]!.model, "gemini-3.1-flash-lite");
});

Deno.test("rankRoutes() finds a model of their own for nvidia, huggingface and kimi-coding", () => {
  const plan = rankRoutes(
    request(),
    facts([alive("nvidia"), alive("huggingface")], { nvidia: ["n/one"], huggingface: ["h/one"] }, {
      nvidia: { "n/one": entry() },
      huggingface: { "h/one": entry() },
    }),
  );
  assertEquals(taken(plan), ["nvidia n/one", "huggingface h/one"]);
});

Deno.test("[F-ORIG-8] rankRoutes() never gives a provider another's model", () => {
  const plan = rankRoutes(request({ provider: "nvidia" }), facts([alive("nvidia")]));
  assertEquals(plan.failure?.code, "model_not_found");
  assertStringIncludes(plan.failure!.detail, "hermes-task models nvidia");
});

Deno.test("rankRoutes() passes over what rests, and says until when", () => {
  const plan = rankRoutes(request(), facts([cooling("gemini"), alive("opencode-zen")]));
  assertEquals(taken(plan), ["opencode-zen deepseek-v4-flash-free"]);
  assertEquals(plan.passedOver, [{
    provider: "gemini",
    model: "gemini-3.1-flash-lite",
    reason: "rests: rate limited",
    until: "2026-12-01T14:05:00.000Z",
  }]);
});

Deno.test("rankRoutes() ranks a forgiven provider after every alive one", () => {
  const plan = rankRoutes(
    request(),
    facts([cooling("gemini", { forgiven: true, ownWord: true }), alive("opencode-zen")]),
  );
  assertEquals(plan.routes.map(({ provider }) => provider), ["opencode-zen", "gemini"]);
});

Deno.test("rankRoutes() says when the first of several resting providers is back", () => {
  const plan = rankRoutes(
    request(),
    facts([
      cooling("gemini"),
      cooling("nvidia", { untilMs: UNTIL - 1000 }),
      plainHealth("zai", "dead", "key refused"),
    ]),
  );
  assertEquals([plan.failure?.code, plan.failure?.retryAtMs], ["all_exhausted", UNTIL - 1000]);
});

Deno.test("[F-ORIG-3] rankRoutes() never takes a dead key", () => {
  const dead = plainHealth("gemini", "dead", "key refused");
  assertEquals(rankRoutes(request(), facts([dead])).failure?.code, "auth_failed");
  assertEquals(rankRoutes(request({ provider: "gemini" }), facts([dead])).failure?.code, "auth_failed");
});

Deno.test("rankRoutes() knows the difference between no key and no provider", () => {
  assertEquals(rankRoutes(request({ provider: "gemini" }), facts([])).failure?.code, "no_credential");
  assertStringIncludes(
    rankRoutes(request({ provider: "gemini" }), facts([])).failure!.detail,
    "GOOGLE_API_KEY",
  );
  const unknown = rankRoutes(request({ provider: "gemni" }), facts([])).failure;
  assertEquals(unknown?.code, "provider_not_found");
  assertStringIncludes(unknown!.detail, '"gemini"');
  assertEquals(rankRoutes(request(), facts([])).failure?.code, "no_credential");
});

Deno.test("rankRoutes() starts nothing for a provider that rests by its own word, and tries one that rests by a guess", () => {
  const own = rankRoutes(request({ provider: "gemini" }), facts([cooling("gemini", { ownWord: true })]));
  assertEquals([own.failure?.code, own.failure?.retryAtMs], ["rate_limited", UNTIL]);
  const guess = rankRoutes(request({ provider: "google" }), facts([cooling("gemini")]));
  assertEquals(taken(guess), ["gemini gemini-3.1-flash-lite"]);
  assertStringIncludes(guess.routes[0]!.warnings[0]!, "only a guess");
});

Deno.test("[P4] rankRoutes() takes only free models by itself", () => {
  const paid = { deepseek: { "deepseek-chat": entry({ cost: { input: 0.3, output: 1.2 } }) } };
  const plan = rankRoutes(request(), facts([alive("deepseek")], { deepseek: ["deepseek-chat"] }, paid));
  assertEquals(plan.routes, []);
  assertEquals(plan.passedOver[0]?.reason, "not known to be free");
});

Deno.test("rankRoutes() warns of a list price when the caller names the model", () => {
  const paid = { deepseek: { "deepseek-chat": entry({ cost: { input: 0.3, output: 1.2 } }) } };
  const plan = rankRoutes(
    request({ provider: "deepseek", model: "deepseek-chat" }),
    facts([alive("deepseek")], { deepseek: ["deepseek-chat"] }, paid),
  );
  assertStringIncludes(plan.routes[0]!.warnings[0]!, "$0.3 in, $1.2 out");
});

Deno.test("rankRoutes() offers a near name for a model that is not listed, and tries it all the same", () => {
  const plan = rankRoutes(
    request({ provider: "gemini", model: "gemini-3.1-flash-lit" }),
    facts([alive("gemini")], { gemini: ["gemini-3.1-flash-lite"] }),
  );
  assertEquals(taken(plan), ["gemini gemini-3.1-flash-lit"]);
  assertStringIncludes(plan.routes[0]!.warnings[0]!, '"gemini-3.1-flash-lite"');
});

Deno.test("rankRoutes() has no chat model for an asked image generation, but ignores the word in a prompt", () => {
  const asked = rankRoutes(
    request({ capability: "image-gen", capabilityAsked: true }),
    facts([alive("gemini")]),
  );
  assertEquals(asked.failure?.code, "model_not_found");
});

Deno.test("rankRoutes() takes for vision only a model that is known to see", () => {
  const dev = {
    opencode: {
      "blind-free": entry(),
      "sees-free": entry({ modalities: { input: ["text", "image"], output: ["text"] } }),
    },
  };
  const plan = rankRoutes(
    request({ capability: "vision" }),
    facts([alive("opencode-zen")], { "opencode-zen": ["blind-free", "sees-free"] }, dev),
  );
  assertEquals(taken(plan), ["opencode-zen sees-free"]);
});

Deno.test("rankRoutes() finds a provider of the user's own by its bare name", () => {
  const plan = rankRoutes(request({ provider: "My Proxy", model: "m" }), facts([alive("custom:my-proxy")]));
  assertEquals(taken(plan), ["custom:my-proxy m"]);
});

Deno.test("rankRoutes() takes a capability told from the prompt for a wish, an asked one for a need", () => {
  const dev = { nvidia: { "n/blind": entry() } };
  const known = facts([alive("nvidia")], { nvidia: ["n/blind"] }, dev);
  assertEquals(taken(rankRoutes(request({ capability: "vision" }), known)), ["nvidia n/blind"]);
  const asked = rankRoutes(request({ capability: "vision", capabilityAsked: true }), known);
  assertEquals([asked.failure?.code, asked.passedOver[0]?.reason], ["model_not_found", "no image input"]);
});

Deno.test("rankRoutes() lets Hermes tell where a login cannot be seen", () => {
  const plan = rankRoutes(request({ provider: "bedrock", model: "m" }), facts([]));
  assertEquals(taken(plan), ["bedrock m"]);
  assertStringIncludes(plan.routes[0]!.warnings[0]!, "cannot be seen");
});

Deno.test("rankRoutes() misses the key before it misses a default model", () => {
  const { failure } = rankRoutes(request({ provider: "nvidia" }), facts([]));
  assertEquals(failure?.code, "no_credential");
  assertStringIncludes(failure!.detail, "NVIDIA_API_KEY");
});
