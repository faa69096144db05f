import { assert, assertEquals } from "@std/assert";
import { showModels, showProviders } from "../../../src/cli/view_models.ts";
import { widthOf } from "../../../src/cli/text.ts";
import type { HermesModelsResult, ModelListing, ProviderListing } from "../../../src/core/model_listing.ts";
import { NOW } from "../../support/command_line.ts";

const look = { columns: 80, colour: false, nowMs: NOW };
const at = (hours: number, minutes: number) => new Date(2026, 7, 11, hours, minutes).toISOString();

function provider(more: Partial<ProviderListing>): ProviderListing {
  return {
    provider: "gemini",
    status: "alive",
    reason: null,
    until: null,
    last_status: null,
    last_error_code: null,
    fetched_at: null,
    source: "cache",
    model_count: 14,
    matching_count: 14,
    free_count: 14,
    image_count: 14,
    default_model: "gemini-3.1-flash-lite",
    sources: {
      models: { from: "cache", age_seconds: 7200 },
      facts: { from: "models_dev", age_seconds: 86_400 },
      default_model: { from: "map" },
      status: { from: [] },
    },
    models: [],
    truncated: false,
    ...more,
  };
}

function result(providers: readonly ProviderListing[], warnings: readonly string[] = []): HermesModelsResult {
  return { ok: true, source: "cache", fetched_at: null, count: providers.length, providers, warnings };
}

const some = result([
  provider({}),
  provider({
    provider: "opencode-zen",
    model_count: 9,
    matching_count: 9,
    free_count: 9,
    image_count: 0,
    default_model: "deepseek-v4-flash-free",
  }),
  provider({
    provider: "openrouter",
    status: "cooling",
    reason: "rate limited",
    until: at(14, 5),
    matching_count: 1312,
    free_count: 40,
    image_count: 90,
    default_model: "nvidia/nemotron-3-ultra-550b-a55b:free",
  }),
  provider({ provider: "nous", status: "cooling", reason: "rate limited", until: at(20, 0), forgiven: true }),
  provider({ provider: "nvidia", status: "dead", reason: "key refused", default_model: null, free_count: 0 }),
  provider({ provider: "huggingface", status: "unconfigured", reason: "no key: set HF_TOKEN" }),
]);

Deno.test("showProviders() shows state, models and default of each in 80 columns", () => {
  assertEquals(
    showProviders(some, false, look).join("\n"),
    `PROVIDER      STATE                MODELS  DEFAULT                  FREE  IMAGES
gemini        ● alive                  14  gemini-3.1-flash-lite    ✓     ✓
opencode-zen  ● alive                   9  deepseek-v4-flash-free   ✓     –
openrouter    ◐ rests until 14:05   1,312  nvidia/nemotron-3-ultr…  some  some
nous          ◐ may be tried once      14  gemini-3.1-flash-lite    ✓     ✓
nvidia        ✗ key refused            14  –                        –     ✓
huggingface   ○ no key: set HF_TOKEN
caches: provider list 2 h old · model facts 24 h old (refresh: hermes model)`,
  );
});

Deno.test("showProviders() colours a state by its meaning, and only when colour is wanted", () => {
  const colours = showProviders(some, false, { ...look, colour: true }).join("\n");
  for (
    const part of ["32m● alive", "33m◐ rests until 14:05", "31m✗ key refused", "2m○ no key: set HF_TOKEN"]
  ) {
    assert(colours.includes(`\x1b[${part}`), part);
  }
  assert(!showProviders(some, false, look).join("").includes("\x1b"));
});

Deno.test("showProviders() never grows past the terminal, whatever the names", () => {
  const long = provider({
    provider: "custom:漢字漢字",
    default_model: "漢字/".repeat(60),
    reason: "x".repeat(300),
    status: "alive",
  });
  for (const columns of [80, 120]) {
    const lines = showProviders(result([long, ...some.providers]), false, { ...look, columns });
    assert(lines.every((line) => widthOf(line) <= columns), lines.join("\n"));
  }
});

Deno.test("showProviders() names many providers without a key in one line", () => {
  const many = Array.from({ length: 6 }, (_, n) => provider({ provider: `p${n}`, status: "unconfigured" }));
  const lines = showProviders(result([provider({}), ...many]), false, look);
  assertEquals(lines.length, 4);
  assertEquals(
    lines[2],
    "○ not set up: p0, p1, p2, p3, p4, p5 (what one needs: hermes-task models NAME)",
  );
});

Deno.test("showProviders() says that a filter is in force, what is missing, and warns", () => {
  const bare = { from: null, age_seconds: null };
  const none = provider({ sources: { ...provider({}).sources, models: bare, facts: bare } });
  assertEquals(showProviders(result([none], ["auth.json: bad\x1b"]), true, look).slice(2), [
    "counted are models that pass the filter; to list them: hermes-task models PROVIDER",
    "caches: provider list none · model facts none (refresh: hermes model)",
    "! auth.json: bad␛",
  ]);
  assertEquals(showProviders(result([]), true, look)[0], "No provider has such a model.");
});

Deno.test("showModels() lists what each model reads, costs, and is", () => {
  const model: ModelListing = {
    id: "gemini-3.1-flash-lite",
    capabilities: ["chat"],
    input_types: ["text", "image", "pdf"],
    is_default: true,
    free: "free_tier",
    price: { input: 0.1, output: 0.4 },
    context: 1_048_576,
    tool_call: true,
  };
  const unknown = {
    input_types: null,
    is_default: false,
    free: null,
    price: null,
    context: null,
    tool_call: null,
  };
  const one = provider({
    status: "cooling",
    reason: "rate limited",
    until: at(14, 5),
    matching_count: 12,
    truncated: true,
    models: [
      model,
      { ...model, ...unknown, id: "gemini-odd", deprecated: true },
      {
        ...model,
        is_default: false,
        id: "g",
        context: 8192,
        tool_call: false,
        free: "zero_price",
        price: { input: 0, output: 0 },
        until: at(14, 9),
      },
    ],
  });
  assertEquals(
    showModels(result([one]), look).join("\n"),
    `gemini  ◐ rests until 14:05  14 models  12 pass the filter
why: rate limited
default: gemini-3.1-flash-lite

MODEL                  ALSO READS  CONTEXT  $ PER M  FREE
gemini-3.1-flash-lite  img pdf         1 M  0.1/0.4  ✓ quota
gemini-odd             ?                 ?  ?        –
g                      img pdf         8 k  0/0      ✓
… 9 more: --limit 12
! gemini-odd is about to be withdrawn
◐ g rests until 14:09 (in 16 min)
caches: provider list 2 h old · model facts 24 h old (refresh: hermes model)`,
  );
});
