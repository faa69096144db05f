import { assertEquals } from "@std/assert";
import { buildPairMap } from "../../../src/core/capability_map.ts";
import { CAPABILITIES, CAPABILITY_MAP } from "../../../src/core/capability.ts";

Deno.test("buildPairMap() without a setting is our map", () => {
  const map = buildPairMap({});
  for (const capability of CAPABILITIES) {
    assertEquals([map.pairs(capability), map.chosenPairs(capability)], [CAPABILITY_MAP[capability], []]);
  }
  assertEquals(map.problems, []);
});

Deno.test("buildPairMap() lets the setting replace each capability that it names, also by nothing", () => {
  const map = buildPairMap({
    coding: ["zen/mimo-v2.5-free"],
    reason: ["nvidia/a/b"],
    reasoning: ["google/c"],
    chat: [],
  });
  assertEquals(map.pairs("coding"), [{ provider: "opencode-zen", model: "mimo-v2.5-free" }]);
  assertEquals(map.pairs("reasoning"), [{ provider: "nvidia", model: "a/b" }, {
    provider: "gemini",
    model: "c",
  }]);
  assertEquals([map.pairs("chat"), map.pairs("voice")], [[], []]);
  assertEquals(map.pairs("planning"), [{ provider: "gemini", model: "gemini-3.1-flash-lite" }]);
});

Deno.test("buildPairMap() tells what a model stands for, in the user's own map and in the one in force", () => {
  const map = buildPairMap({ vision: ["gemini/gemini-3-flash"] });
  const flash = { provider: "gemini", model: "gemini-3-flash" };
  assertEquals(map.standsFor(flash, "all"), ["reasoning", "coding", "vision"]);
  assertEquals(map.standsFor(flash, "chosen"), ["vision"]);
  assertEquals(map.standsFor({ provider: "constructor", model: "x" }, "all"), []);
});

Deno.test("buildPairMap() names each entry that is not in force", () => {
  const { problems, pairs } = buildPairMap({ coding: ["nonsense"], dancing: ["a/b"], constructor: ["a/b"] });
  assertEquals(problems.map((line) => line.split(";")[0]), [
    'Setting capabilityMap: "nonsense" is not in force',
    'Setting capabilityMap: unknown capability "dancing"',
    'Setting capabilityMap: unknown capability "constructor"',
  ]);
  assertEquals(pairs("coding"), CAPABILITY_MAP.coding);
});
