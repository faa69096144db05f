import { assertEquals } from "@std/assert";
import { canonicalProvider, nearProviders, PROVIDERS } from "../../../src/core/provider.ts";

Deno.test("canonicalProvider() takes ids and the aliases of --provider, in any case", () => {
  const table = {
    gemini: "gemini",
    Google: "gemini",
    " google-ai-studio ": "gemini",
    opencode: "opencode-zen",
    zen: "opencode-zen",
    qwen: "qwen-oauth",
    dashscope: "alibaba",
    kimi: "kimi-coding",
    HF: "huggingface",
    "z.ai": "zai",
    or: "openrouter",
    codex: "openai-codex",
  };
  for (const [name, id] of Object.entries(table)) assertEquals(canonicalProvider(name)?.id, id, name);
});

Deno.test("canonicalProvider() knows no names of JavaScript and none that Hermes refuses", () => {
  const unknown = [
    "constructor",
    "__proto__",
    "toString",
    "hasOwnProperty",
    "",
    "auto",
    "nim",
    "deep-seek",
    "openai",
    "groq",
  ];
  for (const name of unknown) assertEquals(canonicalProvider(name), undefined, name);
});

Deno.test("PROVIDERS has each name once, and no provider with another's default model", () => {
  const names = PROVIDERS.flatMap((facts) => [facts.id, ...facts.aliases]);
  assertEquals(names.length, new Set(names).size);
  assertEquals(PROVIDERS.length, 40);
  const defaults = PROVIDERS.filter((facts) => facts.defaultModel).map((
    facts,
  ) => [facts.id, facts.defaultModel]);
  assertEquals(defaults, [
    ["openrouter", "nvidia/nemotron-3-ultra-550b-a55b:free"],
    ["gemini", "gemini-3.1-flash-lite"],
    ["opencode-zen", "deepseek-v4-flash-free"],
  ]);
});

Deno.test("PROVIDERS gives no provider the key of another's purse", () => {
  const openai = PROVIDERS.filter((facts) => facts.keyVariables.includes("OPENAI_API_KEY")).map((facts) =>
    facts.id
  );
  assertEquals(openai, ["openai-api"]);
});

Deno.test("nearProviders() offers ids, also for a mistyped alias and a name of this place", () => {
  assertEquals(nearProviders("gemni")[0], "gemini");
  assertEquals(nearProviders("gogle")[0], "gemini");
  assertEquals(nearProviders("custom:my-proxi", ["custom:my-proxy"])[0], "custom:my-proxy");
  assertEquals(nearProviders("entirely-unlike-anything"), []);
});
