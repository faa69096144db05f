// How does whoever gave a task wait for it? By watching the queue, never by running anything itself: to hand a task
// over is to stop watching.
import type { CallOptions } from "../core/operation.ts";
import { canServe, type QueueRow } from "../core/queue.ts";
import { isOpen, type TaskRecord } from "../core/record.ts";
import { addWarnings, closeRecord, settle } from "../core/record_steps.ts";
import type { Progress } from "../core/task.ts";
import type { TaskRequest } from "../core/task_request.ts";
import { type Ear, FileFault, type World } from "../ports.ts";
import { lookAt } from "./look.ts";
import { keep } from "./run_task.ts";
import { runOwn } from "./supervise.ts";
import { orBusy, recordOf, reopened, tend } from "./tend.ts";
import { within } from "./within.ts";

/** How long a caller waits. */
export interface Patience {
  /** Milliseconds; `Infinity`: until the end, 0: not at all. */
  readonly waitMs: number;
}

/** A reply must be there within the time that was given for it. */
const REPLY_MS = 250;
/** A record without a row is lost once its writer has had the time to add it. */
const ADMISSION_MS = 60_000;
/** How long a supervisor may take to come up, on the slowest machine. */
const LAUNCH_MS = 15_000;
const NOBODY_CAME =
  "No supervisor that could take the task came up: it ends with this process; after an update of hermes-task restart " +
  "what runs it";
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
  options: Patience & Pick<CallOptions, "signal" | "onProgress" | "hostWaitSeconds">,
): Promise<TaskRecord[]> {
  const ids = opened.map(({ task_id }) => task_id);
  const seen = orOpened(opened, await watchTasks(world, ids, { ...options, mode: "all", known: opened }));
  const open = seen.filter(isOpen).map(({ task_id }) => task_id);
  if (open.length === 0) return await taken(world, seen);
  const warnings = options.signal?.aborted ? [] : await letGo(world, open, options);
  // The order to end may have come while they were let go.
  if (!options.signal?.aborted) {
    return await taken(world, seen.map((record) => isOpen(record) ? addWarnings(record, warnings) : record));
  }
  await cancelTasks(world, open, "cancelled by its caller", opened);
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
  await orBusy(world.queue.turn((turn) => {
    for (const taskId of taskIds) {
      if (turn.row(taskId)?.wish === null) turn.change(taskId, { wish: reason });
    }
  }));
  for (const taskId of taskIds) world.queue.wake(taskId);
  const waitMs = world.settings.values.killGraceMs + CANCEL_MS;
  return await watchTasks(world, taskIds, { waitMs, mode: "all", known });
}

/** Records that could not be written have reached their caller: the queue need not hold them any longer. */
async function taken(world: World, records: TaskRecord[]): Promise<TaskRecord[]> {
  try {
    const held = records.filter((record) => !isOpen(record) && world.queue.row(record.task_id)?.outcome);
    if (held.length === 0) return records;
    const removed = world.queue.turn((turn) => held.forEach(({ task_id }) => turn.remove(task_id)));
    await within(world.clock, REPLY_MS, removed);
  } catch (error) {
    // They are held a while longer, then.
    if (!(error instanceof FileFault)) throw error;
  }
  return records;
}

/** Hands over within the time of a reply, where a host waits for that. Gives what is to be said of it. */
async function letGo(
  world: World,
  taskIds: readonly string[],
  { hostWaitSeconds }: Pick<CallOptions, "hostWaitSeconds">,
): Promise<string[]> {
  const limitMs = hostWaitSeconds === undefined ? Infinity : REPLY_MS;
  try {
    if (await within(world.clock, limitMs, handOver(world, taskIds))) return [];
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
  }
  return ["The queue could not be written in time: the task may end with this process"];
}

/** Lets waiting tasks go on as background tasks. */
async function handOver(world: World, taskIds: readonly string[]): Promise<void> {
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
  try {
    for (;;) {
      const seen = await Promise.all(taskIds.map((taskId) => seeTask(world, taskId, known)));
      const open = seen.filter((one) => one !== undefined && isOpen(one.record));
      const enough = mode === "all" ? open.length === 0 : open.length < seen.length;
      const leftMs = untilMs - world.clock.now();
      if (enough || leftMs <= 0 || signal?.aborted) return seen.map((one) => one?.record);
      for (const one of open) tellProgress(world, one!.row, told, onProgress);
      await within(world.clock, leftMs, lookAfter(world, open.map((one) => one!.row)));
      await anyHeard(ears, leftMs, signal);
    }
  } finally {
    for (const ear of ears) ear.close();
  }
}

async function lookAfter(world: World, rows: readonly (QueueRow | undefined)[]): Promise<void> {
  await tend(world);
  try {
    for (const row of rows) await runHereAfterAll(world, row);
  } catch (error) {
    // A queue that cannot be written now is looked after the next time.
    if (!(error instanceof FileFault)) throw error;
  }
}

/** No supervisor comes up that could take it: who waits runs the task itself, rather than never. */
async function runHereAfterAll(world: World, row: QueueRow | undefined): Promise<void> {
  if (row?.state !== "queued" || row.own || row.waiter !== world.place.owner || row.launchedMs === null) {
    return;
  }
  if (world.clock.now() - row.createdMs < LAUNCH_MS) return;
  if (lookAt(world).runners.some((one) => canServe(row, one))) return;
  world.queue.prove();
  const taken = await world.queue.turn((turn) => {
    if (turn.row(row.taskId)?.state !== "queued") return false;
    return turn.change(row.taskId, { own: true });
  });
  if (!taken) return;
  const record = await recordOf(world, row);
  if (record) await keep(world, addWarnings(record, [NOBODY_CAME]));
  void runOwn(world, row.taskId);
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

/** A task as it is now. */
export interface SeenTask {
  readonly record: TaskRecord;
  /** Its place in the queue, while it is open. */
  readonly row: QueueRow | undefined;
}

/** Looks at a task: its record, with the state that the queue knows better. Undefined when it is not known. */
export async function seeTask(
  world: World,
  taskId: string,
  known: readonly TaskRecord[] = [],
): Promise<SeenTask | undefined> {
  const row = world.queue.row(taskId);
  const record = await recordOf(world, row ?? { taskId, outcome: null }) ??
    known.find((one) => one.task_id === taskId) ?? (row && reopened(world, row));
  if (!record) return undefined;
  if (row) return { record: isOpen(record) ? stateOf(row, record) : record, row };
  // It may have been closed between the two looks.
  const closed = isOpen(record) ? await recordOf(world, { taskId, outcome: null }) ?? record : record;
  return { record: isOpen(closed) ? await settleLost(world, closed) : closed, row: undefined };
}

function stateOf(row: QueueRow, record: TaskRecord): TaskRecord {
  const { provider, model } = row.progress ?? record;
  return { ...record, status: row.state === "queued" ? "queued" : "running", provider, model };
}

/** An open record without a row: its process died between the two, or its queue was taken away. */
async function settleLost(world: World, record: TaskRecord): Promise<TaskRecord> {
  const ageMs = world.clock.now() - Date.parse(record.created_at);
  if (ageMs < ADMISSION_MS || world.queue.problem() !== undefined) return record;
  const lost = closeRecord(
    settle(record, { code: "lost", detail: "The process that had it died; give the task again" }),
    world.clock.now(),
  );
  await world.records.keep(lost);
  return lost;
}
