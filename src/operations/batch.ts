// `hermes_batch`: several prompts, or one prompt to several models, in one call.
import { z } from "zod";
import { batchFailure, type BatchOutcome, outcomeOf } from "../core/batch_outcome.ts";
import { refusal } from "../core/failure.ts";
import type { Operation } from "../core/operation.ts";
import { canonicalProvider } from "../core/provider.ts";
import { isOpen } from "../core/record.ts";
import { type FailureFields, failureFields } from "../core/refused.ts";
import type { HermesTaskArgs } from "../core/task.ts";
import { repliesOf, type TaskReply } from "../core/task_list.ts";
import { taskFields, type TaskRequest } from "../core/task_request.ts";
import { delegateAll } from "../flow/delegate.ts";
import type { World } from "../ports.ts";
import { bytesFor } from "./task_ids.ts";

/** Arguments of `hermes_batch`: those of `hermes_task`, and these. */
export interface HermesBatchArgs extends Omit<HermesTaskArgs, "prompt" | "session_id" | "dry_run"> {
  /** Several tasks, 1 to 100. */
  readonly prompts?: readonly string[];
  /** One task for several models. */
  readonly prompt?: string;
  /** `provider/model`, a provider, or a model id; each is asked the one prompt. */
  readonly models?: readonly string[];
  /** `all`: every answer; `race`: the first answer ends the others; `vote`: equal answers are counted. Default `all`. */
  readonly strategy?: "all" | "race" | "vote";
}

/** {@link HermesBatchArgs} with every default filled in. */
export interface BatchRequest extends Omit<TaskRequest, "session_id" | "dry_run"> {
  readonly prompts: readonly string[];
  readonly models: readonly string[];
  readonly strategy: "all" | "race" | "vote";
}

/** What `hermes_batch` answers. */
export interface HermesBatchResult extends BatchOutcome, Partial<FailureFields> {
  /** False when all tasks have ended and the batch has failed: with `all` one of them, else every one. */
  readonly ok: boolean;
  /** Each task as `hermes_task` would answer it, in the order in which they were given. */
  readonly tasks: readonly TaskReply[];
  /** Tasks that have not ended. */
  readonly pending: readonly string[];
  /** What to call next while tasks are pending. */
  readonly next?: string;
  /** What is worth knowing. */
  readonly warnings: readonly string[];
  /** Later versions may add fields. */
  readonly [extra: string]: unknown;
}

const { prompt: _prompt, session_id: _session, dry_run: _dryRun, ...shared } = taskFields;

const input: z.ZodType<BatchRequest, HermesBatchArgs> = z.strictObject({
  prompts: z.array(z.string()).max(100).default([]).describe("Several tasks; each is run by itself."),
  prompt: z.string().default("").describe("One task, to be given to each of models."),
  models: z.array(z.string().max(300)).max(32).default([]).describe(
    'Whom to ask the one prompt: "provider/model", a provider, or a model id.',
  ),
  strategy: z.enum(["all", "race", "vote"]).default("all").describe(
    "all: every answer. race: the first answer ends the others. vote: counts equal answers.",
  ),
  ...shared,
}).transform((request): BatchRequest => ({ output_mode: undefined, ...request }));

const output = z.looseObject({
  ok: z.boolean(),
  error: z.string().optional(),
  error_detail: z.string().optional(),
  batch_id: z.string().optional(),
  pending: z.array(z.string()).optional().describe("Tasks that have not ended: call hermes_wait for them."),
  next: z.string().optional(),
  winner: z.string().nullable().optional().describe("Of a race: the task whose answer came first."),
  groups: z.array(z.looseObject({ answer: z.string(), count: z.number() })).optional()
    .describe("Of a vote: equal answers, the most frequent first."),
  tasks: z.array(z.looseObject({ task_id: z.string().nullable(), status: z.string().nullable() })).optional(),
  warnings: z.array(z.string()).optional(),
});

/** The operation behind `hermes_batch`, `hermes-task batch` and `hermesBatch`. */
export const batchOperation: Operation<World, HermesBatchArgs, BatchRequest, HermesBatchResult> = {
  name: "hermes_batch",
  command: "batch",
  title: "Run several tasks with Hermes Agent",
  description:
    "Runs several prompts, or one prompt on several models, each as a hermes_task of its own; a few at once, the rest in " +
    "order. strategy race gives the first answer and ends the others; vote counts equal answers. timeout_seconds is the " +
    "time of each task. When not all have ended in time, pending lists the rest: call hermes_wait for them.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input,
  output,
  async run(world, request, options) {
    const requests = requestsOf(request);
    const records = await delegateAll(world, requests, request.strategy, options);
    const [{ batch }] = records as [typeof records[number]];
    const nowMs = world.clock.now();
    const { values } = world.settings;
    const failure = batchFailure(batch!, records);
    const pending = records.filter(isOpen).map(({ task_id }) => task_id);
    return {
      ok: failure === undefined,
      ...(failure ? failureFields(failure, nowMs, values.maxErrorDetailBytes) : {}),
      ...outcomeOf(batch!, records),
      pending,
      ...(pending.length > 0 ? { next: `call hermes_wait with task_ids ${JSON.stringify(pending)}` } : {}),
      tasks: repliesOf(records, values, nowMs, {
        outputMode: undefined,
        bytes: bytesFor(options.caller.surface),
      }),
      warnings: [],
    };
  },
};

/** One request for each task. */
function requestsOf(request: BatchRequest): TaskRequest[] {
  const { prompts, models, strategy: _strategy, ...common } = request;
  const each = { ...common, session_id: "", dry_run: false };
  if (models.length === 0) {
    const all = [...request.prompt ? [request.prompt] : [], ...prompts];
    if (all.length > 0) return all.map((prompt) => ({ ...each, prompt }));
    throw refusal(
      "invalid_args",
      'Argument "prompts": nothing is asked; give prompts, or prompt with models',
    );
  }
  const [prompt, ...more] = [...request.prompt ? [request.prompt] : [], ...prompts];
  if (prompt === undefined || more.length > 0) {
    throw refusal("invalid_args", 'Argument "models": they are asked one prompt; give just one');
  }
  return models.map((name) => ({ ...each, prompt, ...routeOf(name, common) }));
}

/** `provider/model`, a provider, or a model id, which may have a slash of its own. */
function routeOf(
  name: string,
  { provider }: Pick<TaskRequest, "provider">,
): { provider: string; model: string } {
  const word = name.trim();
  if (word === "" || word.startsWith("-") || /\s/.test(word)) {
    throw refusal(
      "invalid_args",
      `Argument "models": ${JSON.stringify(name.slice(0, 60))} is no model; write provider/model`,
    );
  }
  const at = word.indexOf("/");
  const head = at < 0 ? word : word.slice(0, at);
  const known = canonicalProvider(head) !== undefined || head.startsWith("custom:");
  if (at < 0) return known ? { provider: head, model: "" } : { provider, model: word };
  return known ? { provider: head, model: word.slice(at + 1) } : { provider, model: word };
}
