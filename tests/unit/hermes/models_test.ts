import { assertEquals, assertMatch } from "@std/assert";
import { readCatalog } from "../../../src/hermes/models.ts";
import { entry, modelsDev, providerList } from "../../support/model_caches.ts";
import { NOW_MS, providerWorld, type ProviderWorldFacts } from "../../support/provider_world.ts";

const NOW = NOW_MS / 1000;
const DAY = 86_400;
const ROOT_LIST = "/h/provider_models_cache.json";
const TASK_LIST = "/h/profiles/hermes-task/provider_models_cache.json";
const ROOT_FACTS = "/h/models_dev_cache.json";
const TASK_FACTS = "/h/profiles/hermes-task/models_dev_cache.json";
const FACTS = JSON.stringify(modelsDev({ google: { "g": entry({ limit: { context: 70_000 } }) } }));

function read(facts: ProviderWorldFacts, options?: { cachePath?: string }) {
  return readCatalog(providerWorld(facts), options);
}

function list(at: number, providers: Record<string, readonly string[]>): string {
  return JSON.stringify(providerList(at, providers));
}

Deno.test("readCatalog() takes the newer list of root and task profile for each provider", async () => {
  const catalog = await read({
    files: {
      [ROOT_LIST]: list(NOW - 100, { xai: ["root"], zai: ["root"], nvidia: ["root"] }),
      [TASK_LIST]: list(NOW - 50, { xai: ["task"], deepseek: ["task"] }),
      "/h/profiles/dev/provider_models_cache.json": list(NOW - 10, { zai: ["dev"] }),
      [ROOT_FACTS]: FACTS,
    },
    place: { home: "/h/profiles/dev", profile: "dev" },
  });
  const first = (id: string) => catalog.modelsOf(id)[0]?.id;
  assertEquals(["xai", "zai", "nvidia", "deepseek"].map(first), ["task", "dev", "root", "task"]);
  assertEquals(catalog.originOf("nvidia").modelsAtMs, NOW_MS - 100_000);
  assertEquals(catalog.warnings, []);
});

Deno.test("readCatalog() reads the list that the caller or a setting names, and no other", async () => {
  const files = {
    [ROOT_LIST]: list(NOW, { xai: ["root"] }),
    "/a.json": list(NOW, { xai: ["setting"] }),
    "/b.json": list(NOW, { xai: ["caller"] }),
    [ROOT_FACTS]: FACTS,
  };
  const settings = { modelsCachePath: "/a.json" };
  assertEquals((await read({ files, settings })).modelsOf("xai")[0]?.id, "setting");
  assertEquals((await read({ files, settings }, { cachePath: "/b.json" })).modelsOf("xai")[0]?.id, "caller");
  const gone = await read({ files, settings: { modelsCachePath: "/gone.json" } });
  assertEquals(gone.modelsOf("xai"), []);
  assertEquals(gone.warnings, ['Cannot read "/gone.json": no such file; run hermes model in a terminal']);
});

Deno.test("readCatalog() takes the newest readable facts", async () => {
  const files = { [ROOT_LIST]: list(NOW, { gemini: ["g"] }), [ROOT_FACTS]: FACTS, [TASK_FACTS]: "{broken" };
  const modifiedMs = { [ROOT_FACTS]: NOW_MS - 5000, [TASK_FACTS]: NOW_MS };
  const catalog = await read({ files, modifiedMs });
  assertEquals(catalog.modelsOf("gemini")[0]?.contextTokens, 70_000);
  assertEquals(catalog.originOf("gemini").factsAtMs, NOW_MS - 5000);
  assertEquals(catalog.warnings, [
    `Cannot read "${TASK_FACTS}": it is not a JSON object; run hermes model in a terminal to write it anew`,
  ]);
});

Deno.test("readCatalog() says what is missing or old, and what to do", async () => {
  const nothing = await read({});
  assertEquals(nothing.warnings.length, 2);
  for (const line of nothing.warnings) assertMatch(line, /"\/h\/.+\.json": run hermes model in a terminal$/);
  const old = await read({
    files: { [ROOT_LIST]: list(NOW - 12 * DAY, { xai: ["x"] }), [ROOT_FACTS]: FACTS },
    modifiedMs: { [ROOT_FACTS]: NOW_MS - 9 * DAY * 1000 },
  });
  assertEquals(old.warnings, [
    "Hermes' provider list is 12 days old: run hermes model in a terminal",
    "Hermes' copy of models.dev is 9 days old: run hermes model in a terminal",
  ]);
});

Deno.test("readCatalog() survives caches of any shape", async () => {
  const facts = '{"google": {"models": [1]}, "xai": null}';
  const broken: ProviderWorldFacts["files"][] = [
    { [ROOT_LIST]: "" },
    { [ROOT_LIST]: "[]" },
    { [ROOT_LIST]: '{"xai": {"models": ["x"], "at": NaN}}' },
    { [ROOT_LIST]: { fault: "denied" } },
  ];
  for (const files of broken) {
    const catalog = await read({ files: { ...files, [ROOT_FACTS]: facts } });
    assertEquals(catalog.modelsOf("xai"), []);
    assertEquals(catalog.defaultOf("gemini"), "gemini-3.1-flash-lite");
    assertMatch(
      catalog.warnings.join("\n"),
      /^Cannot read "\/h\/provider_models_cache\.json": .+; run hermes model in a terminal.*$/,
    );
  }
  const odd =
    '{"xai": 7, "zai": {"at": "x", "models": [null, 5, "", "z", "z"]}, "__proto__": {"models": ["p"]}}';
  const catalog = await read({ files: { [ROOT_LIST]: odd, [ROOT_FACTS]: facts } });
  assertEquals(["xai", "zai", "__proto__"].map((id) => catalog.modelsOf(id).map((model) => model.id)), [[], [
    "z",
  ], ["p"]]);
});

Deno.test("readCatalog() knows the models that the user's configuration names", async () => {
  const config =
    'custom_providers:\n  - { name: local, base_url: "http://127.0.0.1:1/v1", model: qwen-small }\n';
  const catalog = await read({ files: { "/h/config.yaml": config } });
  assertEquals(catalog.defaultOf("custom:local"), "qwen-small");
  assertEquals(catalog.modelsOf("custom:local").map((model) => model.source), ["config"]);
});

Deno.test("readCatalog() reads the large facts once, and again when they have changed", async () => {
  const modifiedMs: Record<string, number> = { [ROOT_FACTS]: NOW_MS - 5000 };
  const world = providerWorld({ files: { [ROOT_FACTS]: FACTS }, modifiedMs });
  const read: string[] = [];
  const readText = (path: string) => {
    read.push(path);
    return world.files.readText(path);
  };
  const counted = { ...world, files: { ...world.files, readText } };
  const times = () => read.filter((path) => path === ROOT_FACTS).length;
  const first = await readCatalog(counted);
  const second = await readCatalog(counted);
  assertEquals([times(), first.find("gemini", "g")], [1, second.find("gemini", "g")]);
  modifiedMs[ROOT_FACTS] = NOW_MS - 1000;
  assertEquals((await readCatalog(counted)).originOf("gemini").modelsAtMs, NOW_MS - 1000);
  assertEquals(times(), 2);
});
