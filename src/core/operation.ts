// The shape of an operation: described once, bound to three surfaces.
import { z } from "zod";
import { refusal, TaskError } from "./failure.ts";
import { nearest } from "./near.ts";
import type { Caller } from "./record.ts";
import type { Progress } from "./task.ts";

/** What a surface hands over besides the arguments. */
export interface CallOptions {
  readonly caller: Caller;
  /** Ends the call and all that it started. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** How long the host of this call can wait; undefined: as long as it takes. */
  readonly hostWaitSeconds?: number;
}

/** Honest hints for hosts, as MCP names them. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** One promise. `Args` as a caller writes them, `Request` with every default filled in. */
export interface Operation<World, Args, Request, Result> {
  /** Name of the MCP tool. */
  readonly name: string;
  /** Name of the command. */
  readonly command: string;
  readonly title: string;
  /** What a model must know to use it; many hosts show nothing else. */
  readonly description: string;
  readonly annotations: Annotations;
  /** A strict object of flat properties, each described. */
  readonly input: z.ZodType<Request, Args>;
  /** A loose object. */
  readonly output: z.ZodType;
  readonly run: (world: World, request: Request, options: CallOptions) => Promise<Result>;
}

/** A property of an input schema, as far as surfaces use it. */
export interface InputProperty {
  readonly type: "string" | "number" | "integer" | "boolean" | "array" | "object";
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
}

/** The input as a flat JSON Schema: `type`, `properties`, `required`, and nothing that a host could refuse. */
export interface InputSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, InputProperty>>;
  readonly required?: readonly string[];
}

/** Derives the flat JSON Schema that hosts and the command line read. */
export function inputSchema(input: z.ZodType): InputSchema {
  const { $schema: _schema, additionalProperties: _open, ...rest } = z.toJSONSchema(input, {
    io: "input",
    unrepresentable: "any",
  });
  return rest as unknown as InputSchema;
}

/** Fills in defaults, or throws `invalid_args` that names the argument and a near name. */
export function parseArgs<Args, Request>(input: z.ZodType<Request, Args>, args: unknown): Request {
  const parsed = input.safeParse(args ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  const known = Object.keys(inputSchema(input).properties);
  const words = parsed.error.issues.slice(0, 3).map((issue) => describe(issue, known));
  throw refusal("invalid_args", words.join("; "));
}

/**
 * Carries an operation out for a surface. A bad setting is named in every reply, refusals included, until it is mended.
 */
export async function perform<
  World extends { readonly settings: { readonly problems: readonly string[] } },
  Args,
  Request,
  Result,
>(
  operation: Pick<Operation<World, Args, Request, Result>, "run">,
  world: World,
  request: Request,
  options: CallOptions,
): Promise<Result> {
  const { problems } = world.settings;
  if (problems.length === 0) return await operation.run(world, request, options);
  try {
    const result = await operation.run(world, request, options) as Result & {
      readonly warnings?: readonly string[];
    };
    return { ...result, warnings: [...new Set([...result.warnings ?? [], ...problems])] };
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    const { failure } = error;
    throw new TaskError({ ...failure, extra: { ...failure.extra, warnings: problems } });
  }
}

function describe(issue: z.core.$ZodIssue, known: readonly string[]): string {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) =>
      `Unknown argument "${key}"; ${nearest(key, known) ?? `known are ${known.join(", ")}`}`
    )
      .join("; ");
  }
  const where = issue.path.join(".") || "arguments";
  return `Argument "${where}": ${wordsOf(issue)}`;
}

/** What is wrong and what would be right, in our words. */
function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") {
    const kind = issue.expected === "array" ? "list" : issue.expected;
    return issue.input === undefined ? `it is missing; give a ${kind}` : `it must be a ${kind}`;
  }
  if (issue.code === "too_small") return `it must be at least ${issue.minimum}`;
  if (issue.code === "too_big") return `it must be at most ${issue.maximum}`;
  if (issue.code === "invalid_value") {
    return `it must be one of ${issue.values.filter((value) => value !== "").join(", ")}`;
  }
  return issue.code === "custom" ? `it ${issue.message}` : issue.message;
}
