// The operations as functions of a Deno script.
import { type CallOptions, type Operation, parseArgs, perform } from "../core/operation.ts";
import type { HermesTaskArgs, HermesTaskResult, Progress } from "../core/task.ts";
import { batchOperation, type HermesBatchArgs, type HermesBatchResult } from "../operations/batch.ts";
import { cancelOperation, type HermesCancelArgs, type HermesCancelResult } from "../operations/cancel.ts";
import { type HermesTasksArgs, type HermesTasksResult, tasksOperation } from "../operations/tasks.ts";
import { type HermesWaitArgs, type HermesWaitResult, waitOperation } from "../operations/wait.ts";
import { detailOperation, type HermesDetailArgs, type HermesDetailResult } from "../operations/detail.ts";
import { type HermesModelsArgs, type HermesModelsResult, modelsOperation } from "../operations/models.ts";
import { taskOperation } from "../operations/task.ts";
import {
  type HermesTelemetryArgs,
  type HermesTelemetryResult,
  telemetryOperation,
} from "../operations/telemetry.ts";
import type { World } from "../ports.ts";
import { worldKeeper, type WorldOptions } from "./world.ts";

/** What every function takes besides its arguments. */
export interface ModuleOptions extends WorldOptions {
  /** Ends the call and everything that it started. */
  readonly signal?: AbortSignal;
  /** Called about once a second while a task runs. */
  readonly onProgress?: (progress: Progress) => void;
}

const openWorld = worldKeeper(true);

/**
 * Hands one task to Hermes and waits for its end.
 *
 * Needs `--allow-run=<hermes>,ps,kill --allow-read=<home> --allow-write=<home> --allow-env --allow-sys=homedir`, where
 * `<home>` is Hermes' home. Under less it answers with `warnings` that say what is missing.
 *
 * @param args What to do; only `prompt` is required.
 * @param options Settings, a signal that cancels, a function that hears of progress.
 * @returns The same object as the MCP tool, whatever the outcome; `ok` says whether Hermes answered.
 * @throws {TaskError} For arguments that are refused before a record exists, such as `invalid_args` or `busy`.
 *
 * @example A dry run shows what would be chosen and starts nothing
 * ```ts
 * import { hermesTask } from "@hermes-task/hermes-task";
 *
 * const plan = await hermesTask({ prompt: "Say hello", dry_run: true });
 * console.log(plan.ok, plan.provider, plan.error_detail ?? plan.plan?.argv);
 * ```
 */
export function hermesTask(args: HermesTaskArgs, options: ModuleOptions = {}): Promise<HermesTaskResult> {
  return call(taskOperation, args, options);
}

/**
 * Reads the full record of an earlier task.
 *
 * Needs `--allow-read=<home>`, and `--allow-write=<home>` to use and mend the index.
 *
 * @param args A `task_id` or a `session_id`, and which part to read.
 * @param options Settings.
 * @returns The record; `ok` says that it was found, `status` how the task ended.
 * @throws {TaskError} `invalid_args`, or `not_found`.
 *
 * @example
 * ```ts
 * import { hermesTaskDetail, TaskError } from "@hermes-task/hermes-task";
 *
 * try {
 *   console.log(await hermesTaskDetail({ task_id: "1764537600123_k3x9qd" }));
 * } catch (error) {
 *   if (error instanceof TaskError) console.log(error.failure.code); // not_found
 * }
 * ```
 */
export function hermesTaskDetail(
  args: HermesDetailArgs,
  options: ModuleOptions = {},
): Promise<HermesDetailResult> {
  return call(detailOperation, args, options);
}

/**
 * Lists providers and models with liveness, abilities and price. Needs `--allow-read=<home>`.
 *
 * @param args Filters; all optional.
 * @param options Settings.
 * @returns Providers, each with its models.
 * @throws {TaskError} `invalid_args`, or `provider_not_found`.
 *
 * @example
 * ```ts
 * import { hermesModels } from "@hermes-task/hermes-task";
 *
 * const { providers } = await hermesModels({ free_only: true, limit: 3 });
 * for (const { provider, status } of providers) console.log(provider, status);
 * ```
 */
export function hermesModels(
  args: HermesModelsArgs = {},
  options: ModuleOptions = {},
): Promise<HermesModelsResult> {
  return call(modelsOperation, args, options);
}

/**
 * Sums up the recorded runs, failures included. Needs `--allow-read=<home> --allow-write=<home>`.
 *
 * @param args The window and the grouping; all optional.
 * @param options Settings.
 * @returns Counts, durations, tokens and cost.
 * @throws {TaskError} `invalid_args`, for a date that is none.
 *
 * @example
 * ```ts
 * import { hermesTelemetry } from "@hermes-task/hermes-task";
 *
 * const week = await hermesTelemetry({ since: "7d" });
 * console.log(week.runs, week.success_rate);
 * ```
 */
