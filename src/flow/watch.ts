// How does whoever gave a task wait for it? By watching the queue, never by running anything itself: to hand a task
// over is to stop watching.
import type { CallOptions } from "../core/operation.ts";
import type { QueueRow } from "../core/queue.ts";
import { isOpen, type TaskRecord } from "../core/record.ts";
import type { Progress } from "../core/task.ts";
import type { TaskRequest } from "../core/task_request.ts";
import type { Ear, World } from "../ports.ts";
import { lookAt } from "./look.ts";
import { runOwn } from "./supervise.ts";
import { type SeenTask, seeTask, stateOf } from "./see_task.ts";
import { tend } from "./tend.ts";

/** How long a caller waits. */
export interface Patience {
  /** Milliseconds; `Infinity`: until the end, 0: not at all. */
  readonly waitMs: number;
}

/** A reply must be there within the time that was given for it. */
const REPLY_MS = 250;
/** How often who waits looks after the queue. */
const TEND_MS = 250;
const GATHER_MS = 20;
/** How long a supervisor may take to come up, on the slowest machine. */
const LAUNCH_MS = 15_000;
/** How long a cancelled task may take beyond its grace. */
const CANCEL_MS = 10_000;

/** How long this call may wait: as it says, else as the settings say, else as its host can. */
export function patienceOf(
  { settings }: Pick<World, "settings">,
  { wait_seconds, background }: Pick<TaskRequest, "wait_seconds" | "background">,
  options: Pick<CallOptions, "hostWaitSeconds">,
): Patience {
  if (background) return { waitMs: 0 };
  const seconds = wait_seconds ??
    (options.hostWaitSeconds === undefined
      ? Infinity
      : settings.values.hostWaitSeconds || options.hostWaitSeconds);
  return { waitMs: Math.max(0, seconds * 1000 - REPLY_MS) };
}

/** Waits for tasks of this process' own; what has not ended when the time is over goes on without us. */
export async function watchOwn(
  world: World,
  opened: readonly TaskRecord[],
  options: Patience & Pick<CallOptions, "signal" | "onProgress">,
): Promise<TaskRecord[]> {
  const ids = opened.map(({ task_id }) => task_id);
  const seen = orOpened(opened, await watchTasks(world, ids, { ...options, mode: "all", known: opened }));
  const open = seen.filter(isOpen);
  if (open.length === 0 || !options.signal?.aborted) {
    if (open.length > 0) await handOver(world, open.map(({ task_id }) => task_id));
    return await taken(world, seen);
  }
  await cancelTasks(world, open.map(({ task_id }) => task_id), "by its caller", opened);
  return await taken(
    world,
    orOpened(
      opened,
      await Promise.all(ids.map(async (taskId) => {
        return (await seeTask(world, taskId, opened))?.record;
      })),
    ),
  );
}

function orOpened(opened: readonly TaskRecord[], seen: readonly (TaskRecord | undefined)[]): TaskRecord[] {
  return opened.map((record, n) => seen[n] ?? record);
}

/** Cancels tasks and waits until nothing of theirs runs any more; a task that has ended stays as it is. */
export async function cancelTasks(
  world: World,
  taskIds: readonly string[],
  reason: string,
  known: readonly TaskRecord[] = [],
): Promise<(TaskRecord | undefined)[]> {
  await world.queue.turn((turn) => {
    for (const taskId of taskIds) {
      if (turn.row(taskId)?.wish === null) turn.change(taskId, { wish: reason });
    }
  });
  for (const taskId of taskIds) world.queue.wake(taskId);
  const waitMs = world.settings.values.killGraceMs + CANCEL_MS;
  return await watchTasks(world, taskIds, { waitMs, mode: "all", known });
}

/** Records that could not be written have reached their caller: the queue need not hold them any longer. */
async function taken(world: World, records: TaskRecord[]): Promise<TaskRecord[]> {
  const held = records.filter((record) => !isOpen(record) && world.queue.row(record.task_id)?.outcome);
  if (held.length > 0) {
    await world.queue.turn((turn) => held.forEach(({ task_id }) => turn.remove(task_id)));
  }
  return records;
}

/** Lets waiting tasks go on as background tasks. */
export async function handOver(world: World, taskIds: readonly string[]): Promise<void> {
  await world.queue.turn((turn) => {
    for (const taskId of taskIds) {
      const row = turn.row(taskId);
      if (row) turn.change(taskId, { kind: "background", waiter: row.own ? row.waiter : null });
    }
  });
}

