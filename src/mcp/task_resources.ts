// Which tasks does a host see among the resources? The newest, in pages as `hermes_tasks` gives them, up to a bound:
// some hosts read all pages at once, and a user may have a hundred thousand tasks.
import type { Resource } from "@modelcontextprotocol/server";
import type { HermesTasksArgs, HermesTasksResult, ListedTask } from "../operations/tasks.ts";

/** Tasks of one page. */
const PAGE_TASKS = 20;
/** Tasks of all pages; older ones are found with `hermes_tasks`. */
const MOST_TASKS = 200;

/** Where a page of the list begins. */
export interface ListStart {
  /** Tasks of the pages before. */
  readonly before: number;
  /** The cursor of `hermes_tasks`; empty at the beginning. */
  readonly cursor: string;
}

/** The part of a list's page that tasks are. */
export interface TaskResources {
  readonly resources: Resource[];
  readonly nextCursor?: string;
}

/** Reads a cursor; undefined when it is none of ours. */
export function parseListCursor(cursor: string | undefined): ListStart | undefined {
  if (cursor === undefined) return { before: 0, cursor: "" };
  const [, before, rest] = /^(\d{1,3})@(.+)$/.exec(cursor) ?? [];
  return rest === undefined ? undefined : { before: Number(before), cursor: rest };
}

/** What to ask `hermes_tasks` for. */
export function listArgs({ before, cursor }: ListStart): HermesTasksArgs {
  return { limit: Math.max(1, Math.min(PAGE_TASKS, MOST_TASKS - before)), ...(cursor ? { cursor } : {}) };
}

/** A page of tasks as resources. */
export function taskResources(
  { tasks, next_cursor }: Pick<HermesTasksResult, "tasks" | "next_cursor">,
  start: ListStart,
): TaskResources {
  const before = start.before + PAGE_TASKS;
  return {
    resources: tasks.map(resourceOf),
    ...(next_cursor === undefined || before >= MOST_TASKS ? {} : { nextCursor: `${before}@${next_cursor}` }),
  };
}

/** Some hosts show the name, some the title, older ones the description; and some need names that differ. */
function resourceOf({ task_id, status, provider, model, created_at, prompt }: ListedTask): Resource {
  const title = `${status}: ${prompt ?? "prompt not recorded"}`;
  const facts = [provider, model, created_at].filter((fact) => fact !== null).join(" · ");
  return {
    uri: `hermes-task://tasks/${task_id}`,
    name: task_id,
    title,
    description: `${title} (${facts})`,
    mimeType: "application/json",
  };
}
