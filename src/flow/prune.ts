// Removing the records and logs of tasks that have ended: look, decide, remove, tell.
import {
  decidePrune,
  type DoomedTask,
  parsePolicy,
  type PruneArgs,
  type PruneReason,
} from "../core/prune.ts";
import { bytesOf, namesOf, sizeOf, type StoredReport, type StoredTask } from "../core/stored.ts";
import type { World } from "../ports.ts";

/** What `hermes-task prune` answers. */
export interface PruneResult {
  readonly ok: true;
  /** Tasks that were removed; in a dry run, that would be. */
  readonly removed: number;
  /** Logs without a record that went too. */
  readonly stray_logs: number;
  /** Size of all these files. */
  readonly freed_bytes: number;
  /** Records that are left. */
  readonly kept: number;
  readonly dry_run: boolean;
  /** The removed ones, the oldest first, up to 50. */
  readonly tasks: readonly PrunedTask[];
  /** How many more there are. */
  readonly tasks_left_out: number;
  readonly warnings: readonly string[];
}

/** One task that was removed. */
export interface PrunedTask {
  readonly task_id: string;
  /** ISO 8601 UTC. */
  readonly created_at: string;
  readonly bytes: number;
  /** The argument by which it went. */
  readonly why: PruneReason;
}

const MOST_TASKS = 50;

/** Removes what the arguments let go. Throws `invalid_args`. An abort ends it early, with what is done told. */
export async function pruneRecords(
  world: Pick<World, "records" | "clock">,
  args: PruneArgs,
  signal?: AbortSignal,
): Promise<PruneResult> {
  const nowMs = world.clock.now();
  const policy = parsePolicy(args, nowMs);
  const stored = await world.records.stored();
  const decision = decidePrune(stored, policy, nowMs);
  const dryRun = args.dry_run === true;
  const gone = dryRun ? { ...decision, warnings: [] } : await world.records.remove(decision, signal);
  const removed = new Set<StoredTask>(gone.tasks);
  const tasks = decision.tasks.filter((task) => removed.has(task));
  return {
    ok: true,
    removed: tasks.length,
    stray_logs: gone.strays.length,
    freed_bytes: sizeOf(gone),
    kept: stored.tasks.length - tasks.length,
    dry_run: dryRun,
    tasks: tasks.slice(0, MOST_TASKS).map(prunedTask),
    tasks_left_out: Math.max(0, tasks.length - MOST_TASKS),
    warnings: [
      ...stored.warnings,
      ...leftAlone(stored),
      ...(decision.bytesLeft > (policy.maxBytes ?? Infinity) ? [STILL_LARGER] : []),
      ...gone.warnings,
      ...(signal?.aborted && tasks.length < decision.tasks.length
        ? ["Ended early: run the same again to remove the rest"]
        : []),
    ],
  };
}

const STILL_LARGER =
  "What is left is still larger than max_size: tasks that have not ended are never removed";

function leftAlone({ unreadable }: StoredReport): string[] {
  const { count } = unreadable;
  if (count === 0) return [];
  const files = count === 1 ? "1 file that holds" : `${count} files that hold`;
  return [`Left alone: ${files} no record: ${namesOf(unreadable)}`];
}

function prunedTask(task: DoomedTask): PrunedTask {
  return {
    task_id: task.taskId,
    created_at: new Date(task.createdMs).toISOString(),
    bytes: bytesOf(task),
    why: task.why,
  };
}
