// What does a runner do? It takes the next task of the queue, runs it to its end, closes it, and goes on until there
// has been nothing for a while.
import { isAbandoned, nextFor, type QueueRow, type Runner, shouldLeave } from "../core/queue.ts";
import { isOpen } from "../core/record.ts";
import { closeRecord, settle } from "../core/record_steps.ts";
import { type Ear, FileFault, type World } from "../ports.ts";
import { lookAt, runnerHere, runnerTopic } from "./look.ts";
import { jobWorld } from "./job_world.ts";
import { faultOfOurs, runTask } from "./run_task.ts";
import { finish, recordOf, reopened, tend } from "./tend.ts";

/** How often a runner looks whether its task is still wanted. */
const WANTED_MS = 100;

/** What a supervisor is told. */
export interface SuperviseOptions {
  /** Ends it, and its task. */
  readonly signal: AbortSignal;
  /** How long it waits for a task, from its start and from the end of the last one. */
  readonly idleMs: number;
}

/** Runs tasks of the queue, one after the other, until there has been none for a while. */
export async function supervise(world: World, { signal, idleMs }: SuperviseOptions): Promise<void> {
  const me = await runnerHere(world);
  world.queue.prove();
  if (!await enter(world, me)) return;
  const ear = world.queue.listen(runnerTopic(me.owner));
  let untilMs = world.clock.now() + idleMs;
  while (!signal.aborted && isEntered(world, me)) {
    const row = await claim(world, me);
    if (row) {
      await runClaimed(world, me, row, signal);
      untilMs = world.clock.now() + idleMs;
      continue;
    }
    await tend(world);
    if (await leave(world, me, world.clock.now() >= untilMs)) break;
    await ear.heard(untilMs - world.clock.now(), signal);
  }
  ear.close();
  if (isEntered(world, me)) await world.queue.turn((turn) => turn.unregister(me.owner));
  world.queue.wake(runnerTopic(me.owner), true);
  world.queue.tidy();
}

/** Runs one task of this process' own, when it is its turn. Never throws. */
export async function runOwn(world: World, taskId: string): Promise<void> {
  const ear = world.queue.listen(runnerTopic(world.place.owner));
  try {
    const row = await claimOwn(world, taskId, ear);
    if (row) await runClaimed(world, await runnerHere(world), row);
  } catch (error) {
    // Nobody waits for this promise. What cannot even be written now is closed by who looks when we are gone.
    await fail(world, { taskId, outcome: null }, error).catch(() => {});
  } finally {
    ear.close();
  }
}

/** Waits for the turn of a task of our own. */
async function claimOwn(world: World, taskId: string, ear: Ear): Promise<QueueRow | undefined> {
  // Nothing else is run here, so nothing else comes before it.
  const me = { ...await runnerHere(world), place: "" };
  for (;; await ear.heard(Infinity)) {
    try {
      if (world.queue.row(taskId)?.state !== "queued") return undefined;
      const row = await claim(world, me, taskId);
      if (row) return row;
    } catch (error) {
      // A queue that cannot be written now may be the next time.
      if (!(error instanceof FileFault)) throw error;
    }
    await tend(world);
  }
}

/** A fault of our own ends the supervisor; the task that it has says which. */
export async function failCurrent(world: World, error: unknown): Promise<void> {
  const mine = world.queue.rows().filter((row) => row.runner === world.place.owner && row.outcome === null);
  for (const row of mine) await fail(world, row, error);
}

/** What has ended before stays as it is. */
async function fail(
  world: World,
  row: Pick<QueueRow, "taskId" | "outcome">,
  error: unknown,
): Promise<void> {
  const record = await recordOf(world, row);
  if (!record) return;
  const closed = isOpen(record) ? closeRecord(settle(record, faultOfOurs(error)), world.clock.now()) : record;
  await finish(world, closed);
}

/** There are never more supervisors than tasks may run: one too many goes again. */
async function enter(world: World, me: Runner): Promise<boolean> {
  return await world.queue.turn((turn) => {
    const { rows, runners } = lookAt(world, turn);
    const limit = Math.max(world.settings.values.maxConcurrent, ...rows.map((row) => row.limit));
    if (runners.length >= limit) return false;
    turn.register(me);
    return true;
  });
}

