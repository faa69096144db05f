// An admitted task, from its first step to its closed record: the table of contents of what a runner does.
import { buildArgs, buildEnvironment } from "../core/invocation.ts";
import { type Failure, TaskError } from "../core/failure.ts";
import type { Progress } from "../core/task.ts";
import type { Job, SessionPlace } from "../core/queue.ts";
import type { TaskRecord } from "../core/record.ts";
import { redact } from "../core/redact.ts";
import { rankRoutes, type Route, type RoutePlan } from "../core/route.ts";
import { type Hide, hideValues } from "../core/hide.ts";
import { addAttempt, addWarnings, beginRecord, closeRecord, settle } from "../core/record_steps.ts";
import { keysOf } from "../hermes/keys.ts";
import { markOf, sourceOf } from "../hermes/mark.ts";
import type { World } from "../ports.ts";
import { readmitTask, type Task } from "./admit.ts";
import { type AttemptPlan, runAttempt } from "./attempt.ts";
import { type Facts, gatherFacts } from "./facts.ts";
import { variablesOf } from "./needs.ts";

/** What a run needs besides the task. */
export interface RunOptions {
  /** Epoch milliseconds at which the whole task must have ended. */
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Hears where the session stands that is continued, before Hermes goes on with it. */
  readonly onContinue?: (since: SessionPlace) => void;
}

/** Runs a task to its end; its record is closed, not kept. Never throws. */
export async function runTask(
  world: World,
  job: Job,
  queued: TaskRecord,
  options: RunOptions,
): Promise<TaskRecord> {
  let record = beginRecord(queued, world.clock.now());
  try {
    const task = await readmitTask(world, job, queued.capability);
    if (task.since) options.onContinue?.(task.since);
    record = await runRoutes(world, task, record, options);
  } catch (error) {
    record = settle(record, error instanceof TaskError ? error.failure : faultOfOurs(error));
  }
  return closeRecord(withReason(record, options.signal), world.clock.now());
}

/** Who cancels says why. */
function withReason(record: TaskRecord, signal: AbortSignal | undefined): TaskRecord {
  if (record.error !== "cancelled" || typeof signal?.reason !== "string") return record;
  return {
    ...record,
    error_detail: redact(
      `Cancelled (${signal.reason}); files that were written and messages that were sent stay`,
    ),
  };
}

/** What is said of a fault of this program. */
export function faultOfOurs(error: unknown): Failure {
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { code: "unknown", detail: `A fault of hermes-task: ${words}; please report it` };
}

/** Writes the record; a record that cannot be written costs a warning, never the answer. */
export async function keep(world: World, record: TaskRecord): Promise<string[]> {
  const problem = await world.records.keep(record);
  return problem === undefined || record.warnings.includes(problem) ? [] : [problem];
}

async function runRoutes(
  world: World,
  task: Task,
  opened: TaskRecord,
  options: RunOptions,
): Promise<TaskRecord> {
  const { deadlineMs } = options;
  // On the disk before Hermes starts, and written while the surroundings are looked at.
  const kept = keep(world, opened);
  const facts = await gatherFacts(world, deadlineMs, options.signal);
  let record = addWarnings(opened, [...await kept, ...world.settings.problems, ...facts.warnings]);
  record = { ...record, hermes_version: facts.hermes?.version ?? null };
  if (options.signal?.aborted) {
    return settle(record, { code: "cancelled", detail: "Cancelled before Hermes was started" });
  }
  const plan = planRoutes(world, task, facts);
  const failure = facts.failure ?? plan.failure;
  const [route] = plan.routes;
  record = { ...record, passed_over: plan.passedOver };
  if (failure || !route) {
    return settle(record, failure ?? { code: "unknown", detail: "No route and no reason; please report it" });
  }
  record = addWarnings(record, [...route.warnings, ...homeOf(task, facts).warnings]);
  const owner = { provider: route.provider, variables: variablesOf(route.provider, facts.user) };
  const keys = await keysOf(world, owner, facts.user);
  const end = await runAttempt(
    world,
    planAttempt(world, task, facts, { record, route, deadlineMs, hide: hideValues(keys) }),
    options,
  );
  record = addAttempt(record, { ...end, freeBasis: route.freeBasis });
  return settle(record, end.failure);
}

/** Ranks the routes that the facts allow. */
export function planRoutes(world: World, { request, capability }: Task, facts: Facts): RoutePlan {
  return rankRoutes(
    {
      provider: request.provider,
      model: request.model,
      capability: capability.name,
      capabilityAsked: request.capability !== "",
    },
    { health: facts.health, catalog: facts.catalog, tiebreakOrder: world.settings.values.tiebreakOrder },
  );
}

/** Where Hermes runs. A session is continued in the store that has it; only the task profile keeps the user's defaults out by itself. */
export function homeOf(
  task: Task,
  facts: Facts,
): { path: string; ignoreUserConfig: boolean; warnings: string[] } {
  if (!task.since || task.since.home === facts.home.path) return { ...facts.home, warnings: [] };
  const { home } = task.since;
  return {
    path: home,
    ignoreUserConfig: true,
    warnings: [
      `Session ${task.since.sessionId} is in the store of ${home}: continued there, with --ignore-user-config`,
    ],
  };
}

interface AttemptSeed {
  readonly record: TaskRecord;
  readonly route: Route;
  readonly deadlineMs: number;
  readonly hide: Hide;
}

function planAttempt(
  world: World,
  task: Task,
  facts: Facts,
  { record, route, deadlineMs, hide }: AttemptSeed,
): AttemptPlan {
  const number = record.attempts.length + 1;
  const mark = markOf(world.place.owner, record.task_id, number);
  const source = sourceOf(record.task_id, number);
  return {
    taskId: record.task_id,
    route,
    ...callOf(world, task, facts, { route, mark, source }),
    cwd: task.cwd,
    mark,
    source,
    deadlineMs,
    hide,
    timeoutSeconds: task.request.timeout_seconds,
    since: task.since,
  };
}

/** Arguments and environment of one start of Hermes. */
export function callOf(
  world: World,
  task: Task,
  facts: Facts,
  { route, mark, source }: { route: Route; mark: string; source: string },
): { args: string[]; env: Record<string, string> } {
  const { request, prompt } = task;
  const home = homeOf(task, facts);
  return {
    args: buildArgs({
      prompt,
      provider: route.provider,
      model: route.model,
      source,
      toolsets: request.toolsets,
      maxTurns: request.max_turns,
      sessionId: request.session_id,
      yolo: world.settings.values.yolo,
      ignoreUserConfig: home.ignoreUserConfig,
    }),
    env: buildEnvironment(
      { home: home.path, mark, depth: world.place.depth, variables: variablesOf(route.provider, facts.user) },
      world.environment.get,
    ),
  };
}