/** What several tasks are waited for. */
export interface WatchOptions extends Patience {
  readonly mode: "any" | "all";
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Records that could perhaps not be written. */
  readonly known?: readonly TaskRecord[];
}

/** Waits for tasks; gives their records as they are when the wait is over, undefined for one that is not known. */
export async function watchTasks(
  world: World,
  taskIds: readonly string[],
  { waitMs, mode, signal, onProgress, known = [] }: WatchOptions,
): Promise<(TaskRecord | undefined)[]> {
  const untilMs = world.clock.now() + waitMs;
  const ears = taskIds.map((taskId) => world.queue.listen(taskId));
  const told = new Map<string, string>();
  let tendAtMs = -Infinity;
  let seen = await Promise.all(taskIds.map((taskId) => seeTask(world, taskId, known)));
  try {
    for (;;) {
      const open = seen.filter((one) => one !== undefined && isOpen(one.record)) as SeenTask[];
      const enough = mode === "all" ? open.length === 0 : open.length < seen.length;
      const leftMs = untilMs - world.clock.now();
      if (enough || leftMs <= 0 || signal?.aborted) return seen.map((one) => one?.record);
      for (const one of open) tellProgress(world, one.row, told, onProgress);
      if (world.clock.now() >= tendAtMs) {
        tendAtMs = world.clock.now() + TEND_MS;
        await tend(world);
        for (const one of open) await runHereAfterAll(world, one.row);
      }
      await anyHeard(ears, leftMs, signal);
      // Where much happens, several things are one look.
      if (open.length > 1) await world.clock.sleep(GATHER_MS, signal);
      seen = await seeAgain(world, seen, known);
    }
  } finally {
    for (const ear of ears) ear.close();
  }
}

/** Looks at all rows at once; a record is read again only when its row is gone or brings another one. */
async function seeAgain(
  world: World,
  seen: readonly (SeenTask | undefined)[],
  known: readonly TaskRecord[],
): Promise<(SeenTask | undefined)[]> {
  const rows = new Map(world.queue.rows().map((row) => [row.taskId, row]));
  return await Promise.all(seen.map(async (one) => {
    if (!one || !isOpen(one.record)) return one;
    const row = rows.get(one.record.task_id);
    if (row && row.outcome === null) return { record: stateOf(row, one.record), row };
    return await seeTask(world, one.record.task_id, known);
  }));
}

/** No supervisor comes up on this machine: who waits runs the task itself, rather than never. */
async function runHereAfterAll(world: World, row: QueueRow | undefined): Promise<void> {
  if (row?.state !== "queued" || row.own || row.waiter !== world.place.owner) {
    return;
  }
  if (world.clock.now() - row.createdMs < LAUNCH_MS || lookAt(world).runners.length > 0) return;
  world.queue.prove();
  const taken = await world.queue.turn((turn) => {
    if (turn.row(row.taskId)?.state !== "queued") return false;
    return turn.change(row.taskId, { own: true });
  });
  if (taken) void runOwn(world, row.taskId);
}

async function anyHeard(ears: readonly Ear[], ms: number, signal?: AbortSignal): Promise<void> {
  const first = new AbortController();
  const until = signal ? AbortSignal.any([signal, first.signal]) : first.signal;
  await Promise.race(ears.map((ear) => ear.heard(ms, until)));
  first.abort();
}

function tellProgress(
  world: World,
  row: QueueRow | undefined,
  told: Map<string, string>,
  onProgress: WatchOptions["onProgress"],
): void {
  if (!row || !onProgress) return;
  const progress = row.progress ?? queuedProgress(world, row);
  const text = JSON.stringify(progress);
  if (told.get(row.taskId) === text) return;
  told.set(row.taskId, text);
  onProgress(progress);
}

function queuedProgress(world: World, row: QueueRow): Progress {
  const before = world.queue.rows().filter(({ state, seq }) => state === "queued" && seq < row.seq).length;
  return {
    task_id: row.taskId,
    provider: null,
    model: null,
    elapsed_ms: Math.max(0, world.clock.now() - row.createdMs),
    turns: null,
    activity: row.state === "queued" && before > 0 ? `queued, ${before} before it` : null,
  };
}
