import { assertEquals } from "@std/assert";
import { buildCatalog, type Catalog, type CatalogSources } from "../../../src/core/catalog.ts";
import { entry, modelsDev } from "../../support/model_caches.ts";

const AT_MS = 1785000000_000;
const noSettings = { capabilityMap: {}, freeTier: { add: [], remove: [] } };
const zero = { cost: { input: 0, output: 0 } };
const paid = { cost: { input: 1, output: 2 } };

function catalog(
  lists: Record<string, readonly string[]>,
  dev: Record<string, Record<string, unknown>> = {},
  more: Partial<CatalogSources> & { settings?: Partial<typeof noSettings> } = {},
): Catalog {
  const { settings, ...sources } = more;
  return buildCatalog({
    lists: new Map(Object.entries(lists).map(([id, models]) => [id, { models, atMs: AT_MS }])),
    modelsDev: modelsDev(dev),
    modelsDevAtMs: AT_MS + 1,
    ...sources,
  }, { ...noSettings, ...settings });
}

function ids(of: Catalog, provider: string): string[] {
  return of.modelsOf(provider).map((model) => `${model.id} ${model.source}`);
}

Deno.test("modelsOf() keeps the order of Hermes' list, then adds what the map knows besides", () => {
  const found = catalog({ "opencode-zen": ["z", "mimo-v2.5-free", "a"] });
  assertEquals(ids(found, "opencode-zen"), [
    "z cache",
    "mimo-v2.5-free cache",
    "a cache",
    "deepseek-v4-flash-free map",
    "north-mini-code-free map",
  ]);
});

Deno.test("modelsOf() takes models.dev, newest first, where Hermes has no list", () => {
  const dev = {
    nvidia: {
      "old": entry({ release_date: "2023-01-01" }),
      "new": entry({ release_date: "2026-06-01" }),
      "undated": entry(),
    },
  };
  assertEquals(ids(catalog({ nvidia: [] }, dev), "nvidia"), [
    "new models_dev",
    "old models_dev",
    "undated models_dev",
  ]);
  assertEquals(catalog({}, dev).modelsOf("constructor"), []);
  assertEquals(catalog({}, {}, { modelsDev: undefined }).modelsOf("nvidia"), []);
});

Deno.test("modelsOf() joins facts by the id of models.dev, whatever the case", () => {
  const found = catalog({ gemini: ["Gemini-3-Flash"], "ollama-cloud": ["kimi-k2.6"] }, {
    google: { "gemini-3-flash": entry({ ...paid, limit: { context: 1_000_000, output: 65_536 } }) },
    "ollama-cloud": { "kimi-k2.6:cloud": entry({ reasoning: false }) },
  });
  const [flash] = found.modelsOf("gemini");
  assertEquals([flash?.contextTokens, flash?.outputTokens, flash?.price, flash?.free, flash?.factsFrom], [
    1_000_000,
    65_536,
    { input: 1, output: 2 },
    undefined,
    "models_dev",
  ]);
  assertEquals(found.modelsOf("ollama-cloud")[0]?.reasoning, false);
});

Deno.test("modelsOf() borrows abilities, never a price, from the same model at OpenRouter", () => {
  const found = catalog({ nous: ["vendor/model"] }, { openrouter: { "vendor/model": entry(zero) } });
  const [model] = found.modelsOf("nous");
  assertEquals([model?.toolCall, model?.price, model?.free], [true, null, undefined]);
});

Deno.test("modelsOf() uses the original's table only for models known from the map alone", () => {
  const found = catalog({ gemini: ["gemini-3.1-flash-lite"] });
  const facts = Object.fromEntries(found.modelsOf("gemini").map((model) => [model.id, model]));
  assertEquals(facts["gemini-3.1-flash-lite"]?.inputTypes, null);
  assertEquals(facts["gemini-3.1-flash-lite"]?.capabilities, [
    "reasoning",
    "coding",
    "vision",
    "multimodal",
    "planning",
    "chat",
  ]);
  assertEquals(facts["gemini-3.5-flash-lite"]?.inputTypes, ["text", "image", "pdf"]);
  assertEquals(catalog({}).modelsOf("gemini")[0]?.inputTypes, ["text", "image", "pdf", "audio", "video"]);
});

Deno.test("modelsOf() lets what Hermes knows win over the map", () => {
  const text = { google: { "gemini-3.1-flash-lite": entry({ reasoning: false }) } };
  const [model] = catalog({}, text).modelsOf("gemini");
  assertEquals([model?.inputTypes, model?.capabilities], [["text"], ["coding", "chat"]]);
});