/** False when somebody has taken the queue away, or put another in its place: there this process counts for nothing. */
function isEntered(world: World, { owner }: Runner): boolean {
  return world.queue.runners().some((one) => one.owner === owner);
}

/** Takes the next task, or the one that is meant; undefined when it is not its turn. */
async function claim(
  world: World,
  me: Runner,
  taskId?: string,
): Promise<QueueRow | undefined> {
  const mine = (row: QueueRow | undefined) =>
    row && (taskId === undefined || row.taskId === taskId) ? row : undefined;
  // Most looks find nothing: those need no turn.
  if (!mine(nextFor(lookAt(world), me))) return undefined;
  return await world.queue.turn((turn) => {
    const row = mine(nextFor(lookAt(world, turn), me));
    if (!row) return undefined;
    turn.change(row.taskId, { state: "running", runner: me.owner });
    return row;
  });
}

/** Goes when it was idle for long, or to make room; not while there is something to do. */
async function leave(world: World, me: Runner, idle: boolean): Promise<boolean> {
  if (!idle && !shouldLeave(lookAt(world), me)) return false;
  return await world.queue.turn((turn) => {
    const look = lookAt(world, turn);
    if (nextFor(look, me)) return false;
    turn.unregister(me.owner);
    return true;
  });
}

async function runClaimed(world: World, me: Runner, row: QueueRow, signal?: AbortSignal): Promise<void> {
  world.queue.wake(row.taskId);
  const job = world.queue.job(row.taskId);
  if (!job) return;
  const wanted = watchWanted(world, row.taskId, signal);
  try {
    const record = await recordOf(world, row) ?? reopened(world, row);
    if (!record) return;
    // Somebody called it lost while its row was on the way: it stays so, and is not begun after its end.
    if (!isOpen(record)) return await finish(world, record);
    const closed = await runTask(jobWorld(world, row, job, me), job, record, {
      deadlineMs: Math.min(row.deadlineMs, world.clock.now() + job.request.timeout_seconds * 1000),
      signal: wanted.signal,
      onProgress: (progress) => void note(world, row.taskId, { progress }),
      onContinue: ({ home, sessionId, lastMessageId }) =>
        void note(world, row.taskId, { since: { home, sessionId, lastMessageId } }),
    });
    await finish(world, closed);
  } finally {
    wanted.stop();
  }
}

/** What is known of a task by the way. That it could not be written costs nothing. */
async function note(
  world: World,
  taskId: string,
  what: Partial<Pick<QueueRow, "progress" | "since">>,
): Promise<void> {
  try {
    await world.queue.turn((turn) => turn.change(taskId, what));
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
  }
  world.queue.wake(taskId);
}

interface Wanted {
  /** Aborts when nobody wants the task any more. */
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

/** Watches for a wish to cancel, for the end of who waits, and for the order to end. */
function watchWanted(world: World, taskId: string, ending?: AbortSignal): Wanted {
  const unwanted = new AbortController();
  const over = new AbortController();
  const ear = world.queue.listen(taskId);
  const watch = async () => {
    while (!over.signal.aborted && !unwanted.signal.aborted) {
      const why = whyUnwanted(world, taskId);
      if (why === undefined) await ear.heard(WANTED_MS, over.signal);
      else unwanted.abort(why);
    }
  };
  void watch().finally(() => ear.close());
  const signal = ending ? AbortSignal.any([unwanted.signal, ending]) : unwanted.signal;
  return { signal, stop: () => over.abort() };
}

/** Why a task is not to go on; undefined while it is wanted, and while nothing can be told. */
function whyUnwanted(world: World, taskId: string): string | undefined {
  try {
    const row = world.queue.row(taskId);
    if (!row) return "it was taken out of the queue";
    if (row.wish !== null) return row.wish;
    return isAbandoned(row, (owner) => world.queue.alive(owner)) ? "its caller is gone" : undefined;
  } catch (error) {
    if (error instanceof FileFault) return undefined;
    throw error;
  }
}
