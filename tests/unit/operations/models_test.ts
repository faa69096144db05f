import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { TaskError } from "../../../src/core/failure.ts";
import { inputSchema, parseArgs } from "../../../src/core/operation.ts";
import type { Caller } from "../../../src/core/record.ts";
import { type HermesModelsArgs, modelsOperation } from "../../../src/operations/models.ts";
import { entry, modelsDev, providerList } from "../../support/model_caches.ts";
import { NOW_MS, providerWorld, type ProviderWorldFacts } from "../../support/provider_world.ts";

const NOW = NOW_MS / 1000;
const LIST_AT = NOW - 7200;
const SAMPLE = await Deno.readTextFile(new URL("../../fixtures/auth/sample.json", import.meta.url));
const all = { modalities: { input: ["text", "image", "pdf", "audio", "video"], output: ["text"] } };

/** The sample store, a list for three providers, facts for some of their models. */
const FILES = {
  "/h/auth.json": SAMPLE,
  "/h/provider_models_cache.json": JSON.stringify(providerList(LIST_AT, {
    gemini: ["gemini-3.1-pro-preview", "gemini-3.1-flash-lite", "gemini-brand-new"],
    nvidia: ["nvidia/nemotron-3-ultra-550b-a55b", "z-ai/glm-5.2"],
    deepseek: ["deepseek-chat"],
  })),
  "/h/models_dev_cache.json": JSON.stringify(modelsDev({
    google: {
      "gemini-3.1-pro-preview": entry({
        ...all,
        cost: { input: 2, output: 12 },
        limit: { context: 1_000_000 },
      }),
      "gemini-3.1-flash-lite": entry({
        ...all,
        cost: { input: 0.1, output: 0.4 },
        limit: { context: 1_000_000 },
      }),
    },
    nvidia: {
      "z-ai/glm-5.2": entry({ status: "deprecated", modalities: { input: ["text"], output: ["text"] } }),
    },
  })),
};

function models(
  args: HermesModelsArgs = {},
  facts: ProviderWorldFacts = {},
  caller: Caller = { surface: "cli" },
) {
  const request = parseArgs(modelsOperation.input, args);
  return modelsOperation.run(providerWorld({ files: FILES, ...facts }), request, { caller });
}

async function refusedWith(args: HermesModelsArgs, facts: ProviderWorldFacts = {}, caller?: Caller) {
  return (await assertRejects(() => models(args, facts, caller), TaskError)).failure;
}

Deno.test("hermes_models answers in the shape of the original, and with more", async () => {
  const result = await models({ provider: "gemini", input_type: "pdf" });
  assertEquals(modelsOperation.output.safeParse(result).success, true);
  assertEquals(result, {
    ok: true,
    source: "cache",
    fetched_at: LIST_AT,
    count: 1,
    warnings: [],
    providers: [{
      provider: "gemini",
      status: "alive",
      reason: null,
      until: null,
      last_status: "ok",
      last_error_code: null,
      fetched_at: LIST_AT,
      source: "cache",
      model_count: 5,
      matching_count: 3,
      free_count: 2,
      image_count: 3,
      default_model: "gemini-3.1-flash-lite",
      sources: {
        models: { from: "cache", age_seconds: 7200 },
        facts: { from: "models_dev", age_seconds: 0 },
        default_model: { from: "registry" },
        status: { from: ["env:GOOGLE_API_KEY", "manual"] },
      },
      models: [
        {
          id: "gemini-3.1-flash-lite",
          capabilities: ["reasoning", "coding", "vision", "multimodal", "planning", "chat"],
          input_types: ["text", "image", "pdf", "audio", "video"],
          is_default: true,
          free: "free_tier",
          price: { input: 0.1, output: 0.4 },
          context: 1_000_000,
          tool_call: true,
        },
        {
          id: "gemini-3.1-pro-preview",
          capabilities: ["reasoning", "coding", "vision", "multimodal", "planning", "chat"],
          input_types: ["text", "image", "pdf", "audio", "video"],
          is_default: false,
          free: null,
          price: { input: 2, output: 12 },
          context: 1_000_000,
          tool_call: true,
        },
        {
          id: "gemini-3.5-flash-lite",
          capabilities: ["reasoning", "vision"],
          input_types: ["text", "image", "pdf"],
          is_default: false,
          free: "free_tier",
          price: null,
          context: null,
          tool_call: null,
          source: "capability-map",
        },
      ],
      truncated: false,
    }],
  });
});

Deno.test("hermes_models lists usable providers first, in the configured order, and says how the others are", async () => {
  const { providers, count, source } = await models();
  const words = providers.map((one) => `${one.provider} ${one.status}`);
  assertEquals(words, [
    "nvidia alive",
    "gemini alive",
    "custom:my-proxy alive",
    "nous alive",
    "openai-codex alive",
    "openrouter alive",
    "opencode-go cooling",
    "anthropic dead",
    "huggingface unconfigured",
    "kimi-coding unconfigured",
    "deepseek unconfigured",
    "opencode-zen unconfigured",
  ]);
  assertEquals([count, source], [12, "mixed"]);
  const by = Object.fromEntries(providers.map((one) => [one.provider, one]));
  assertEquals([by["opencode-go"]?.until, by["opencode-go"]?.forgiven, by["opencode-go"]?.reason], [
    "2026-08-05T09:00:00.000Z",
    true,
    "rate limited",
  ]);
  assertEquals(by.huggingface?.reason, "no key: set HF_TOKEN");
  assertEquals([by["opencode-zen"]?.source, by["opencode-zen"]?.default_model], [
    "capability-map",
    "deepseek-v4-flash-free",
  ]);
  assertEquals(by.nvidia?.default_model, "nvidia/nemotron-3-ultra-550b-a55b");
  assertEquals(by.nvidia?.models.map((model) => model.deprecated ?? false), [false, true]);
});

