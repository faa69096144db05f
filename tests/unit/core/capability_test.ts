import { assertEquals, assertMatch } from "@std/assert";
import {
  CAPABILITIES,
  CAPABILITY_MAP,
  capabilityNamed,
  classify,
  unservable,
} from "../../../src/core/capability.ts";
import { canonicalProvider, PROVIDERS } from "../../../src/core/provider.ts";

Deno.test("classify() tells the need from whole words, and which word told", () => {
  const table: [string, string, string | undefined][] = [
    ["Fix the bug in parse()", "coding", "bug"],
    ["Fix the bugs", "coding", "bugs"],
    ["Write a TypeScript library", "coding", "TypeScript"],
    ["describe this screenshot", "vision", "screenshot"],
    ["Hãy xem ảnh này", "vision", "xem ảnh"],
    ["Hãy xem  ảnh này".normalize("NFD"), "vision", "xem ảnh"],
    ["summarize the video", "multimodal", "video"],
    ["explain\nwhy it rains", "reasoning", "explain why"],
    ["Lập KẾ HOẠCH cho tuần sau", "planning", "KẾ HOẠCH"],
    ["vẽ lộ trình học tập", "planning", "lộ trình"],
    ["steps to bake bread", "planning", "steps to"],
    ["Hello there", "reasoning", undefined],
    ["", "reasoning", undefined],
  ];
  for (const [prompt, capability, word] of table) {
    assertEquals(classify(prompt), { capability, word } as never, prompt);
  }
});

Deno.test("classify() is not misled by parts of words, as the original was", () => {
  const table: [string, string][] = [
    ["What is the latest news from the capital", "reasoning"],
    ["digital legacy", "reasoning"],
    ["contest rules", "reasoning"],
    ["rapid therapy", "reasoning"],
    ["Draw up a plan", "planning"],
    ["the blogosphere", "reasoning"],
    ["hire a photographer", "reasoning"],
    ["compare the audio codecs", "reasoning"],
    ["refactor the image loader", "coding"],
    ["snake_case_api_name", "reasoning"],
    ["plané", "reasoning"],
    ["testé", "reasoning"],
  ];
  for (const [prompt, capability] of table) {
    assertEquals(classify(prompt).capability, capability as never, prompt);
  }
});

Deno.test("classify() never asks for a model that cannot chat, nor takes a prompt for the name of a capability", () => {
  const prompts = [
    "draw a logo",
    "generate image of a cat",
    "tạo ảnh con mèo",
    "read it with a warm voice",
    "đọc to",
    "tts",
    "chat",
    "voice",
    "image-gen",
  ];
  for (const prompt of prompts) {
    const { capability } = classify(prompt);
    assertEquals([unservable(capability), capability === "chat"], [undefined, false], prompt);
  }
});

Deno.test("classify() of the longest prompt takes no time to speak of", () => {
  const started = performance.now();
  classify("explain  ".repeat(120_000));
  assertEquals(performance.now() - started < 2000, true);
});

Deno.test("CAPABILITY_MAP names canonical providers, chat models, and the ids that the providers know", () => {
  const all = CAPABILITIES.flatMap((capability) => CAPABILITY_MAP[capability]);
  for (const { provider, model } of all) {
    assertEquals(PROVIDERS.some((facts) => facts.id === provider), true, provider);
    assertEquals(/imagen|tts/.test(model), false, model);
    assertEquals(provider === "openrouter", model.includes("/"), model);
    if (provider === "opencode-zen") assertMatch(model, /-free$/);
  }
  const firstReasoning = (id: string) => CAPABILITY_MAP.reasoning.find((pair) => pair.provider === id)?.model;
  for (const id of ["gemini", "openrouter", "opencode-zen"]) {
    assertEquals(firstReasoning(id), canonicalProvider(id)?.defaultModel);
  }
});

Deno.test("capabilityNamed() knows the synonym of the original and nothing from JavaScript", () => {
  assertEquals(["reason", "Reasoning", "image-gen", "constructor", ""].map(capabilityNamed), [
    "reasoning",
    "reasoning",
    "image-gen",
    undefined,
    undefined,
  ]);
  assertEquals(CAPABILITIES.filter((capability) => unservable(capability)), ["image-gen", "voice"]);
});
