// Are the constants of the opening what the SDK would say, and the tools what every host takes?
import { assert, assertEquals, assertLessOrEqual, assertMatch, assertStringIncludes } from "@std/assert";
import { HANDSHAKE_VERSIONS, sdkReplies } from "../../scripts/opening.ts";
import { initializeResult } from "../../src/mcp/opening.ts";
import { OPENING } from "../../src/mcp/opening_data.ts";
import { toolsOf } from "../../src/mcp/tools.ts";
import { OPERATIONS } from "../../src/operations/all.ts";

Deno.test("the opening knows the handshake versions of the SDK", () => {
  assertEquals(OPENING.versions, HANDSHAKE_VERSIONS);
});

for (const version of [...HANDSHAKE_VERSIONS, "2026-07-28", "2031-01-01", ""]) {
  Deno.test(`the opening equals the SDK's for ${version || "an empty version"} (else run scripts/opening.ts)`, async () => {
    const { initialize, lists } = await sdkReplies(OPERATIONS, version);
    assertEquals(initializeResult(OPENING, version), initialize);
    assertEquals(OPENING.lists, lists);
  });
}

const REFUSED_BY_SOME = [
  "$ref",
  "$defs",
  "oneOf",
  "anyOf",
  "allOf",
  "not",
  "const",
  "additionalProperties",
  "propertyNames",
  "patternProperties",
];

function keywordsOf(schema: unknown): string[] {
  if (schema === null || typeof schema !== "object") return [];
  return Object.entries(schema).flatMap(([name, value]) => [name, ...keywordsOf(value)]);
}

for (const { name, title, description, inputSchema, outputSchema, annotations } of toolsOf(OPERATIONS)) {
  Deno.test(`[FAULT-74] the input of ${name} is flat, one type each, without what some hosts refuse`, () => {
    const { type, properties, required, ...rest } = inputSchema;
    assertEquals([type, rest], ["object", {}]);
    for (const word of keywordsOf(inputSchema)) assert(!REFUSED_BY_SOME.includes(word), word);
    for (
      const [argument, property] of Object.entries(properties as Record<string, Record<string, unknown>>)
    ) {
      assertMatch(argument, /^[a-z_]+$/);
      assertEquals(typeof property["type"], "string", argument);
      assert(!(property["enum"] as unknown[] | undefined)?.includes(""), `${argument} has no empty choice`);
      assert(property["description"], `${argument} is described`);
      assert(property["type"] !== "object" || property["properties"] === undefined, "flat");
    }
    for (const argument of required ?? []) assert(Object.hasOwn(properties!, argument));
  });

  Deno.test(`[FAULT-75] the name of ${name} is short, with the longest name that hosts put before it`, () => {
    assertMatch(name, /^[a-z0-9_]+$/);
    assertLessOrEqual(`mcp__hermes-task__${name}`.length, 55);
  });

  Deno.test(`${name} has a title, a description, honest hints and a loose output`, () => {
    assert(title && description);
    assertEquals(Object.keys(annotations ?? {}).toSorted(), [
      "destructiveHint",
      "idempotentHint",
      "openWorldHint",
      "readOnlyHint",
    ]);
    const changes = ["hermes_task", "hermes_cancel", "hermes_batch"].includes(name);
    assertEquals([annotations?.readOnlyHint, annotations?.destructiveHint], [!changes, changes]);
    assertEquals(outputSchema?.required, ["ok"]);
  });
}

Deno.test("what a model must know stands in the description of hermes_task, since many hosts show nothing else", () => {
  const description = toolsOf(OPERATIONS).find((tool) => tool.name === "hermes_task")!.description!;
  for (const word of ["timeout_seconds: 600", "300", "digest", "hermes_task_detail"]) {
    assertStringIncludes(description, word);
  }
});
