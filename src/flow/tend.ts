// Whoever looks at the queue looks after it: starts a supervisor where one is missing, and closes what has lost its
// owner, its time or its reason. So nothing waits for ever on somebody who is gone.
import type { Failure } from "../core/failure.ts";
import { type Fate, fateOf, type Job, type QueueRow } from "../core/queue.ts";
import { parseRecord } from "../core/record_text.ts";
import type { TaskRecord } from "../core/record.ts";
import { closeRecord, openRecord, settle } from "../core/record_steps.ts";
import { FileFault, type World } from "../ports.ts";
import { launchMissing } from "./launch_missing.ts";
import { lookAt, wakeQueue } from "./look.ts";

/** Looks after the queue once. A queue that cannot be written now is looked after the next time. */
export async function tend(world: World): Promise<void> {
  try {
    await lookAfter(world);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
  }
}

async function lookAfter(world: World): Promise<void> {
  const look = lookAt(world);
  const doomed = look.rows.filter((row) => fateOf(row, look) !== undefined);
  for (const row of doomed) await close(world, row);
  await buryRunners(world);
  const mayLaunch = !world.runsItself && world.place.depth === 0;
  if (mayLaunch && look.rows.some(({ state }) => state === "queued")) await launchMissing(world);
}

/** Ends a task that nobody may begin or go on with; only one process does it. */
async function close(world: World, { taskId }: QueueRow): Promise<void> {
  world.queue.prove();
  const taken = await world.queue.turn((turn) => {
    const row = turn.row(taskId);
    const fate = row && fateOf(row, lookAt(world, turn));
    if (!row || !fate) return undefined;
    const dead = row.runner === null || row.dead.includes(row.runner) ? row.dead : [...row.dead, row.runner];
    turn.change(taskId, { state: "closing", runner: world.place.owner, dead });
    return { row, fate, dead };
  });
  if (!taken) return;
  for (const owner of taken.dead) await reap(world, owner);
  const job = world.queue.job(taskId);
  const record = await recordOf(world, taken.row) ?? (job && reopened(taken.row, job));
  if (record) {
    const open = record.status === "queued" || record.status === "running";
    const closed = open
      ? closeRecord(settle(record, failureOf(taken.fate, taken.row)), world.clock.now())
      : record;
    await finish(world, closed);
  } else await remove(world, taskId);
}

async function reap(world: World, owner: string): Promise<void> {
  try {
    await world.guardian.reap(owner);
  } catch {
    // It lives after all, or cannot be looked for; its task has ended either way.
  }
}

/** The record as far as it is known: what could not be written stands in the row. */
export async function recordOf(
  world: World,
  row: Pick<QueueRow, "taskId" | "outcome">,
): Promise<TaskRecord | undefined> {
  if (row.outcome !== null) {
    const parsed = parseRecord(row.taskId, row.outcome);
    if (parsed.ok) return parsed.record;
  }
  try {
    return await world.records.byTask(row.taskId);
  } catch (error) {
    if (error instanceof FileFault) return undefined;
    throw error;
  }
}

/** A record that could not be written, or that somebody has taken away while its task was open. */
export function reopened(row: QueueRow, { request, cwd, settings }: Job): TaskRecord {
  return openRecord({
    taskId: row.taskId,
    request,
    prompt: request.prompt,
    cwd,
    capability: request.capability || "chat",
    outputMode: request.output_mode ?? settings.defaultOutputMode,
    caller: null,
    batch: row.batch,
    nowMs: row.createdMs,
  });
}

function failureOf(fate: Fate, row: QueueRow): Failure {
  switch (fate.end) {
    case "cancelled":
      return { code: "cancelled", detail: `Cancelled before Hermes was started: ${fate.why}` };
    case "timeout": {
      const seconds = Math.round((row.deadlineMs - row.createdMs) / 1000);
      return {
        code: "timeout",
        detail: `Waited ${seconds} s for a slot and was not started; try again later, or raise maxConcurrent`,
      };
    }
    case "no_credential":
      return {
        code: "no_credential",
        detail: `Nobody came with ${fate.variables.join(", ")} as it was when the task was given; ` +
          "set it in Hermes' .env, or give the task again",
      };
    case "lost":
      return {
        code: "lost",
        detail: "The process that ran it died; what it had started is ended; give the task again",
      };
  }
}

/** How long a result is held that can be written nowhere, such as on a full disk. */
const HOLD_TRIES = 60;
const HOLD_MS = 1_000;

/** Keeps a closed record and takes the task out of the queue. What cannot be written waits in the row. */
export async function finish(world: World, record: TaskRecord): Promise<void> {
  for (let tries = 1;; tries++) {
    try {
      return await finishOnce(world, record);
    } catch (error) {
      if (!(error instanceof FileFault) || tries === HOLD_TRIES) throw error;
      await world.clock.sleep(HOLD_MS);
    }
  }
}

async function finishOnce(world: World, record: TaskRecord): Promise<void> {
  const problem = await world.records.keep(record);
  if (problem === undefined) return await remove(world, record.task_id, record);
  const warned = { ...record, warnings: [...new Set([...record.warnings, problem])] };
  await world.queue.turn((turn) =>
    turn.change(record.task_id, { state: "closing", outcome: JSON.stringify(warned), dead: [] })
  );
  world.queue.wake(record.task_id);
  wakeQueue(world);
}

async function remove(world: World, taskId: string, record?: TaskRecord): Promise<void> {
  const losers = await world.queue.turn((turn) => {
    turn.remove(taskId);
    if (record?.batch?.strategy !== "race" || record.status !== "succeeded") return [];
    return turn.rows().filter(({ batch }) => batch?.id === record.batch!.id).map((row) => {
      turn.change(row.taskId, { wish: `task ${taskId} has won the race` });
      return row.taskId;
    });
  });
  world.queue.wake(taskId, true);
  wakeQueue(world);
  for (const loser of losers) world.queue.wake(loser);
}

async function buryRunners(world: World): Promise<void> {
  const dead = world.queue.runners().filter(({ owner }) => !world.queue.alive(owner));
  if (dead.length === 0) return;
  await world.queue.turn((turn) => {
    for (const { owner } of dead) turn.unregister(owner);
  });
  await world.queue.tidy();
}
