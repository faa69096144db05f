// A task, from the request to the closed record: the table of contents of this program.
import { buildArgs, buildEnvironment } from "../core/invocation.ts";
import { type Failure, refusal } from "../core/failure.ts";
import type { CallOptions } from "../core/operation.ts";
import type { TaskRecord } from "../core/record.ts";
import { rankRoutes, type Route, type RoutePlan } from "../core/route.ts";
import type { TaskPlan } from "../core/task.ts";
import type { TaskRequest } from "../core/task_request.ts";
import { type Hide, hideValues } from "../core/hide.ts";
import { newTaskId } from "../core/id.ts";
import { addAttempt, addWarnings, closeRecord, openRecord, settle } from "../core/record_steps.ts";
import { keysOf } from "../hermes/keys.ts";
import { markOf, sourceOf } from "../hermes/mark.ts";
import type { World } from "../ports.ts";
import { admitTask, type Task } from "./admit.ts";
import { type AttemptPlan, runAttempt } from "./attempt.ts";
import { type Facts, gatherFacts, variablesOf } from "./facts.ts";

/** A task that ended, or what a dry run would have done. */
export type Delegated =
  | { readonly kind: "record"; readonly record: TaskRecord }
  | {
    readonly kind: "plan";
    readonly plan: TaskPlan;
    readonly route: Route | undefined;
    readonly failure: Failure | undefined;
    readonly warnings: readonly string[];
  };

/** Runs one task to its end. Throws only what refuses it before a record exists. */
export async function delegate(world: World, request: TaskRequest, options: CallOptions): Promise<Delegated> {
  const task = await admitTask(world, request);
  if (request.dry_run) return await preview(world, task);
  const taskId = takeSlot(world);
  try {
    return { kind: "record", record: await carryOut(world, task, taskId, options) };
  } finally {
    world.running.delete(taskId);
  }
}

function takeSlot(world: World): string {
  const { maxConcurrent } = world.settings.values;
  if (world.running.size >= maxConcurrent) {
    throw refusal(
      "busy",
      `${world.running.size} tasks are running, as many as maxConcurrent allows; try again when one has ended`,
    );
  }
  const taskId = newTaskId(world.clock.now(), Math.random);
  world.running.add(taskId);
  return taskId;
}

async function carryOut(world: World, task: Task, taskId: string, options: CallOptions): Promise<TaskRecord> {
  const { request, prompt, cwd, capability } = task;
  const startedMs = world.clock.now();
  const outputMode = request.output_mode ?? world.settings.values.defaultOutputMode;
  let record = openRecord({
    taskId,
    request,
    prompt,
    cwd,
    capability: capability.name,
    outputMode,
    caller: options.caller,
    nowMs: startedMs,
  });
  try {
    record = await runRoutes(world, task, record, options);
  } catch (error) {
    record = settle(record, {
      code: "unknown",
      detail: `A fault of hermes-task: ${words(error)}; please report it`,
    });
  }
  record = closeRecord(record, world.clock.now());
  return addWarnings(record, await keep(world, record));
}

function words(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Writes the record; a record that cannot be written costs a warning, never the answer. */
async function keep(world: World, record: TaskRecord): Promise<string[]> {
  const problem = await world.records.keep(record);
  return problem === undefined || record.warnings.includes(problem) ? [] : [problem];
}

async function runRoutes(
  world: World,
  task: Task,
  opened: TaskRecord,
  options: CallOptions,
): Promise<TaskRecord> {
  const deadlineMs = Date.parse(opened.created_at) + task.request.timeout_seconds * 1000;
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

function planRoutes(world: World, { request, capability }: Task, facts: Facts): RoutePlan {
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

/** A session is continued in the store that has it; only the task profile keeps the user's defaults out by itself. */
function homeOf(task: Task, facts: Facts): { path: string; ignoreUserConfig: boolean; warnings: string[] } {
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

function callOf(
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

async function preview(world: World, task: Task): Promise<Delegated> {
  const facts = await gatherFacts(world, world.clock.now() + task.request.timeout_seconds * 1000);
  const plan = planRoutes(world, task, facts);
  const [route] = plan.routes;
  const call = route &&
    callOf(world, task, facts, {
      route,
      mark: markOf(world.place.owner, "dry-run", 1),
      source: sourceOf("dry-run", 1),
    });
  const home = homeOf(task, facts);
  return {
    kind: "plan",
    route,
    failure: facts.failure ?? plan.failure,
    warnings: [...world.settings.problems, ...facts.warnings, ...route?.warnings ?? [], ...home.warnings],
    plan: {
      candidates: plan.routes.map(({ provider, model, reason }) => ({ provider, model, reason })),
      passed_over: plan.passedOver,
      capability: task.capability,
      argv: call ? [world.place.hermes.path ?? "hermes", ...call.args] : [],
      env_names: call ? Object.keys(call.env).sort() : [],
      cwd: task.cwd,
      profile: home.ignoreUserConfig ? null : home.path,
    },
  };
}
