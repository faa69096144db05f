import { assert, assertEquals, assertMatch } from "@std/assert";
import { readHealth } from "../../../src/hermes/credentials.ts";
import { NOW_MS, providerWorld, type ProviderWorldFacts } from "../../support/provider_world.ts";

const SAMPLE = await Deno.readTextFile(new URL("../../fixtures/auth/sample.json", import.meta.url));
const NOW = NOW_MS / 1000;

async function health(facts: ProviderWorldFacts) {
  const reading = await readHealth(providerWorld(facts));
  const word = (id: string) => {
    const found = reading.providers.get(id);
    return found && [found.status, found.reason];
  };
  return { ...reading, word };
}

function store(pool: unknown, more: Record<string, unknown> = {}): string {
  return JSON.stringify({ version: 1, providers: {}, credential_pool: pool, ...more });
}

Deno.test("readHealth() judges the sample store row by row as Hermes does", async () => {
  const { providers } = await health({
    files: { "/h/auth.json": SAMPLE },
    env: { GOOGLE_API_KEY: "AIza-here" },
  });
  const rows = [...providers.values()].flatMap((provider) =>
    provider.rows.map((row) => [
      `${provider.provider} ${row.id}`,
      row.status,
      row.untilMs === null ? null : Math.round((row.untilMs - NOW_MS) / 1000),
      row.forgiven,
    ])
  );
  assertEquals(rows.toSorted(), [
    ["anthropic 9f8e7d", "dead", null, false],
    ["custom:my-proxy 4b4b4b", "alive", null, false],
    ["gemini a1b2c3", "cooling", 3130, false],
    ["gemini d4e5f6", "alive", null, false],
    ["nous 31c0de", "alive", null, false],
    ["nvidia 0a0b0c", "alive", null, false],
    ["openai-codex null", "alive", null, false],
    // Marked 16 h ago, rests for another 69 h: cooling, but one try is allowed.
    ["opencode-go 77aa88", "cooling", 69 * 3600, true],
    ["openrouter 5c6d7e", "alive", null, false],
  ]);
});

Deno.test("readHealth() takes neither caches nor tools in the store for providers", async () => {
  const { providers } = await health({ files: { "/h/auth.json": SAMPLE } });
  assertEquals([providers.has("zai"), providers.has("spotify")], [false, false]);
  assertEquals(
    providers.get("nvidia")?.reason,
    "its key comes from bitwarden, which cannot be seen from here",
  );
  assertEquals(providers.get("gemini")?.status, "alive");
});

Deno.test("readHealth() lets no secret and no mail address out", async () => {
  const reading = await readHealth(
    providerWorld({
      files: { "/h/auth.json": SAMPLE, "/h/.env": "HF_TOKEN=hf_FAKEFAKEFAKE\n" },
      env: { GOOGLE_API_KEY: "AIza-FAKE" },
    }),
  );
  const text = JSON.stringify([[...reading.providers], reading.warnings]);
  assert(!/FAKE|sk-|hf_|example\.invalid|sha256/.test(text), text);
});

Deno.test("readHealth() finds keys that only .env or the environment has", async () => {
  const dotenv = [
    "\uFEFFexport HF_TOKEN='hf_1234'",
    'NVIDIA_API_KEY="nvapi-1234" # mine',
    "KIMI_API_KEY=changeme",
    "GLM_API_KEY=abc",
    "DEEPSEEK_API_KEY=",
    "# XAI_API_KEY=xai-1234",
    "MINIMAX_API_KEY=op://Vault/Item/field",
    "OPENAI_API_KEY=sk-1234",
  ].join("\r\n");
  const { providers, warnings, complete } = await health({
    files: { "/h/.env": dotenv },
    env: { GEMINI_API_KEY: "AIza1234", XIAOMI_API_KEY: "your_api_key" },
  });
  assertEquals([...providers.keys()].sort(), ["gemini", "huggingface", "minimax", "nvidia", "openai-api"]);
  assertEquals(providers.get("gemini")?.rows[0]?.source, "env:GEMINI_API_KEY");
  assertEquals(providers.get("minimax")?.reason, "MINIMAX_API_KEY refers to a secret manager");
  assertEquals([warnings, complete], [[], true]);
});

