// How is a task now? Its record says what was, the queue what goes on.
import type { QueueRow } from "../core/queue.ts";
import { isOpen, type TaskRecord } from "../core/record.ts";
import { closeRecord, settle } from "../core/record_steps.ts";
import type { World } from "../ports.ts";
import { recordOf, reopened } from "./tend.ts";

/** A record without a row is lost once its writer has had the time to add it. */
const ADMISSION_MS = 60_000;

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

/** A record with what its row knows better. */
export function stateOf(row: QueueRow, record: TaskRecord): TaskRecord {
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
