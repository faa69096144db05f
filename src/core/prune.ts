// Which recorded tasks may go? By age, by count and by size; one that has not ended never.
import { refusal } from "./failure.ts";
import { parseMoment } from "./moment.ts";
import type { TaskState } from "./record.ts";
import { parseSize } from "./size.ts";
import { bytesOf, sizeOf, type StoredRecords, type StoredTask } from "./stored.ts";

/** What a caller may ask for. At least one of the first three. */
export interface PruneArgs {
  /** Remove tasks created before this: a span back from now (`30d`) or a date. */
  readonly older_than?: string;
  /** Keep no more than so many tasks that have ended, the newest. */
  readonly keep?: number;
  /** Remove the oldest until records and logs are at most this size together: `500MB`. */
  readonly max_size?: string;
  /** Tell what would go; nothing is removed. */
  readonly dry_run?: boolean;
}

/** What may go; a task goes when one of these says so. */
export interface PrunePolicy {
  /** Tasks created before this moment. */
  readonly createdBeforeMs?: number;
  /** Tasks beyond the newest so many that have ended. */
  readonly keep?: number;
  /** The oldest tasks, while all files together are larger. */
  readonly maxBytes?: number;
}

/** Which rule a task goes by: the name of its argument. */
export type PruneReason = "older_than" | "keep" | "max_size";

/** A task that goes. */
export interface DoomedTask extends StoredTask {
  readonly why: PruneReason;
}

/** What goes, the oldest first, and how much stays. */
export interface PruneDecision extends StoredRecords {
  readonly tasks: readonly DoomedTask[];
  readonly bytesLeft: number;
}

/** A log may be there for a moment before its record can be seen, and for a task whose record could not be kept. */
const STRAY_AFTER_MS = 3_600_000;
/** A state that is not here, such as one of a later version, is not known to be an end. */
const ENDED: ReadonlySet<string> = new Set(
  ["succeeded", "failed", "cancelled", "timed_out", "lost"] satisfies TaskState[],
);
const EXAMPLE = "hermes-task prune --older-than 30d --dry-run";

/** Reads what a caller asks for. Throws `invalid_args`. */
export function parsePolicy({ older_than, keep, max_size }: PruneArgs, nowMs: number): PrunePolicy {
  if (older_than === undefined && keep === undefined && max_size === undefined) {
    throw refusal(
      "invalid_args",
      `Nothing says which tasks may go: give --older-than, --keep or --max-size; run: ${EXAMPLE}`,
    );
  }
  return {
    ...(older_than === undefined ? {} : { createdBeforeMs: admitMoment(older_than, nowMs) }),
    ...(keep === undefined ? {} : { keep: admitCount(keep) }),
    ...(max_size === undefined ? {} : { maxBytes: admitSize(max_size) }),
  };
}

function admitMoment(text: string, nowMs: number): number {
  const ms = parseMoment(text, nowMs);
  if (ms !== undefined && ms <= nowMs) return ms;
  const what = ms === undefined ? "is no span and no date" : "lies ahead, so that every task would go";
  throw wrong("older_than", text, `${what}; write 24h, 30d, 2w or 2026-08-01`);
}

function admitCount(count: number): number {
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw wrong("keep", String(count), "is no number of tasks; write 0 or more, such as 1000");
}

function admitSize(text: string): number {
  const bytes = parseSize(text);
  if (bytes !== undefined) return bytes;
  throw wrong("max_size", text, "is no size; write 500MB, 1.5GB or a number of bytes");
}

function wrong(name: string, text: string, what: string) {
  return refusal("invalid_args", `Argument "${name}": ${JSON.stringify(text.slice(0, 60))} ${what}`);
}

/** Decides what goes. Every rule takes the oldest first, so the first task that no rule takes ends it. */
export function decidePrune(stored: StoredRecords, policy: PrunePolicy, nowMs: number): PruneDecision {
  const ended = stored.tasks.filter((task) => ENDED.has(task.state)).sort(byAge);
  const strays = stored.strays.filter(({ fileMs }) => nowMs - fileMs >= STRAY_AFTER_MS);
  let bytesLeft = sizeOf(stored) - sizeOf({ tasks: [], strays });
  const tasks: DoomedTask[] = [];
  for (const task of ended) {
    const why = reasonFor(task, policy, { tasksLeft: ended.length - tasks.length, bytesLeft });
    if (!why) break;
    tasks.push({ ...task, why });
    bytesLeft -= bytesOf(task);
  }
  return { tasks, strays, bytesLeft };
}

function reasonFor(
  task: StoredTask,
  { createdBeforeMs, keep, maxBytes }: PrunePolicy,
  { tasksLeft, bytesLeft }: { readonly tasksLeft: number; readonly bytesLeft: number },
): PruneReason | undefined {
  if (createdBeforeMs !== undefined && task.createdMs < createdBeforeMs) return "older_than";
  if (keep !== undefined && tasksLeft > keep) return "keep";
  return maxBytes !== undefined && bytesLeft > maxBytes ? "max_size" : undefined;
}

function byAge(a: StoredTask, b: StoredTask): number {
  return a.createdMs - b.createdMs || (a.taskId < b.taskId ? -1 : 1);
}
