// The operations as functions of a Deno script.
import { type CallOptions, type Operation, parseArgs, perform } from "../core/operation.ts";
import type { HermesTaskArgs, HermesTaskResult, Progress } from "../core/task.ts";
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

const openWorld = worldKeeper();

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

async function call<Args, Request, Result>(
  operation: Operation<World, Args, Request, Result>,
  args: Args,
  { signal, onProgress, ...rest }: ModuleOptions,
): Promise<Result> {
  const request = parseArgs(operation.input, args);
  const options: CallOptions = { caller: { surface: "module" }, signal, onProgress };
  return await perform(operation, await openWorld(rest), request, options);
}
