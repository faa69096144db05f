import { assertEquals } from "@std/assert";
import { freeBasis, type FreeTierSetting, parsePair, type Price } from "../../../src/core/free.ts";

const none: FreeTierSetting = { add: [], remove: [] };
const zero: Price = { input: 0, output: 0 };
const listed: Price = { input: 0.1, output: 0.4 };

Deno.test("freeBasis() says by what right a model is free", () => {
  const table: [string, string, Price | null, FreeTierSetting, string | undefined][] = [
    ["openrouter", "a/b", zero, none, "zero_price"],
    ["openrouter", "a/b", { input: 0, output: 0.1 }, none, undefined],
    ["openrouter", "a/b", null, none, undefined],
    ["openrouter", "a/b:free", null, none, "free_id"],
    ["opencode-zen", "mimo-v2.5-free", null, none, "free_id"],
    ["openrouter", "a/free-b", null, none, undefined],
    ["openrouter", "a/gluten:freely", null, none, undefined],
    ["gemini", "gemini-3.1-flash-lite", listed, none, "free_tier"],
    ["gemini", "gemini-3-flash", listed, none, "free_tier"],
    ["gemini", "gemini-3.1-pro-preview", listed, none, undefined],
    ["openrouter", "google/gemini-3-flash", listed, none, undefined],
    ["nvidia", "z-ai/glm-5.2", null, none, "free_tier"],
    ["huggingface", "moonshotai/Kimi-K2.6", listed, none, "free_tier"],
    ["kimi-coding", "kimi-k2.6", zero, none, "zero_price"],
    ["kimi-coding-cn", "kimi-k2.6", zero, none, undefined],
    ["deepseek", "deepseek-chat", listed, none, undefined],
    ["deepseek", "deepseek-chat", listed, { add: ["deepseek/*"], remove: [] }, "free_tier"],
    ["gemini", "gemini-3.1-pro", listed, { add: ["google/gemini-3.1-pro"], remove: [] }, "free_tier"],
    ["custom:local", "qwen/small", null, { add: ["custom:local/*"], remove: [] }, "free_tier"],
    ["nvidia", "z-ai/glm-5.2", null, { add: [], remove: ["nvidia/z-ai/*"] }, undefined],
    ["nvidia", "nvidia/nemotron", null, { add: [], remove: ["nvidia/z-ai/*"] }, "free_tier"],
    ["kimi-coding", "kimi-k2.6", zero, { add: [], remove: ["kimi-coding/*"] }, undefined],
    ["gemini", "gemini-3-flash", listed, { add: ["gemini/*"], remove: ["gemini/*-flash"] }, undefined],
  ];
  for (const [provider, model, price, setting, basis] of table) {
    assertEquals(freeBasis(provider, model, { price }, setting), basis as never, `${provider} ${model}`);
  }
});

Deno.test("parsePair() splits at the first slash and takes aliases", () => {
  assertEquals(parsePair("google/gemini-3-flash"), { provider: "gemini", model: "gemini-3-flash" });
  assertEquals(parsePair("or/nvidia/x:free"), { provider: "openrouter", model: "nvidia/x:free" });
  assertEquals(["gemini", "/x", "gemini/", ""].map(parsePair), [undefined, undefined, undefined, undefined]);
});
