// `hermes_tasks`: which tasks are there? The newest first, in pages.
import { z } from "zod";
import { type ErrorCode, refusal } from "../core/failure.ts";
import { parseMoment } from "../core/moment.ts";
import type { Operation } from "../core/operation.ts";
import type { TaskRecord, TaskState } from "../core/record.ts";
import { listTasks } from "../flow/list_tasks.ts";
import type { World } from "../ports.ts";

/** A state to list by; `open` are queued and running ones. */
export type StateFilter = "" | "open" | TaskState;

/** Arguments of `hermes_tasks`. All may be left out. */
export interface HermesTasksArgs {
  /** Only tasks in this state; `open`: queued or running. */
  readonly state?: StateFilter;
  /** Only tasks given from then on: ISO 8601, or a span back from now such as `24h`. */
  readonly since?: string;
  /** Most tasks of one page, 1 to 200. Default 20. */
  readonly limit?: number;
  /** Where to go on: `next_cursor` of the page before. */
  readonly cursor?: string;
}

/** {@link HermesTasksArgs} with every default filled in. */
export type TasksRequest = Readonly<Required<HermesTasksArgs>>;

/** One task of the list. */
export interface ListedTask {
  /** The task. */
  readonly task_id: string;
  /** Its state now. */
  readonly status: TaskState;
  /** Who is asked or answered; null when nobody was yet. */
  readonly provider: string | null;
  /** The model that is asked or answered. */
  readonly model: string | null;
  /** When it was given, ISO 8601 UTC. */
  readonly created_at: string;
  /** When it began to run; null while it waits. */
  readonly started_at: string | null;
  /** When it ended; null before. */
  readonly ended_at: string | null;
  /** Milliseconds from request to end; null before. */
  readonly duration_ms: number | null;
  /** How it failed; null when it did not. */
  readonly error: ErrorCode | null;
  /** The first words of the prompt, redacted; null when it was not recorded. */
  readonly prompt: string | null;
  /** The batch that it belongs to; null for a single task. */
  readonly batch_id: string | null;
}

/** What `hermes_tasks` answers. */
export interface HermesTasksResult {
  /** Always true. */
  readonly ok: true;
  /** The newest first. */
  readonly tasks: readonly ListedTask[];
  /** Where the next page begins; absent at the end. */
  readonly next_cursor?: string;
  /** What is worth knowing. */
  readonly warnings: readonly string[];
  /** Later versions may add fields. */
  readonly [extra: string]: unknown;
}

const STATES = [
  "",
  "open",
  "queued",
  "running",
  "succeeded",
  "failed",
  "cancelled",
  "timed_out",
  "lost",
] as const;

const PROMPT_CHARACTERS = 80;

const input: z.ZodType<TasksRequest, HermesTasksArgs> = z.strictObject({
  state: z.enum(STATES).default("").describe(
    "Only tasks in this state; open: queued or running. Empty: all.",
  ),
  since: z.string().default("").describe(
    "Only tasks from then on: 2026-08-01, or back from now: 30m, 24h, 7d.",
  ),
  limit: z.int().min(1).max(200).default(20).describe("Most tasks of one page."),
  cursor: z.string().max(200).default("").describe("The next_cursor of the page before."),
});

const output = z.looseObject({
  ok: z.boolean(),
  error: z.string().optional(),
  error_detail: z.string().optional(),
  next_cursor: z.string().optional().describe("Give this as cursor for the next page."),
  tasks: z.array(z.looseObject({ task_id: z.string(), status: z.string() })).optional(),
  warnings: z.array(z.string()).optional(),
});

/** The operation behind `hermes_tasks`, `hermes-task tasks` and `hermesTasks`. */
export const tasksOperation: Operation<World, HermesTasksArgs, TasksRequest, HermesTasksResult> = {
  name: "hermes_tasks",
  command: "tasks",
  title: "List Hermes tasks",
  description:
    "Lists tasks of every process of this user, the newest first: id, state, provider, model, times, first words of " +
    "the prompt. state open shows what is queued or running. Go on with cursor = next_cursor.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input,
  output,
  async run(world, request) {
    const sinceMs = admitSince(request.since, world.clock.now());
    const before = admitCursor(request.cursor);
    const { records, next, warnings } = await listTasks(world, {
      states: statesOf(request.state),
      limit: request.limit,
      ...(sinceMs === undefined ? {} : { sinceMs }),
      ...(before ? { before } : {}),
    });
    return {
      ok: true,
      ...(next ? { next_cursor: `${next.createdMs}.${next.taskId}` } : {}),
      tasks: records.map(showListed),
      warnings,
    };
  },
};

function statesOf(state: StateFilter): TaskState[] | undefined {
  if (state === "") return undefined;
  return state === "open" ? ["queued", "running"] : [state];
}

function admitSince(since: string, nowMs: number): number | undefined {
  if (since.trim() === "") return undefined;
  const ms = parseMoment(since, nowMs, { endOfDay: false });
  if (ms !== undefined) return ms;
  throw refusal(
    "invalid_args",
    `Argument "since": ${
      JSON.stringify(since.slice(0, 60))
    } is no date; write 2026-08-01, 2026-08-01T12:00:00Z or 7d`,
  );
}

function admitCursor(cursor: string): { createdMs: number; taskId: string } | undefined {
  if (cursor === "") return undefined;
  const [, ms, taskId] = /^(-?\d{1,16})\.([A-Za-z0-9_-]{1,128})$/.exec(cursor) ?? [];
  if (taskId !== undefined) return { createdMs: Number(ms), taskId };
  throw refusal(
    "invalid_args",
    `Argument "cursor": ${
      JSON.stringify(cursor.slice(0, 60))
    } is none; give the next_cursor of a reply, or nothing`,
  );
}

function showListed(record: TaskRecord): ListedTask {
  const { task_id, status, provider, model, created_at, started_at, ended_at, duration_ms, error } = record;
  return {
    task_id,
    status,
    provider,
    model,
    created_at,
    started_at,
    ended_at,
    duration_ms,
    error,
    prompt: firstWords(record.prompt),
    batch_id: record.batch?.id ?? null,
  };
}

function firstWords(prompt: string | null): string | null {
  if (prompt === null) return null;
  const characters = [...prompt.replace(/\s+/g, " ").trim()];
  return characters.length > PROMPT_CHARACTERS
    ? characters.slice(0, PROMPT_CHARACTERS - 1).join("") + "…"
    : characters.join("");
}
