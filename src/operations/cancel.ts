// `hermes_cancel`: ends tasks and everything that they started.
import { z } from "zod";
import type { Operation } from "../core/operation.ts";
import { isOpen, type TaskRecord, type TaskState } from "../core/record.ts";
import { seeTask } from "../flow/see_task.ts";
import { cancelTasks } from "../flow/watch.ts";
import type { World } from "../ports.ts";
import { admitTaskIds, refuseUnknown, taskIds } from "./task_ids.ts";

/** Arguments of `hermes_cancel`. */
export interface HermesCancelArgs {
  /** The tasks, 1 to 200. */
  readonly task_ids: readonly string[];
  /** Why; it stands in the record. */
  readonly reason?: string;
}

/** {@link HermesCancelArgs} with every default filled in. */
export type CancelRequest = Readonly<Required<HermesCancelArgs>>;

/** One task of a `hermes_cancel`. */
export interface CancelledTask {
  /** The task. */
  readonly task_id: string;
  /** Its state now; null when it is not known. */
  readonly status: TaskState | null;
  /** Was it this call that ended it? False when it had ended before, or still goes on. */
  readonly cancelled: boolean;
  /** What to know about it. */
  readonly note: string;
}

/** What `hermes_cancel` answers. */
export interface HermesCancelResult {
  /** True when none of the tasks goes on. */
  readonly ok: true;
  /** In the order in which they were given. */
  readonly tasks: readonly CancelledTask[];
  /** What a cancel cannot undo. */
  readonly not_undone: string;
  /** What is worth knowing. */
  readonly warnings: readonly string[];
  /** Later versions may add fields. */
  readonly [extra: string]: unknown;
}

const NOT_UNDONE =
  "Files that Hermes has written, commands that it has run and messages that it has sent stay as they are.";

const input: z.ZodType<CancelRequest, HermesCancelArgs> = z.strictObject({
  task_ids: taskIds,
  reason: z.string().max(500).default("").describe("Why; it stands in the task's record."),
});

const output = z.looseObject({
  ok: z.boolean(),
  error: z.string().optional(),
  error_detail: z.string().optional(),
  tasks: z.array(z.looseObject({ task_id: z.string(), status: z.string().nullable() })).optional(),
  not_undone: z.string().optional().describe("What a cancel cannot undo."),
  warnings: z.array(z.string()).optional(),
});

/** The operation behind `hermes_cancel`, `hermes-task cancel` and `hermesCancel`. */
export const cancelOperation: Operation<World, HermesCancelArgs, CancelRequest, HermesCancelResult> = {
  name: "hermes_cancel",
  command: "cancel",
  title: "Cancel Hermes tasks",
  description:
    "Ends hermes_task tasks that are queued or running, and every process that they started; answers once nothing of " +
    "theirs runs any more. It does not undo what was done: files written, commands run and messages sent stay. A task " +
    "that has ended already stays as it is.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input,
  output,
  async run(world, { task_ids, reason }) {
    admitTaskIds(task_ids);
    const before = await Promise.all(task_ids.map(async (id) => (await seeTask(world, id))?.record));
    refuseUnknown(task_ids, before);
    const open = before.filter((record) => record !== undefined && isOpen(record)).map((one) => one!.task_id);
    const why = reason.trim() || "by request";
    const after = await cancelTasks(world, open, why);
    const now = (id: string) => after[open.indexOf(id)] ?? before[task_ids.indexOf(id)];
    const tasks = task_ids.map((id) => showCancelled(id, now(id), open.includes(id)));
    return { ok: true, tasks, not_undone: NOT_UNDONE, warnings: [] };
  },
};

function showCancelled(task_id: string, record: TaskRecord | undefined, wasOpen: boolean): CancelledTask {
  if (!record) return { task_id, status: null, cancelled: false, note: "not known here: check the id" };
  const { status } = record;
  if (isOpen(record)) {
    return { task_id, status, cancelled: false, note: "still ending: ask again, see hermes_tasks" };
  }
  if (!wasOpen) return { task_id, status, cancelled: false, note: "had ended before" };
  return status === "cancelled"
    ? { task_id, status, cancelled: true, note: "ended; nothing of it runs any more" }
    : { task_id, status, cancelled: false, note: "ended by itself at the same moment" };
}
