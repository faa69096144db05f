import { assertEquals } from "@std/assert";
import { z } from "zod";
import { outputSchema, type ServedOperation, toolsOf } from "../../../src/mcp/tools.ts";

Deno.test("outputSchema() is loose, promises ok alone and keeps the fields", () => {
  const output = z.looseObject({ ok: z.boolean(), rows: z.array(z.looseObject({ id: z.string() })) });
  assertEquals(outputSchema(output), {
    type: "object",
    properties: {
      ok: { type: "boolean" },
      rows: {
        type: "array",
        items: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
      },
    },
    required: ["ok"],
  });
});

Deno.test("outputSchema() keeps what says something about the values of a map", () => {
  const schema = outputSchema(z.looseObject({ ok: z.boolean(), counts: z.record(z.string(), z.number()) }));
  const { counts } = schema.properties as unknown as { counts: { additionalProperties: unknown } };
  assertEquals(counts.additionalProperties, { type: "number" });
});

Deno.test("toolsOf() shows no empty choice and no bound that every number keeps", () => {
  const input = z.strictObject({
    kind: z.enum(["", "text"]).default("").describe("Kind"),
    limit: z.int().default(10).describe("Most"),
  });
  const operation = { input, output: z.looseObject({ ok: z.boolean() }) } as unknown as ServedOperation;
  assertEquals(toolsOf([operation])[0]!.inputSchema, {
    type: "object",
    properties: {
      kind: { type: "string", enum: ["text"], description: "Kind" },
      limit: { type: "integer", default: 10, description: "Most" },
    },
  });
});