Deno.test("hermes_models takes aliases and echoes the canonical id", async () => {
  assertEquals((await models({ provider: "Google" })).providers[0]?.provider, "gemini");
  assertEquals((await models({ provider: "zen" })).providers[0]?.provider, "opencode-zen");
  assertEquals((await models({ provider: "my-proxy" })).providers[0]?.provider, "custom:my-proxy");
});

Deno.test("hermes_models names near providers for one that it does not know", async () => {
  const failure = await refusedWith({ provider: "gemni" });
  assertEquals([failure.code, (failure.extra?.near as string[])[0]], ["provider_not_found", "gemini"]);
  assertMatch(failure.detail, /^No provider "gemni" is known; did you mean "gemini"/);
  for (const provider of ["constructor", "__proto__", "../auth"]) {
    assertEquals((await refusedWith({ provider })).code, "provider_not_found");
  }
});

Deno.test("hermes_models lets a model of unknown inputs pass no filter but text", async () => {
  const shown = async (input_type: HermesModelsArgs["input_type"]) =>
    (await models({ provider: "gemini", input_type })).providers[0]?.models.map((model) => model.id);
  assertEquals((await shown("text"))?.includes("gemini-brand-new"), true);
  for (const type of ["image", "pdf", "audio", "video"] as const) {
    assertEquals((await shown(type))?.includes("gemini-brand-new"), false, type);
  }
  const [gemini] = (await models({ provider: "gemini" })).providers;
  assertEquals(gemini?.models.find((model) => model.id === "gemini-brand-new")?.input_types, null);
});

Deno.test("hermes_models filters by capability, price and number, and leaves out who has nothing left", async () => {
  const vision = await models({ capability: "vision" });
  assert(vision.providers.length > 0);
  for (const { models } of vision.providers) {
    for (const model of models) assert(model.capabilities.includes("vision"));
  }
  assertEquals(vision.providers.some((one) => one.provider === "deepseek"), false);
  const asked = await models({ capability: "vision", provider: "deepseek" });
  assertEquals([asked.count, asked.providers[0]?.models], [1, []]);
  const free = await models({ provider: "gemini", free_only: true });
  assertEquals(free.providers[0]?.models.every((model) => model.free !== null), true);
  assertEquals(free.providers[0]?.models.some((model) => model.id.includes("pro")), false);
  const [one] = (await models({ provider: "gemini", limit: 1 })).providers;
  assertEquals([one?.models.map((model) => model.id), one?.truncated, one?.model_count], [
    ["gemini-3.1-flash-lite"],
    true,
    5,
  ]);
  const synonym = await models({ capability: "reason", provider: "gemini" });
  assertEquals(synonym.providers, (await models({ capability: "reasoning", provider: "gemini" })).providers);
});

Deno.test("hermes_models refuses what it does not know, naming the argument", () => {
  const refused: [unknown, RegExp][] = [
    [{ limits: 5 }, /Unknown argument "limits"; did you mean "limit"/],
    [{ limit: 0 }, /"limit"/],
    [{ limit: "10" }, /"limit"/],
    [{ input_type: "smell" }, /"input_type"/],
    [{ capability: "constructor" }, /"capability"/],
  ];
  for (const [args, words] of refused) {
    assertMatch(assertThrows(() => parseArgs(modelsOperation.input, args), TaskError).failure.detail, words);
  }
});

Deno.test("hermes_models describes each argument, with one plain type each", () => {
  const { properties, required } = inputSchema(modelsOperation.input);
  assertEquals(Object.keys(properties), [
    "provider",
    "input_type",
    "capability",
    "free_only",
    "limit",
    "models_cache_path",
  ]);
  assertEquals(required ?? [], []);
  for (const [name, property] of Object.entries(properties)) {
    assertEquals([typeof property.type, (property.description ?? "").length > 10], ["string", true], name);
  }
});

Deno.test("hermes_models reads a cache for tool and command only inside the home or an allowed folder, links followed", async () => {
  const mcp: Caller = { surface: "mcp" };
  const list = JSON.stringify(providerList(NOW, { xai: ["named"] }));
  const files = {
    ...FILES,
    "/h/backup/list.json": list,
    "/etc/list.json": list,
    "/srv/lists/list.json": list,
    "/h-evil/l.json": list,
  };
  const settings = { readAllowlist: ["/srv/lists"] };
  const read = async (models_cache_path: string, links = {}) =>
    (await models({ provider: "xai", models_cache_path }, { files, settings, links }, mcp)).providers[0]
      ?.models[0]?.id;
  assertEquals(await read("/h/backup/list.json"), "named");
  assertEquals(await read("/srv/lists/list.json"), "named");
  for (const path of ["/etc/list.json", "/h-evil/l.json", "/nowhere.json"]) {
    const failure = await refusedWith({ models_cache_path: path }, { files, settings }, mcp);
    assertEquals(
      [failure.code, /outside the Hermes home/.test(failure.detail)],
      ["invalid_args", true],
      path,
    );
  }
  const links = { "/h/link.json": "/etc/list.json" };
  assertEquals(
    (await refusedWith({ models_cache_path: "/h/link.json" }, { files, links }, mcp)).code,
    "invalid_args",
  );
  assertEquals(
    (await models({ provider: "xai", models_cache_path: "/etc/list.json" }, { files }, { surface: "module" }))
      .providers[0]?.model_count,
    1,
  );
  const missing = await refusedWith({ models_cache_path: "/h/none.json" }, { files }, mcp);
  assertMatch(missing.detail, /"\/h\/none\.json" is no file/);
});
