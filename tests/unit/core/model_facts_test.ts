import { assertEquals } from "@std/assert";
import { capabilitiesOf, entryFacts, type ModelFacts, unfit } from "../../../src/core/model_facts.ts";
import { entry } from "../../support/model_caches.ts";

Deno.test("entryFacts() leaves unknown what an entry does not say", () => {
  assertEquals(entryFacts("m", undefined), {
    inputTypes: null,
    outputTypes: null,
    toolCall: null,
    reasoning: null,
    contextTokens: null,
    outputTokens: null,
    price: null,
    chat: true,
    deprecated: false,
  });
  const odd = {
    modalities: "text",
    limit: [],
    cost: { input: "0", output: 0 },
    tool_call: "yes",
    reasoning: 1,
  };
  assertEquals(entryFacts("m", odd), entryFacts("m", undefined));
});

Deno.test("entryFacts() takes a price only when both directions are listed", () => {
  const price = (cost: unknown) => entryFacts("m", entry({ cost })).price;
  assertEquals(price({ input: 0, output: 0 }), { input: 0, output: 0 });
  assertEquals(price({ input: 0.1, output: 0.4, cache_read: 0.01 }), { input: 0.1, output: 0.4 });
  assertEquals([price({}), price({ input: 0 }), price(undefined), price({ input: -1, output: 0 })], [
    null,
    null,
    null,
    null,
  ]);
});

Deno.test("entryFacts() asks the attachment flag only when no inputs are named", () => {
  const inputs = (more: Record<string, unknown>) => entryFacts("m", entry(more)).inputTypes;
  assertEquals(inputs({ attachment: true }), ["text"]);
  assertEquals(inputs({ attachment: true, modalities: undefined }), ["text", "image"]);
  assertEquals(inputs({ attachment: undefined, modalities: {} }), null);
});

Deno.test("entryFacts() knows models that do not chat by their output or their name", () => {
  const out = (output: string[]) => ({ modalities: { input: ["text"], output } });
  const table: [string, Record<string, unknown> | undefined, boolean][] = [
    ["gemini-3.1-flash-lite", entry(), true],
    ["imagen-4.0-fast-generate", entry(out(["image"])), false],
    ["imagen-4.0-generate", undefined, false],
    ["gemini-3.1-flash-tts", undefined, false],
    ["gemini-3-flash-image", entry(out(["text", "image"])), false],
    ["text-embedding-3", entry(), false],
    ["nvidia/nv-embedqa-1b", undefined, false],
    ["gemini-live-2.5", undefined, false],
    ["google/gemma-4-31b-it:free", undefined, true],
    ["delivered-imagery", undefined, true],
    ["nvidia/nemotron-3-ultra-550b-a55b", undefined, true],
  ];
  for (const [id, found, chat] of table) assertEquals(entryFacts(id, found).chat, chat, id);
});

Deno.test("capabilitiesOf() derives abilities from data", () => {
  const of = (more: Record<string, unknown>, id = "m") => capabilitiesOf(entryFacts(id, entry(more)));
  assertEquals(of({}), ["reasoning", "coding", "planning", "chat"]);
  assertEquals(of({ reasoning: false, tool_call: false }), ["chat"]);
  assertEquals(
    of({ reasoning: false, modalities: { input: ["text", "image", "video"], output: ["text"] } }),
    [
      "coding",
      "vision",
      "multimodal",
      "chat",
    ],
  );
  assertEquals(of({ modalities: { input: ["text"], output: ["image"] } }), ["image-gen"]);
  assertEquals(of({ modalities: { input: ["text"], output: ["audio"] } }), ["voice"]);
});

Deno.test("unfit() names what speaks against a model", () => {
  const model = (more: Partial<ModelFacts> = {}): ModelFacts => ({
    ...entryFacts("m", entry()),
    provider: "p",
    id: "m",
    source: "cache",
    factsFrom: "models_dev",
    free: undefined,
    capabilities: ["chat"],
    isDefault: false,
    ...more,
  });
  assertEquals(unfit(model(), "reasoning"), undefined);
  assertEquals(unfit(model({ toolCall: null, contextTokens: null }), "coding"), undefined);
  assertEquals(unfit(model({ toolCall: false }), "coding"), "cannot call tools");
  assertEquals(
    unfit(model({ contextTokens: 32_000 }), "chat"),
    "context of 32000 tokens is under Hermes' 64000",
  );
  assertEquals(unfit(model({ chat: false }), "chat"), "no chat model");
  assertEquals(unfit(model({ deprecated: true }), "chat"), "withdrawn by its provider");
  assertEquals(unfit(model(), "vision"), "no image input");
  assertEquals(unfit(model({ inputTypes: null }), "vision"), "image input not known");
  assertEquals(unfit(model({ capabilities: ["vision"] }), "vision"), undefined);
  assertEquals(unfit(model(), "voice")?.startsWith("models that speak cannot chat"), true);
});
