// What do hosts read about the tools? The operations, in the few words of JSON Schema that every host takes: one bad
// schema makes some hosts drop all tools.
import type { Tool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type Annotations, type CallOptions, type InputSchema, inputSchema } from "../core/operation.ts";
import type { World } from "../ports.ts";

/** An operation as this room needs it: its types are its own matter. */
export interface ServedOperation {
  readonly name: string;
  readonly command: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Annotations;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  readonly run: (world: World, request: never, options: CallOptions) => Promise<unknown>;
}

/** The tools in the order of the operations. */
export function toolsOf(operations: readonly ServedOperation[]): Tool[] {
  return operations.map(({ name, title, description, annotations, input, output }) => ({
    name,
    title,
    description,
    inputSchema: hostSchema(inputSchema(input)),
    outputSchema: outputSchema(output),
    annotations: { ...annotations },
  }));
}

/** The input without what says nothing, and without the empty choice, for which Gemini refuses all tools. */
function hostSchema({ properties, ...rest }: InputSchema): Tool["inputSchema"] {
  const lean = Object.entries(properties).map(([name, property]) => [
    name,
    Object.fromEntries(Object.entries(property).flatMap(([word, value]) => keptWord(word, value))),
  ]);
  return { ...rest, properties: Object.fromEntries(lean) } as Tool["inputSchema"];
}

function keptWord(word: string, value: unknown): [string, unknown][] {
  if (word === "default" && value === "") return [];
  if (word === "maximum" && value === Number.MAX_SAFE_INTEGER) return [];
  if (word === "minimum" && value === Number.MIN_SAFE_INTEGER) return [];
  return [[word, word === "enum" ? (value as unknown[]).filter((choice) => choice !== "") : value]];
}

/** The output as a loose JSON Schema. Only `ok` is promised: a refusal has little more. */
export function outputSchema(output: z.ZodType): NonNullable<Tool["outputSchema"]> {
  const { $schema: _schema, ...schema } = z.toJSONSchema(output, { io: "output", unrepresentable: "any" });
  return { ...loosened(schema) as object, type: "object", required: ["ok"] } as NonNullable<
    Tool["outputSchema"]
  >;
}

/** `additionalProperties: {}` says what its absence says too. */
function loosened(schema: unknown): unknown {
  if (schema === null || typeof schema !== "object") return schema;
  if (Array.isArray(schema)) return schema.map(loosened);
  const kept = Object.entries(schema).filter(([name, value]) =>
    name !== "additionalProperties" || (typeof value === "object" && Object.keys(value as object).length > 0)
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, loosened(value)]));
}
