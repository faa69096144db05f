import { assert, assertEquals, assertMatch } from "@std/assert";
import { parseArgs } from "../../../src/core/operation.ts";
import { type HermesModelsArgs, modelsOperation } from "../../../src/operations/models.ts";
import { entry, modelsDev, providerList } from "../../support/model_caches.ts";
import { NOW_MS, providerWorld, type ProviderWorldFacts } from "../../support/provider_world.ts";

const SAMPLE = await Deno.readTextFile(new URL("../../fixtures/auth/sample.json", import.meta.url));

function models(args: HermesModelsArgs, facts: ProviderWorldFacts) {
  const request = parseArgs(modelsOperation.input, args);
  return modelsOperation.run(providerWorld(facts), request, { caller: { surface: "module" } });
}

Deno.test("hermes_models claims nothing when the credential store cannot be read, and lets nothing of it out", async () => {
  const files = { "/h/auth.json": SAMPLE.replace("1785920400.0", "NaN") };
  const result = await models({}, { files });
  assertEquals(new Set(result.providers.map((one) => one.status)), new Set(["unknown"]));
  assertMatch(result.warnings[0]!, /auth\.json": it holds NaN/);
  assertEquals(/FAKE|example\.invalid/.test(JSON.stringify(result)), false);
});

Deno.test("hermes_models works from the built-in map when Hermes knows nothing, and says so", async () => {
  const result = await models({}, { files: {}, env: { GEMINI_API_KEY: "AIza1234" } });
  const [gemini] = result.providers;
  assertEquals([result.source, result.fetched_at, gemini?.provider, gemini?.status], [
    "capability-map",
    null,
    "gemini",
    "alive",
  ]);
  assertEquals(gemini?.models[0]?.input_types, ["text", "image", "pdf", "audio", "video"]);
  assertEquals(result.warnings.filter((line) => line.includes("run hermes model in a terminal")).length, 2);
});

Deno.test("hermes_models over 5,000 models is quick", async () => {
  const names = Array.from({ length: 500 }, (_, n) => `vendor/model-${n}`);
  const ids = [
    "openrouter",
    "nvidia",
    "huggingface",
    "deepseek",
    "xai",
    "zai",
    "minimax",
    "novita",
    "stepfun",
    "xiaomi",
  ];
  const mdev = (id: string) => id === "novita" ? "novita-ai" : id;
  const facts = Object.fromEntries(names.map((name) => [name, entry({ cost: { input: 0, output: 0 } })]));
  const files = {
    "/h/auth.json": SAMPLE,
    "/h/provider_models_cache.json": JSON.stringify(
      providerList(NOW_MS / 1000, Object.fromEntries(ids.map((id) => [id, names]))),
    ),
    "/h/models_dev_cache.json": JSON.stringify(
      modelsDev(Object.fromEntries(ids.map((id) => [mdev(id), facts]))),
    ),
  };
  const times: number[] = [];
  for (let n = 0; n < 3; n++) {
    const started = performance.now();
    const result = await models({}, { files });
    times.push(performance.now() - started);
    assert(result.providers.reduce((sum, one) => sum + one.model_count, 0) >= 5000);
  }
  // The promise is 50 ms; a busy machine gets ten times that.
  assert(Math.min(...times) < 500, `${times} ms`);
});
