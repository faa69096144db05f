/**
 * Hands one-shot tasks to the locally installed Hermes Agent, on free models, and gets an answer every time.
 *
 * The functions are the tools of the MCP server and the commands of `hermes-task`: same arguments, same objects.
 *
 * ```ts
 * import { hermesTask } from "@hermes-task/hermes-task";
 *
 * const { ok, result, error_detail } = await hermesTask({ prompt: "Which day is it?", dry_run: true });
 * console.log(ok ? result : error_detail);
 * ```
 *
 * @module
 */
export {
  hermesBatch,
  hermesCancel,
  hermesModels,
  hermesTask,
  hermesTaskDetail,
  hermesTasks,
  hermesTelemetry,
  hermesWait,
  type ModuleOptions,
} from "./src/module/functions.ts";
export { createServer, type EmbeddedServer } from "./src/module/server.ts";
export type { WorldOptions } from "./src/module/world.ts";
export { type ErrorCode, type Failure, TaskError } from "./src/core/failure.ts";
export type {
  AttemptRecord,
  Batch,
  Caller,
  Digest,
  PassedOverRecord,
  TaskRecord,
  TaskState,
  ToolCall,
  Usage,
} from "./src/core/record.ts";
export type { Settings } from "./src/core/settings.ts";
export type {
  AttemptReply,
  Capability,
  HermesTaskArgs,
  HermesTaskResult,
  Progress,
  TaskPlan,
} from "./src/core/task.ts";
export type { DetailSection, HermesDetailArgs, HermesDetailResult } from "./src/operations/detail.ts";
export type { HermesBatchArgs, HermesBatchResult } from "./src/operations/batch.ts";
export type { CancelledTask, HermesCancelArgs, HermesCancelResult } from "./src/operations/cancel.ts";
export type { HermesTasksArgs, HermesTasksResult, ListedTask, StateFilter } from "./src/operations/tasks.ts";
export type { HermesWaitArgs, HermesWaitResult } from "./src/operations/wait.ts";
export type { BatchOutcome } from "./src/core/batch_outcome.ts";
export type { FailureFields } from "./src/core/refused.ts";
export type { TaskReply } from "./src/core/task_list.ts";
export type { VoteGroup } from "./src/core/vote.ts";
export type { HermesModelsArgs, HermesModelsResult } from "./src/operations/models.ts";
export type { HermesTelemetryArgs, HermesTelemetryResult } from "./src/operations/telemetry.ts";
export type {
  DurationSummary,
  GroupBy,
  RunSummary,
  Statistics,
  TokenSummary,
} from "./src/core/statistics.ts";
export type { FieldOrigin, ListSource, ModelListing, ProviderListing } from "./src/core/model_listing.ts";
export type { HealthStatus } from "./src/core/health.ts";
export type { FreeBasis, Price } from "./src/core/free.ts";