Deno.test("defaultOf() is data, else the first free model of Hermes' list that can do its work, else nothing", () => {
  const dev = {
    nvidia: {
      "nvidia/embed-1": entry(),
      "nvidia/small": entry({ limit: { context: 32_000 } }),
      "nvidia/toolless": entry({ tool_call: false }),
      "nvidia/gone": entry({ status: "deprecated" }),
      "nvidia/good": entry(),
    },
    "kimi-for-coding": { "kimi-k2.6": entry(zero) },
    deepseek: { "deepseek-chat": entry(paid) },
  };
  const lists = { nvidia: Object.keys(dev.nvidia), deepseek: ["deepseek-chat"], gemini: ["gemini-3-flash"] };
  const found = catalog(lists, dev);
  const table: [string, string | undefined, string | null][] = [
    ["gemini", "gemini-3.1-flash-lite", "registry"],
    ["openrouter", "nvidia/nemotron-3-ultra-550b-a55b:free", "registry"],
    ["nvidia", "nvidia/good", "cache"],
    ["kimi-coding", "kimi-k2.6", "models_dev"],
    ["deepseek", undefined, null],
    ["huggingface", undefined, null],
    ["constructor", undefined, null],
  ];
  for (const [provider, model, from] of table) {
    assertEquals([found.defaultOf(provider), found.originOf(provider).defaultFrom], [model, from], provider);
    const flagged = found.modelsOf(provider).filter((facts) => facts.isDefault).map((facts) => facts.id);
    assertEquals(flagged, model ? [model] : [], provider);
  }
});

Deno.test("defaultOf() follows the user's own map and configuration", () => {
  const found = catalog({ nvidia: ["a", "b"] }, {}, {
    settings: { capabilityMap: { reason: ["nvidia/b", "google/gemini-x"] } },
    configured: [{ provider: "custom:local", model: "qwen" }],
  });
  assertEquals([found.defaultOf("nvidia"), found.defaultOf("gemini"), found.defaultOf("custom:local")], [
    "b",
    "gemini-x",
    "qwen",
  ]);
  assertEquals(ids(found, "custom:local"), ["qwen config"]);
  assertEquals(found.providers.includes("custom:local"), true);
});

Deno.test("the catalogue gives auto something to take when only nvidia, huggingface or kimi-coding is alive", () => {
  const found = catalog(
    {
      nvidia: ["nvidia/nemotron-3-ultra-550b-a55b"],
      huggingface: ["moonshotai/Kimi-K2.6"],
      "kimi-coding": ["kimi-k2.6"],
    },
    { "kimi-for-coding": { "kimi-k2.6": entry(zero) } },
  );
  for (const provider of ["nvidia", "huggingface", "kimi-coding"]) {
    const usable = found.modelsOf(provider).filter((model) => model.free && model.chat && model.isDefault);
    assertEquals(usable.length, 1, provider);
  }
});

Deno.test("pairs() gives the map in force, and warnings name what is wrong with the setting", () => {
  const found = catalog({}, {}, {
    settings: { capabilityMap: { coding: ["zen/mimo-v2.5-free", "nonsense"] } },
  });
  assertEquals(found.pairs("coding"), [{ provider: "opencode-zen", model: "mimo-v2.5-free" }]);
  assertEquals(found.warnings.length, 1);
});

Deno.test("find() also knows a model that only models.dev lists", () => {
  const found = catalog({ deepseek: ["a"] }, { deepseek: { "deepseek-r9": entry(paid) } });
  assertEquals(found.find("deepseek", "deepseek-r9")?.price, { input: 1, output: 2 });
  assertEquals(found.find("deepseek", "a")?.source, "cache");
  assertEquals(found.find("deepseek", "nowhere"), undefined);
});

Deno.test("originOf() tells source and age of list and facts", () => {
  const found = catalog({ gemini: ["g"], nvidia: ["n"] }, { google: { g: entry() }, xai: { x: entry() } });
  const origin = (
    id: string,
  ) => [found.originOf(id).models, found.originOf(id).modelsAtMs, found.originOf(id).factsAtMs];
  assertEquals(origin("gemini"), ["cache", AT_MS, AT_MS + 1]);
  assertEquals(origin("nvidia"), ["cache", AT_MS, null]);
  assertEquals(origin("xai"), ["models_dev", AT_MS + 1, AT_MS + 1]);
  assertEquals(origin("openrouter"), ["map", null, null]);
});
