// Making the index over the records anew.
import { refusal } from "../core/failure.ts";
import { namesOf } from "../core/stored.ts";
import type { World } from "../ports.ts";

/** What `hermes-task reindex` answers. */
export interface ReindexResult {
  readonly ok: true;
  /** Records that the index knows now. */
  readonly records: number;
  /** Files that hold no record. */
  readonly unreadable: number;
  /** The first few of them, each as `"x.json" (why)`. */
  readonly unreadable_files: readonly string[];
  readonly duration_ms: number;
  readonly warnings: readonly string[];
}

/** Reads every record file into an emptied index. Throws `busy` when another process keeps it locked. */
export async function reindexRecords(world: Pick<World, "records" | "clock">): Promise<ReindexResult> {
  const startMs = world.clock.now();
  const { records, unreadable, busy, warnings } = await world.records.reindex();
  if (busy) {
    const detail = "Cannot make the index anew: another process keeps it locked; try again in a minute";
    throw refusal("busy", detail);
  }
  return {
    ok: true,
    records,
    unreadable: unreadable.count,
    unreadable_files: unreadable.first,
    duration_ms: world.clock.now() - startMs,
    warnings: [
      ...warnings,
      ...(unreadable.count > 0 ? [`Not counted, since they hold no record: ${namesOf(unreadable)}`] : []),
    ],
  };
}
