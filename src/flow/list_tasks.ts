// Which tasks are there? The index knows their order, the queue their state now.
import type { TaskRecord } from "../core/record.ts";
import { FileFault, type World } from "../ports.ts";
import type { ListPlace, ListQuery } from "../core/task_page.ts";
import { seeTask } from "./see_task.ts";
import { tendBriefly } from "./tend.ts";

/** One page. */
export interface TaskPage {
  readonly records: readonly TaskRecord[];
  /** Where the next page begins; undefined at the end. */
  readonly next: ListPlace | undefined;
  readonly warnings: readonly string[];
}

/** Reads one page of tasks, the newest first. What has changed its state since the index knew it is left out. */
export async function listTasks(world: World, query: ListQuery): Promise<TaskPage> {
  await tendBriefly(world);
  const { entries, warnings } = await world.records.list({ ...query, limit: query.limit + 1 });
  const shown = entries.slice(0, query.limit);
  const seen = await Promise.all(shown.map(({ taskId }) => seeQuietly(world, taskId)));
  return {
    records: seen.filter((record) => record !== undefined && isWanted(record, query)) as TaskRecord[],
    next: entries.length > query.limit ? shown.at(-1) : undefined,
    warnings,
  };
}

/** A file that cannot be read is counted by the index; it does not stop the list. */
async function seeQuietly(world: World, taskId: string): Promise<TaskRecord | undefined> {
  try {
    return (await seeTask(world, taskId))?.record;
  } catch (error) {
    if (error instanceof FileFault) return undefined;
    throw error;
  }
}

function isWanted({ status }: TaskRecord, { states }: ListQuery): boolean {
  return states === undefined || states.includes(status);
}
