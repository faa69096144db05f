// `hermes_wait`: waits for tasks that go on in the background.
import { z } from "zod";
import { type BatchOutcome, commonBatch, outcomeOf } from "../core/batch_outcome.ts";
import type { Operation } from "../core/operation.ts";
import { isOpen } from "../core/record.ts";
import { repliesOf, type TaskReply, unknownTask } from "../core/task_list.ts";
import { waitSeconds } from "../core/task_request.ts";
import { tendBriefly } from "../flow/tend.ts";
import { patienceOf, watchTasks } from "../flow/watch.ts";
import type { World } from "../ports.ts";
import { admitTaskIds, bytesFor, outputMode, refuseUnknown, taskIds } from "./task_ids.ts";

/** Arguments of `hermes_wait`. */
export interface HermesWaitArgs {
  /** The tasks, 1 to 200. */
  readonly task_ids: readonly string[];
  /** `any`: until one of them has ended; `all`: until all have. Default `all`. */
  readonly mode?: "any" | "all";
  /** Seconds that this call may wait, 0–1800. Omitted: as long as the host can. */
  readonly wait_seconds?: number;
  /** How much of each answer; omitted: as each task was asked. */
  readonly output_mode?: "digest" | "full";
}

/** {@link HermesWaitArgs} with every default filled in. */
export interface WaitRequest {
  readonly task_ids: readonly string[];
  readonly mode: "any" | "all";
  readonly wait_seconds?: number | undefined;
  readonly output_mode: "digest" | "full" | undefined;
}

/** What `hermes_wait` answers. */
export interface HermesWaitResult extends Partial<BatchOutcome> {
  /** Always true: a wait that ends early is no error. */
  readonly ok: true;
  /** Each task as `hermes_task` would answer it now. */
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

const input: z.ZodType<WaitRequest, HermesWaitArgs> = z.strictObject({
  task_ids: taskIds,
  mode: z.enum(["any", "all"]).default("all").describe(
    '"all" waits until every task has ended, "any" until one has.',
  ),
  wait_seconds: waitSeconds.describe(
    "Seconds that this call may wait. Omitted: as long as your host can wait.",
  ),
  output_mode: outputMode,
});

const output = z.looseObject({
  ok: z.boolean(),
  error: z.string().optional(),
  error_detail: z.string().optional(),
  pending: z.array(z.string()).optional().describe("Tasks that have not ended: call again for them."),
  next: z.string().optional(),
  winner: z.string().nullable().optional().describe("Of a race: the task whose answer came first."),
  tasks: z.array(z.looseObject({ task_id: z.string().nullable(), status: z.string().nullable() })).optional()
    .describe("Each task as hermes_task would answer it now."),
  warnings: z.array(z.string()).optional(),
});

/** The operation behind `hermes_wait`, `hermes-task wait` and `hermesWait`. */
export const waitOperation: Operation<World, HermesWaitArgs, WaitRequest, HermesWaitResult> = {
  name: "hermes_wait",
  command: "wait",
  title: "Wait for Hermes tasks",
  description:
    "Waits for hermes_task or hermes_batch tasks that go on in the background (status running or queued) and gives " +
    "their answers. A wait that ends early is no error: tasks that have not ended are in pending, call again for " +
    "them. Read what was cut of an answer with hermes_task_detail.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input,
  output,
  async run(world, request, options) {
    admitTaskIds(request.task_ids);
    const patience = patienceOf(world, { ...request, background: false }, options);
    if (patience.waitMs === 0) await tendBriefly(world);
    const found = await watchTasks(world, request.task_ids, { ...options, ...patience, mode: request.mode });
    refuseUnknown(request.task_ids, found);
    const records = found.filter((record) => record !== undefined);
    const shape = { outputMode: request.output_mode, bytes: bytesFor(options.caller.surface) };
    const replies = repliesOf(records, world.settings.values, world.clock.now(), shape);
    const pending = records.filter(isOpen).map(({ task_id }) => task_id);
    const batch = commonBatch(records);
    return {
      ok: true,
      pending,
      ...(pending.length > 0
        ? { next: `call hermes_wait again with task_ids ${JSON.stringify(pending)}` }
        : {}),
      ...(batch ? outcomeOf(batch, records) : {}),
      tasks: request.task_ids.map((id) => replies.find(({ task_id }) => task_id === id) ?? unknownTask(id)),
      warnings: [],
    };
  },
};
