// Names of providers as the router of side tasks reads them.
import { assertEquals } from "@std/assert";
import {
  AUXILIARY_PROVIDERS,
  auxiliaryProvider,
  meantProvider,
  normalizeProvider,
  unaskedModel,
} from "../../../src/auxiliary/providers.ts";
import { PROVIDERS } from "../../../src/core/provider.ts";

Deno.test("normalizeProvider() follows the router's aliases and no others", () => {
  for (
    const [name, expected] of [
      ["", "auto"],
      [" Google ", "gemini"],
      ["GLM", "zai"],
      ["kimi", "kimi-coding"],
      ["custom:My Box", "my box"],
      ["custom:", "custom"],
      ["codex", "openai-codex"],
      ["opencode", "opencode"],
      ["ollama", "ollama"],
    ] as const
  ) assertEquals(normalizeProvider(name), expected, name);
});

Deno.test("meantProvider() knows names that other parts of Hermes take, and typing errors", () => {
  assertEquals(meantProvider("zen"), "opencode-zen");
  assertEquals(meantProvider("ollama"), "custom");
  assertEquals(meantProvider("openrouer"), "openrouter");
  assertEquals(meantProvider("mybx", ["mybox"]), "mybox");
  assertEquals(meantProvider("something else altogether"), undefined);
});

Deno.test("unaskedModel() is another one for OpenRouter from 0.21 on", () => {
  const openrouter = auxiliaryProvider("openrouter")!;
  assertEquals(unaskedModel(openrouter, "0.19.1"), "google/gemini-3.6-flash");
  assertEquals(unaskedModel(openrouter, null), "google/gemini-3.6-flash");
  assertEquals(unaskedModel(openrouter, "0.21.3"), "nvidia/nemotron-3-ultra-550b-a55b:free");
});

Deno.test("AUXILIARY_PROVIDERS tries key variables as the table of tasks' providers does", () => {
  const ofTasks = new Map(PROVIDERS.map((facts) => [facts.id, facts.keyVariables]));
  const different = AUXILIARY_PROVIDERS.filter(({ id, keyVariables }) =>
    ofTasks.has(id) && JSON.stringify(ofTasks.get(id)) !== JSON.stringify(keyVariables)
  );
  assertEquals(different.map(({ id }) => id), []);
  assertEquals(AUXILIARY_PROVIDERS.filter(({ id }) => !ofTasks.has(id)).map(({ id }) => id), []);
});