export function hermesTelemetry(
  args: HermesTelemetryArgs = {},
  options: ModuleOptions = {},
): Promise<HermesTelemetryResult> {
  return call(telemetryOperation, args, options);
}

/**
 * Waits for tasks that go on in the background. Needs what {@link hermesTask} needs, but runs nothing.
 *
 * @param args The tasks, and how long to wait.
 * @param options Settings, a signal that ends the wait, a function that hears of progress.
 * @returns Each task as `hermesTask` would answer it now; `pending` has those that have not ended.
 * @throws {TaskError} `invalid_args`, or `not_found` when none of the tasks is known.
 *
 * @example
 * ```ts
 * import { hermesWait, TaskError } from "@hermes-task/hermes-task";
 *
 * try {
 *   const { tasks, pending } = await hermesWait({ task_ids: ["1764537600123_k3x9qd"], wait_seconds: 1 });
 *   console.log(tasks.map(({ status }) => status), pending);
 * } catch (error) {
 *   if (error instanceof TaskError) console.log(error.failure.code); // not_found
 * }
 * ```
 */
export function hermesWait(args: HermesWaitArgs, options: ModuleOptions = {}): Promise<HermesWaitResult> {
  return call(waitOperation, args, options);
}

/**
 * Ends tasks and everything that they started; resolves once nothing of theirs runs any more. Needs
 * `--allow-read=<home> --allow-write=<home>`.
 *
 * @param args The tasks, and why.
 * @param options Settings.
 * @returns The state of each task now, and what a cancel cannot undo.
 * @throws {TaskError} `invalid_args`, or `not_found` when none of the tasks is known.
 *
 * @example
 * ```ts
 * import { hermesCancel, TaskError } from "@hermes-task/hermes-task";
 *
 * try {
 *   await hermesCancel({ task_ids: ["1764537600123_k3x9qd"], reason: "not needed any more" });
 * } catch (error) {
 *   if (error instanceof TaskError) console.log(error.failure.code); // not_found
 * }
 * ```
 */
export function hermesCancel(
  args: HermesCancelArgs,
  options: ModuleOptions = {},
): Promise<HermesCancelResult> {
  return call(cancelOperation, args, options);
}

/**
 * Lists tasks of every process of this user, the newest first. Needs `--allow-read=<home> --allow-write=<home>`.
 *
 * @param args Filters and the page; all optional.
 * @param options Settings.
 * @returns One page, and where the next one begins.
 * @throws {TaskError} `invalid_args`.
 *
 * @example
 * ```ts
 * import { hermesTasks } from "@hermes-task/hermes-task";
 *
 * for (const { task_id, status } of (await hermesTasks({ state: "open" })).tasks) console.log(task_id, status);
 * ```
 */
export function hermesTasks(
  args: HermesTasksArgs = {},
  options: ModuleOptions = {},
): Promise<HermesTasksResult> {
  return call(tasksOperation, args, options);
}

/**
 * Runs several prompts, or one prompt on several models, each as a task of its own. Needs what {@link hermesTask}
 * needs.
 *
 * @param args The prompts, or a prompt and models; how it is decided; and what a task takes.
 * @param options Settings, a signal that cancels all, a function that hears of progress.
 * @returns Each task, and with `race` the winner, with `vote` the groups of equal answers.
 * @throws {TaskError} For arguments that are refused before a record exists, such as `invalid_args` or `busy`.
 *
 * @example Nothing is asked: the batch is refused
 * ```ts
 * import { hermesBatch, TaskError } from "@hermes-task/hermes-task";
 *
 * try {
 *   await hermesBatch({ prompts: [], strategy: "vote" });
 * } catch (error) {
 *   if (error instanceof TaskError) console.log(error.failure.code); // invalid_args
 * }
 * ```
 */
export function hermesBatch(args: HermesBatchArgs, options: ModuleOptions = {}): Promise<HermesBatchResult> {
  return call(batchOperation, args, options);
}

async function call<Args, Request, Result>(
  operation: Operation<World, Args, Request, Result>,
  args: Args,
  { signal, onProgress, ...rest }: ModuleOptions,
): Promise<Result> {
  const request = parseArgs(operation.input, args);
  const options: CallOptions = { caller: { surface: "module" }, signal, onProgress };
  return await perform(operation, await openWorld(rest), request, options);
}
