// Which screen shows which result?
import type { HermesModelsResult } from "../core/model_listing.ts";
import type { HermesTaskResult } from "../core/task.ts";
import type { HermesBatchResult } from "../operations/batch.ts";
import type { HermesCancelResult } from "../operations/cancel.ts";
import type { HermesDetailResult } from "../operations/detail.ts";
import type { HermesTelemetryResult } from "../operations/telemetry.ts";
import type { HermesTasksResult } from "../operations/tasks.ts";
import type { HermesWaitResult } from "../operations/wait.ts";
import type { Look } from "./paint.ts";
import type { Screen } from "./print.ts";
import { showDetail } from "./view_detail.ts";
import { showFailure } from "./view_failure.ts";
import { showModels, showProviders } from "./view_models.ts";
import { type Group, showTelemetry } from "./view_telemetry.ts";
import { showTask } from "./view_task.ts";
import { showCancelled, showSeveral, showTasks } from "./view_tasks.ts";

/** What is to be shown. */
export interface Shown {
  /** The result object of the command's operation. */
  readonly result: object;
  /** Arguments of the call, as given. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Telemetry by day. */
  readonly days?: readonly Group[];
}

/** Draws the result of a command's operation. */
export function showResult(command: string, shown: Shown, look: Look): Screen {
  const { result } = shown;
  if (command === "run") return showTask(result as HermesTaskResult, look);
  if (command === "batch" && "tasks" in result) return showSeveral(result as HermesBatchResult, look);
  if (!("ok" in result) || result.ok !== true) return { out: [], err: showFailure(result, look) };
  if (command === "wait") return showSeveral(result as HermesWaitResult, look);
  return { out: linesOf(command, shown, look), err: [] };
}

function linesOf(command: string, { result, args, days = [] }: Shown, look: Look): string[] {
  switch (command) {
    case "detail":
      return showDetail(result as HermesDetailResult, look);
    case "models":
      if (args.provider) return showModels(result as HermesModelsResult, look);
      return showProviders(result as HermesModelsResult, isFiltered(args), look);
    case "telemetry":
      return showTelemetry(result as HermesTelemetryResult, days, look);
    case "tasks":
      return showTasks(result as HermesTasksResult, look);
    case "cancel":
      return showCancelled(result as HermesCancelResult, look);
    default:
      throw new Error(`No screen for the command "${command}"`);
  }
}

function isFiltered({ input_type, capability, free_only }: Shown["args"]): boolean {
  return Boolean(input_type || capability || free_only);
}
