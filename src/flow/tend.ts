// Whoever looks at the queue looks after it: starts a supervisor where one is missing, and closes what has lost its
// owner, its time or its reason. So nothing waits for ever on somebody who is gone.
import { type Failure, refusal } from "../core/failure.ts";
import { type Fate, fateOf, type QueueRow } from "../core/queue.ts";
import { parseRecord } from "../core/record_text.ts";
import { isOpen, type TaskRecord } from "../core/record.ts";
import { addWarnings, closeRecord, openRecord, settle } from "../core/record_steps.ts";
import { FileFault, type QueueTurn, type World } from "../ports.ts";
import { launchMissing } from "./launch_missing.ts";
import { lookAt, wakeQueue } from "./look.ts";
import { leftWarnings, lookFailed } from "./run_child.ts";
import { within } from "./within.ts";

/** Looks after the queue once. A queue that cannot be written now is looked after the next time. */
export async function tend(world: World): Promise<void> {
  try {
    await lookAfter(world);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
  }
}

/** How long an answer waits for a look. */
const BRIEF_MS = 1_000;

/** Looks after the queue before an answer, if there is anything to look after; the look may go on behind it. */
export async function tendBriefly(world: World): Promise<void> {
  if (world.queue.rows().length > 0) await within(world.clock, BRIEF_MS, tend(world));
}

/** Refuses, with what to do, where the queue cannot be written. */
export async function orBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    const next = error.kind === "full" ? "free some space" : "try again in a moment";
    throw refusal("busy", `The queue cannot be written: ${error.message}; ${next}`);
  }
}

async function lookAfter(world: World): Promise<void> {
  const look = lookAt(world);
  const doomed = look.rows.filter((row) => fateOf(row, look) !== undefined);
  for (const row of doomed) await close(world, row);
  await buryRunners(world);
  if (world.place.depth > 0 || !look.rows.some(({ state }) => state === "queued")) return;
  if (await world.guardian.mayLaunch() === undefined) await launchMissing(world);
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
  const warnings: string[] = [];
  for (const owner of taken.dead) warnings.push(...await reap(world, owner));
  const record = await recordOf(world, taken.row) ?? reopened(world, taken.row);
  if (!record) return await remove(world, taskId);
  const warned = addWarnings(record, warnings);
  const closed = isOpen(record)
    ? closeRecord(settle(warned, failureOf(taken.fate, taken.row)), world.clock.now())
    : warned;
  await finish(world, closed);
}

const REAP_TRIES = 5;
const REAP_PAUSE_MS = 50;

/** Ends what a dead process had started. Returns warnings. */
async function reap(world: World, owner: string): Promise<string[]> {
  for (let tries = 1;; tries++) {
    try {
      return leftWarnings(await world.guardian.reap(owner));
    } catch (error) {
      // Somebody who takes its proof away holds it for a moment.
      if (tries < REAP_TRIES) await world.clock.sleep(REAP_PAUSE_MS);
      else return leftWarnings({ left: [], limited: lookFailed(error) });
    }
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
export function reopened(world: World, row: QueueRow): TaskRecord | undefined {
  const job = world.queue.job(row.taskId);
  if (!job) return undefined;
  const { request, cwd, settings } = job;
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
        detail: fate.served
          ? `Waited ${seconds} s for a slot and was not started; try again later, or raise maxConcurrent`
          : `No supervisor came up in ${seconds} s to run it; after an update of hermes-task restart what runs it, ` +
            "else give the task without background",
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
        detail: "The process that ran it died; give the task again",
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
  const losers = await world.queue.turn((turn) => {
    turn.change(record.task_id, { state: "closing", outcome: JSON.stringify(warned), dead: [] });
    return cancelLosers(turn, record);
  });
  for (const taskId of [record.task_id, ...losers]) world.queue.wake(taskId);
  wakeQueue(world);
}

async function remove(world: World, taskId: string, record?: TaskRecord): Promise<void> {
  const losers = await world.queue.turn((turn) => {
    turn.remove(taskId);
    return record ? cancelLosers(turn, record) : [];
  });
  world.queue.wake(taskId, true);
  for (const loser of losers) world.queue.wake(loser);
  wakeQueue(world);
}

/** The first answer of a race ends the others. */
function cancelLosers(turn: QueueTurn, { task_id, batch, status }: TaskRecord): string[] {
  if (batch?.strategy !== "race" || status !== "succeeded") return [];
  const losers = turn.rows().filter((row) =>
    row.batch?.id === batch.id && row.taskId !== task_id && row.wish === null
  );
  for (const { taskId } of losers) turn.change(taskId, { wish: `task ${task_id} has won the race` });
  return losers.map(({ taskId }) => taskId);
}

async function buryRunners(world: World): Promise<void> {
  const dead = world.queue.runners().filter(({ owner }) => !world.queue.alive(owner));
  if (dead.length === 0) return;
  await world.queue.turn((turn) => {
    for (const { owner } of dead) turn.unregister(owner);
  });
  world.queue.tidy();
}
