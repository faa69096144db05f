// `hermes_task`: one task, from the request to the answer.
import { z } from "zod";
import type { Operation } from "../core/operation.ts";
import type { HermesTaskArgs, HermesTaskResult } from "../core/task.ts";
import { redactValue } from "../core/redact.ts";
import { failureFields } from "../core/refused.ts";
import { replyOf } from "../core/task_reply.ts";
import { taskInput, type TaskRequest } from "../core/task_request.ts";
import { delegate, type Delegated } from "../flow/delegate.ts";
import type { World } from "../ports.ts";

const nullable = {
  text: z.string().nullable(),
  number: z.number().nullable(),
};

const output = z.looseObject({
  ok: z.boolean().describe("True only when Hermes answered."),
  status: nullable.text.describe("State of the task: succeeded, failed, cancelled, timed_out."),
  task_id: nullable.text,
  error: z.string().optional(),
  error_detail: z.string().optional().describe("What went wrong and what to do next."),
  result: nullable.text.optional(),
  truncated: z.boolean().optional(),
  next_offset: z.number().optional().describe("Read on from here with hermes_task_detail."),
  provider: nullable.text.optional(),
  model: nullable.text.optional(),
  duration_ms: nullable.number.optional(),
  session_id: nullable.text.optional(),
  warnings: z.array(z.string()).optional(),
});

/** The operation behind `hermes_task`, `hermes-task run` and `hermesTask`. */
export const taskOperation: Operation<World, HermesTaskArgs, TaskRequest, HermesTaskResult> = {
  name: "hermes_task",
  command: "run",
  title: "Run a task with Hermes Agent",
  description:
    "Hands one self-contained task to the locally installed Hermes Agent (it has tools: files, terminal, web) on a free model, and waits for the answer. " +
    "Say everything that Hermes needs in the prompt; it does not see this conversation. " +
    'A wish such as "timeout 10 minutes" (in any language) becomes timeout_seconds: 600; without one leave the default of 300. ' +
    'For heavy work keep output_mode "digest" and read the rest with hermes_task_detail. ' +
    "On ok: false, error and error_detail say what to do next.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: taskInput,
  output,
  async run(world, request, options) {
    const delegated = await delegate(world, request, options);
    const nowMs = world.clock.now();
    if (delegated.kind === "record") return replyOf(delegated.record, world.settings.values, nowMs);
    return dryRunReply(world, request, delegated, nowMs);
  },
};

function dryRunReply(
  world: World,
  request: TaskRequest,
  { plan, route, failure, warnings }: Extract<Delegated, { kind: "plan" }>,
  nowMs: number,
): HermesTaskResult {
  return {
    ok: failure === undefined,
    status: null,
    ...(failure ? failureFields(failure, nowMs, world.settings.values.maxErrorDetailBytes) : {}),
    task_id: null,
    dry_run: true,
    provider: route?.provider ?? null,
    model: route?.model ?? null,
    free_basis: route?.freeBasis ?? null,
    output_mode: request.output_mode ?? world.settings.values.defaultOutputMode,
    result: null,
    truncated: false,
    result_bytes: 0,
    exit_code: null,
    duration_ms: null,
    session_id: request.session_id || null,
    digest: null,
    usage: null,
    attempts: [],
    warnings: [...new Set(warnings)],
    plan: redactValue(plan),
  };
}