Deno.test("readHealth() tells a row whose variable is gone from a provider", async () => {
  const pool = {
    huggingface: [{ id: "1", source: "env:HF_TOKEN", auth_type: "api_key", last_status: null }],
  };
  const gone = await health({ files: { "/h/auth.json": store(pool) } });
  assertEquals(gone.word("huggingface"), ["unconfigured", "no key: set HF_TOKEN"]);
  const back = await health({ files: { "/h/auth.json": store(pool) }, env: { HF_TOKEN: "hf_1234" } });
  assertEquals(back.word("huggingface"), ["alive", null]);
  assertEquals(back.providers.get("huggingface")?.rows.length, 1);
});

Deno.test("readHealth() keeps the mark of a row whose variable is set", async () => {
  const pool = {
    nvidia: [{
      source: "env:NVIDIA_API_KEY",
      last_status: "exhausted",
      last_error_code: 429,
      last_status_at: NOW - 60,
    }],
  };
  const { providers } = await health({
    files: { "/h/auth.json": store(pool) },
    env: { NVIDIA_API_KEY: "nvapi-1" },
  });
  assertEquals(providers.get("nvidia")?.untilMs, NOW_MS + 3540_000);
});

Deno.test("readHealth() falls through to the root's store for each provider that a profile has no rows for", async () => {
  const place = { home: "/h/profiles/dev", profile: "dev" };
  const files = {
    "/h/profiles/dev/auth.json": store({
      nvidia: [],
      gemini: [{ access_token: "AIza1", last_status: "dead" }],
    }),
    "/h/auth.json": store(
      { nvidia: [{ access_token: "nvapi-1" }], gemini: [{ access_token: "AIza2" }] },
      { providers: { "xai-oauth": { tokens: { access_token: "xai-token" } } } },
    ),
    "/h/.env": "HF_TOKEN=of-the-root\n",
    "/h/profiles/dev/.env": "XAI_API_KEY=of-the-profile\n",
  };
  const { providers } = await health({ place, files });
  const words = [...providers].map(([id, { status }]) => `${id} ${status}`).sort();
  assertEquals(words, ["gemini dead", "nvidia alive", "xai alive", "xai-oauth alive"]);
  const moved = await health({
    place: { ...place, authPath: "/h/elsewhere.json" },
    files: { ...files, "/h/elsewhere.json": store({}) },
  });
  assertEquals([...moved.providers.keys()], ["xai"]);
});

Deno.test("readHealth() heeds what the user removed or switched off", async () => {
  const removed = await health({
    files: {
      "/h/auth.json": store({}, {
        suppressed_sources: { gemini: ["env:GEMINI_API_KEY"], nvidia: { "env:NVIDIA_API_KEY": true } },
      }),
    },
    env: { GEMINI_API_KEY: "AIza1", NVIDIA_API_KEY: "nvapi-1", HF_TOKEN: "hf_1" },
  });
  assertEquals([...removed.providers.keys()], ["huggingface"]);
  const off = await health({
    files: { "/h/config.yaml": "providers:\n  nvidia:\n    enabled: false\n" },
    env: { NVIDIA_API_KEY: "nvapi-1" },
  });
  assertEquals(off.word("nvidia"), [
    "unconfigured",
    "switched off in config.yaml (providers.nvidia.enabled)",
  ]);
});

