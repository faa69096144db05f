// How do tasks get into the queue? Their records first, then their rows, all or none; and somebody who runs them.
import { refusal, TaskError } from "../core/failure.ts";
import { newTaskId } from "../core/id.ts";
import { type QueueRow, waitingForSlot } from "../core/queue.ts";
import type { Batch, Caller, TaskRecord } from "../core/record.ts";
import { addWarnings, openRecord } from "../core/record_steps.ts";
import type { World } from "../ports.ts";
import type { Task } from "./admit.ts";
import { launchMissing } from "./launch_missing.ts";
import { runnerHere, wakeQueue } from "./look.ts";
import { needsOf } from "./needs.ts";
import { keep } from "./run_task.ts";
import { runOwn } from "./supervise.ts";

/** How tasks are put in. */
export interface EnqueueOptions {
  readonly caller: Caller;
  readonly kind: QueueRow["kind"];
  /** May they have to go on without this process? */
  readonly outlives: boolean;
  readonly strategy?: Batch["strategy"];
}

/** Puts tasks into the queue, in order; gives their records. Throws `busy` when not all of them have room. */
export async function enqueue(
  world: World,
  tasks: readonly Task[],
  options: EnqueueOptions,
): Promise<TaskRecord[]> {
  refuseWhenFull(world, world.queue.rows(), tasks.length);
  const entries = await entriesOf(world, tasks, options);
  const problem = world.queue.problem();
  const here = problem ?? await whyHere(world, entries, options);
  const records = await Promise.all(entries.map(async ({ record }) => {
    const warned = addWarnings(record, here ? [here] : []);
    return addWarnings(warned, await keep(world, warned));
  }));
  await add(world, entries, here !== undefined || (world.runsItself && !options.outlives));
  wakeQueue(world);
  return records;
}

interface Entry {
  readonly task: Task;
  readonly record: TaskRecord;
  readonly row: Omit<QueueRow, "seq">;
}

async function entriesOf(world: World, tasks: readonly Task[], options: EnqueueOptions): Promise<Entry[]> {
  const nowMs = world.clock.now();
  const me = await runnerHere(world);
  const ids = tasks.map(() => newTaskId(nowMs, Math.random));
  const batch = options.strategy ? { id: ids[0]!, strategy: options.strategy } : null;
  const { maxConcurrent } = world.settings.values;
  return await Promise.all(tasks.map(async (task, n) => ({
    task,
    record: openRecord({
      taskId: ids[n]!,
      request: task.request,
      prompt: task.prompt,
      cwd: task.cwd,
      capability: task.capability.name,
      outputMode: task.request.output_mode ?? world.settings.values.defaultOutputMode,
      caller: options.caller,
      batch,
      nowMs,
    }),
    row: {
      taskId: ids[n]!,
      state: "queued",
      kind: options.kind,
      place: me.place,
      needs: await needsOf(world, task.request.provider),
      limit: maxConcurrent,
      createdMs: nowMs,
      // Those of a batch run in rounds; each has its whole time.
      deadlineMs: nowMs + task.request.timeout_seconds * 1000 * (Math.floor(n / maxConcurrent) + 1),
      admittedBy: world.place.owner,
      waiter: options.kind === "waiting" ? world.place.owner : null,
      runner: null,
      own: false,
      wish: null,
      session: task.request.session_id || null,
      batch,
      progress: null,
      since: null,
      dead: [],
      outcome: null,
    },
  })));
}

/** Starts supervisors where there are none idle. Says why this process must run the tasks itself. */
async function whyHere(
  world: World,
  entries: readonly Entry[],
  options: EnqueueOptions,
): Promise<string | undefined> {
  if (world.runsItself && !options.outlives) return undefined;
  if (world.place.depth > 0) return "Called by a task: what it starts ends with it";
  const why = await world.guardian.mayLaunch();
  if (why !== undefined) return withoutSupervisor(why);
  const rows = entries.map(({ row }, n) => ({ ...row, seq: Number.MAX_SAFE_INTEGER - entries.length + n }));
  // Before the records: a supervisor takes longer to come up than they take to write.
  for (const _ of entries) {
    const problem = await launchMissing(world, rows);
    if (problem === "none") return undefined;
    if (problem !== undefined) return withoutSupervisor(problem);
  }
  return undefined;
}

function withoutSupervisor(why: string): string {
  return `No supervisor can be started (${why}): the task ends with this process`;
}

async function add(world: World, entries: readonly Entry[], own: boolean): Promise<void> {
  world.queue.prove();
  try {
    await world.queue.turn((turn) => {
      refuseWhenFull(world, turn.rows(), entries.length);
      for (const { task, row } of entries) {
        const { request, prompt, cwd } = task;
        turn.add(own ? { ...row, own, waiter: world.place.owner } : row, {
          request: { ...request, prompt },
          cwd,
          settings: world.settings.values,
        });
      }
    });
  } catch (error) {
    if (error instanceof TaskError) {
      for (const { record } of entries) await world.records.drop(record.task_id);
    }
    throw error;
  }
  if (own) { for (const { row } of entries) void runOwn(world, row.taskId); }
}

function refuseWhenFull(world: World, rows: readonly QueueRow[], more: number): void {
  const { maxConcurrent, maxQueued } = world.settings.values;
  const before = rows.filter(({ state }) => state !== "closing").length;
  if (waitingForSlot(before + more, maxConcurrent) <= maxQueued) return;
  throw refusal(
    "busy",
    more === 1
      ? `${before} tasks run or wait, as many as maxConcurrent (${maxConcurrent}) and maxQueued (${maxQueued}) allow; ` +
        "try again when one has ended, see hermes-task tasks"
      : `${more} tasks have no room beside ${before} that run or wait (maxConcurrent ${maxConcurrent}, ` +
        `maxQueued ${maxQueued}); give fewer, or raise maxQueued`,
  );
}