Deno.test("readHealth() finds custom providers in the configuration and in the pool", async () => {
  const config = `
custom_providers:
  - { name: Local LLM, base_url: "http://127.0.0.1:1/v1" }
  - { name: with-key, base_url: "http://127.0.0.1:1/v1", api_key: k-1234 }
  - { name: by-name, base_url: "http://127.0.0.1:1/v1", key_env: MY_KEY }
  - { name: no-name, base_url: "http://127.0.0.1:1/v1", key_env: OTHER_KEY }
`;
  const pool = {
    "custom:with-key": [{ source: "config:with-key", last_status: "dead" }],
    "new-plugin": [{ access_token: "abcd" }],
  };
  const reading = await health({
    files: { "/h/config.yaml": config, "/h/auth.json": store(pool) },
    env: { MY_KEY: "k-1234" },
  });
  assertEquals([...reading.providers].map(([id, { status }]) => `${id} ${status}`).sort(), [
    "custom:by-name alive",
    "custom:local-llm alive",
    "custom:no-name unconfigured",
    "custom:with-key dead",
    "new-plugin alive",
  ]);
  assertEquals(reading.word("custom:no-name"), ["unconfigured", "no key: set OTHER_KEY"]);
  assertEquals(reading.word("custom:local-llm"), ["alive", "config.yaml names no key for it"]);
});

Deno.test("readHealth() reads logins without rows, and remembers one that was refused", async () => {
  const logins = {
    "openai-codex": { tokens: { access_token: "FAKE.codex" } },
    "xai-oauth": { tokens: {} },
    "qwen-oauth": { base_url: "https://portal.example" },
    nous: { last_auth_error: { code: "invalid_grant", relogin_required: true } },
  };
  const reading = await health({ files: { "/h/auth.json": store({}, { providers: logins }) } });
  assertEquals([...reading.providers.keys()].sort(), ["nous", "openai-codex"]);
  assertEquals(reading.word("nous"), ["dead", "login refused: run hermes auth add nous"]);
});

Deno.test("readHealth() lets Nous rest while Hermes' breaker is open", async () => {
  const breaker = JSON.stringify({ reset_at: NOW + 120, recorded_at: NOW, reset_seconds: 120 });
  const { providers } = await health({
    files: { "/h/auth.json": SAMPLE, "/h/rate_limits/nous.json": breaker },
  });
  assertEquals([providers.get("nous")?.status, providers.get("nous")?.untilMs], [
    "cooling",
    NOW_MS + 120_000,
  ]);
});

Deno.test("readHealth() takes no token for git as a sure login to Copilot", async () => {
  const { word } = await health({ env: { GITHUB_TOKEN: "ghp_1234" } });
  assertEquals(word("copilot"), ["unknown", "GITHUB_TOKEN may not be a token for it"]);
  assertEquals((await health({ env: { COPILOT_GITHUB_TOKEN: "gho_1234" } })).word("copilot"), [
    "alive",
    null,
  ]);
});

Deno.test("readHealth() names a store that it cannot read, and then claims nothing", async () => {
  const broken = {
    "half": '{"credential_pool": {"gemini": [{"access_token": "AIza-SECRET"',
    "NaN": '{"credential_pool": {"gemini": [{"access_token": "AIza-SECRET", "last_error_reset_at": NaN}]}}',
    "list": "[]",
    "empty": "",
    "denied": { fault: "denied" as const },
  };
  for (const [name, file] of Object.entries(broken)) {
    const reading = await health({ files: { "/h/auth.json": file }, env: { GEMINI_API_KEY: "AIza1" } });
    assertEquals(reading.word("gemini")?.[0], "unknown", name);
    assertEquals([reading.complete, reading.warnings.length], [false, 1], name);
    assertMatch(reading.warnings[0]!, /^Cannot read "\/h\/auth\.json": .+; .+/, name);
    assert(!reading.warnings[0]!.includes("SECRET"), name);
  }
});

Deno.test("readHealth() survives stores of odd shapes", async () => {
  const odd = { gemini: {}, nvidia: [null, 7, "x", {}], constructor: [{ access_token: "abcd" }], "": [] };
  const { providers, warnings } = await health({
    files: { "/h/auth.json": store(odd, { suppressed_sources: 7, providers: [] }) },
  });
  assertEquals(warnings, []);
  assertEquals(providers.get("nvidia")?.status, "unknown");
  assertEquals(providers.get("constructor")?.status, "alive");
});

Deno.test("readHealth() says how to begin when there is nothing at all", async () => {
  const { providers, warnings } = await health({});
  assertEquals(providers.size, 0);
  assertMatch(warnings[0]!, /There is no "\/h\/auth\.json".*run hermes auth add/);
});
